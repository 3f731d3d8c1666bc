"""Shared parts of the printing commands: reading input, and writing a PDF."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import typer

from cardhouse.cli.transcripts import read_whole, source_of
from cardhouse.engine import CardhouseError
from cardhouse.engine.values.missing import MARK
from cardhouse.engine.values.portraits import Portraits
from cardhouse.engine.values.roster import portraits_in

_Sheet = TypeVar("_Sheet")


def write_pdf(printed: bytes, output: str, how: list[str], missing: Sequence[str] = ()) -> None:
    """Write a PDF and print advice and missing characters; with `-`, standard output gets the PDF alone."""
    lost = [f"These letters can't be printed; {MARK} stands in their place:", *missing] if missing else []
    if output == "-":
        typer.echo(printed, nl=False)
        if lost:
            typer.echo("\n".join(lost), err=True)
        return
    try:
        Path(output).write_bytes(printed)
    except OSError as error:
        raise CardhouseError(f"{output} can't be written: {error.strerror}.") from None
    typer.echo("\n".join([f"Wrote {output}. Print it at 100%, not “fit to page”.", *how, *lost]))


def read_roster(file: str, read: Callable[[bytes], list[_Sheet]]) -> tuple[list[_Sheet], Portraits]:
    """Return the characters of a roster file, as their game reads it, and their portraits.

    Raises CardhouseError, naming the file, if it is invalid.
    """
    text = read_whole(file)
    try:
        found, portraits = read(text), portraits_in(text)
    except CardhouseError as error:
        raise CardhouseError(f"{source_of(file)}: {error.message}", error.code) from None
    if not found:
        raise CardhouseError(f"{source_of(file)}: This roster is empty.")
    return found, portraits


def sides(backs: bool) -> str:
    """Return how to print cards, with backs or without."""
    return "two-sided, flipped on the long edge" if backs else "single-sided"
