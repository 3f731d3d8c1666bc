"""Whom one shoots at: the policies with a name, and one that counts hits against turns; kernels compile these, too."""

from __future__ import annotations

from typing import Literal, get_args

Aims = Literal["standing", "finish", "first", "nearest", "fresh", "aces", "next", "best"]
AIMS: tuple[Aims, ...] = get_args(Aims)
STANDING, FINISH, FIRST, NEAREST, FRESH, ACES, NEXT, BEST = range(8)

AFTER_ALL_HP = 1 << 20
AFTER_ALL = 1 << 24
FINE = 1000
"""Hits, and chances, are counted in so many parts."""

HOLDS = FINE // 20
"""Who holds a wound does not shoot (HJ-10), and is left for the last; but some time they may."""


def worth(aim: int, down: int, hp: int, score: int, blood: int, ace: bool, hits: int, shoots: int) -> int:
    """By which one is shot at who can still do something, the lowest first.

    `blood` is what the next hit moves. `hits` is about what it takes to be rid of one, in parts of a hit, and `shoots`
    how likely it is to shoot when it is next up; see `shots`.
    """
    if aim == FIRST:
        return 0
    if aim == STANDING:
        return AFTER_ALL_HP - score if down else hp
    if aim == FINISH:
        return -AFTER_ALL_HP - score if down else hp
    if aim == FRESH:
        return AFTER_ALL_HP + score + blood if down else -hp
    if aim == BEST:
        return -(shoots * FINE * (1 + ace) // hits)
    nearest = -AFTER_ALL_HP - score - blood if down else hp
    return nearest + AFTER_ALL if aim == ACES and not ace else nearest


def shots(holds: int, sides: int, over: int) -> int:
    """How likely somebody is to shoot when it is next up, in parts of 1.

    It may hold its wound (HJ-10), or be in pain and pass out: that takes a die of so many `sides`, 0 if nothing hurts,
    to come up no more than `over` (HJ-29).
    """
    if holds:
        return HOLDS
    return FINE * max(sides - over, 0) // sides if sides else FINE
