"""Hackjack on the command line: its wounds as a file, and what is printed for it."""

from typing import Annotated

import typer

from cardhouse.cli.brought import Group
from cardhouse.cli.options import Json, NoBacks, Paper

Wounds = Annotated[str, typer.Argument(metavar="FILE", help="A wounds file; - for standard input.", show_default=False)]

wounds = typer.Typer(cls=Group, add_completion=False)


@wounds.callback()
def wounds_() -> None:
    """Print the wounds of Hackjack, or check those that you have written for your table.

    cardhouse wounds show > mine.toml
    cardhouse wounds check mine.toml
    """


@wounds.command("check")
def check_wounds(file: Wounds, json: Json = False) -> None:
    """Check a wounds file: which wounds it rewrites, or every mistake in it with its line; exit status 2.

    cardhouse wounds check mine.toml
    cardhouse wounds check mine.toml --json
    """
    from cardhouse.games.hackjack.commands import wounds_file

    wounds_file.check(file, json)


@wounds.command("show")
def show_wounds(
    card: Annotated[str, typer.Argument(metavar="CARD", help="One wound only.", show_default=False)] = "",
) -> None:
    """Print the standard wounds as a wounds file, which tells how one is written, or one of them for reading.

    cardhouse wounds show > mine.toml
    cardhouse wounds show C4
    """
    from cardhouse.games.hackjack.commands import wounds_file

    wounds_file.show(card)


def print_hackjack(
    paper: Paper = "a4",
    wounds: Annotated[
        str | None, typer.Option(metavar="FILE", help="A wounds file: its wounds in place of the standard ones.")
    ] = None,
    sheets: Annotated[
        str | None, typer.Option(metavar="FILE", help="A roster file: a sheet for each of its characters, filled in.")
    ] = None,
    sheet_count: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=100, show_default="4", help="How many empty sheets.")
    ] = None,
    no_cards: Annotated[bool, typer.Option("--no-cards", help="Sheets only.")] = False,
    no_backs: NoBacks = False,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="What to call the PDF; - for standard output.")
    ] = "hackjack.pdf",
) -> None:
    """Print the deck of Hackjack with a wound on every card, and character sheets.

    54 cards of 63 by 88 mm, nine to a page, with marks to cut along; each page is followed by the page of its backs,
    for a printer that prints on both sides. After them come the sheets.

    cardhouse print hackjack
    cardhouse print hackjack --paper letter --wounds mine.toml -o deck.pdf
    cardhouse print hackjack --no-cards --sheets roster.json
    """
    from cardhouse.games.hackjack.commands import printing

    printing.write(paper, wounds, sheets, sheet_count, cards=not no_cards, backs=not no_backs, output=output)
