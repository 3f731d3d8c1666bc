"""Detection of leaks without knowledge of the game: private information that reaches other seats.

Two tables are played in lockstep; at the second, one card or choice differs. If an event revealed that card or choice
to some seats only, all other seats must see the same at both tables, as long as they are sent the same events. A game
in which a seat can see such a thing without an event before the end is reported as well, and should send that event.

Only the card or choice itself is searched for. Its consequences, such as an order or odds, may be public; whether they
are, and who may receive an event, only the author can know and declare in `Conformance.pairs`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from cardhouse.engine import (
    GM,
    PHYSICAL,
    SCREEN,
    BadGame,
    CardhouseError,
    Dealer,
    Entry,
    Over,
    SeededDealer,
    Table,
    write_line,
)
from cardhouse.engine.table.runner import Pick
from cardhouse.engine.values.transcript import body_of
from cardhouse.testing.differing import describe_difference, differences, seen_now
from cardhouse.testing.playing import answer_like, quickly, shown_now

_FAR_BACK = 4
"""The number of last answers that are dealt differently at another table."""
_TRIES = 2
"""Other cards tried for each that was revealed to some seats only."""


def leak(table: Table) -> None:
    """Raises BadGame if a seat can tell which cards or dice one of the last answers had, without an event about it."""
    latest = table.entries[-_FAR_BACK:] if not isinstance(table.question, Over) else []
    for back in range(1, len(latest) + 1):
        since = latest[-back:]
        if any(entry.kind not in ("do", "draw", "roll") or entry.undone for entry in since):
            return
        for other in _others(table, since[0]):
            _compare_since(table, other, since)


class _Other(NamedTuple):
    """A table up to an entry where something else was `done` (drawn or chosen), and the seats unaware of it."""

    table: Table
    unaware: set[str]
    done: str
    here: Any
    there: Any

    def is_seen_in(self, mine: Any, theirs: Any) -> bool:
        """Return whether these visible values distinguish the tables by themselves.

        A chosen number may coincide with any other number.
        """
        if self.done == "chosen":
            return _names(mine, self.here) and _names(theirs, self.there)
        return any(_names(value, card) for value in (mine, theirs) for card in (self.here, self.there))


def _others(table: Table, entry: Entry) -> Iterator[_Other]:
    """Yield tables up to this entry in which a card or a choice differs."""
    picked = list(_picked(table, entry))
    for place, card in enumerate(picked):
        if not isinstance(card, str):  # a die: events don't identify it
            continue
        if unaware := _not_told(table, entry, card):
            for attempt in range(_TRIES):
                dealer = _OtherDealer(picked, place, Random(f"{place} {attempt}"))
                if (other := _before(table, entry, dealer)) and _answers(other, entry):
                    yield _Other(other, unaware, "drawn", card, dealer.instead)
    yield from _chosen_otherwise(table, entry)


def _chosen_otherwise(table: Table, entry: Entry) -> Iterator[_Other]:
    """Yield tables up to this entry in which another value was chosen."""
    body = body_of(entry.lines[0]) if entry.kind == "do" else {}
    for name, value in body.items():
        unaware = _not_told(table, entry, value) - {entry.by} if name != "do" else set()
        before = _before(table, entry, SeededDealer()) if unaware else None
        for instead in _other_values(before, entry.by, body["do"], name, value)[:_TRIES] if before else ():
            if other := _before(table, entry, SeededDealer()):
                with suppress(CardhouseError):
                    other.answer(entry.by, {**body, name: instead}, chance=entry.lines[1:])
                    yield _Other(other, unaware, "chosen", value, instead)


def _other_values(table: Table, seat: str, word: str, field: str, value: Any) -> list[Any]:
    """Return the values that a seat could have chosen instead for a field of an action."""
    offers = [offer for offer in table.offers(seat, anytime=True) if offer.get("do") == word]
    schemas = [offer["fields"][field] for offer in offers if field in offer["fields"]]
    found = [one for schema in schemas for one in _values_of(schema) if one != value]
    return list(dict.fromkeys(found))


def _values_of(schema: dict[str, Any]) -> Sequence[Any]:
    if schema.get("type") == "integer" and "minimum" in schema:
        return range(schema["minimum"], min(schema["maximum"], schema["minimum"] + 9) + 1)
    return [one for one in schema.get("enum", ()) if isinstance(one, str | int)]


def _not_told(table: Table, entry: Entry, card: Any) -> set[str]:
    """Return the seats that got no event about a card or choice, if some event about it was private; otherwise none."""
    naming = [event for event in entry.events if any(_names(value, card) for value in event.about.values())]
    if not any(event.to or event.but for event in naming):
        return set()
    seats = {*table.seats, SCREEN} - ({GM} if table.kind.open_to_gm else set())
    audience = table.game.audience
    return {seat for seat in seats if not any(event.is_told(seat, audience(seat)) for event in naming)}


def _names(value: Any, card: Any) -> bool:
    return (type(value) is type(card) and value == card) or (isinstance(value, (list, tuple)) and card in value)


def _picked(table: Table, entry: Entry) -> Iterator[Any]:
    """Yield what a dealer dealt for an entry, card by card and die by die."""
    decks = table.header.decks
    for line in entry.lines[1:]:
        if "draw" in line and line["card"] is not None and decks.get(line["draw"]) != PHYSICAL:
            yield line["card"]
        elif "roll" in line and decks.get("dice") != PHYSICAL:
            yield from line["dice"]


class _OtherDealer:
    """Deals what was dealt, except for one card or die."""

    def __init__(self, picked: Sequence[Any], place: int, rng: Random) -> None:
        self.picked, self.place, self.rng = picked, place, rng
        self.number = 0
        self.instead: Any = None
        self.outcomes: Sequence[Any] = ()

    def watch(self, pick: Pick) -> None:
        """Store the possible outcomes of the next draw."""
        self.outcomes = pick.outcomes

    def pick(self, outcomes: int, number: int, id: str) -> int:
        here, self.number = self.number, self.number + 1
        was = self.picked[here] if here < len(self.picked) else None
        if here == self.place:
            later = self.picked[here:]
            others = [place for place, one in enumerate(self.outcomes) if one not in later]
            if others:
                chosen = self.rng.choice(others)
                self.instead = self.outcomes[chosen]
                return chosen
        return list(self.outcomes).index(was) if was in self.outcomes else 0


def _before(table: Table, entry: Entry, dealer: Dealer) -> Table | None:
    """Return the table as it was before an entry, with this dealer."""
    lines = [line for one in table.entries[: table.entries.index(entry)] for line in one.lines]
    try:
        other = Table.read([write_line(table.header), *map(write_line, lines)], dealer)
    except CardhouseError:
        return None
    if isinstance(dealer, _OtherDealer):
        other.watch_picks(dealer.watch)
    return other


def _answers(other: Table, entry: Entry) -> bool:
    """Give the entry's answer with other cards; return whether the table accepts it."""
    times = [line["time"] for line in entry.lines[1:] if "time" in line]
    try:
        other.answer(entry.by, body_of(entry.lines[0]), time=times[0] if times else None)
    except CardhouseError:
        return False
    return True


def _compare_since(table: Table, otherwise: _Other, since: Sequence[Entry]) -> None:
    """Repeat the entries at the other table, and compare the seats that got the same events."""
    other, unaware = otherwise.table, otherwise.unaware
    for entry in since:
        if entry is not since[0]:
            try:
                answer_like(other, entry)
            except CardhouseError:
                return
        there = other.entries[-1]
        unaware = {seat for seat in unaware if table.story(entry, seat) == other.story(there, seat)}
    what_if = quickly(table.kind)
    for seat in sorted(unaware):
        if shown_now(table, seat, **what_if) != shown_now(other, seat, **what_if):
            mine, theirs = (seen_now(at, seat, **what_if) for at in (table, other))
            for path, *values in differences(mine, theirs):
                if otherwise.is_seen_in(*values):
                    raise BadGame(
                        f"{seat} can tell, but must not, that {otherwise.here} was {otherwise.done} at one table "
                        f"and {otherwise.there} at the other: {describe_difference(path, *values)}."
                    )
