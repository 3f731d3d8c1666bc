"""One seat's knowledge of a table's cards, and of the others' answers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from cardhouse.engine import Entry, Table
from cardhouse.engine.values.transcript import Line, body_of


class Drawn(NamedTuple):
    """A card that was drawn: its entry, its line in the entry, and its deck."""

    number: int
    line: int
    deck: str
    card: str


class Known:
    """A table as one seat knows it; all its entries must be in memory.

    `hidden` are the cards whose place the seat didn't learn; it may still know those that are `doubtful`, because it
    sees a card of that name. `unknown_answers` are the numbers of others' answers that name someone the seat never
    heard of, `choices` those of secret choices that aren't revealed yet. `heard` are the texts in what the seat saw of
    each entry. `start` is the first entry with any of these, None if nothing is hidden.
    """

    def __init__(self, table: Table, seat: str) -> None:
        self.table, self.seat = table, seat
        self.standing = [entry for entry in table.entries if entry.stands]
        self.stories = {entry.number: table.story(entry, seat)["events"] for entry in self.standing}
        self.shown = shown_to(table, seat)
        self.in_sight = texts_in(msgspec.json.decode(self.shown))
        self.doubtful: set[Drawn] = set()
        self.heard = {entry.number: self._texts_seen(entry) for entry in self.standing}
        self._entries_by_text = _by_text(self.heard.items())
        self._drawn = _by_card(drawn_in(self.standing))
        self.hidden = {one for some in self._drawn.values() for one in some if not self._is_known(one, some)}
        self.doubtful |= {one for one in self.hidden if one.card in self.in_sight}
        self.unknown_answers = {entry.number for entry in self.standing if self._names_unknown(entry)}
        self.choices = set(_unrevealed(self.standing, seat))

    @property
    def start(self) -> int | None:
        """The number of the first entry with anything hidden."""
        return min((*(one.number for one in self.hidden), *self.unknown_answers, *self.choices), default=None)

    def next_is_known(self, deck: str, card: str, number: int, line: int) -> bool:
        """Return whether a card in a deck will be drawn from it visibly to this seat."""
        later = self._drawn.get((deck, card), [])
        place = bisect_left(later, Drawn(number, line, deck, card))
        return place < len(later) and later[place] not in self.hidden

    def _texts_seen(self, entry: Entry) -> set[str]:
        """Return the texts in what the seat saw of an entry, and in its own answer."""
        own_answer = body_of(entry.lines[0]) if entry.by == self.seat else {}
        return texts_in([self.stories[entry.number], own_answer])

    def _is_known(self, one: Drawn, draws: list[Drawn]) -> bool:
        """Return whether the seat saw a card between its draw and its next draw."""
        seen_at = self._entries_by_text.get(one.card, [])
        place = bisect_left(seen_at, one.number)
        if place < len(seen_at) and any(other.number == one.number for other in draws if other != one):
            self.doubtful.add(one)  # drawn, put back and drawn again: which time the seat saw isn't known
            return False
        next_draw = next((other.number for other in draws if other > one), None)
        if place == len(seen_at) or (next_draw is not None and seen_at[place] >= next_draw):
            return False
        if len(self.table.game.decks) == 1:
            return True
        if seen_at[place] == one.number and one.card not in self._hidden_texts(one.number):
            return True
        self.doubtful.add(one)  # the seat may have seen a card of the same name from another deck
        return False

    def _hidden_texts(self, number: int) -> set[str]:
        """Return the texts in what only others saw of an entry."""
        entry = self.table.entries[number - self.table.base - 1]
        audience = self.table.game.audience(self.seat)
        return texts_in([event.about for event in entry.events if not event.is_told(self.seat, audience)])

    def _names_unknown(self, entry: Entry) -> bool:
        """Return whether others saw something of an answer that this seat didn't, naming someone unknown to it."""
        if entry.by == self.seat or entry.kind != "do" or entry.secret:
            return False
        if len(self.stories[entry.number]) == len(entry.events):
            return False
        cards = {card for _, card in self._drawn}
        return any(text not in cards and self.is_unknown(text) for text in values_in(body_of(entry.lines[0])))

    def is_unknown(self, text: str) -> bool:
        """Return whether a text never appeared in what the seat saw, and isn't in its view."""
        return text not in self._entries_by_text and text not in self.in_sight


def shown_to(table: Table, seat: str) -> bytes:
    """Return what a seat sees now, and is asked."""
    return msgspec.json.encode([table.view(seat), table.asks(), table.offers(seat)])


def texts_in(value: Any) -> set[str]:
    """Return all texts in plain data, keys included."""
    found: set[str] = set()
    _collect(value, found)
    return found


def values_in(line: Line) -> Iterator[str]:
    """Yield the texts in the values of an answer, without its keys and its action."""
    for name, value in line.items():
        if isinstance(value, dict):
            yield from values_in(value)
        elif isinstance(value, str) and name != "do":
            yield value


def _collect(value: Any, found: set[str]) -> None:
    if isinstance(value, str):
        found.add(value)
    elif isinstance(value, dict):
        found.update(value)
        for part in value.values():
            _collect(part, found)
    elif isinstance(value, list | tuple):
        for part in value:
            _collect(part, found)
    elif isinstance(value, msgspec.Struct):
        _collect(msgspec.to_builtins(value), found)


def drawn_in(entries: Iterable[Entry]) -> Iterator[Drawn]:
    """Yield the cards that were drawn with these entries, in order."""
    for entry in entries:
        for place, line in enumerate(entry.lines):
            if line.get("draw") is not None and line.get("card") is not None:
                yield Drawn(entry.number, place, line["draw"], line["card"])


def _by_text(heard: Iterable[tuple[int, set[str]]]) -> dict[str, list[int]]:
    """Return the numbers of the entries with each text, in order."""
    found: dict[str, list[int]] = {}
    for number, texts in heard:
        for text in texts:
            found.setdefault(text, []).append(number)
    return found


def _by_card(drawn: Iterable[Drawn]) -> dict[tuple[str, str], list[Drawn]]:
    found: dict[tuple[str, str], list[Drawn]] = {}
    for one in drawn:
        found.setdefault((one.deck, one.card), []).append(one)
    return found


def _unrevealed(standing: list[Entry], seat: str) -> Iterator[int]:
    """Yield the secret choices of others since the last reveal."""
    for entry in reversed(standing):
        if entry.revealed:
            return
        if entry.is_hidden and entry.by != seat:
            yield entry.number
