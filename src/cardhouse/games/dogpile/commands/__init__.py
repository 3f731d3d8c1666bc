"""Dogpile on the command line: decks as files and on paper, and the judge."""

from typing import Annotated

import typer

from cardhouse.cli.brought import Group
from cardhouse.cli.options import Json, NoBacks, Paper
from cardhouse.games.dogpile.commands.asked import Asked

USUAL = Asked(150)


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


def design(
    cards: Annotated[int, typer.Option(metavar="N", help="How many cards.")] = USUAL.cards,
    pairs: Annotated[
        str, typer.Option(metavar="PERCENT", help="The chance that two cards of the deck may lie side by side.")
    ] = "",
    stack: Annotated[
        str, typer.Option(metavar="PERCENT", help="The chance that two cards may lie one above the other.")
    ] = "",
    mean_pack: Annotated[
        float | None,
        typer.Option(metavar="DOGS", help="Dogs that join in a round, on average; a lost pack counts as none."),
    ] = None,
    hardest: Annotated[
        str, typer.Option(metavar="PERCENT", help="No plain card of whoever has a turn is laid less often than that.")
    ] = "",
    players: Annotated[
        str, typer.Option(metavar="N", help="Who plays: 4, or 2-8 for the mean of all these.")
    ] = USUAL.players,
    hand_size: Annotated[int, typer.Option(metavar="N", help="Cards in a hand.")] = USUAL.hand_size,
    passing: Annotated[str, typer.Option(metavar="ends_laying|skips", help="What laying nothing does.")] = (
        USUAL.passing
    ),
    bot: Annotated[str, typer.Option(metavar="BOT", help="Who plays in every seat.")] = USUAL.bot,
    wild: Annotated[
        int, typer.Option(metavar="N", help="Wild cards: two jokers, more are wild in number or suit alone.")
    ] = USUAL.wild,
    numbers: Annotated[str, typer.Option(metavar="N-N", help="So many numbers there may be.")] = USUAL.numbers,
    suits: Annotated[str, typer.Option(metavar="N-N", help="So many suits.")] = USUAL.suits,
    two_numbers: Annotated[
        str, typer.Option(metavar="PERCENT", help="Such a share of the cards may have two numbers.")
    ] = USUAL.two_numbers,
    two_suits: Annotated[
        str, typer.Option(metavar="PERCENT", help="Such a share of the cards may have two suits.")
    ] = USUAL.two_suits,
    alike: Annotated[int, typer.Option(metavar="N", help="So many cards may be the same.")] = USUAL.alike,
    starts: Annotated[int, typer.Option(metavar="N", help="Independent searches; the best is taken.")] = USUAL.starts,
    seed: Annotated[int, typer.Option(metavar="N", help="Other decks; the same seed is the same deck.")] = USUAL.seed,
    rounds: Annotated[
        int, typer.Option(metavar="N", min=2, help="So many rounds for each number of players tell what it does.")
    ] = 200_000,
    output: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="The deck file to write; - for standard output.")
    ] = "designed.toml",
    cores: Annotated[
        int | None, typer.Option(metavar="N", min=1, show_default="all", help="How many cores work on it.")
    ] = None,
    json: Json = False,
) -> None:
    """Design a deck: find cards with wanted chances of contact and packs, and write them as a deck file.

    What was asked stands beside what the deck does: counted where that is possible, else played on fresh deals. What
    can't be had is said, with the nearest that was found and what it would take.

    cardhouse lab dogpile design --cards 150 --pairs 18% --stack 25% --mean-pack 7
    cardhouse lab dogpile design --cards 100 --pairs 18% --stack 25% --hardest 40% -o hundred.toml
    """
    from cardhouse.games.dogpile.commands import designing

    given = (cards, pairs, stack, mean_pack, hardest, players, hand_size, passing, bot, wild, numbers, suits)
    designing.design(Asked(*given, two_numbers, two_suits, alike, starts, seed), rounds, output, json, cores)
