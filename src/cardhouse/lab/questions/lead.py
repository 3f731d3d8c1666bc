"""Who leads in the course of an evening, and what can be said of it when it is over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from cardhouse.engine import Table

Leaders = frozenset[str]
"""The seats that stand best; none where all stand alike."""

ALIKE = 1e-9
"""Scores that differ by no more are the same."""

BEHIND, LEVEL, LEADS = 1, 2, 3
"""How those who win in the end stand before."""


def scores_at(table: Table) -> dict[str, float] | None:
    """How each seat stands that the game can say it of: what it has won, else the game's outlook for it."""
    won = table.game.returns()
    looks = dict(won) if won else {seat: table.game.outlook(seat) for seat in table.seats}
    known = {seat: float(one) for seat, one in looks.items() if one is not None}
    return known or None


def leaders_of(scores: dict[str, float]) -> Leaders:
    """Who stands best."""
    best = max(scores.values())
    leaders = frozenset(seat for seat, score in scores.items() if best - score <= ALIKE)
    return leaders if len(leaders) < len(scores) else frozenset()


class Course:
    """Who led after each answer of an evening, as far as the game could say it."""

    def __init__(self, leaders: Iterable[Leaders]) -> None:
        self.leaders: Sequence[Leaders] = list(leaders)

    @property
    def winners(self) -> Leaders:
        """Who leads at the end."""
        return self.leaders[-1] if self.leaders else frozenset()

    def changes(self) -> int:
        """How often the lead went to somebody else; a tie in between is none by itself."""
        led = [some for some in self.leaders if some]
        return sum(before.isdisjoint(after) for before, after in pairwise(led))

    def decided(self) -> float:
        """From which part of the evening on, 0 to 1, the winners led without a break."""
        left = next((n for n, some in enumerate(reversed(self.leaders)) if some != self.winners), len(self.leaders))
        return 1 - left / len(self.leaders)

    def behind(self) -> float:
        """The part of the evening, 0 to 1, for which others led."""
        return sum(self.standing(some) == BEHIND for some in self.leaders) / len(self.leaders)

    def at(self, tenths: int) -> int:
        """How the winners stood when so many tenths of the evening, 1 to 10, were over."""
        return self.standing(self.leaders[-(-tenths * len(self.leaders) // 10) - 1])

    def standing(self, leaders: Leaders) -> int:
        """How the winners stood when these were the leaders."""
        if leaders == self.winners:
            return LEADS
        return BEHIND if leaders and leaders.isdisjoint(self.winners) else LEVEL
