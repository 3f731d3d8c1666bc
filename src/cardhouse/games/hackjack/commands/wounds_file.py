"""Wounds files on the terminal: check one, print the standard file, or print one wound."""

from collections.abc import Iterator

import typer
from rich.padding import Padding
from rich.text import Text

from cardhouse.cli import words
from cardhouse.cli.transcripts import print_json, read_whole, source_of
from cardhouse.engine import CardhouseError
from cardhouse.games.hackjack.wounds.data import (
    WOUNDS_FILE,
    WoundsFileError,
    read_wounds,
    rewritten,
    standard_wounds,
)
from cardhouse.games.hackjack.wounds.schema import Detail, Wound


def check(file: str, json: bool) -> None:
    """Print which wounds a file rewrites; with `json`, print mistakes as JSON, too.

    Raises WoundsFileError listing every mistake, CardhouseError if the file can't be read.
    """
    text = read_whole(file)
    try:
        cards = rewritten(read_wounds(text, source_of(file)))
    except WoundsFileError as error:
        if json:
            print_json({"ok": False, "cards": [], "mistakes": error.mistakes})
        raise
    if json:
        print_json({"ok": True, "cards": cards, "mistakes": []})
    else:
        typer.echo(_found(cards))


def _found(cards: list[str]) -> str:
    if not cards:
        return "No wound is rewritten: all are the standard ones."
    are = words.count(len(cards), "wound is", "wounds are")
    others = "" if len(cards) == len(standard_wounds()) else "; the others are the standard ones"
    return f"{are} rewritten: {', '.join(cards)}{others}."


def show(card: str) -> None:
    """Print the standard wounds file, or one of its wounds.

    Raises CardhouseError if there is no such card.
    """
    if not card:
        typer.echo(WOUNDS_FILE, nl=False)
        return
    found = standard_wounds().get(card.upper())
    if found is None:
        raise CardhouseError(f"There is no wound {card}; each card has one: C, D, H or S, and A, 2 to 10, J, Q or K.")
    out = words.console()
    out.print(Text(f"{card.upper():7}{found.name}", "bold"))
    out.print(Padding(found.text, (0, 0, 0, 7)))
    rows = words.grid(14, None)
    for label, value in _facts(found):
        rows.add_row(Text(label, "bold"), value)
    out.print(Padding(rows, (1, 0, 0, 7)))


def _facts(wound: Wound) -> Iterator[tuple[str, str]]:
    """Yield a wound's fields, in the order and words of a wounds file."""
    for name, value in wound.as_json().items():
        match name:
            case "name" | "text":
                continue
            case "conditions":
                yield "Conditions", ", ".join(wound.conditions)
            case "check":
                again = ", each round anew" if value.get("each_round") else ""
                yield "Check", f"d20 over the death-score, or {value['failed']}{again}"
            case "details":
                yield from ((f"Roll {detail.dice}", _detail(detail)) for detail in wound.details)
            case "lasting":
                rest = {key: item for key, item in value.items() if key != "text"}
                yield "Lasting", f"{value['text']} ({words.plain(rest)})" if rest else value["text"]
            case _:
                yield words.label(name, {}), words.plain(value)


def _detail(detail: Detail) -> str:
    faces = enumerate(detail.means, start=1)
    return detail.what + "".join(f"{':' if face == 1 else ','} {face} {means}" for face, means in faces)
