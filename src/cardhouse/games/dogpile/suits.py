"""The largest pack if the cards that may lie one above the other form suits, as in the standard deck.

If only suits matter above and below, a pack can be rearranged with each suit in a column or two. So the size depends
only on which suits can be joined side by side, which needs no search over layouts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations_with_replacement, product
from typing import NamedTuple

from cardhouse.cards import Card
from cardhouse.games.dogpile.columns import Star, in_a_row
from cardhouse.games.dogpile.deck import bits_of
from cardhouse.games.dogpile.known import Effort, Found, Known, Open


class Suit(NamedTuple):
    """Cards of which any two may lie one above the other, with bit sets of their kinds and of those that fit beside."""

    pile: tuple[Known, ...] = ()
    kinds: int = 0
    fits: int = 0

    def with_card(self, card: Known, fits: int) -> Suit:
        """Return the suit with one more card."""
        return Suit((*self.pile, card), self.kinds | 1 << card.kind, self.fits | fits)

    def joins(self, other: Suit) -> bool:
        """Return whether a card of one suit fits beside a card of the other."""
        return self.fits & other.kinds != 0


def form_suits(above: Mapping[int, int]) -> bool:
    """Return whether the relation `above` divides the kinds into suits, that is, is an equivalence relation.

    `above` maps each kind to the kinds that may lie above it, as a bit set.
    """
    return all(
        fits >> kind & 1 and all(above[other] == fits for other in bits_of(fits)) for kind, fits in above.items()
    )


def largest_of_suits(cards: Open, effort: Effort) -> Found:
    """Return the largest pack of cards that form suits.

    It is proven unless the effort is spent, or more than four suits connect and can't form a row.
    """
    best = Found({}, 0)
    for known in _assignments(cards):
        leader = known[0]
        suits: dict[int, Suit] = {}
        for card in known:
            suit = cards.above[card.kind]
            suits[suit] = suits.get(suit, Suit()).with_card(card, cards.beside[card.kind])
        together = _connected(suits, suits[cards.above[leader.kind]])
        if sum(len(suit.pile) for suit in together) > len(best.cells):
            found = _largest(together, leader, cards, effort)
            best = Found(max(best.cells, found.cells, key=len), max(best.bound, found.bound))
        if len(best.cells) == len(cards.cards):
            break
        if not effort.spend():
            return Found(best.cells, len(cards.cards))
    return best


def _assignments(cards: Open) -> Iterator[list[Known]]:
    """Yield all cards, the Pack Leader first, with each assignment of kinds to the wild ones.

    Cards with the same choices get their kinds in only one order: they are interchangeable, because one that is left
    out may be given the Pack Leader's kind.
    """
    alike: dict[int, list[Card]] = {}
    for card, kinds in zip(cards.cards, cards.may_be, strict=True):
        alike.setdefault(kinds, []).append(card)
    choices = [combinations_with_replacement(bits_of(kinds), len(group)) for kinds, group in alike.items()]
    for given in product(*choices):
        yield [*map(Known, chain(*alike.values()), chain(*given))]


def _connected(suits: Mapping[int, Suit], first: Suit) -> list[Suit]:
    """Return the suits connected to the first one, including it."""
    found, left = [first], [suit for suit in suits.values() if suit is not first]
    for suit in found:  # grows during the loop
        found += [other for other in left if suit.joins(other)]
        left = [other for other in left if not suit.joins(other)]
    return found


def _largest(suits: Sequence[Suit], leader: Known, cards: Open, effort: Effort) -> Found:
    """Return the largest pack of connected suits, the leader's suit first."""
    size = sum(len(suit.pile) for suit in suits)
    row = _longest_row(suits, effort)
    if len(row) == len(suits):
        return Found(in_a_row([suit.pile for suit in row], cards.meets), size)
    if len(suits) == 4:
        centre = next(suit for suit in suits if all(suit.joins(other) for other in suits if other is not suit))
        leaves = [suit.pile for suit in suits if suit is not centre]
        cells = Star(centre.pile, leaves, cards.meets).largest(leader)
        return Found(cells, len(cells))
    return Found(in_a_row([suit.pile for suit in row], cards.meets), size)


def _longest_row(suits: Sequence[Suit], effort: Effort) -> Sequence[Suit]:
    """Return the row of suits with the most cards, each joined to the next and the first suit among them."""
    best, most = [suits[0]], len(suits[0].pile)
    for row in _rows(suits):
        size = sum(len(suit.pile) for suit in row)
        if size > most and any(suit is suits[0] for suit in row):
            best, most = row, size
        if len(best) == len(suits) or (len(suits) > 4 and not effort.spend()):
            break
    return best


def _rows(suits: Sequence[Suit]) -> Iterator[list[Suit]]:
    """Yield all rows of suits in which each is joined to the next, depth first."""
    rows = [[suit] for suit in reversed(suits)]
    while rows:
        row = rows.pop()
        yield row
        rows += [[*row, suit] for suit in suits if suit.joins(row[-1]) and all(suit is not other for other in row)]
