"""How many cards can be in a pack at most, by which of them may touch which."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cardhouse.games.dogpile.deck import bits_of
from cardhouse.games.dogpile.known import Open

Cards = int
"""A set of cards, as bits: their places among those that lie open."""


class Near(NamedTuple):
    """For each card, those that it may touch: side by side, and one above the other. A wild card in all it may be."""

    beside: list[Cards]
    above: list[Cards]


def near_of(cards: Open) -> Near:
    """Which cards may touch which."""
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
    """A number of cards that no legal pack exceeds.

    A card has two sides, and one card above it and one below it. Where groups of cards hang together with the Pack
    Leader through one card only, no more of them than that can be in the pack.
    """
    return _Search(near).below(0)


class _Group(NamedTuple):
    """Cards that hang together with all others through one card, and how many of them there can be at most."""

    size: int
    beside: bool
    above: bool


class _Search:
    """A search in depth from the Pack Leader, which shows the cards that groups hang on."""

    def __init__(self, near: Near) -> None:
        self._near = near
        self._met: dict[int, int] = {}
        self._seen: Cards = 0
        self._low: dict[int, int] = {}
        """The first of the cards met that can be touched from beyond each card."""

    def below(self, card: int) -> int:
        """How many there can be of this card and those that are met from it."""
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
            return size + _hung_on(groups, 2, 2)
        ways = [_hung_on(groups, 1, 2)] if beside & rest else []
        ways += [_hung_on(groups, 2, 1)] if above & rest else []
        return size + max(ways)


def _hung_on(groups: list[_Group], beside: int, above: int) -> int:
    """How many cards of these groups can hang on one card that has so many places free."""
    size = taken = only_beside = only_above = 0
    for group in sorted(groups, reverse=True):
        only = (only_beside + (not group.above), only_above + (not group.beside))
        if taken < beside + above and only[0] <= beside and only[1] <= above:
            size, taken, (only_beside, only_above) = size + group.size, taken + 1, only
    return size
