"""Printing: a deck and sheets for a table of wood, as a PDF."""

from pathlib import Path

import typer

from cardhouse.cli import words
from cardhouse.cli.transcripts import read_file
from cardhouse.engine import CardhouseError
from cardhouse.games.hackjack.sheets import read_roster
from cardhouse.games.hackjack.state import Sheet
from cardhouse.games.hackjack.wounds import read_wounds, standard_wounds
from cardhouse.print.hackjack import hackjack_pdf
from cardhouse.print.pen import PAPERS

BLANK_SHEETS = 4
"""So many empty sheets are printed if nobody says."""


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
        [None] * (BLANK_SHEETS if sheet_count is None else sheet_count) if sheets is None else _roster(sheets)
    )
    if not cards and not wanted:
        raise CardhouseError("There is nothing to print: no cards and no sheets.")
    own = standard_wounds() if wounds is None else read_wounds(_bytes(wounds), _called(wounds))
    printed = hackjack_pdf(own, PAPERS[paper], cards=cards, backs=backs, sheets=wanted)
    if output == "-":
        typer.echo(printed, nl=False)
        return
    try:
        Path(output).write_bytes(printed)
    except OSError as error:
        raise CardhouseError(f"{output} can't be written: {error.strerror}.") from None
    typer.echo(_how(output, len(wanted), cards=cards, backs=backs))


def _bytes(file: str) -> bytes:
    return b"\n".join(read_file(file))


def _called(file: str) -> str:
    return "standard input" if file == "-" else file


def _roster(file: str) -> list[Sheet]:
    """The characters of a roster file.

    Raises CardhouseError, naming the file, if it is none.
    """
    text = _bytes(file)
    try:
        found = read_roster(text)
    except CardhouseError as error:
        raise CardhouseError(f"{_called(file)}: {error.message}", error.code) from None
    if not found:
        raise CardhouseError(f"{_called(file)}: There is nobody in this roster.")
    return found


def _how(output: str, sheets: int, *, cards: bool, backs: bool) -> str:
    """What was written, and how it is best printed."""
    lines = [f"{output} is written. Print it at 100 %, not shrunk to fit."]
    if cards:
        sides = "on both sides, turned over on the long edge" if backs else "on one side"
        lines.append(f"The cards: {sides}.")
    if sheets:
        lines.append(
            f"{words.count(sheets, 'sheet')} after them: on one side." if cards else "The sheets: on one side."
        )
    return "\n".join(lines)
