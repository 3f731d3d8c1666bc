"""The settings that can be changed piece by piece in questions with wounds, and other values worth trying."""

from __future__ import annotations

from collections.abc import Sequence

from cardhouse.games.hackjack.lab.damage import read_damage
from cardhouse.games.hackjack.wounds.schema import Wound

HARMLESS = "harmless"
"""A wound without effect that ends with the round. Its card still counts towards the death-score (HJ-6)."""

POLICIES = ("never", "always", "unless 11", "at 10", "at 12", "at 15", "at 18")


def harmless(wound: Wound) -> Wound:
    """Return a wound with this name and text but no effect.

    Its rolls are kept, so that the random numbers after it stay the same.
    """
    return Wound(wound.name, wound.text, "round", details=wound.details)


def neighbouring_damage(damage: str) -> Sequence[str]:
    """Return the damage with one point less and one more, if possible."""
    now = read_damage(damage)
    dice = f"{now.dice}d{now.sides}" if now.dice else ""
    near = [now.plus + step for step in (-1, 1)]
    if not dice:
        return [str(plus) for plus in near if plus > 0]
    return [f"{dice}{plus:+}" if plus else dice for plus in near]
