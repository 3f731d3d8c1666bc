"""The largest pack where cards that may stand one above the other form suits, as in the standard deck.

If nothing but suits matters above and below, a pack can be taken apart and laid anew, each suit in a column or two. So
all that counts is which suits can be joined side by side, and that can be told without trying layouts.
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
    """Cards of which any two may stand one above the other; the kinds they are, and those that fit beside, as bits."""

    pile: tuple[Known, ...] = ()
    kinds: int = 0
    fits: int = 0

    def with_card(self, card: Known, fits: int) -> Suit:
        """The suit with one card more."""
        return Suit((*self.pile, card), self.kinds | 1 << card.kind, self.fits | fits)

    def joins(self, other: Suit) -> bool:
        """Whether a card of one fits beside a card of the other."""
        return self.fits & other.kinds != 0


def form_suits(above: Mapping[int, int]) -> bool:
    """Whether what may stand above what is so by suits: a card may stand above itself, and all that it may, alike.

    `above` has for each kind, by number, those that may stand above it, as bits.
    """
    return all(
        fits >> kind & 1 and all(above[other] == fits for other in bits_of(fits)) for kind, fits in above.items()
    )


def largest_of_suits(cards: Open, effort: Effort) -> Found:
    """The largest pack of cards that form suits.

    It is proven unless the effort is spent, or more than four suits hang together and don't stand in a row.
    """
    best = Found({}, 0)
    for known in _givings(cards):
        leader = known[0]
        suits: dict[int, Suit] = {}
        for card in known:
            suit = cards.above[card.kind]
            suits[suit] = suits.get(suit, Suit()).with_card(card, cards.beside[card.kind])
        together = _hanging_together(suits, suits[cards.above[leader.kind]])
        if sum(len(suit.pile) for suit in together) > len(best.cells):
            found = _largest(together, leader, cards, effort)
            best = Found(max(best.cells, found.cells, key=len), max(best.bound, found.bound))
        if len(best.cells) == len(cards.cards):
            break
        if not effort.spend():
            return Found(best.cells, len(cards.cards))
    return best


def _givings(cards: Open) -> Iterator[list[Known]]:
    """All cards, the Pack Leader first, with each giving of kinds to the wild ones.

    Cards that may be the same take theirs in one order only: which of them is which makes no difference, for one that
    is left out may be given the Pack Leader's kind.
    """
    alike: dict[int, list[Card]] = {}
    for card, kinds in zip(cards.cards, cards.may_be, strict=True):
        alike.setdefault(kinds, []).append(card)
    choices = [combinations_with_replacement(bits_of(kinds), len(group)) for kinds, group in alike.items()]
    for given in product(*choices):
        yield [*map(Known, chain(*alike.values()), chain(*given))]


def _hanging_together(suits: Mapping[int, Suit], first: Suit) -> list[Suit]:
    """The suits that can be joined to the first one, itself included."""
    found, left = [first], [suit for suit in suits.values() if suit is not first]
    for suit in found:  # it grows while it is gone through
        found += [other for other in left if suit.joins(other)]
        left = [other for other in left if not suit.joins(other)]
    return found


def _largest(suits: Sequence[Suit], leader: Known, cards: Open, effort: Effort) -> Found:
    """The largest pack of suits that hang together, the leader's the first of them."""
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
    """Suits that can stand in a row, each joined to the next, with as many cards as possible; the first among them."""
    best, most = [suits[0]], len(suits[0].pile)
    for row in _rows(suits):
        size = sum(len(suit.pile) for suit in row)
        if size > most and any(suit is suits[0] for suit in row):
            best, most = row, size
        if len(best) == len(suits) or (len(suits) > 4 and not effort.spend()):
            break
    return best


def _rows(suits: Sequence[Suit]) -> Iterator[list[Suit]]:
    """All rows of suits of which each is joined to the next; a longer one before those it begins with."""
    rows = [[suit] for suit in reversed(suits)]
    while rows:
        row = rows.pop()
        yield row
        rows += [[*row, suit] for suit in suits if suit.joins(row[-1]) and all(suit is not other for other in row)]
