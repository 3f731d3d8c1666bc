"""Command groups, and the commands of installed packages, including our own games, found by entry points.

A command's module is loaded only when it runs or its help is printed.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

ENTRY_POINTS = {"cardhouse.commands": "", "cardhouse.print": "print"}
"""The entry point groups for commands, with the word typed before their names.

An entry point maps the typed words to a function or, for several commands, a typer.Typer (with `add_completion=False`):
`wounds`, `lab dogs fallout`.
"""


_OURS = "cardhouse"


class Group(TyperGroup):
    """A command with subcommands: those defined in the code, and those of packages.

    Without a subcommand it prints its help. Help is plain text in 80 columns, because Rich's tables leave too little
    room.
    """

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        plain(self)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            typer.echo(ctx.get_help(), nl=False)
            ctx.exit()  # Click's no_args_is_help would exit with status 2, as for a mistake
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:
        own = super().list_commands(ctx)
        return [*own, *(name for name in _brought(ctx) if name not in own)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return plain(own)
        value = _brought(ctx).get(cmd_name)
        return None if value is None else plain(_command(" ".join([*_place(ctx), cmd_name]), value))


_EXAMPLES = re.compile(r"(?m)(?<=\n\n)(?=(?:cardhouse|echo) )")


def plain(command: Any) -> Any:
    """Return the command with plain-text help that keeps the line breaks of examples."""
    command.rich_markup_mode = None
    if command.help and "\b" not in command.help:
        command.help = _EXAMPLES.sub("\b\n", command.help)
    return command


def _brought(ctx: Any) -> dict[str, str]:
    """Return the packages' commands at this place by their last word, in alphabetical order: "module:name".

    If several packages claim a word, Cardhouse's own wins; if it has none, the value is an error sentence.
    """
    if __name__ not in ctx.meta:  # reads files of all packages, so only once per command line
        ctx.meta[__name__] = sorted(_entries())
    place, found = _place(ctx), dict[str, dict[str, str]]()
    for words, value, package in ctx.meta[__name__]:
        if words[:-1] == place:
            found.setdefault(words[-1], {})[package] = value
    return {word: _claimed(" ".join([*place, word]), by) for word, by in found.items()}


def _claimed(typed: str, by: Mapping[str, str]) -> str:
    """Return the target of a word that these packages claim, or a sentence (with spaces) if they conflict."""
    ours = [value for package, value in by.items() if package.startswith(f"{_OURS}-")]
    if ours or len(by) == 1:
        return ours[0] if ours else next(iter(by.values()))
    return (
        f"{' and '.join(package.replace('-', ' ') for package in by)} both claim the command {typed}. Only one can "
        f"have the name: uninstall the other, or rename what it brings in its pyproject.toml."
    )


def _place(ctx: Any) -> list[str]:
    """Return the words typed so far, after `cardhouse`."""
    return list(ctx.command_path.split()[1:])


def _entries() -> Iterator[tuple[list[str], str, str]]:
    """Yield every entry point: its words, its target, and its package."""
    for package, text in _entry_point_files():
        group = ""
        for line in map(str.strip, text.splitlines()):
            if line.startswith("["):
                group = line.strip("[]")
            elif group in ENTRY_POINTS and "=" in line:
                name, value = line.split("=", 1)
                yield f"{ENTRY_POINTS[group]} {name}".split(), value.strip(), package


def _entry_point_files() -> Iterator[tuple[str, str]]:
    """Yield each installed package's entry points file, with its name and version; the first of duplicates counts.

    importlib.metadata would take an eighth of the time of `cardhouse --help`, mostly to import the email parser.
    """
    seen = set()
    for place in sys.path:
        for file in Path(place).glob("*.dist-info/entry_points.txt"):
            package = file.parent.name.split("-")[0].lower()
            if package not in seen:
                yield file.parent.name.removesuffix(".dist-info"), file.read_text(encoding="utf-8", errors="replace")
            seen.add(package)


def _command(typed: str, value: str) -> Any:
    from pkgutil import resolve_name

    app, name = typer.Typer(add_completion=False), typed.split()[-1]
    if " both claim the command " in value:
        return broken(name, value)
    if not value.startswith(f"{_OURS}.") and (misfit := _misfit(value)):
        return broken(name, misfit)
    try:
        brought = resolve_name(value)
        if isinstance(brought, typer.Typer):
            app = brought
        else:
            app.command(name)(brought)
        command = typer.main.get_command(app)
    except Exception as error:  # noqa: BLE001 (another package's code may raise anything)
        return broken(name, f"{typed} can't be loaded: {type(error).__name__}: {error}.")
    command.name = name
    return command


def _misfit(value: str) -> str:
    """Return the error for an object whose package needs another version of Cardhouse; empty if it fits."""
    from importlib.metadata import entry_points

    from cardhouse.engine.diagnostics.registry import misfit

    found = (misfit(one) for group in ENTRY_POINTS for one in entry_points(group=group) if one.value == value)
    return next(filter(None, found), "")


def broken(name: str, why: str) -> Any:
    """Return a command of this name that fails with this sentence, whatever its arguments."""
    app = typer.Typer(add_completion=False)

    @app.command(name, help=why, context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
    def command() -> None:
        from cardhouse.engine import CardhouseError

        raise CardhouseError(why)

    return typer.main.get_command(app)
