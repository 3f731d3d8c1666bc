"""The deck of wounds and character sheets as a PDF, for play at a real table."""

from cardhouse.cli.printing import read_roster, sides, write_pdf
from cardhouse.cli.transcripts import read_whole, source_of
from cardhouse.engine import CardhouseError
from cardhouse.engine.values.missing import missing_letters
from cardhouse.engine.values.portraits import NO_PORTRAITS
from cardhouse.games.hackjack.print import hackjack_pdf
from cardhouse.games.hackjack.sheets import read_roster as read_posse
from cardhouse.games.hackjack.state import Sheet
from cardhouse.games.hackjack.wounds.data import read_wounds, standard_wounds
from cardhouse.print.pen import PAPERS

BLANK_SHEETS = 4
"""The default number of empty sheets."""


def write(
    paper: str,
    wounds: str | None,
    sheets: str | None,
    sheet_count: int | None,
    *,
    cards: bool,
    backs: bool,
    output: str,
) -> None:
    """Write the deck of wounds and character sheets to a file, and print how to print it.

    Raises CardhouseError if a file can't be read or written, or its content can't be printed.
    """
    if sheets is not None and sheet_count is not None:
        raise CardhouseError("Either --sheets or --sheet-count: sheets are filled in from a roster, or empty.")
    wanted: list[Sheet] | list[None] = [None] * (BLANK_SHEETS if sheet_count is None else sheet_count)
    portraits = NO_PORTRAITS
    if sheets is not None:
        wanted, portraits = read_roster(sheets, read_posse)
    if not cards and not wanted:
        raise CardhouseError("There is nothing to print: no cards and no sheets.")
    own = standard_wounds() if wounds is None else read_wounds(read_whole(wounds), source_of(wounds))
    with missing_letters() as missing:
        printed = hackjack_pdf(own, PAPERS[paper], cards=cards, backs=backs, sheets=wanted, portraits=portraits)
    write_pdf(printed, output, _how(len(wanted), cards=cards, backs=backs), missing)


def _how(sheets: int, *, cards: bool, backs: bool) -> list[str]:
    """Return advice for printing the cards and sheets."""
    lines = [f"Print the cards {sides(backs)}."] if cards else []
    if sheets:
        lines.append("Print the sheets single-sided.")
    return lines
