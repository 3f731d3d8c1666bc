"""Dealing two decks of different sizes in step: both get the cards they have in common, and each is dealt fairly.

Dealt from the same random numbers, a deck of 54 cards and one of 106 have nothing in common from the first card on, so
a paired difference is no more precise than two separate studies. Instead both decks are mapped onto the same places,
whose number is a multiple of both sizes. Each card has as many places as any other of its deck, and as far as possible
they are those of similar cards in the other deck. To deal a card, places are drawn until one belongs to a card not yet
dealt: each of the rest is equally likely, whatever the other deck is.
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
"""A deck, and its cards in play."""
Pairs = Iterable[tuple[int, int]]
"""Index pairs of a card of each deck, in the order in which they are to share places."""
Shared = NDArray[np.int64]
"""The number of places that each card of one deck (row) shares with each of the other (column)."""

LOOKS: Final = 12
"""The most iterations of matching cards that touch alike."""


def no_places() -> Places:
    """Return the value for a deck that is dealt by itself."""
    return np.zeros(0, np.int16)


@lru_cache(32)
def places_for(deck: DogDeck, cards: tuple[Card, ...], other: DogDeck, other_cards: tuple[Card, ...]) -> Places:
    """Return the card of each place, as an index of `cards`, for dealing this deck in step with the other."""
    mine, its = (deck, cards), (other, other_cards)
    if (len(cards), cards) <= (len(other_cards), other_cards):
        return align_decks(mine, its)[0]
    return align_decks(its, mine)[1]


def align_decks(one: Cards, other: Cards) -> tuple[Places, Places]:
    """Return the card of each place for two decks.

    First identical cards share places, then cards that are the same in what contacts depend on. The rest is shared by
    cards that touch alike.
    """
    size = lcm(len(one[1]), len(other[1]))
    surely = np.zeros((len(one[1]), len(other[1])), np.int64)
    for key in (_identity, _kind):
        _share(surely, size, _same(one, other, key))
    found = [_touching_alike(surely, size, one, other, beside_first=first) for first in (True, False)]
    _, best = max(found, key=lambda each: each[0])
    pairs, many = np.argwhere(best), best[best > 0]
    here, there = (np.repeat(pairs[:, side].astype(np.int16), many) for side in (0, 1))
    return here, there


def _touching_alike(surely: Shared, size: int, one: Cards, other: Cards, *, beside_first: bool) -> tuple[float, Shared]:
    """Return a sharing of places that includes those in `surely`, with a score for how well contacts then agree.

    It starts by matching cards with the same relative rank in the order of numbers or suits. Then it repeatedly matches
    the cards that touch most of what their counterparts touch, until that improves nothing.
    """
    contacts = [[_contacts(deck, way) for way in (BESIDE, ABOVE)] for deck in (one, other)]
    shared = surely.copy()
    _share(shared, size, _by_relative_rank(one, other, beside_first=beside_first))
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
    """Let each pair of cards in turn share as many places as both have left."""
    here, there = ((size // shared.shape[side] - shared.sum(axis=1 - side)).tolist() for side in (0, 1))
    for mine, its in pairs:
        many = min(here[mine], there[its])
        if many:
            here[mine] -= many
            there[its] -= many
            shared[mine, its] += many


def _same(one: Cards, other: Cards, key: Callable[[Cards, int], Hashable]) -> Iterator[tuple[int, int]]:
    """Yield pairs of cards with the same key."""
    theirs = defaultdict(list)
    for its in range(len(other[1])):
        theirs[key(other, its)].append(its)
    for mine in range(len(one[1])):
        for its in theirs[key(one, mine)]:
            yield mine, its


def _kind(of: Cards, number: int) -> Hashable:
    """Return everything about a card that contacts depend on."""
    deck, cards = of
    values = deck.cards[cards[number]].values
    return deck.beside, deck.above, tuple(sorted((name, values.get(name)) for name in deck.matters))


def _identity(of: Cards, number: int) -> Hashable:
    return of[1][number], _kind(of, number)


def _by_relative_rank(one: Cards, other: Cards, *, beside_first: bool) -> Pairs:
    """Return all pairs, sorted by how close their relative ranks in their decks are."""
    here, there = (_in_order(deck, beside_first=beside_first) for deck in (one, other))
    far = [(np.arange(len(some)) + 0.5) / len(some) for some in (here, there)]
    apart = np.abs(far[0][:, None] - far[1][None, :])
    order = np.unravel_index(np.argsort(apart, axis=None, kind="stable"), apart.shape)
    return [(here[mine], there[its]) for mine, its in zip(*(some.tolist() for some in order), strict=True)]


def _in_order(of: Cards, *, beside_first: bool) -> list[int]:
    """Return the cards of a deck sorted by similarity: by number, then suit, say, with wild ones last."""
    deck, cards = of
    ways = (deck.beside, deck.above) if beside_first else (deck.above, deck.beside)
    names = [rule.attribute for way in ways for rule in way.rules]

    def stands(number: int) -> tuple[bool, list[int]]:
        card = deck.cards[cards[number]]
        values = [(name, all_of(card.values[name])[0]) for name in names if name in card.values]
        return card.wild, [it if isinstance(it, int) else deck.values[name].index(it) for name, it in values]

    return sorted(range(len(cards)), key=stands)


def _contacts(of: Cards, way: int) -> NDArray[np.float64]:
    """Return which cards may touch in a direction, minus the mean."""
    touch: NDArray[np.float64] = (dogs_for(*of).touch >> way & 1).astype(np.float64)
    np.fill_diagonal(touch, 0)
    touch -= touch.mean()
    return touch
