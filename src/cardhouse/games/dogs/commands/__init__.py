"""Command-line functions for Dogs: conversion of dice-game characters, fallout odds, printed sheets."""

from typing import Annotated

import typer

from cardhouse.cli.options import Json, Paper


def convert(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE", help="Text files, one character each, or - for standard input.", show_default=False
        ),
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="The roster to write, or - for standard output.")
    ] = "-",
) -> None:
    """Convert characters from dice to cards, for Dogs.

    Write one line for each Stat (Acuity 3d6) and each trait (I know the scripture 3d8), under the headings Traits,
    Relationships and Belongings. The name comes from a line such as Name: Amos, or from the file. The result is a
    roster; remarks show what to check.

    cardhouse convert amos.txt ruth.txt -o roster.json
    cardhouse print dogs --sheets roster.json
    """
    from cardhouse.games.dogs.commands import dice

    dice.convert(files, output)


def fallout(
    cards: Annotated[str, typer.Option(metavar="N", help="Cards of fallout, such as 3 or 1-8.")] = "1-8",
    body: Annotated[str, typer.Option(metavar="N", help="The character's Body, such as 2 or 0-4.")] = "0-4",
    arena: Annotated[
        str,
        typer.Option(metavar="ARENA", help="Arenas, such as guns or talking,physical.", show_default="all"),
    ] = "",
    decks: Annotated[int, typer.Option(metavar="N", min=1, max=2, help="Decks in the game.")] = 1,
    json: Json = False,
) -> None:
    """What does fallout do?

    The exact odds of each severity, and of Experience, by arena and number of cards, for a full deck and without the
    house rule jack_draw. --json prints fractions.

    cardhouse lab dogs fallout --cards 2-4 --body 1-3 --arena guns
    """
    from cardhouse.games.dogs.commands import fallout_odds

    fallout_odds.write(cards, body, arena, decks, json=json)


def print_dogs(
    paper: Paper = "a4",
    sheets: Annotated[str | None, typer.Option(metavar="FILE", help="A roster, to print filled-in sheets.")] = None,
    blank: Annotated[bool, typer.Option("--blank", help="Print empty sheets too.")] = False,
    no_aid: Annotated[bool, typer.Option("--no-aid", help="Don't print the game master's page.")] = False,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="The PDF to write, or - for standard output.")
    ] = "dogs.pdf",
) -> None:
    """Make a PDF of Dogs character sheets and a game master's page.

    Each sheet is a landscape page with room for four fallout piles. Without a roster, sheets are empty. The game
    master's page has the Fast NPCs, the floating traits and the fallout tables.

    cardhouse print dogs
    cardhouse print dogs --sheets roster.json --paper letter
    cardhouse print dogs --sheets roster.json --no-aid -o sheets.pdf
    """
    from cardhouse.games.dogs.commands import printing

    printing.write(paper, sheets, blank=blank, aid=not no_aid, output=output)
