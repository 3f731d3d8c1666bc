"""Printing: a deck and sheets for a table of wood, as a PDF."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import typer

from cardhouse.cli import words
from cardhouse.cli.transcripts import read_file, source_of
from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile.commands.decks import chosen_deck
from cardhouse.games.dogpile.print import deck_pdf, rules_count
from cardhouse.games.dogs.print import dogs_pdf
from cardhouse.games.dogs.sheets import read_roster as read_dogs
from cardhouse.games.hackjack.print import hackjack_pdf
from cardhouse.games.hackjack.sheets import read_roster as read_posse
from cardhouse.games.hackjack.state import Sheet
from cardhouse.games.hackjack.wounds import read_wounds, standard_wounds
from cardhouse.print.pen import PAPERS

BLANK_SHEETS = 4
"""So many empty sheets are printed if nobody says."""

_Sheet = TypeVar("_Sheet")


def hackjack(
    paper: str,
    wounds: str | None,
    sheets: str | None,
    sheet_count: int | None,
    *,
    cards: bool,
    backs: bool,
    output: str,
) -> None:
    """Write the deck of wounds and character sheets to a file, and tell how they are to be printed.

    Raises CardhouseError if a file can't be read or written, or has what can't be printed.
    """
    if sheets is not None and sheet_count is not None:
        raise CardhouseError("Either --sheets or --sheet-count: sheets are filled in from a roster, or empty.")
    wanted: list[Sheet] | list[None] = (
        [None] * (BLANK_SHEETS if sheet_count is None else sheet_count)
        if sheets is None
        else _roster(sheets, read_posse)
    )
    if not cards and not wanted:
        raise CardhouseError("There is nothing to print: no cards and no sheets.")
    own = standard_wounds() if wounds is None else read_wounds(_bytes(wounds), source_of(wounds))
    printed = hackjack_pdf(own, PAPERS[paper], cards=cards, backs=backs, sheets=wanted)
    _write(printed, output, _how(len(wanted), cards=cards, backs=backs))


def deck(file: str, paper: str, *, backs: bool, output: str) -> None:
    """Write the cards of a deck to a file, and tell how they are to be printed.

    Raises CardhouseError if a file can't be read or written, or a card can't be printed.
    """
    chosen = chosen_deck(file)
    printed = deck_pdf(chosen, PAPERS[paper], backs=backs)
    cards = f"{words.count(len(chosen.cards), 'card')}, and {rules_count(chosen)} with the rules"
    _write(printed, output or ("deck.pdf" if file == "-" else f"{Path(file).stem}.pdf"), [f"{cards}: {_sides(backs)}."])


def dogs(paper: str, sheets: str | None, *, blank: bool, aid: bool, output: str) -> None:
    """Write the game master's page and character sheets to a file: those of a roster, empty ones, or both.

    Raises CardhouseError if a file can't be read or written, or has what can't be printed.
    """
    wanted = [] if sheets is None else _roster(sheets, read_dogs)
    blank = blank or sheets is None
    if not (aid or blank) and all(sheet.fast is not None for sheet in wanted):
        raise CardhouseError(
            "There is nothing to print: Fast NPCs have no sheets, and stand on the game master's page."
        )
    printed = dogs_pdf(PAPERS[paper], sheets=wanted, blank=blank, aid=aid)
    how = "The sheets: on one side, broader than high."
    _write(printed, output, [f"{how} The first page is the game master's." if aid else how])


def _write(printed: bytes, output: str, how: list[str]) -> None:
    """Write a PDF, and tell how it is best printed; to standard output, the PDF alone."""
    if output == "-":
        typer.echo(printed, nl=False)
        return
    try:
        Path(output).write_bytes(printed)
    except OSError as error:
        raise CardhouseError(f"{output} can't be written: {error.strerror}.") from None
    typer.echo("\n".join([f"{output} is written. Print it at 100 %, not shrunk to fit.", *how]))


def _bytes(file: str) -> bytes:
    return b"\n".join(read_file(file))


def _roster(file: str, read: Callable[[bytes], list[_Sheet]]) -> list[_Sheet]:
    """The characters of a roster file, as their game reads it.

    Raises CardhouseError, naming the file, if it is none.
    """
    text = _bytes(file)
    try:
        found = read(text)
    except CardhouseError as error:
        raise CardhouseError(f"{source_of(file)}: {error.message}", error.code) from None
    if not found:
        raise CardhouseError(f"{source_of(file)}: There is nobody in this roster.")
    return found


def _how(sheets: int, *, cards: bool, backs: bool) -> list[str]:
    """How cards and sheets are best printed."""
    lines = [f"The cards: {_sides(backs)}."] if cards else []
    if sheets:
        lines.append(
            f"{words.count(sheets, 'sheet')} after them: on one side." if cards else "The sheets: on one side."
        )
    return lines


def _sides(backs: bool) -> str:
    return "on both sides, turned over on the long edge" if backs else "on one side"
