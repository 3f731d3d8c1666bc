"""The exact odds of the next hit if the death-score is judged at each step (HJ-6).

The order of values then matters: a total of exactly the limit returns to 0 before the next value counts. So all
sequences are enumerated card by card, merging cards with the same value and effect. If the deck may run out, cards are
not merged, because cards discarded by a return to 0 may be drawn again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from cardhouse.cards import Card, is_joker
from cardhouse.games.hackjack.state import card_value
from cardhouse.games.hackjack.thresholds import is_exact, is_too_much

if TYPE_CHECKING:
    from collections.abc import Iterator

Piles = tuple[tuple[Card, ...], ...]
EndChances = dict[tuple[int, bool], Fraction]
"""The probability of each end: the death-score, and whether the limit was hit exactly on the way."""

OrderCounts = dict[tuple[int, bool], int]
"""The number of orders of the cards that may be drawn, by the end they lead to."""

ValueCounts = tuple[tuple[int, int], ...]
"""Pairs of a value and the number of cards that have it."""


class Hit(NamedTuple):
    """The constants of a hit: the limit, and the cards that draw another at once (HJ-24).

    The first card counts `instead` of its value, unless that is None, plus the `bonus` of old wounds.
    """

    limit: int
    another: frozenset[Card]
    instead: int | None
    bonus: int

    def worth(self, value: int) -> int:
        """Return what the first card counts, unless it is a lucky break."""
        return (value if self.instead is None else self.instead) + self.bonus


class ScoreState(NamedTuple):
    """The state during a hit: death-score, pile, cards to come, and whether the limit was hit exactly (`saved`)."""

    score: int
    pile: frozenset[Card]
    deck: Piles
    discard: frozenset[Card]
    saved: bool = False

    def plus(self, worth: int, limit: int) -> ScoreState:
        """Add to the death-score. At exactly the limit it returns to 0 and the pile is discarded."""
        if not is_exact(self.score + worth, limit):
            return self._replace(score=self.score + worth)
        return ScoreState(0, frozenset(), self.deck, self.discard | self.pile, True)


def ends_of(hit: Hit, standing: ScoreState, blood: int) -> EndChances:
    """Return the possible ends from a `standing` in which `blood` moves before the card."""
    standing = standing.plus(blood, hit.limit) if blood else standing
    if is_too_much(standing.score, hit.limit):
        return {(standing.score, standing.saved): Fraction(1)}
    if sum(map(len, standing.deck)) <= len(hit.another):
        return _draw(hit, standing, True)
    piles = _merged(standing.deck, hit.another)
    orders = _orders(piles)
    ends: defaultdict[tuple[int, bool], Fraction] = defaultdict(Fraction)
    for (score, saved), ways in _first_of_many(hit, standing.score, piles).items():
        ends[score, saved or standing.saved] += Fraction(ways, orders)
    return dict(ends)


# A deck that can't run out.


class Merged(NamedTuple):
    """One pile's cards as far as they matter: those that draw another, the others, and lucky breaks."""

    more: ValueCounts
    plain: ValueCounts
    lucky: int

    @property
    def size(self) -> int:
        """The number of cards."""
        return sum(count for _, count in (*self.more, *self.plain)) + self.lucky

    def without(self, value: int) -> Merged:
        """Return the pile without one card of this value among those that draw another."""
        less = ((other, count - (other == value)) for other, count in self.more)
        return self._replace(more=tuple((other, count) for other, count in less if count))


@lru_cache(maxsize=64)
def _merged(piles: Piles, another: frozenset[Card]) -> tuple[Merged, ...]:
    return tuple(
        Merged(
            tuple(sorted(Counter(card_value(card) for card in pile if card in another).items())),
            tuple(sorted(Counter(card_value(c) for c in pile if c not in another and not is_joker(c)).items())),
            sum(map(is_joker, pile)),
        )
        for pile in piles
    )


@lru_cache(maxsize=1 << 10)
def _orders(piles: tuple[Merged, ...]) -> int:
    """Return the number of orders of as many cards as may be drawn: all that draw another, and one more."""
    drawn = 1 + sum(count for pile in piles for _, count in pile.more)
    left = (size for pile in piles for size in range(pile.size, 0, -1))
    return prod(islice(left, drawn))


def _first_of_many(hit: Hit, score: int, piles: tuple[Merged, ...]) -> OrderCounts:
    """Count the ends after the first card and those it draws."""
    ways = [(hit.worth(value), value, count) for value, count in piles[0].more]
    ends = [(hit.worth(value), count) for value, count in piles[0].plain]
    return _added(hit.limit, score, piles, ways, ends)


@lru_cache(maxsize=1 << 15)
def _next_of_many(limit: int, score: int, piles: tuple[Merged, ...]) -> OrderCounts:
    """Count the ends after a further card and those it draws."""
    return _added(limit, score, piles, [(value, value, count) for value, count in piles[0].more], [*piles[0].plain])


def _added(
    limit: int, score: int, piles: tuple[Merged, ...], ways: list[tuple[int, int, int]], ends: list[tuple[int, int]]
) -> OrderCounts:
    """Count the ends. `ways` has the amount, value and number of cards that draw another; `ends` is for the others."""
    found = defaultdict[tuple[int, bool], int](int)
    orders_of_the_rest = _orders(piles) // piles[0].size
    for worth, count in (*ends, (0, piles[0].lucky)):
        total = score + worth
        if count:
            saved = is_exact(total, limit)
            found[0 if saved else total, saved] += count * orders_of_the_rest
    for worth, value, count in ways:
        total = score + worth
        left = piles[0].without(value)
        after = ((left,) if left.size else ()) + piles[1:]
        returns = is_exact(total, limit)
        then = 0 if returns else total
        rest = {(then, False): orders_of_the_rest} if is_too_much(then, limit) else _next_of_many(limit, then, after)
        for (end, saved), orders in rest.items():
            found[end, saved or returns] += count * orders
    return dict(found)


# A deck that may run out.


@lru_cache(maxsize=1 << 12)
def _draw(hit: Hit, now: ScoreState, first: bool) -> EndChances:
    """Return the ends after the next card and those it draws."""
    deck = now.deck or ((tuple(sorted(now.discard)),) if now.discard else ())
    discard = now.discard if now.deck else frozenset()
    if not deck:
        then = now.plus((hit.instead or 0) if first else 0, hit.limit)
        return {(then.score, then.saved): Fraction(1)}
    found: defaultdict[tuple[int, bool], Fraction] = defaultdict(Fraction)
    for worth, more, count in _next_values(hit, deck[0], first):
        chance = Fraction(count, len(deck[0]))
        if more is None:
            then = now.plus(worth, hit.limit)
            found[then.score, then.saved] += chance
            continue
        left = tuple(card for card in deck[0] if card != more)
        drawn = ScoreState(now.score, now.pile | {more}, ((left,) if left else ()) + deck[1:], discard, now.saved)
        then = drawn.plus(worth, hit.limit)
        # The amount instead of the first card doesn't apply to later cards.
        later = hit._replace(instead=None, bonus=0)
        dies = is_too_much(then.score, hit.limit)
        rest = {(then.score, then.saved): Fraction(1)} if dies else _draw(later, then, False)
        for end, likely in rest.items():
            found[end] += chance * likely
    return dict(found)


def _next_values(hit: Hit, pile: tuple[Card, ...], first: bool) -> Iterator[tuple[int, Card | None, int]]:
    """Yield each amount the next card may count, that card if it draws another, and the number of such cards."""
    ways: Counter[tuple[int, Card | None]] = Counter()
    for card in pile:
        value = card_value(card)
        worth = hit.worth(value) if first and not is_joker(card) else value
        ways[worth, card if card in hit.another else None] += 1
    for (worth, more), count in ways.items():
        yield worth, more, count
