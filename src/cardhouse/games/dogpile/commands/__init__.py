"""Dogpile on the command line: decks as files and on paper, and the judge."""

from typing import Annotated

import typer

from cardhouse.cli.brought import Group
from cardhouse.cli.options import Json, NoBacks, Paper


def decks_along() -> list[str]:
    """The names of the decks that come along."""
    from cardhouse.games.dogpile.deck_file import own_decks

    return list(own_decks())


Deck = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        autocompletion=decks_along,
        help="A deck file, or the name of one that comes along; - for standard input.",
        show_default=False,
    ),
]

deck = typer.Typer(cls=Group, add_completion=False)


@deck.callback()
def deck_() -> None:
    """Print a deck for Dogpile, or check one that you have made.

    cardhouse deck show > mine.toml
    cardhouse deck check mine.toml
    """


@deck.command("check")
def check_deck(file: Deck, json: Json = False) -> None:
    """Check a deck file: what the deck is and how well its cards connect, or every mistake with its line; status 2.

    cardhouse deck check mine.toml
    cardhouse deck check mine.toml --json
    """
    from cardhouse.games.dogpile.commands import decks

    decks.check(file, json)


@deck.command("show")
def show_deck(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Which: standard or dogs.")] = "standard",
) -> None:
    """Print a deck that comes with Cardhouse as a deck file, which tells how one is written.

    cardhouse deck show > mine.toml
    cardhouse deck show dogs
    """
    from cardhouse.games.dogpile.commands import decks

    decks.show(name)


def judge(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A layout; - for standard input.", show_default=False)],
    deck: Annotated[
        str, typer.Option(metavar="DECK", help="A deck file, or the name of one that comes along.")
    ] = "standard",
    json: Json = False,
) -> None:
    """Judge a pack that lies on a table, by the rules of Dogpile.

    The file is a JSON list of the cards and where each lies: x grows to the right, y upward, none need be at 0, 0.
    The verdict, every illegal contact with its reason, and what jokers stand for; the exit status is 0 for any verdict.

    cardhouse judge layout.json
    cardhouse judge layout.json --deck mine.toml --json
    echo '[{"card": "C7", "x": 0, "y": 0}, {"card": "RJ", "x": 1, "y": 0}]' | cardhouse judge -
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
            show_default="as the deck, .pdf",
            help="What to call the PDF; - for standard output.",
        ),
    ] = "",
) -> None:
    """Print a deck for Dogpile: one that comes along, or your own.

    Cards of 63 by 88 mm, nine to a page, with marks to cut along; each page is followed by the page of its backs, for
    a printer that prints on both sides. Each card says at its edges what may lie there. What is left of the last page,
    or one page more, is filled with cards that tell the rules.

    cardhouse print deck dogs
    cardhouse print deck mine.toml --paper letter -o prototype.pdf
    """
    from cardhouse.games.dogpile.commands import printing

    printing.write(file, paper, backs=not no_backs, output=output)
