"""The best joint policy of two silent players with a card each, by trying all policies.

For one Pack Leader: the first player's policy says for each card where it goes, if anywhere; the second's, for each
card and each place where the first may have laid. Whatever the first has agreed to, what lies on a place is one of the
cards that go there, and the second does what is best on average over them. So a policy of the first is a way to share
out the cards among the places, and the best is found place by place, over all sets of cards that are left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from cardhouse.cards import Cell, around

Fits = Callable[[int, int, bool], bool]
"""Whether two cards may touch, side by side or one above the other."""

PLACES = [(x, y) for x in range(-2, 3) for y in range(-2, 3) if 0 < abs(x) + abs(y) <= 2]
"""Where two cards can come to lie in one shape with the Pack Leader."""


def score(layout: Mapping[Cell, int], fits: Fits) -> int:
    """The dogs that join: all, or none; a Pack Leader alone doesn't (DG-9 to DG-15, without wild cards)."""
    reached, todo = {(0, 0)}, [(0, 0)]
    while todo:
        cell = todo.pop()
        for other in around(cell):
            if other in layout:
                if not fits(layout[cell], layout[other], cell[1] == other[1]):
                    return 0
                if other not in reached:
                    reached.add(other)
                    todo.append(other)
    return len(layout) if len(reached) == len(layout) > 1 else 0


def best_of_two(leader: int, cards: list[int], fits: Fits) -> float:
    """The mean number of dogs of the best joint policy: every pair of hands is as likely."""

    @cache
    def second(place: Cell, mine: int, others: int) -> int:
        """What the second gets in all, at best, over the cards that may lie on this place."""
        options: list[Cell | None] = [None, *PLACES]
        return max(
            sum(
                score({(0, 0): leader, place: card} | ({cell: mine} if cell else {}), fits)
                for number, card in enumerate(cards)
                if others >> number & 1 and card != mine
            )
            for cell in options
            if cell != place
        )

    @cache
    def shared(places: int, left: int) -> int:
        """What these cards bring at best when they are shared out among so many places; the rest is passed with."""
        if not places or not left:
            return 0
        best, some = shared(places - 1, left), left
        while some:
            here = sum(second(PLACES[places - 1], mine, some) for mine in cards)
            best = max(best, here + shared(places - 1, left & ~some))
            some = (some - 1) & left
        return best

    return shared(len(PLACES), (1 << len(cards)) - 1) / (len(cards) * (len(cards) - 1))
