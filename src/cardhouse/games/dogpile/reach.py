"""An upper bound on the size of a pack, by which cards may touch which."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cardhouse.games.dogpile.deck import bits_of
from cardhouse.games.dogpile.known import Open

Cards = int
"""A set of cards, as a bit set of their indices in `Open.cards`."""


class Near(NamedTuple):
    """The cards that each card may touch side by side, and one above the other, counting every kind of a wild card."""

    beside: list[Cards]
    above: list[Cards]


def near_of(cards: Open) -> Near:
    """Return which cards may touch which."""
    return Near(_near(cards, cards.beside), _near(cards, cards.above))


def _near(cards: Open, fits: Mapping[int, int]) -> list[Cards]:
    among = []
    for kinds in cards.may_be:
        fitting = 0
        for kind in bits_of(kinds):
            fitting |= fits[kind]
        among.append(fitting)
    return [
        sum(1 << other for other, kinds in enumerate(cards.may_be) if other != card and fitting & kinds)
        for card, fitting in enumerate(among)
    ]


def at_most(near: Near) -> int:
    """Return an upper bound on the size of any legal pack.

    A card has two sides, and room for one card above and one below. If groups of cards connect to the Pack Leader only
    through one card, the pack has at most as many of these groups as that card has free places.
    """
    return _Search(near).below(0)


class _Group(NamedTuple):
    """The cards that connect to all others through one card; `size` is an upper bound on those in a pack."""

    size: int
    beside: bool
    above: bool


class _Search:
    """A depth-first search from the Pack Leader, which finds the cards that groups connect through."""

    def __init__(self, near: Near) -> None:
        self._near = near
        self._met: dict[int, int] = {}
        self._seen: Cards = 0
        self._low: dict[int, int] = {}
        """The earliest card found that can be touched from beyond each card."""

    def below(self, card: int) -> int:
        """Return an upper bound on the cards in a pack among this card and those found from it."""
        self._met[card] = self._low[card] = len(self._met)
        self._seen |= 1 << card
        beside, above = self._near.beside[card], self._near.above[card]
        size, groups, rest = 1, [], ~(1 << card)
        for other in bits_of(beside | above):
            if other in self._met:
                self._low[card] = min(self._low[card], self._met[other])
                continue
            before = self._seen
            more = self.below(other)
            self._low[card] = min(self._low[card], self._low[other])
            if self._low[other] < self._met[card]:
                size += more
            else:
                group = self._seen & ~before
                groups.append(_Group(more, bool(beside & group), bool(above & group)))
                rest &= ~group
        if not card:
            return size + _most_attached(groups, 2, 2)
        ways = [_most_attached(groups, 1, 2)] if beside & rest else []
        ways += [_most_attached(groups, 2, 1)] if above & rest else []
        return size + max(ways)


def _most_attached(groups: list[_Group], beside: int, above: int) -> int:
    """Return how many cards of these groups can hang on one card with this number of free places."""
    size = taken = only_beside = only_above = 0
    for group in sorted(groups, reverse=True):
        only = (only_beside + (not group.above), only_above + (not group.beside))
        if taken < beside + above and only[0] <= beside and only[1] <= above:
            size, taken, (only_beside, only_above) = size + group.size, taken + 1, only
    return size
