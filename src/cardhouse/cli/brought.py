"""Groups of commands, and what packages bring for them, our own games among them: found by entry point.

What is brought is loaded when it is asked for, or when somebody wants to read of it.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

ENTRY_POINTS = {"cardhouse.commands": "", "cardhouse.print": "print"}
"""The entry points by which a package brings commands, and the word that comes before what they are called.

What one types = a function, or a typer.Typer of several (with `add_completion=False`): `wounds`, `lab dogs fallout`.
"""


_OURS = "cardhouse"


class Group(TyperGroup):
    """A command with commands under it: those that stand in the code, and those that packages bring for this place.

    By itself it prints its help. All help is plain text in 80 columns: a table of Rich's leaves too little for words.
    """

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        plain(self)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            typer.echo(ctx.get_help(), nl=False)
            ctx.exit()  # Click's own way, no_args_is_help, takes it for a mistake: exit status 2
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


_EXAMPLES = re.compile(r"(?m)(?<=\n\n)(?=(?:cardhouse|echo) .*$)")


def plain(command: Any) -> Any:
    """The command, whose help is plain text that keeps the lines of its examples."""
    command.rich_markup_mode = None
    if command.help and "\b" not in command.help:
        command.help = _EXAMPLES.sub("\b\n", command.help)
    return command


def _brought(ctx: Any) -> dict[str, str]:
    """What is brought for the command that is asked about, by the last word, in alphabetical order: "module:name".

    Where two packages claim a word, Cardhouse's own stays; if it has none, it is what says so.
    """
    if __name__ not in ctx.meta:  # files of all packages are read for it: once a command
        ctx.meta[__name__] = sorted(_entries())
    place, found = _place(ctx), dict[str, dict[str, str]]()
    for words, value, package in ctx.meta[__name__]:
        if words[:-1] == place:
            found.setdefault(words[-1], {})[package] = value
    return {word: _claimed(" ".join([*place, word]), by) for word, by in found.items()}


def _claimed(typed: str, by: Mapping[str, str]) -> str:
    """What a word stands for that these packages claim; a sentence, which has a space, if it is refused to all."""
    ours = [value for package, value in by.items() if package.startswith(f"{_OURS}-")]
    if ours or len(by) == 1:
        return ours[0] if ours else next(iter(by.values()))
    return (
        f"{' and '.join(package.replace('-', ' ') for package in by)} both claim the command {typed}. Only one can "
        f"have the name: uninstall the other, or rename what it brings in its pyproject.toml."
    )


def _place(ctx: Any) -> list[str]:
    """What was typed up to here, after `cardhouse`."""
    return list(ctx.command_path.split()[1:])


def _entries() -> Iterator[tuple[list[str], str, str]]:
    """All that is brought, with the words by which one asks for it, and the package that brings it."""
    for package, text in _entry_point_files():
        group = ""
        for line in map(str.strip, text.splitlines()):
            if line.startswith("["):
                group = line.strip("[]")
            elif group in ENTRY_POINTS and "=" in line:
                name, value = line.split("=", 1)
                yield f"{ENTRY_POINTS[group]} {name}".split(), value.strip(), package


def _entry_point_files() -> Iterator[tuple[str, str]]:
    """What the installed packages say they bring, each with its version; of one installed twice the first counts.

    importlib.metadata would take an eighth of the time of `cardhouse --help`, most of it for what reads e-mails.
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
    except Exception as error:  # noqa: BLE001 (somebody else's code: anything may be wrong with it)
        return broken(name, f"{typed} can't be loaded: {type(error).__name__}: {error}.")
    command.name = name
    return command


def _misfit(value: str) -> str:
    """What to say of the package of an object that needs another version of Cardhouse; empty if it fits."""
    from importlib.metadata import entry_points

    from cardhouse.engine.diagnostics.registry import misfit

    found = (misfit(one) for group in ENTRY_POINTS for one in entry_points(group=group) if one.value == value)
    return next(filter(None, found), "")


def broken(name: str, why: str) -> Any:
    """A command of this name that only says what is wrong with it, in a sentence, whatever it is asked."""
    app = typer.Typer(add_completion=False)

    @app.command(name, help=why, context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
    def command() -> None:
        from cardhouse.engine import CardhouseError

        raise CardhouseError(why)

    return typer.main.get_command(app)
