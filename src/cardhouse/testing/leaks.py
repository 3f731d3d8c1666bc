"""Leaks that can be found without knowing the game: a card that only some were told of, and others see.

Two tables are played in lockstep; at one of them a card was another. If an event told some seats of that card, and not
all, then the others, as long as they are told the very same at both tables, must see the same. A game in which seats
come to see such a card without being told of it, before it is over, is found too, and should tell it.

Looked for is the card itself. What follows from it, such as an order or odds, may be for all to see; that, which
answers are secret and who may be told of an event only the author can know, and says in `Conformance.pairs`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from cardhouse.engine import GM, PHYSICAL, SCREEN, BadGame, CardhouseError, Entry, Over, Table, write_line
from cardhouse.engine.runner import Pick
from cardhouse.engine.transcript import body_of
from cardhouse.testing.differing import difference_told, differences, seen_now
from cardhouse.testing.playing import answer_like, quickly, shown_now

_FAR_BACK = 4
"""So many of the last answers are dealt otherwise at another table."""
_TRIES = 2
"""So many other cards are tried for each that was told to some only."""


def leak(table: Table) -> None:
    """Raises BadGame if somebody can tell which cards or dice one of the last answers had without being told."""
    latest = table.entries[-_FAR_BACK:] if not isinstance(table.question, Over) else []
    for back in range(1, len(latest) + 1):
        since = latest[-back:]
        if any(entry.kind not in ("do", "draw", "roll") or entry.undone for entry in since):
            return
        for other, seats, cards in _others(table, since[0]):
            _compare_since(table, other, since, seats, cards)


def _others(table: Table, entry: Entry) -> Iterator[tuple[Table, set[str], tuple[str, str]]]:
    """The table up to this entry, in which a card was another; who was told of neither, and the two cards."""
    picked = list(_picked(table, entry))
    for place, card in enumerate(picked):
        if unaware := _not_told(table, entry, card):
            for attempt in range(_TRIES):
                dealer = _Other(picked, place, Random(f"{place} {attempt}"))
                if (other := _before(table, entry, dealer)) and _answers(other, entry):
                    yield other, unaware, (card, dealer.instead)


def _not_told(table: Table, entry: Entry, card: Any) -> set[str]:
    """Who was told nothing of a card of which somebody else was; nobody, if nobody was told in private."""
    if not isinstance(card, str):  # a die: no event names it by itself
        return set()
    naming = [event for event in entry.events if any(_names(value, card) for value in event.about.values())]
    if not any(event.to or event.but for event in naming):
        return set()
    seats = {*table.seats, SCREEN} - ({GM} if table.kind.open_to_gm else set())
    audience = table.game.audience
    return {seat for seat in seats if not any(event.is_told(seat, audience(seat)) for event in naming)}


def _names(value: Any, card: str) -> bool:
    return value == card or (isinstance(value, (list, tuple)) and card in value)


def _picked(table: Table, entry: Entry) -> Iterator[Any]:
    """What a dealer dealt for an entry, card by card and die by die."""
    decks = table.header.decks
    for line in entry.lines[1:]:
        if "draw" in line and line["card"] is not None and decks.get(line["draw"]) != PHYSICAL:
            yield line["card"]
        elif "roll" in line and decks.get("dice") != PHYSICAL:
            yield from line["dice"]


class _Other:
    """Deals what was dealt, but for one card or die."""

    def __init__(self, picked: Sequence[Any], place: int, rng: Random) -> None:
        self.picked, self.place, self.rng = picked, place, rng
        self.number = 0
        self.instead: Any = None
        self.outcomes: Sequence[Any] = ()

    def watch(self, pick: Pick) -> None:
        """What may come next."""
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


def _before(table: Table, entry: Entry, dealer: _Other) -> Table | None:
    """The table as it was before an entry, with this dealer."""
    lines = [line for one in table.entries[: table.entries.index(entry)] for line in one.lines]
    try:
        other = Table.read([write_line(table.header), *map(write_line, lines)], dealer)
    except CardhouseError:
        return None
    other.watch_picks(dealer.watch)
    return other


def _answers(other: Table, entry: Entry) -> bool:
    """Give the entry's answer, dealt otherwise; whether the table takes it."""
    times = [line["time"] for line in entry.lines[1:] if "time" in line]
    try:
        other.answer(entry.by, body_of(entry.lines[0]), time=times[0] if times else None)
    except CardhouseError:
        return False
    return True


def _compare_since(
    table: Table, other: Table, since: Sequence[Entry], unaware: set[str], cards: tuple[str, str]
) -> None:
    """Play on at the other table as at this one, and compare all who were told the same."""
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
                if any(_names(value, card) for value in values for card in cards):
                    raise BadGame(
                        f"{seat} was told nothing of it and sees where {cards[0]} was drawn, and {cards[1]} at the "
                        f"other table: {difference_told(path, *values)}."
                    )
