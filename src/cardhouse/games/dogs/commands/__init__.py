"""Dogs Play Cards, Too on the command line: characters of the dice game, odds of fallout, sheets on paper."""

from typing import Annotated

import typer

from cardhouse.cli.options import Json, Paper


def convert(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="A character each, as text; - for standard input.", show_default=False),
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to write the roster; - for standard output.")
    ] = "-",
) -> None:
    """Convert characters of the dice game for Dogs Play Cards, Too: a roster of them, to be brought to a table.

    A line for each Stat (Acuity 3d6) and each thing (I know the scripture 3d8), under the headings Traits,
    Relationships and Belongings; a line like Name: Amos, or the file is its name. What may want a second look is told.

    cardhouse convert amos.txt ruth.txt -o roster.json
    cardhouse print dogs --sheets roster.json
    """
    from cardhouse.games.dogs.commands import dice

    dice.convert(files, output)


def fallout(
    cards: Annotated[str, typer.Option(metavar="N", help="How many cards of fallout: 3, or 1-8.")] = "1-8",
    body: Annotated[str, typer.Option(metavar="N", help="Of somebody with how much Body: 2, or 0-4.")] = "0-4",
    arena: Annotated[
        str,
        typer.Option(metavar="ARENA", help="Fallout of which arenas: guns, or talking,physical.", show_default="all"),
    ] = "",
    decks: Annotated[int, typer.Option(metavar="N", min=1, max=2, help="Decks there are, all of them shuffled.")] = 1,
    json: Json = False,
) -> None:
    """What does fallout do? The exact odds of each severity, and of gaining experience, by arena and number of cards.

    They are those of a full deck, without the option that a jack draws a card. --json has them as fractions.

    cardhouse lab dogs fallout --cards 2-4 --body 1-3 --arena guns
    """
    from cardhouse.games.dogs.commands import fallout_odds

    fallout_odds.write(cards, body, arena, decks, json=json)


def print_dogs(
    paper: Paper = "a4",
    sheets: Annotated[
        str | None, typer.Option(metavar="FILE", help="A roster file: a sheet for each of its characters, filled in.")
    ] = None,
    blank: Annotated[bool, typer.Option("--blank", help="Empty sheets, too: for each template, and for none.")] = False,
    no_aid: Annotated[bool, typer.Option("--no-aid", help="Leave out the game master's page.")] = False,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="What to call the PDF; - for standard output.")
    ] = "dogs.pdf",
) -> None:
    """Print character sheets for Dogs Play Cards, Too, and a page for the game master.

    A page each, broader than high, with room for four fallout piles at its lower edge. Without a roster the sheets are
    empty. The game master's page has the Fast NPCs, the floating traits to tick off, and what fallout means.

    cardhouse print dogs
    cardhouse print dogs --sheets roster.json --paper letter
    cardhouse print dogs --sheets roster.json --blank --no-aid -o sheets.pdf
    """
    from cardhouse.games.dogs.commands import printing

    printing.write(paper, sheets, blank=blank, aid=not no_aid, output=output)
