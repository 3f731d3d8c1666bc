"""Character sheets and the game master's page as a PDF, for the command line."""

from cardhouse.cli.printing import read_roster, write_pdf
from cardhouse.engine import CardhouseError
from cardhouse.engine.values.missing import missing_letters
from cardhouse.engine.values.portraits import NO_PORTRAITS
from cardhouse.games.dogs.people.sheets import read_roster as read_dogs
from cardhouse.games.dogs.print import dogs_pdf
from cardhouse.print.pen import PAPERS


def write(paper: str, sheets: str | None, *, blank: bool, aid: bool, output: str) -> None:
    """Write a PDF of the game master's page and character sheets: those of a roster, blank ones, or both.

    Raises CardhouseError if a file can't be read or written, or has unprintable text.
    """
    wanted, portraits = ([], NO_PORTRAITS) if sheets is None else read_roster(sheets, read_dogs)
    blank = blank or sheets is None
    if not (aid or blank) and all(sheet.fast is not None for sheet in wanted):
        raise CardhouseError("There is nothing to print: Fast NPCs have no sheets; they are on the game master's page.")
    with missing_letters() as missing:
        printed = dogs_pdf(PAPERS[paper], sheets=wanted, portraits=portraits, blank=blank, aid=aid)
    how = "Print the sheets single-sided, landscape."
    write_pdf(printed, output, [f"{how} The first page is the game master's." if aid else how], missing)
