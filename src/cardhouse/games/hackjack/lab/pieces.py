"""What can be changed piece by piece in questions with wounds: each of the 52 by itself; what else is worth trying."""

from __future__ import annotations

from collections.abc import Sequence

from cardhouse.games.hackjack.lab.damage import read_damage
from cardhouse.games.hackjack.wound import Wound

HARMLESS = "harmless"
"""A wound that does nothing and is over with the round; its card counts towards the death-score as ever (HJ-6)."""

POLICIES = ("never", "always", "unless 11", "at 10", "at 12", "at 15", "at 18")


def harmless(wound: Wound) -> Wound:
    """A wound of this name and text that does nothing.

    What is rolled for it is rolled as before, so that the chance after it stays the same.
    """
    return Wound(wound.name, wound.text, "round", details=wound.details)


def one_more_or_less(damage: str) -> Sequence[str]:
    """The same damage with one point less and one more, where that can be."""
    now = read_damage(damage)
    dice = f"{now.dice}d{now.sides}" if now.dice else ""
    near = [now.plus + step for step in (-1, 1)]
    if not dice:
        return [str(plus) for plus in near if plus > 0]
    return [f"{dice}{plus:+}" if plus else dice for plus in near]
