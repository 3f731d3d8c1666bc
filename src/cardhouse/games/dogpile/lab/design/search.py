"""The search for a deck: independent starts, each fitted to the order, the best confirmed on fresh deals.

The values that contacts depend on are arranged so that the wanted chances are met exactly, by counting. That leaves
open which pairs may touch both ways, which determines the mean pack: the more contacts fall on the same pairs, the
fewer pairs touch at all. So the mean pack is met by changing that one number, comparing decks on the same deals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple

from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile.deck_file import deck_of
from cardhouse.games.dogpile.lab.design.make_up import USUAL_PAIRS, USUAL_STACK, MakeUp, cards_of, make_up_for
from cardhouse.games.dogpile.lab.design.making import deck_data
from cardhouse.games.dogpile.lab.design.playing import Contacts, Data, contacts_of, hardest_of, measure_packs
from cardhouse.games.dogpile.lab.design.wanted import Wanted
from cardhouse.games.dogpile.lab.kernels.arranging import Goal, Masks, arrange
from cardhouse.lab.running.workers import in_order

STEPS: Final = 60_000
"""The number of annealing steps for a new deck. Rearranging one takes fewer."""
STEPS_ON: Final = 25_000
HEAT: Final = 60.0
ROUNDS: Final = 20_000
"""The rounds that estimate the mean pack, far from the target and near it."""
ROUNDS_NEAR: Final = 60_000
LOOKS: Final = 7
"""The most decks that a start plays to meet the mean pack."""
NEAR: Final = 0.05
"""The tolerance of the mean pack, in dogs."""
SLACK: Final = 0.0005
"""The tolerance of the chances of contact."""
EVEN: Final = ((0.85, 0.02), (0.95, 0.1), (1.0, 0.5), (1.05, 2.0))
"""The levels of evenness tried for the sake of hard cards.

Each has the share of the mean card's contacts that every card should have, and the weight of missing it.
"""
BETTER: Final = 3
"""The number of starts compared on further deals at the end."""
SEARCHED, LOOKED_AT = 1, 2
"""The seeds of the deals for searching, and for comparing the best. The deck is confirmed on others."""


class Candidate(NamedTuple):
    """A deck found, its results on the deals of the search, and its distance from the order."""

    data: Data
    made: MakeUp
    contacts: Contacts
    mean_pack: float
    hardest: float
    alike: int
    distance: float
    start: int


class _State(NamedTuple):
    """A deck in progress."""

    made: MakeUp
    numbers: Masks
    suits: Masks


Halt = Callable[[], bool]
"""Whether to stop as soon as possible. Callable from any thread."""


def never() -> bool:
    """Never stop."""
    return False


def search(wanted: Wanted, executor: Executor, workers: int, halt: Halt = never) -> Iterator[Candidate | None]:
    """Yield the result of each start, in order. It depends only on the order.

    A start that is to `halt` yields its best so far, or None if it has nothing.
    """
    return in_order(executor, workers, partial(_start, wanted, halt), range(wanted.starts))


def best_of(wanted: Wanted, found: list[Candidate]) -> list[Candidate]:
    """Return the candidates, best first. The leading ones are measured again on deals no deck was searched on."""
    ranked = sorted(found, key=lambda one: one.distance)
    again = [
        _measure(wanted, one.data, one.made, one.start, LOOKED_AT, wanted.rounds(2 * ROUNDS_NEAR))
        for one in ranked[:BETTER]
    ]
    return [*sorted(again, key=lambda one: one.distance), *ranked[BETTER:]]


def start_at(wanted: Wanted, number: int) -> Candidate | None:
    """Return the result of one start, or None if the order is impossible."""
    try:
        wanted.check()
    except CardhouseError:
        return None
    return _start(wanted, never, number)


def _start(wanted: Wanted, halt: Halt, number: int) -> Candidate | None:
    """Run one start: choose a make-up and find its closest deck. Returns None if it is to halt at once."""
    if halt():
        return None
    rng = Random(f"{wanted.seed} {number}")
    made = make_up_for(wanted, rng)
    best: Candidate | None = None
    for even in EVEN:
        state = _State(made, *cards_of(made, wanted, rng))
        found = _near_mean_pack(wanted, state, even, number, rng, halt)
        if best is None or found.distance < best.distance:
            best = found
        if wanted.hardest is None or best.hardest >= wanted.hardest or halt():
            break
    assert best is not None
    return best


def _near_mean_pack(
    wanted: Wanted, state: _State, even: tuple[float, float], start: int, rng: Random, halt: Halt
) -> Candidate:
    """Return the deck closest to the mean pack, by varying the share of pairs that may touch both ways."""
    low, high = _both_ways(wanted)
    middle = (wanted.pairs or USUAL_PAIRS) * (wanted.stack or USUAL_STACK)
    if wanted.mean_pack is None:
        _arrange(wanted, state, even, -1.0, STEPS, rng)
        return _measure(wanted, _data(wanted, state), state.made, start, SEARCHED, wanted.rounds(ROUNDS))
    best: tuple[float, float, Data] | None = None
    # At `below` packs are too small, at `above` too large.
    below, above = (high, 0.0), (low, 99.0)
    both = min(max(middle, low), high)
    for look in range(LOOKS):
        _arrange(wanted, state, even, both, STEPS if not look else STEPS_ON, rng)
        data = _data(wanted, state)
        mean, _ = measure_packs(data, wanted, SEARCHED, wanted.rounds(ROUNDS if look < LOOKS // 2 else ROUNDS_NEAR))
        off = mean - wanted.mean_pack
        if best is None or abs(off) <= best[0]:
            best = abs(off), both, data
        if abs(off) < NEAR / 2 or halt():
            break
        if off < 0:
            below = (both, mean)
        else:
            above = (both, mean)
        if abs(below[0] - above[0]) < SLACK:
            break
        both = _between(below, above, wanted.mean_pack)
    assert best is not None
    return _measure(wanted, best[2], state.made, start, SEARCHED, wanted.rounds(ROUNDS_NEAR))


def _between(below: tuple[float, float], above: tuple[float, float], wanted: float) -> float:
    """Return the next value to try: the linear interpolation of the bracket, if both ends were played."""
    if below[1] == 0.0 or above[1] == 99.0:
        return (2 * below[0] + above[0]) / 3 if below[1] == 0.0 else (below[0] + 2 * above[0]) / 3
    share = (above[1] - wanted) / (above[1] - below[1])
    return above[0] + (below[0] - above[0]) * min(max(share, 0.1), 0.9)


def _both_ways(wanted: Wanted) -> tuple[float, float]:
    """Return the least and the most possible share of pairs that may touch both ways; jokers always do."""
    rest = wanted.cards - wanted.jokers
    least = 1 - rest * (rest - 1) / (wanted.cards * (wanted.cards - 1))
    most = min(wanted.pairs or USUAL_PAIRS, wanted.stack or USUAL_STACK)
    return max(least, (wanted.pairs or 0) + (wanted.stack or 0) - 1), most


def _arrange(wanted: Wanted, state: _State, even: tuple[float, float], both: float, steps: int, rng: Random) -> None:
    """Arrange the cards of a deck in place."""
    pairs = wanted.of_pairs
    beside, above = (chance or usual for chance, usual in ((wanted.pairs, USUAL_PAIRS), (wanted.stack, USUAL_STACK)))
    either = beside + above - (both if both >= 0 else beside * above)
    goal = Goal(
        beside * pairs if wanted.pairs or wanted.mean_pack else -1.0,
        above * pairs if wanted.stack or wanted.mean_pack else -1.0,
        both * pairs,
        SLACK * pairs,
        wanted.plain,
        int(even[0] * either * (wanted.cards - 1)),
        even[1],
        wanted.alike,
    )
    arrange(state.numbers, state.suits, state.made.many, goal, steps, HEAT, rng.getrandbits(31))


def _data(wanted: Wanted, state: _State) -> dict[str, Any]:
    made = state.made
    text = f"{wanted.cards} cards, {made.numbers} numbers and {made.suits} suits."
    return deck_data(state.numbers, state.suits, wanted.plain, f"{wanted.cards} designed dogs", text)


def _measure(wanted: Wanted, data: Data, made: MakeUp, start: int, deals: int, rounds: int) -> Candidate:
    """Return a deck with its results on these deals and its distance from the order."""
    dogs = deck_of(data)
    contacts = contacts_of(dogs)
    mean, _ = measure_packs(data, wanted, deals, rounds)
    hardest = hardest_of(data, wanted, deals, rounds).laid.value or 0.0
    alike = _duplicates(data, wanted)
    return Candidate(
        data, made, contacts, mean, hardest, alike, _distance(wanted, contacts, mean, hardest, alike), start
    )


def _duplicates(data: Data, wanted: Wanted) -> int:
    """Return the number of plain cards with more duplicates than allowed."""
    copies: dict[tuple[str, str], int] = {}
    for card in list(data["cards"].values())[: wanted.plain]:
        kind = str(card["number"]), str(card["suit"])
        copies[kind] = copies.get(kind, 0) + 1
    return sum(max(0, many - wanted.alike) for many in copies.values())


def _distance(wanted: Wanted, contacts: Contacts, mean: float, hardest: float, alike: int) -> float:
    """Return the distance from the order: 1 is a thousandth of a chance or a tenth of a dog."""
    found = float(alike)
    for is_it, wish in ((contacts.beside, wanted.pairs), (contacts.above, wanted.stack)):
        if wish is not None:
            found += (max(0.0, abs(float(is_it) - wish) - SLACK) / 0.001) ** 2
    if wanted.mean_pack is not None:
        found += (max(0.0, abs(mean - wanted.mean_pack) - NEAR / 2) / 0.1) ** 2
    if wanted.hardest is not None:
        found += (max(0.0, wanted.hardest - hardest) / 0.01) ** 2
    return found
