"""Dogpile on the command line: deck files, printing, and the judge."""

from typing import Annotated

import typer

from cardhouse.cli.options import Json, NoBacks, Paper
from cardhouse.cli.plugins import Group


def bundled_deck_names() -> list[str]:
    """Return the names of the bundled decks."""
    from cardhouse.games.dogpile.deck_file import bundled_decks

    return list(bundled_decks())


Deck = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        autocompletion=bundled_deck_names,
        help="A deck file, a built-in deck's name, or - for standard input.",
        show_default=False,
    ),
]

deck = typer.Typer(cls=Group, add_completion=False)


@deck.callback()
def deck_() -> None:
    """Print or check a deck file for Dogpile.

    cardhouse deck show > mine.toml
    cardhouse deck check mine.toml
    """


@deck.command("check")
def check_deck(file: Deck, json: Json = False) -> None:
    """Check a deck file, and show how well its cards connect.

    Mistakes are listed with their lines; the exit status is then 2.

    cardhouse deck check mine.toml
    cardhouse deck check mine.toml --json
    """
    from cardhouse.games.dogpile.commands import decks

    decks.check(file, json)


@deck.command("show")
def show_deck(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The deck: standard or dogs.")] = "standard",
) -> None:
    """Print a built-in deck as a template for your own.

    cardhouse deck show > mine.toml
    cardhouse deck show dogs
    """
    from cardhouse.games.dogpile.commands import decks

    decks.show(name)


def judge(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A layout, or - for standard input.", show_default=False)],
    deck: Annotated[str, typer.Option(metavar="DECK", help="A deck file, or a built-in deck's name.")] = "standard",
    json: Json = False,
) -> None:
    """Check a layout of cards by the rules of Dogpile.

    The file is a JSON list of cards and places, such as [{"card": "C7", "x": 0, "y": 0}]. x grows to the right, y
    upward. Prints the verdict, each illegal contact with its reason, and the jokers' values. The exit status is 0 for
    every verdict, and 2 for an invalid layout.

    cardhouse judge layout.json
    cardhouse judge layout.json --deck mine.toml --json
    """
    from cardhouse.games.dogpile.commands import judging

    judging.print_verdict(file, deck, json)


def print_deck(
    file: Deck,
    paper: Paper = "a4",
    no_backs: NoBacks = False,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            show_default="the deck's name",
            help="The PDF to write, or - for standard output.",
        ),
    ] = "",
) -> None:
    """Make a PDF of a Dogpile deck, built-in or your own.

    Cards are 63 by 88 mm, nine to a page, with cutting marks. A page of backs follows each page, for two-sided
    printing. The edges of a card show what may touch it. Rule cards fill the last page.

    cardhouse print deck dogs
    cardhouse print deck mine.toml --paper letter -o prototype.pdf
    """
    from cardhouse.games.dogpile.commands import printing

    printing.write(file, paper, backs=not no_backs, output=output)
