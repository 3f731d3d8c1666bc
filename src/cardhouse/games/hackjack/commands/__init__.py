"""Hackjack on the command line: wounds files and printing."""

from typing import Annotated

import typer

from cardhouse.cli.options import Json, NoBacks, Paper
from cardhouse.cli.plugins import Group

Wounds = Annotated[
    str, typer.Argument(metavar="FILE", help="A wounds file, or - for standard input.", show_default=False)
]

wounds = typer.Typer(cls=Group, add_completion=False)


@wounds.callback()
def wounds_() -> None:
    """Print Hackjack's wounds, or check your own.

    cardhouse wounds show > mine.toml
    cardhouse wounds check mine.toml
    """


@wounds.command("check")
def check_wounds(file: Wounds, json: Json = False) -> None:
    """Check a wounds file.

    Prints the rewritten wounds. Mistakes are listed with their lines; the exit status is then 2.

    cardhouse wounds check mine.toml
    cardhouse wounds check mine.toml --json
    """
    from cardhouse.games.hackjack.commands import wounds_file

    wounds_file.check(file, json)


@wounds.command("show")
def show_wounds(
    card: Annotated[str, typer.Argument(metavar="CARD", help="Only this card's wound.", show_default=False)] = "",
) -> None:
    """Print the standard wounds as a template, or one wound.

    cardhouse wounds show > mine.toml
    cardhouse wounds show C4
    """
    from cardhouse.games.hackjack.commands import wounds_file

    wounds_file.show(card)


def print_hackjack(
    paper: Paper = "a4",
    wounds: Annotated[str | None, typer.Option(metavar="FILE", help="A wounds file to use.")] = None,
    sheets: Annotated[str | None, typer.Option(metavar="FILE", help="A roster, to print filled-in sheets.")] = None,
    sheet_count: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=100, show_default="4", help="Empty sheets to print.")
    ] = None,
    no_cards: Annotated[bool, typer.Option("--no-cards", help="Print sheets only.")] = False,
    no_backs: NoBacks = False,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="The PDF to write, or - for standard output.")
    ] = "hackjack.pdf",
) -> None:
    """Make a PDF of Hackjack's deck and character sheets.

    Each of the 54 cards has its wound. Cards are 63 by 88 mm, nine to a page, with cutting marks. A page of backs
    follows each page, for two-sided printing. The sheets come last.

    cardhouse print hackjack
    cardhouse print hackjack --wounds mine.toml -o deck.pdf
    cardhouse print hackjack --no-cards --sheets roster.json
    """
    from cardhouse.games.hackjack.commands import printing

    printing.write(paper, wounds, sheets, sheet_count, cards=not no_cards, backs=not no_backs, output=output)
