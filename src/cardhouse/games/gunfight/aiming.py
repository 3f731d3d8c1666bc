"""Policies for choosing a target, including one that weighs hits against turns; kernels compile them too."""

from __future__ import annotations

from typing import Literal, get_args

Aims = Literal["standing", "finish", "first", "nearest", "fresh", "aces", "next", "best"]
AIMS: tuple[Aims, ...] = get_args(Aims)
STANDING, FINISH, FIRST, NEAREST, FRESH, ACES, NEXT, BEST = range(8)

AFTER_ALL_HP = 1 << 20
AFTER_ALL = 1 << 24
FINE = 1000
"""The unit of hits and chances: parts of 1."""

HOLDS = FINE // 20
"""The chance to shoot for a character preventing blood loss: low, since it can't now (HJ-10) but may later."""


def target_key(
    aim: int, down: int, hp: int, score: int, blood: int, ace: bool, holds: int, hits: int, shoots: int
) -> int:
    """Return the sort key of a target that can still act; the lowest is shot first.

    `blood` is the Blood pool that the next hit adds, and `holds` whether the target prevents blood loss. `hits` is the
    approximate number of hits to take the target out, in parts of a hit, and `shoots` the chance that it shoots at its
    next turn; see `shooting_chance`.
    """
    if aim == FIRST:
        return 0
    if aim == STANDING:
        return AFTER_ALL_HP - score if down else hp
    if aim == FINISH:
        return AFTER_ALL * holds + (-AFTER_ALL_HP - score if down else hp)
    if aim == FRESH:
        return AFTER_ALL_HP + score + blood if down else -hp
    if aim == BEST:
        return -(shoots * FINE * (1 + ace) // hits)
    nearest = -AFTER_ALL_HP - score - blood if down else hp
    return nearest + AFTER_ALL if aim == ACES and not ace else nearest


def shooting_chance(holds: int, sides: int, over: int) -> int:
    """Return the chance that a character shoots at its next turn, in parts of 1.

    It may prevent blood loss (HJ-10), or be in pain and pass out: with a die of `sides`, 0 for no pain, it passes out
    unless it rolls above `over` (HJ-29).
    """
    if holds:
        return HOLDS
    return FINE * max(sides - over, 0) // sides if sides else FINE
