"""Commands that packages bring, our own games among them: found by entry point, loaded when they are asked for."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any

import typer
from typer.core import TyperGroup

GROUP = "cardhouse.commands"
"""The entry points by which a package brings commands.

What one types = a function, or a typer.Typer of several (with `add_completion=False`): `wounds`, `print hackjack`.
"""


class Group(TyperGroup):
    """A command with commands under it: those that stand in the code, and those that packages bring for this place."""

    def list_commands(self, ctx: Any) -> list[str]:
        own = super().list_commands(ctx)
        return [*own, *(name for name in _brought(ctx) if name not in own)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        entry = _brought(ctx).get(cmd_name)
        return None if entry is None else _command(cmd_name, entry)


def _brought(ctx: Any) -> dict[str, EntryPoint]:
    """What is brought for the command that is asked about, by the last word, in alphabetical order."""
    _, *place = ctx.command_path.split()
    found = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        *words, name = entry.name.split()
        if words == place:
            found[name] = entry
    return found


def _command(name: str, entry: EntryPoint) -> Any:
    app = typer.Typer(add_completion=False)
    try:
        brought = entry.load()
        if isinstance(brought, typer.Typer):
            app = brought
        else:
            app.command(name)(brought)
        command = typer.main.get_command(app)
    except Exception as error:  # noqa: BLE001 (somebody else's code: anything may be wrong with it)
        return _broken(name, f"{entry.name} can't be loaded: {type(error).__name__}: {error}")
    command.name = name
    return command


def _broken(name: str, why: str) -> Any:
    app = typer.Typer(add_completion=False)

    @app.command(name, help=why)
    def command() -> None:
        from cardhouse.engine import CardhouseError

        raise CardhouseError(f"{why}.")

    return typer.main.get_command(app)
