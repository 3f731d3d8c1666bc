"""Conversion of dice-game characters to a roster file, for the command line (DV-5)."""

from pathlib import Path

import typer

from cardhouse.cli.roster import write_file
from cardhouse.cli.transcripts import read_file, source_of
from cardhouse.engine import CardhouseError, write_roster
from cardhouse.games.dogs.people.notation import ReadSheet, read_sheet, tidied
from cardhouse.games.dogs.people.sheet import STATS, Sheet
from cardhouse.games.dogs.people.sheets import problem_of
from cardhouse.games.dogs.people.templates import problem_of as problem_of_new


def convert(files: list[str], output: str) -> None:
    """Write a roster of these characters, and print remarks about anything to check.

    Raises CardhouseError, naming the file and line, if one can't be converted or two share a name.
    """
    sheets: list[Sheet] = []
    remarks: list[str] = []
    for file in files:
        sheet, read = _read(file)
        if sheet.name in (other.name for other in sheets):
            raise CardhouseError(f"{source_of(file)}: {sheet.name} is there already.")
        sheets.append(sheet)
        remarks += _remarks(sheet, read)
    write_file(write_roster(sheets), output)
    for remark in remarks:
        typer.echo(remark, err=output == "-")


def _read(file: str) -> tuple[Sheet, ReadSheet]:
    """Read a character from its file."""
    lines = [tidied(line.decode()) for line in read_file(file)]
    name = "" if file == "-" else Path(file).stem
    for number, line in enumerate(lines):
        key, colon, named = line.partition(":")
        if colon and key.strip().lower() == "name":
            name, lines[number] = named.strip(), ""
    try:
        read = read_sheet("\n".join(lines))
    except CardhouseError as error:
        raise CardhouseError(f"{source_of(file)}: {error.message}") from None
    sheet = Sheet(name=name, stats=read.stats, things=read.things, proposed=read.scaled)
    if (problem := problem_of_new(sheet.stats, sheet.things) or problem_of(sheet)) is not None:
        raise CardhouseError(f"{source_of(file)}: {problem}.")
    return sheet, read


def _remarks(sheet: Sheet, read: ReadSheet) -> list[str]:
    """Return remarks: proposed Stats, and several things of a single die (DV-5)."""
    found = []
    if read.scaled:
        stats = ", ".join(f"{stat.capitalize()} {sheet.stats.of(stat)}" for stat in STATS)
        found.append(f"{sheet.name}: {stats}. This is a proposal, which you can change at the table.")
    if len(read.one_die) > 1:
        found.append(
            f"{sheet.name}: consider combining these traits, which have a single die: {', '.join(read.one_die)}."
        )
    return found
