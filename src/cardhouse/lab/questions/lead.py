"""The lead over the course of a game, and its statistics at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from cardhouse.engine import Table

Leaders = frozenset[str]
"""The seats in the lead; empty if all are equal."""

ALIKE = 1e-9
"""The largest difference between equal scores."""

BEHIND, LEVEL, LEADS = 1, 2, 3
"""The earlier position of the eventual winners."""


def scores_at(table: Table) -> dict[str, float] | None:
    """Return each seat's score, where the game has one: its winnings, otherwise the game's outlook for it."""
    won = table.game.returns()
    looks = dict(won) if won else {seat: table.game.outlook(seat) for seat in table.seats}
    known = {seat: float(one) for seat, one in looks.items() if one is not None}
    return known or None


def leaders_of(scores: dict[str, float]) -> Leaders:
    """Return the seats with the best score."""
    best = max(scores.values())
    leaders = frozenset(seat for seat, score in scores.items() if best - score <= ALIKE)
    return leaders if len(leaders) < len(scores) else frozenset()


class Course:
    """The leaders after each answer of a game, where the game has scores."""

    def __init__(self, leaders: Iterable[Leaders]) -> None:
        self.leaders: Sequence[Leaders] = list(leaders)

    @property
    def winners(self) -> Leaders:
        """The leaders at the end."""
        return self.leaders[-1] if self.leaders else frozenset()

    def changes(self) -> int:
        """Return how many times the lead passed to another seat; a tie in between doesn't count."""
        led = [some for some in self.leaders if some]
        return sum(before.isdisjoint(after) for before, after in pairwise(led))

    def decided(self) -> float:
        """Return the fraction of the game, 0 to 1, after which the winners led to the end."""
        left = next((n for n, some in enumerate(reversed(self.leaders)) if some != self.winners), len(self.leaders))
        return 1 - left / len(self.leaders)

    def behind(self) -> float:
        """Return the fraction of the game, 0 to 1, for which others led."""
        return sum(self.standing(some) == BEHIND for some in self.leaders) / len(self.leaders)

    def at(self, tenths: int) -> int:
        """Return the winners' position after this many tenths of the game, 1 to 10."""
        return self.standing(self.leaders[-(-tenths * len(self.leaders) // 10) - 1])

    def standing(self, leaders: Leaders) -> int:
        """Return the winners' position while these were the leaders."""
        if leaders == self.winners:
            return LEADS
        return BEHIND if leaders and leaders.isdisjoint(self.winners) else LEVEL
