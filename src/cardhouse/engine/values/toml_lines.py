"""The line of each value in a TOML text, which the parser doesn't report."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

Place = tuple[str | int, ...]
"""A place in data: names, and list indices from 0."""

DEEPEST = 20
"""The deepest nesting of brackets that is examined."""

_TOKEN = re.compile(
    r'"""(?:\\.?|[^\\])*?(?:""""{0,2}|\Z)'
    r"|'''.*?(?:''''{0,2}|\Z)"
    r'|"(?:\\[^\n]|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*"
    r"|[\[\]{}=,\n]"
    r"|[^\s\"'#\[\]{}=,]+",
    re.DOTALL,
)


class _Token(NamedTuple):
    """A token of a TOML text: a string, comment, mark or word; `line` is that of its first character."""

    text: str
    start: int
    end: int
    line: int


class TomlLines:
    """The line of everything in a TOML text; `twice` lists duplicates, each with its line.

    Any text works: if it isn't valid TOML, the result is incomplete.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.twice: list[tuple[Place, int]] = []
        self._lines: dict[Place, int] = {(): 1}
        self._said: set[Place] = set()
        self._lists: dict[Place, int] = {}
        self._table: Place | None = ()
        self._cut: list[tuple[int, int]] = []
        self._cutting = False
        for statement in self._statements():
            if statement[0].text == "[":
                self._take_header(statement)
            else:
                self._take_key(statement)

    def of(self, place: Place) -> int:
        """Return the line of a place, or of the nearest thing around it."""
        return next(self._lines[place[:end]] for end in range(len(place), -1, -1) if place[:end] in self._lines)

    def without_twice(self) -> str:
        """Return the text without duplicates; everything else keeps its line."""
        kept, end = [], 0
        for cut_from, cut_to in self._cut:
            kept += [self.text[end:cut_from], "\n" * self.text.count("\n", cut_from, cut_to)]
            end = cut_to
        return "".join([*kept, self.text[end:]])

    def _statements(self) -> Iterator[list[_Token]]:
        """Yield the tokens of each header, and of each key with its value."""
        line, depth = 1, 0
        statement: list[_Token] = []
        for match in _TOKEN.finditer(self.text + "\n"):
            token = _Token(match[0], match.start(), match.end(), line)
            line += token.text.count("\n")
            if token.text in ("[", "{"):
                depth += 1
            elif token.text in ("]", "}"):
                depth = max(0, depth - 1)
            if token.text != "\n" and not token.text.startswith("#"):
                statement.append(token)
            elif token.text == "\n" and depth == 0 and statement:
                yield statement
                statement = []
        if statement:
            yield statement

    def _take_header(self, statement: list[_Token]) -> None:
        """Enter the table of a header: `[C4]`, `[C4.check]` or `[[C4.details]]`."""
        header = self.text[statement[0].start : statement[-1].end]
        listed = header.startswith("[[")
        names = _names(header[2:-2] if listed else header[1:-1])
        self._table, self._cutting = None, False
        if not names:
            return
        place = (*self._placed(names[:-1]), names[-1])
        if listed:
            number = self._lists.get(place, 0)
            self._lists[place] = number + 1
            self._table = (*place, number)
            self._note(self._table, statement[0].line)
            return
        self._cutting = self._is_said_again(place, statement)
        if not self._cutting:
            self._table = self._placed(names)

    def _take_key(self, statement: list[_Token]) -> None:
        """Record a key: `blood = 1` or `check.failed = "dazed"`."""
        if self._cutting:
            self._cut.append((statement[0].start, statement[-1].end))
            return
        equals = next((number for number, token in enumerate(statement) if token.text == "="), None)
        if equals is None or self._table is None:
            return
        names = _names(self.text[statement[0].start : statement[equals].start])
        if names and not self._is_said_again((*self._table, *names), statement):
            self._look_inside((*self._table, *names), statement[equals + 1 :])

    def _is_said_again(self, place: Place, statement: list[_Token]) -> bool:
        """Return whether a statement is a duplicate, which is recorded as a mistake; otherwise record its line."""
        line = statement[0].line
        if place in self._said:
            self._cut.append((statement[0].start, statement[-1].end))
            self.twice.append((place, line))
            return True
        self._said.add(place)
        self._note(place, line)
        return False

    def _look_inside(self, place: Place, value: list[_Token]) -> None:
        """Record the lines inside a value's brackets: the entries of its lists, the keys of its tables."""
        around: list[tuple[Place, Iterator[int] | None]] = []
        now: Place | None = place
        key_from = 0
        for token in value:
            if len(around) > DEEPEST:
                return
            table, numbers = around[-1] if around else ((), None)
            if now is None and numbers is not None and token.text not in (",", "]"):
                now = (*table, next(numbers))
                self._lines[now] = token.line
            if token.text in ("[", "{") and now is not None:
                around.append((now, count() if token.text == "[" else None))
                now, key_from = None, token.end
            elif token.text in ("]", "}") and around:
                around.pop()
                now = None
            elif token.text == ",":
                now, key_from = None, token.end
            elif token.text == "=" and (names := _names(self.text[key_from : token.start])):
                now = (*table, *names)
                self._note(now, token.line)

    def _placed(self, names: Sequence[str]) -> Place:
        """Return the place of a header's names, in the last entry of each list on the way."""
        place: Place = ()
        for name in names:
            place = (*place, name)
            if place in self._lists:
                place = (*place, self._lists[place] - 1)
        return place

    def _note(self, place: Place, line: int) -> None:
        for end in range(1, len(place) + 1):
            self._lines.setdefault(place[:end], line)


def _names(key: str) -> tuple[str, ...]:
    """Return the names of a key, dotted or quoted; empty if it isn't a key."""
    if "\n" in key.strip():
        return ()
    try:
        value: Any = tomllib.loads(f"{key.strip()} = 0")
    except (ValueError, RecursionError):
        return ()
    names: list[str] = []
    while isinstance(value, dict):
        name, value = next(iter(value.items()))
        names.append(name)
    return tuple(names)
