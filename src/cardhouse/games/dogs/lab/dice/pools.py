"""Characters in dice and in cards: DV-5 in both directions (DICE-1, DICE-2)."""

from __future__ import annotations

import re
from typing import Literal, get_args

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.games.dogs.lab.opponents import MARKS, MOST_THINGS
from cardhouse.games.dogs.people.fast import Draws
from cardhouse.games.dogs.people.notation import MOST_DICE, read_dice, scaled
from cardhouse.games.dogs.people.sheet import MOST_POINTS, STATS, Stats

Dice = tuple[int, ...]
"""The number of sides of each die in a pool."""
Pools = Literal["fewest", "usual", "most"]

STAT_DIE = 6
POOLS: dict[str, tuple[str, str, str]] = {
    "-": ("1d4", "2d4", "2d4"),
    "o": ("1d6", "2d6", "2d6"),
    "+": ("1d10", "2d8", "2d10"),
    "-*": ("3d4", "4d4", "4d4"),
    "o*": ("3d6", "4d6", "4d6"),
    "+*": ("3d8", "4d8", "4d10"),
}
"""DICE-1: the dice of each mark: fewest, usual, most."""
MOST_ROLLED = 200
"""The most dice of one character."""


class Person(msgspec.Struct, frozen=True):
    """A character in both games: the `dice` of its Stats, the `pools` of its things, and both in cards."""

    stats: Stats
    things: tuple[Draws, ...]
    dice: Stats
    pools: tuple[Dice, ...]


def person_from(stats: str, things: str, pools: Pools) -> Person:
    """Return a character from text: Stats in points (`3 2 2 2`) or dice (`5d6 4d6 4d6 4d6`), things as marks or dice.

    Raises CardhouseError for anything else.
    """
    points, dice = _stats_from(stats)
    words = things.split()
    if len(words) > MOST_THINGS:
        raise CardhouseError(f"{len(words)} things are too many; {MOST_THINGS} is the most.")
    read = [_thing_from(word, pools) for word in words]
    if (many := dice.total + sum(len(pool) for _, pool in read)) > MOST_ROLLED:
        raise CardhouseError(f"These are {many} dice; {MOST_ROLLED} is the most that somebody has.")
    return Person(points, tuple(draws for draws, _ in read), dice, tuple(pool for _, pool in read))


def _stats_from(text: str) -> tuple[Stats, Stats]:
    """Return Stats in points and in dice; one is converted from the other."""
    words = text.lower().split()
    if len(words) == len(STATS) and all(re.fullmatch(r"\d", word) for word in words):
        points = Stats(*map(int, words))
        if points.total > MOST_POINTS:
            raise CardhouseError(f"Stats: they add up to {points.total}, and {MOST_POINTS} is the most (DV-1).")
        return points, dice_of(points)
    if len(words) == len(STATS) and all(re.fullmatch(r"\d{1,2}d6", word) for word in words):
        dice = dict(zip(STATS, (int(word[:-2]) for word in words), strict=True))
        if all(1 <= number <= MOST_DICE for number in dice.values()):
            return scaled(dice), Stats(**dice)
    raise CardhouseError(
        f'Stats are four numbers, Acuity, Body, Heart and Will, in points such as "3 2 2 2", or in dice, 1 to '
        f'{MOST_DICE} each, such as "5d6 4d6 4d6 4d6", not "{text[:40]}".'
    )


def dice_of(stats: Stats) -> Stats:
    """Return the number of dice for Stats in points (DICE-2)."""
    doubled = Stats(**{stat: 2 * stats.of(stat) for stat in STATS})
    return doubled.changed(max(STATS, key=stats.of), -1) if stats.total else doubled


def _thing_from(word: str, pools: Pools) -> tuple[Draws, Dice]:
    """Return a thing's draw in cards, and its dice."""
    if word in MARKS:
        return MARKS[word], dice_from(POOLS[word][column_of(pools)])
    if "d" not in word.lower():
        marks = " ".join(MARKS)
        raise CardhouseError(
            f'There is no mark "{word[:20]}"; there are {marks}, or dice such as 2d8, with spaces between.'
        )
    kind, significant, _ = read_dice(word)
    return Draws(kind, significant), dice_from(word)


def dice_from(text: str) -> Dice:
    """Return the dice of a text such as `2d6+1d4`, in the order written."""
    parts = (part.partition("d") for part in text.lower().split("+"))
    return tuple(int(size) for number, _, size in parts for _ in range(int(number or 1)))


def column_of(pools: Pools) -> int:
    """Return the column of POOLS."""
    return get_args(Pools).index(pools)
