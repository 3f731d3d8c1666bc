"""Two decks of different sizes dealt in step: what they have in common is dealt to both, and to each of them fairly.

A deck of 54 cards and one of 106 that are dealt from the same numbers of chance have nothing to do with each other from
the first card on, and the difference between them is known no better than from two studies. So places are laid out, a
multiple of both sizes. Each card of either deck has as many of them as every other card of its deck, and the places of
a card are, as far as that can be, those of cards like it in the other deck. For each card to be dealt places are drawn
until one comes up whose card is not dealt yet: each of those left is as likely as any other, whatever the other is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache
from math import inf, lcm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardhouse.cards import Card
from cardhouse.games.dogpile.deck import DogDeck, all_of
from cardhouse.games.dogpile.lab.kernels.contacts import ABOVE, BESIDE
from cardhouse.games.dogpile.lab.kernels.rounds import Places
from cardhouse.games.dogpile.lab.tables import dogs_for

Cards = tuple[DogDeck, tuple[Card, ...]]
"""A deck, and those of its cards that are played with."""
Pairs = Iterable[tuple[int, int]]
"""Cards of one deck and the other, by their numbers, in the order in which they are to share places."""
Shared = NDArray[np.int64]
"""How many places each card of one deck, a row, shares with each of the other, a column."""

LOOKS: Final = 12
"""So often at most it is looked again which cards touch alike."""


def no_places() -> Places:
    """What stands for a deck that is dealt by itself."""
    return np.zeros(0, np.int16)


@lru_cache(32)
def places_for(deck: DogDeck, cards: tuple[Card, ...], other: DogDeck, other_cards: tuple[Card, ...]) -> Places:
    """The card of each place, by its number among these cards, where this deck is dealt in step with the other."""
    mine, its = (deck, cards), (other, other_cards)
    if (len(cards), cards) <= (len(other_cards), other_cards):
        return laid_out(mine, its)[0]
    return laid_out(its, mine)[1]


def laid_out(one: Cards, other: Cards) -> tuple[Places, Places]:
    """The card of each place for two decks.

    First the same cards share places, then cards that are the same in what contacts depend on. What is left is shared
    by cards that touch alike.
    """
    size = lcm(len(one[1]), len(other[1]))
    surely = np.zeros((len(one[1]), len(other[1])), np.int64)
    for key in (_itself, _kind):
        _share(surely, size, _same(one, other, key))
    found = [_touching_alike(surely, size, one, other, beside_first=first) for first in (True, False)]
    _, best = max(found, key=lambda each: each[0])
    pairs, many = np.argwhere(best), best[best > 0]
    here, there = (np.repeat(pairs[:, side].astype(np.int16), many) for side in (0, 1))
    return here, there


def _touching_alike(surely: Shared, size: int, one: Cards, other: Cards, *, beside_first: bool) -> tuple[float, Shared]:
    """How places may be shared, some of them surely, and how well contacts then agree.

    It begins with cards that stand equally far in the order of their numbers, or suits. Then again and again those
    share places that touch most of what the others of their places touch, until that makes nothing better.
    """
    contacts = [[_contacts(deck, way) for way in (BESIDE, ABOVE)] for deck in (one, other)]
    shared = surely.copy()
    _share(shared, size, _equally_far(one, other, beside_first=beside_first))
    best, most = shared, -inf
    for _ in range(LOOKS):
        alike = sum((here @ shared @ there for here, there in zip(*contacts, strict=True)), np.zeros(shared.shape))
        agreement = float((alike * shared).sum())
        if agreement <= most:
            break
        best, most = shared, agreement
        shared = surely.copy()
        order = np.argsort(-alike, axis=None, kind="stable")
        _share(shared, size, zip(*(some.tolist() for some in np.unravel_index(order, alike.shape)), strict=True))
    return most, best


def _share(shared: Shared, size: int, pairs: Pairs) -> None:
    """Have two cards share as many places as both have left, pair after pair."""
    here, there = ((size // shared.shape[side] - shared.sum(axis=1 - side)).tolist() for side in (0, 1))
    for mine, its in pairs:
        many = min(here[mine], there[its])
        if many:
            here[mine] -= many
            there[its] -= many
            shared[mine, its] += many


def _same(one: Cards, other: Cards, key: Callable[[Cards, int], Hashable]) -> Iterator[tuple[int, int]]:
    """Cards of both that have the same key."""
    theirs = defaultdict(list)
    for its in range(len(other[1])):
        theirs[key(other, its)].append(its)
    for mine in range(len(one[1])):
        for its in theirs[key(one, mine)]:
            yield mine, its


def _kind(of: Cards, number: int) -> Hashable:
    """What contacts of a card depend on."""
    deck, cards = of
    values = deck.cards[cards[number]].values
    return deck.beside, deck.above, tuple(sorted((name, values.get(name)) for name in deck.matters))


def _itself(of: Cards, number: int) -> Hashable:
    return of[1][number], _kind(of, number)


def _equally_far(one: Cards, other: Cards, *, beside_first: bool) -> Pairs:
    """All pairs, those first that stand equally far in the order of their deck."""
    here, there = (_in_order(deck, beside_first=beside_first) for deck in (one, other))
    far = [(np.arange(len(some)) + 0.5) / len(some) for some in (here, there)]
    apart = np.abs(far[0][:, None] - far[1][None, :])
    order = np.unravel_index(np.argsort(apart, axis=None, kind="stable"), apart.shape)
    return [(here[mine], there[its]) for mine, its in zip(*(some.tolist() for some in order), strict=True)]


def _in_order(of: Cards, *, beside_first: bool) -> list[int]:
    """The cards of a deck so that like stands next to like: wild ones last, the others by number, then suit, say."""
    deck, cards = of
    ways = (deck.beside, deck.above) if beside_first else (deck.above, deck.beside)
    names = [rule.attribute for way in ways for rule in way.rules]

    def stands(number: int) -> tuple[bool, list[int]]:
        card = deck.cards[cards[number]]
        values = [(name, all_of(card.values[name])[0]) for name in names if name in card.values]
        return card.wild, [it if isinstance(it, int) else deck.values[name].index(it) for name, it in values]

    return sorted(range(len(cards)), key=stands)


def _contacts(of: Cards, way: int) -> NDArray[np.float64]:
    """Which cards may touch which in a direction, less how often two do."""
    touch: NDArray[np.float64] = (dogs_for(*of).touch >> way & 1).astype(np.float64)
    np.fill_diagonal(touch, 0)
    touch -= touch.mean()
    return touch
