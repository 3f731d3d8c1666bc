"""Options that several commands have, those of games among them."""

from pathlib import Path
from typing import Annotated, Literal

import typer

File = Annotated[str, typer.Argument(metavar="FILE", help="A transcript; - for standard input.", show_default=False)]
Table = Annotated[str, typer.Argument(metavar="TABLE", help="Its id, as tables list shows it.", show_default=False)]
Seat = Annotated[str, typer.Option(metavar="NAME", help="Whose view: a seat, or screen for what all may see.")]
Seed = Annotated[int, typer.Option(metavar="N", help="What is dealt where the transcript leaves a draw or roll out.")]
Database = Annotated[
    str,
    typer.Option(
        "--db",
        metavar="URL",
        envvar="CARDHOUSE_DATABASE",
        show_default="a file of your own",
        help="Where the tables are kept: sqlite:///FILE or postgresql://USER@HOST/NAME.",
    ),
]
Paper = Annotated[Literal["a4", "letter"], typer.Option(case_sensitive=False, help="The paper in your printer.")]
NoBacks = Annotated[bool, typer.Option("--no-backs", help="Leave the backs of the cards empty.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, for programs.")]


def default_database() -> str:
    """The URL of the file where one person's tables are kept, its folder made if need be."""
    folder = Path(typer.get_app_dir("cardhouse"))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'cardhouse.db'}"
