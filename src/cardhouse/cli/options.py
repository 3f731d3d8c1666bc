"""Options shared by several commands, including those of games."""

from pathlib import Path
from typing import Annotated, Literal

import typer

File = Annotated[str, typer.Argument(metavar="FILE", help="A transcript, or - for standard input.", show_default=False)]
Table = Annotated[
    str, typer.Argument(metavar="TABLE", help="The table's id, from `cardhouse tables list`.", show_default=False)
]
Seat = Annotated[str, typer.Option(metavar="NAME", help="The seat whose view to use, or screen.")]
Seed = Annotated[int, typer.Option(metavar="N", help="Seed for draws and rolls that the transcript leaves out.")]
Database = Annotated[
    str,
    typer.Option(
        "--db",
        metavar="URL",
        envvar="CARDHOUSE_DATABASE",
        show_default="a file of your own",
        help="The database: sqlite:///FILE or postgresql://USER@HOST/NAME.",
    ),
]
Paper = Annotated[Literal["a4", "letter"], typer.Option(case_sensitive=False, help="The paper size.")]
NoBacks = Annotated[bool, typer.Option("--no-backs", help="Don't print backs.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def default_database() -> str:
    """Return the URL of the user's own database file, creating its folder if needed.

    Raises CardhouseError if the user has no folder of their own, or can't write there.
    """
    from cardhouse.engine import CardhouseError  # --help needs no engine

    folder = Path(typer.get_app_dir("cardhouse"))
    if not folder.is_absolute():
        raise CardhouseError(f"This user has no home folder to keep a database in. {_NAME_ONE}")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CardhouseError(f"The folder {folder} can't be created: {error.strerror}. {_NAME_ONE}") from None
    return f"sqlite:///{folder / 'cardhouse.db'}"


_NAME_ONE = "Name a database: --db sqlite:////srv/cardhouse/cards.db, or the same as CARDHOUSE_DATABASE."
