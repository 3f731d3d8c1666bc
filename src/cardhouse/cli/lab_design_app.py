"""The commands `cardhouse lab GAME DESIGN`, generated from the designs of packages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardhouse.cli.lab_app import Cores, command_for
from cardhouse.cli.options import Json

if TYPE_CHECKING:
    from cardhouse.lab.questions.design import Design

Out = Annotated[
    str,
    typer.Option("--out", "-o", metavar="FILE", help="The file to write, or - for standard output."),
]


def add_designs(app: typer.Typer, designs: dict[str, type[Design]]) -> None:
    """Add a command for each design."""
    for design in designs.values():
        sample = f"cardhouse lab {design.game} {design.name} --help"
        help_text = f"{design.title}\n\n{design.about}\n\n{sample}"
        app.command(design.name, help=help_text, short_help=design.title)(command_for(design, _for_all, _make))


def _for_all(*, output: Out = "designed.toml", cores: Cores = None, json: Json = False) -> None:
    """Declare the options of every design."""


def _make(design: Any, texts: dict[str, str], given: dict[str, Any]) -> None:
    from cardhouse.cli.lab_design import make

    make(design, texts, **given)
