"""The policies `plain`, `thrifty` and `bold` adapted from cards to dice: two dice Raise, instead of one card.

A hand is the numbers shown, highest first. A policy chooses the next action of a side that must Raise or See.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

import msgspec

from cardhouse.games.dogs.bots.bold import FEAR, GOOD, OUT, OVERWHELMED
from cardhouse.games.dogs.bots.policies import REMEMBERED, least
from cardhouse.games.dogs.lab.dice.pools import Dice
from cardhouse.games.dogs.lab.dice.sides import strength
from cardhouse.games.dogs.lab.opponents import Playing
from cardhouse.games.dogs.state import Pile

Hand = tuple[int, ...]

TO_RAISE: Final = 2
"""DICE-4: the number of dice in a Raise."""
BLOW: Final = 3
"""DICE-5: the number of dice from which a See Takes the Blow."""
A_DIE: Final = 2
"""The bold policy's value of holding a die, in addition to its number; two dice are worth about as much as a card."""
MANY: Final = 4
"""From this many dice on, a blow is taken only if nothing else is possible; as with cards, one more than the least."""


class Play(NamedTuple):
    """Raise or See with dice."""

    dice: Hand


class Bring(NamedTuple):
    """Bring a thing, by its place in the list."""

    thing: int


class Escalate(NamedTuple):
    """Enter another arena."""

    arena: str


class Improvise(msgspec.Struct, frozen=True):
    """Improvise something desperate."""


class Give(msgspec.Struct, frozen=True):
    """Give."""


Action = Play | Bring | Escalate | Improvise | Give


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """The situation of a side that must See a Raise of `value` from `arena`, or Raise if `value` is None.

    `things` are those left, by place; `arenas` those it may enter now, with the dice each would roll.
    """

    hand: Hand
    other: Hand
    value: int | None
    arena: Pile
    things: Mapping[int, Dice]
    arenas: Mapping[str, int]
    improvises: bool


Policy = Callable[[Situation], Action]


def plain(now: Situation) -> Action:
    """Bring everything with the first Raise or See; Raise with the two best dice; See with few and low dice."""
    return Bring(min(now.things)) if now.things else play_plainly(now)


def play_plainly(now: Situation) -> Play | Give:
    """Raise with the two best dice, See with the fewest dice of the lowest sum, or give."""
    if now.value is None:
        return Play(now.hand[:TO_RAISE]) if len(now.hand) >= TO_RAISE else Give()
    dice = fewest(now.hand, now.value)
    return Give() if dice is None else Play(dice)


def thrifty(now: Situation) -> Action:
    """Play like plain, but bring things, and then escalate, only to avoid giving."""
    answer = play_plainly(now)
    return answer if isinstance(answer, Play) else bring(now) or escalate(now) or answer


def bold(now: Situation) -> Action:
    """Return the action with the least cost to itself and the most to the other."""
    return raise_boldly(now) if now.value is None else see_boldly(now, now.value)


POLICIES: Mapping[Playing, Policy] = {"plain": plain, "thrifty": thrifty, "bold": bold}


@lru_cache(REMEMBERED)
def fewest(hand: Hand, value: int, at_least: int = 1) -> Hand | None:
    """Return the fewest dice with this total: the smallest such sum, and among equals the lowest high die."""
    for number in range(at_least, len(hand) + 1):
        if sum(hand[:number]) >= value:
            return least(hand, number, value)
    return None


def bring(now: Situation) -> Bring | None:
    """Return the action that brings the thing with the best dice."""
    return Bring(max(now.things, key=lambda at: (strength(now.things[at]), -at))) if now.things else None


def escalate(now: Situation) -> Escalate | None:
    """Return the action that enters the arena with most dice, the mildest of equals."""
    return Escalate(max(now.arenas, key=now.arenas.__getitem__)) if now.arenas else None


# The bold policy.


def without(hand: Hand, dice: Hand) -> Hand:
    """Return a hand without these dice."""
    left = list(hand)
    for die in dice:
        left.remove(die)
    return tuple(left)


def holding(hand: Hand) -> int:
    """Return the value of holding these dice."""
    return sum(hand) + A_DIE * len(hand)


def after_seeing(hand: Hand, value: int) -> Hand | None:
    """Return the rest of a hand that Sees with the fewest dice; None if it can't."""
    dice = fewest(hand, value)
    return None if dice is None else hand if len(dice) == 1 else without(hand, dice)


@lru_cache(REMEMBERED)
def cost_of_seeing(hand: Hand, value: int) -> int:
    """Return the cost to a hand of Seeing a Raise."""
    left = after_seeing(hand, value)
    return OUT if left is None else holding(hand) - holding(left)


@lru_cache(REMEMBERED)
def raises(hand: Hand) -> tuple[Hand, ...]:
    """Return the possible Raises, lowest sum first, and among equals the lower high die first."""
    return tuple(sorted(set(combinations(hand, TO_RAISE)), key=lambda pair: (sum(pair), pair)))


def gain(pair: Hand, other: Hand) -> int:
    """Return the other's cost of Seeing this pair, minus its value in hand."""
    return cost_of_seeing(other, sum(pair)) - holding(pair)


def threat(hand: Hand, other: Hand) -> int:
    """Return how much more the hand's next Raise costs the other than itself."""
    return max((gain(pair, other) for pair in raises(hand)), default=-OUT)


def raise_boldly(now: Situation) -> Action:
    """Make the Raise that costs the other most, weighing the Raise in return; bring a thing if none costs much."""
    if threat(now.hand, now.other) < GOOD and now.things:
        return bring(now) or Give()
    if len(now.hand) < TO_RAISE:
        return last_resort(now) or Give()

    def outlook(pair: Hand) -> int:
        left = after_seeing(now.other, sum(pair)) or ()
        return gain(pair, now.other) - threat(left, without(now.hand, pair))

    return Play(max(raises(now.hand), key=outlook))


def see_boldly(now: Situation, value: int) -> Action:
    """Reverse, or Block, or bring a thing to do so; Take the Blow if that is the only way, or leaves more."""
    reversing = fewest(now.hand, value)
    if reversing is not None and len(reversing) == 1:
        return Play(reversing)
    blocks = [pair for pair in raises(now.hand) if sum(pair) >= value]
    if not blocks and now.things:
        return bring(now) or Give()
    blow = fewest(now.hand, value, BLOW)
    if not blocks and (blow is None or len(blow) >= MANY) and (other := last_resort(now)):
        return other
    if not blocks and (blow is None or is_hopeless(blow, now)):
        return Give()
    ways = [*blocks, *([] if blow is None else [blow])]

    def outlook(dice: Hand) -> int:
        left = without(now.hand, dice)
        fallout = len(dice) if len(dice) >= BLOW else 0
        return holding(left) + threat(left, now.other) - FEAR[now.arena] * fallout

    return Play(max(ways, key=outlook))


def is_hopeless(blow: Hand, now: Situation) -> bool:
    """Return whether the blow is pointless: no Raise left afterwards, or far too few against guns."""
    left = (len(now.hand) - len(blow)) // TO_RAISE + len(now.things) + len(now.arenas) + now.improvises
    return left == 0 or (now.arena == "guns" and OVERWHELMED * left <= len(now.other) // TO_RAISE)


def last_resort(now: Situation) -> Escalate | Improvise | None:
    """Return a last resort instead of giving: another arena, or a desperate improvisation; None if neither."""
    return escalate(now) or (Improvise() if now.improvises else None)
