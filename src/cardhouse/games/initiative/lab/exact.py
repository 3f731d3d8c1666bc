"""Exact results for a round of card initiative: every course of the round with its chance, for one character.

To one character, others are interchangeable if their cards compare the same and they choose the same way; if nobody
ever waits, all but the aces are. So the deck is the number of cards of each kind, and each state of the round is
evaluated once: the distribution of each measure until the round's end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cardhouse.cards import JOKERS, RED_JOKER
from cardhouse.games.initiative.lab.sides import Fighter, Waits
from cardhouse.games.initiative.state import FRESH_ACE, SPENT_ACE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardhouse.lab.questions.question import Finding

    Value = NDArray[np.float64]

MOST_STATES = 30_000
"""The most states of a round for exact results; these take a good part of a second."""

NEGLIGIBLE = 1e-12
"""Smaller chances are left out."""

SOME_RANK = 2
"""The rank of all cards but the aces if nobody waits, when ranks make no difference."""

MEASURES = ("place", "actions", "lost_by_hero", "sent_back", "lost", "red", "seconds", "turns", "after", "idle")
"""The measures; a value has a row for each, and a column for each number.

`after` is 1 plus the turns after the hero's last, 0 if it doesn't act any more. `idle` is 1 plus all turns from here on
if it doesn't act any more, otherwise 0.
"""

PLACE, ACTIONS, LOST_BY_HERO, SENT_BACK, LOST, RED, SECONDS, TURNS, AFTER, IDLE = range(len(MEASURES))

QUIET, BURNED, TOOK_WAITING, TOOK_BOTH, TOOK_ACE = range(5)


class Kind(NamedTuple):
    """Interchangeable cards: how they compare now, how they choose, and whether they are the hero's; or a joker."""

    rank: int
    waits: Waits | None
    hero: bool = False
    joker: str = ""

    @property
    def spent(self) -> Kind:
        """The ace's kind once it has acted."""
        return self._replace(rank=SPENT_ACE)


class State(NamedTuple):
    """The deck: the number of each kind in random order, the cards under them, next first, and the waiting one."""

    loose: tuple[int, ...]
    under: tuple[Kind, ...] = ()
    waiting: Kind | None = None


def exactly(
    findings: Sequence[Finding], people: Sequence[tuple[Fighter, Waits]], hero: int, measure_of: Sequence[str]
) -> Mapping[str, float]:
    """Return the exact value of each finding; findings with too many states are left out.

    `measure_of` names, per character, the measure of its place, independent of the hero.
    """
    rounds = [Round(people, place) for place in range(len(people))]
    states = rounds[hero].states()
    places = range(len(people)) if states * len({one.hero for one in rounds}) <= MOST_STATES else [hero]
    values: dict[Kind, Value] = {}
    found: dict[str, float] = {}
    for place in places if states <= MOST_STATES else ():
        counted = rounds[place]
        if counted.hero not in values:
            values[counted.hero] = counted.value(counted.start)
        value = values[counted.hero]
        rows = dict(zip(MEASURES, value, strict=True)) if place == hero else {}
        if place == hero:
            found["cards"] = cards_turned(value)
        rows[measure_of[place]] = value[PLACE]
        found |= {one.key: finding_value(one, rows[one.measure]) for one in findings if one.measure in rows}
    return found


def cards_turned(value: Value) -> float:
    """Return the mean number of cards turned over: jokers, turns, cards sent back, cards burned (IN-7 to IN-9)."""
    goes_back, burned = value[RED, [TOOK_WAITING, TOOK_BOTH]].sum(), 1 - value[LOST, 0]
    return float(len(JOKERS) + (np.arange(value.shape[1]) * value[TURNS]).sum() + goes_back + burned)


def exact_waits(people: Sequence[tuple[Fighter, Waits]]) -> Mapping[int, Value]:
    """Return, per character by place, the distribution of the number of others' turns (0, 1, ...) while it waits.

    A wait runs from its last turn of a round to its first of a later one. Empty if there are too many states.
    """
    rounds = [Round(people, place) for place in range(len(people))]
    if rounds[0].states() * len({one.hero for one in rounds}) > MOST_STATES:
        return {}
    known: dict[Kind, Value] = {}
    for one in rounds:
        if one.hero not in known:
            known[one.hero] = wait_chances(one.value(one.start))
    return {place: known[one.hero] for place, one in enumerate(rounds)}


def wait_chances(value: Value) -> Value:
    """Return the distribution of waits: turns after the last one, rounds without one, and turns before the next."""
    after, idle, before = value[AFTER, 1:], value[IDLE, 1:], value[PLACE, 1:]
    waits = np.convolve(after / after.sum(), before)
    chances = waits.copy()
    while waits.sum() > NEGLIGIBLE:
        waits = np.convolve(waits, idle)
        chances = np.pad(chances, (0, len(waits) - len(chances))) + waits
    return chances


def finding_value(finding: Finding, chances: NDArray[np.float64]) -> float:
    """Return a finding's value for this distribution of its measure."""
    values = np.arange(chances.size)
    given = chances * (values >= finding.given_least)
    if finding.given_most is not None:
        given = given * (values <= finding.given_most)
    if finding.kind == "mean":
        return float((given * values).sum() / given.sum() * finding.scale)
    most = chances.size if finding.most is None else finding.most
    return float(given[finding.least : most + 1].sum() / given.sum())


class Round:
    """A round from the point of view of the character at place `hero`."""

    def __init__(self, people: Sequence[tuple[Fighter, Waits]], hero: int) -> None:
        kinds = [Kind(who.rank, waits, place == hero) for place, (who, waits) in enumerate(people)]
        if all(waits == "never" for _, waits in people):
            kinds = [kind if kind.rank == FRESH_ACE else kind._replace(rank=SOME_RANK) for kind in kinds]
        self.hero = kinds[hero]
        aces = [kind.spent for kind in kinds if kind.rank == FRESH_ACE]
        self.kinds = list(dict.fromkeys([*kinds, *aces, *(Kind(0, None, joker=joker) for joker in JOKERS)]))
        self.start = State(tuple(kinds.count(kind) + bool(kind.joker) for kind in self.kinds))
        self.columns = 2 + max(4, len(kinds) + len(aces))
        self.known: dict[State, Value] = {}

    def states(self) -> int:
        """Return an approximate upper bound on the round's states."""
        counts = dict(zip(self.kinds, self.start.loose, strict=True))
        aces = sum(n for kind, n in counts.items() if kind.rank == FRESH_ACE)
        others = prod(n + 1 for kind, n in counts.items() if kind.rank != FRESH_ACE)
        can_wait = sum(kind.waits not in (None, "never") for kind in counts)
        return int(others * 4**aces * (can_wait + 1))

    def value(self, state: State) -> Value:
        """Return the distribution of each measure from here to the end of the round."""
        if state not in self.known:
            self.known[state] = self.evaluate(state)
        return self.known[state]

    def evaluate(self, state: State) -> Value:
        """Turn over the next card, or let the waiting one act, or end the round (IN-7, IN-15, IN-16)."""
        if all_cards := sum(state.loose):
            return sum(
                (n / all_cards * self.turned(kind, self.without(state, kind)) for n, kind in self.kinds_left(state)),
                start=self.no_chances(),
            )
        if state.under:
            return self.turned(state.under[0], state._replace(under=state.under[1:]))
        if state.waiting is not None:
            return self.acts(state.waiting, state._replace(waiting=None))
        end = self.no_chances()
        end[:IDLE, 0] = end[IDLE, 1] = 1
        return end

    def turned(self, kind: Kind, state: State) -> Value:
        """Return the value after a card is turned over (IN-8 to IN-12)."""
        if kind.joker:
            return self.red(state) if kind.joker == RED_JOKER else self.black(state)
        other = state.waiting
        if other is None:
            alone = not (sum(state.loose) or state.under)
            return (
                self.acts(kind, state) if alone or kind.waits == "never" else self.value(state._replace(waiting=kind))
            )
        new_acts = kind.rank == other.rank
        if kind.rank > other.rank:
            new_acts = kind.waits != "always"
        elif kind.rank < other.rank:
            new_acts = other.waits != "never"
        return self.acts(kind, state) if new_acts else self.acts(other, state._replace(waiting=kind))

    def red(self, state: State) -> Value:
        """Return the value after the red joker: the waiting card goes back, and all cards are shuffled (IN-8)."""
        back = [*state.under, *([state.waiting] if state.waiting else [])]
        value = self.value(State(tuple(n + back.count(kind) for n, kind in zip(state.loose, self.kinds, strict=True))))
        kind = (TOOK_BOTH if state.under else TOOK_WAITING) if state.waiting else TOOK_ACE if state.under else QUIET
        value = with_certainty(value, RED, kind)
        return with_certainty(value, SENT_BACK, 1) if state.waiting and state.waiting.hero else value

    def black(self, state: State) -> Value:
        """Return the value after the black joker, which loses the next card (IN-9)."""
        if all_cards := sum(state.loose):
            return sum(
                (n / all_cards * self.burned(kind, self.without(state, kind)) for n, kind in self.kinds_left(state)),
                start=self.no_chances(),
            )
        if state.under:
            return self.burned(state.under[0], state._replace(under=state.under[1:]))
        return self.value(state)

    def burned(self, kind: Kind, state: State) -> Value:
        """Return the value after a card is burned; an ace that hasn't acted loses both actions (IN-9)."""
        value = self.value(state)
        if kind.joker:
            return with_certainty(value, RED, BURNED)
        lost = 2 if kind.rank == FRESH_ACE else 1
        value = with_certainty(value, LOST, lost)
        return with_certainty(value, LOST_BY_HERO, lost) if kind.hero else value

    def acts(self, kind: Kind, state: State) -> Value:
        """Return the value after a turn (IN-13); an ace goes under the deck after its first (IN-14)."""
        if kind.rank == FRESH_ACE:
            state = state._replace(under=(*state.under, kind.spent))
        later = self.value(state)
        value = later.copy()
        shift_up(value, TURNS)
        if kind.rank == SPENT_ACE:
            shift_up(value, SECONDS)
        if kind.hero:
            shift_up(value, ACTIONS)
        if not kind.hero:
            value[PLACE, 2:] = later[PLACE, 1:-1]
            value[PLACE, 1] = 0
        elif kind.rank != SPENT_ACE:
            value = with_certainty(value, PLACE, 1)
        if kind.hero:  # whatever follows, this was its last turn or there is another
            value[AFTER] = later[AFTER] + later[IDLE]
            value[AFTER, 0] = 0
            value = with_certainty(value, IDLE, 0)
        else:
            value[IDLE, 2:] = later[IDLE, 1:-1]
            value[IDLE, 1] = 0
        return value

    def no_chances(self) -> Value:
        """Return a value with all chances 0."""
        return np.zeros((len(MEASURES), self.columns))

    def kinds_left(self, state: State) -> Iterable[tuple[int, Kind]]:
        """Return the kinds in random order, with their numbers."""
        return ((n, kind) for n, kind in zip(state.loose, self.kinds, strict=True) if n)

    def without(self, state: State, drawn: Kind) -> State:
        """Return the state without one card of a kind."""
        return state._replace(loose=tuple(n - (kind == drawn) for n, kind in zip(state.loose, self.kinds, strict=True)))


def with_certainty(value: Value, measure: int, number: int) -> Value:
    """Return a copy in which one measure certainly has this number."""
    value = value.copy()
    value[measure] = 0
    value[measure, number] = 1
    return value


def shift_up(value: Value, measure: int) -> None:
    """Shift a measure up by one."""
    value[measure, 1:] = value[measure, :-1].copy()
    value[measure, 0] = 0
