"""The wounds: the standard 52, and those a table has written for itself, checked as a whole (HJ-30)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec

from cardhouse.cards import STANDARD, Card
from cardhouse.engine import BadFile, CardhouseError, Mistake
from cardhouse.games.hackjack.toml_lines import TomlLines
from cardhouse.games.hackjack.wound import Wound, Wounds
from cardhouse.games.hackjack.wound_check import Wrong, wrong_with

WOUNDS_FILE: Final = Path(__file__).with_name("wounds.toml").read_text("utf-8")
"""The standard wounds as a wounds file, which tells in its first lines how one is written."""

LARGEST_FILE: Final = 200_000
"""How many bytes a wounds file may have."""
LONGEST_LINE: Final = 4_000
"""How many characters a line of it may have: what the parser does grows with the square of them."""


class WoundsFileError(BadFile):
    """A wounds file that can't be used.

    The field of a mistake is written like `C4.check.failed` or `C4.conditions[2]`, counted from 1; it is empty where
    the text as a whole is meant.
    """

    def __init__(self, where: str, found: Iterable[Mistake]) -> None:
        mistakes = sorted(found, key=lambda mistake: mistake.line)
        has = "a mistake" if len(mistakes) == 1 else f"{len(mistakes)} mistakes"
        listed = "".join(f"\n{where}:{mistake.line}: {mistake.message}" for mistake in mistakes)
        super().__init__(f"The wounds in {where} can't be used because of {has}:{listed}", mistakes)


# What others call.


@cache
def standard_wounds() -> Wounds:
    """The 52 wounds of the rules, in the order of the standard deck; the same object each time, not to be changed."""
    return _wounds(tomllib.loads(WOUNDS_FILE), {})


def read_wounds(text: str | bytes, where: str = "wounds file") -> Wounds:
    """All 52 wounds: those of a wounds file, and the standard ones of the cards it leaves out (HJ-30).

    `where` is what the file is called. Raises WoundsFileError with all mistakes in it.
    """
    text = _decoded(text, where)
    data, lines = _parsed(text, where)
    wrong = list(wrong_with(data, standard_wounds()))
    if lines is None and not wrong:
        return _wounds(data, standard_wounds())
    lines = lines or TomlLines(text)
    mistakes = [*_said_twice(lines), *(_mistake(lines.of(found.place), found) for found in wrong)]
    raise WoundsFileError(where, mistakes)


def wounds_from(data: Mapping[str, Any]) -> Wounds:
    """All 52 wounds: those that plain data holds by card, as a wounds file does, and the standard ones of the others.

    Not to be changed: the same data give the same object. Raises CardhouseError, naming card and field, with all
    mistakes.
    """
    if not isinstance(data, Mapping):
        raise CardhouseError("wounds must be a table, with a wound for each card that is rewritten.")
    if not data:
        return standard_wounds()
    try:
        text = msgspec.json.encode(data)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise CardhouseError(f"wounds must be plain data: {error}.") from None
    return _wounds_of_json(text)


def rewritten(wounds: Wounds) -> list[Card]:
    """The cards whose wounds are not the standard ones, in the order of the standard deck."""
    standard = standard_wounds()
    return [card for card in STANDARD if wounds[card] != standard[card]]


@lru_cache(maxsize=64)
def _wounds_of_json(text: bytes) -> Wounds:
    """As `wounds_from`; a game is made again and again from the same options."""
    data = msgspec.json.decode(text)
    wrong = list(wrong_with(data, standard_wounds()))
    if wrong:
        raise CardhouseError(f"wounds: {' '.join(found.sentence for found in wrong)}")
    return _wounds(data, standard_wounds())


def _wounds(data: Mapping[str, Any], others: Wounds) -> Wounds:
    """Checked data as wounds, with those of the other cards."""
    return {card: msgspec.convert(data[card], Wound) if card in data else others[card] for card in STANDARD}


# From the file to its data.


def _decoded(text: str | bytes, where: str) -> str:
    """The text of a file, with plain line ends.

    Raises WoundsFileError if it may not be read at all.
    """
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    if len(data) > LARGEST_FILE:
        problem = f"The file has {len(data)} bytes; a wounds file may have {LARGEST_FILE} at most."
        raise WoundsFileError(where, [Mistake(1, "", problem)])
    if isinstance(text, bytes):
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            problem = f"The file must be UTF-8, and the byte {data[error.start]:#x} in this line is not."
            raise WoundsFileError(where, [Mistake(line, "", problem)]) from None
    # Some editors put a mark before UTF-8.
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    problem = f"This line has {{}} characters; a line may have {LONGEST_LINE} at most."
    lengths = enumerate(map(len, text.split("\n")), start=1)
    if long := [Mistake(line, "", problem.format(length)) for line, length in lengths if length > LONGEST_LINE]:
        raise WoundsFileError(where, long)
    return text


def _parsed(text: str, where: str) -> tuple[dict[str, Any], TomlLines | None]:
    """The data of a file; with its lines, if something stands there twice, of which only the first counts then.

    Raises WoundsFileError if that is not all that keeps the text from being TOML.
    """
    try:
        return tomllib.loads(text), None
    except (ValueError, RecursionError):
        lines = TomlLines(text)
    try:
        return tomllib.loads(lines.without_twice()), lines
    except (ValueError, RecursionError) as error:
        raise WoundsFileError(where, [*_said_twice(lines), _not_toml(error, text)]) from None


def _said_twice(lines: TomlLines) -> Iterator[Mistake]:
    """A card or field that the text has more than once."""
    for place, line in lines.twice:
        yield _mistake(line, Wrong(place, f"stands here again; it stands in line {lines.of(place)} already"))


def _mistake(line: int, found: Wrong) -> Mistake:
    return Mistake(line, found.field, found.sentence)


def _not_toml(error: Exception, text: str) -> Mistake:
    """What the parser says, with the line it says."""
    if isinstance(error, RecursionError):
        return Mistake(1, "", "This can't be read as TOML: its brackets are nested too deep.")
    said, _, place = str(error).partition(" (at ")
    found = re.match(r"line (\d+), column (\d+)", place)
    if found:
        return Mistake(int(found[1]), "", f"This is not TOML: {said} (column {found[2]}).")
    last = text.rstrip("\n").count("\n") + 1
    return Mistake(last if place else 1, "", f"This is not TOML: {said}{' (at the end of the file)' if place else ''}.")
