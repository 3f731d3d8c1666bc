"""Helpers of the gunfight's tests."""

from __future__ import annotations

from random import Random
from typing import Any

from cardhouse.engine import Table
from cardhouse.games.gunfight.rules import Gunfight
from tests.games.hackjack import playing as hackjack

CHECKS = ("C2", "H4", "H5", "SQ")
"""Wounds with a check."""


def game_of(table: Table) -> Gunfight:
    assert isinstance(table.game, Gunfight)
    return table.game


def someone(rng: Random, name: str, card: str) -> dict[str, Any]:
    """An answer that adds somebody, or brings somebody from the roster: down, broken, out cold, dead, with checks."""
    if rng.random() < 0.5:
        return {**hackjack.someone(rng, name), "card": card}
    answer = hackjack.veteran(rng, name, 21)
    sheet = answer["sheet"]
    sheet["alive"], sheet["unconscious"] = rng.random() < 0.9, sheet["down"] and rng.random() < 0.2
    sheet["wounds"] += [{"card": wound, "check": "open"} for wound in CHECKS if rng.random() < 0.2]
    sheet["wounds"] += [{"card": wound} for wound in ("CA", "SA", "SK") if rng.random() < 0.2]
    return {**answer, "card": card}


def blow(rng: Random, table: Table, *, at_hidden: bool = True) -> dict[str, Any] | None:
    """Damage to somebody alive, also to those who hide unless it is said otherwise; None while nobody can be hit."""
    game = game_of(table)
    hidden = [] if at_hidden else game.hidden()
    living = [who.name for who in game.fight.characters if who.alive and who.name not in hidden]
    if game.fight.busy or not living:
        return None
    return {"do": "damage", "target": rng.choice(living), "amount": rng.choice(hackjack.BLOWS)}
