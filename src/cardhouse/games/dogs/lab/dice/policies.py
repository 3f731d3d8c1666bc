"""The policies of the cards (`plain`, `thrifty`, `bold`), carried over to dice: two dice for a card raised.

A hand of dice is what they show, the highest first. A policy says what somebody does next that is to Raise or See.
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
"""DICE-4: so many dice make a Raise."""
BLOW: Final = 3
"""DICE-5: with so many dice a See takes the blow."""
A_DIE: Final = 2
"""To hold a die at all counts so much for the bold, beside what it shows: two dice about as much as a card does."""
MANY: Final = 4
"""A blow of so many dice is only taken by one who can't help it: one more than the least, as with cards."""


class Play(NamedTuple):
    """Dice are raised, or See a Raise."""

    dice: Hand


class Bring(NamedTuple):
    """A thing is rolled, by its place among all."""

    thing: int


class Escalate(NamedTuple):
    """Another arena is entered."""

    arena: str


class Improvise(msgspec.Struct, frozen=True):
    """Something desperate is done."""


class Give(msgspec.Struct, frozen=True):
    """Out."""


Does = Play | Bring | Escalate | Improvise | Give


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """What lies before somebody: a Raise of `value` from an arena to See, or, if it is None, a Raise to make.

    The `things` not yet brought by their places, the `arenas` it may enter now with the dice each would roll.
    """

    hand: Hand
    other: Hand
    value: int | None
    arena: Pile
    things: Mapping[int, Dice]
    arenas: Mapping[str, int]
    improvises: bool


Policy = Callable[[Situation], Does]


def plain(now: Situation) -> Does:
    """Everything is brought at the first Raise or See; the two best dice are raised; few dice See, and cheap ones."""
    return Bring(min(now.things)) if now.things else play_plainly(now)


def play_plainly(now: Situation) -> Play | Give:
    """The two best dice; of as few dice as can be the lowest sum; or one gives."""
    if now.value is None:
        return Play(now.hand[:TO_RAISE]) if len(now.hand) >= TO_RAISE else Give()
    dice = fewest(now.hand, now.value)
    return Give() if dice is None else Play(dice)


def thrifty(now: Situation) -> Does:
    """As plain, but a thing is only brought so as not to give, then other arenas are entered."""
    answer = play_plainly(now)
    return answer if isinstance(answer, Play) else bring(now) or escalate(now) or answer


def bold(now: Situation) -> Does:
    """What costs oneself least and the other most."""
    return raise_boldly(now) if now.value is None else see_boldly(now, now.value)


POLICIES: Mapping[Playing, Policy] = {"plain": plain, "thrifty": thrifty, "bold": bold}


@lru_cache(REMEMBERED)
def fewest(hand: Hand, value: int, at_least: int = 1) -> Hand | None:
    """As few dice as can be that come to this, of those the smallest sum, of those the one with the lowest highest."""
    for number in range(at_least, len(hand) + 1):
        if sum(hand[:number]) >= value:
            return least(hand, number, value)
    return None


def bring(now: Situation) -> Bring | None:
    """The thing with the best dice."""
    return Bring(max(now.things, key=lambda at: (strength(now.things[at]), -at))) if now.things else None


def escalate(now: Situation) -> Escalate | None:
    """The arena that rolls most, of those the mildest."""
    return Escalate(max(now.arenas, key=now.arenas.__getitem__)) if now.arenas else None


# What the bold think of.


def without(hand: Hand, dice: Hand) -> Hand:
    """What is left of a hand."""
    left = list(hand)
    for die in dice:
        left.remove(die)
    return tuple(left)


def holding(hand: Hand) -> int:
    """What it counts to hold these dice."""
    return sum(hand) + A_DIE * len(hand)


def after_seeing(hand: Hand, value: int) -> Hand | None:
    """What is left of a hand that Sees a Raise with as few dice as it can; None if it can't."""
    dice = fewest(hand, value)
    return None if dice is None else hand if len(dice) == 1 else without(hand, dice)


@lru_cache(REMEMBERED)
def cost_of_seeing(hand: Hand, value: int) -> int:
    """What it costs a hand to See a Raise."""
    left = after_seeing(hand, value)
    return OUT if left is None else holding(hand) - holding(left)


@lru_cache(REMEMBERED)
def raises(hand: Hand) -> tuple[Hand, ...]:
    """What could be raised, the lowest sum first, of equal sums the one with the lower highest die."""
    return tuple(sorted(set(combinations(hand, TO_RAISE)), key=lambda pair: (sum(pair), pair)))


def gain(pair: Hand, other: Hand) -> int:
    """What it costs the other to See this, less what it counts oneself."""
    return cost_of_seeing(other, sum(pair)) - holding(pair)


def threat(hand: Hand, other: Hand) -> int:
    """What the next Raise of a hand costs the other beyond what it costs itself."""
    return max((gain(pair, other) for pair in raises(hand)), default=-OUT)


def raise_boldly(now: Situation) -> Does:
    """What costs the other most, the Raise that would come back thought of; something is brought if nothing does."""
    if threat(now.hand, now.other) < GOOD and now.things:
        return bring(now) or Give()
    if len(now.hand) < TO_RAISE:
        return something_else(now) or Give()

    def outlook(pair: Hand) -> int:
        left = after_seeing(now.other, sum(pair)) or ()
        return gain(pair, now.other) - threat(left, without(now.hand, pair))

    return Play(max(raises(now.hand), key=outlook))


def see_boldly(now: Situation, value: int) -> Does:
    """Reverse, or block, or bring something so as to; a blow is taken if there is nothing else, or it leaves more."""
    reversing = fewest(now.hand, value)
    if reversing is not None and len(reversing) == 1:
        return Play(reversing)
    blocks = [pair for pair in raises(now.hand) if sum(pair) >= value]
    if not blocks and now.things:
        return bring(now) or Give()
    blow = fewest(now.hand, value, BLOW)
    if not blocks and (blow is None or len(blow) >= MANY) and (other := something_else(now)):
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
    """Whether it would only be hurt: nothing is left to raise after the blow, or next to nothing against guns."""
    left = (len(now.hand) - len(blow)) // TO_RAISE + len(now.things) + len(now.arenas) + now.improvises
    return left == 0 or (now.arena == "guns" and OVERWHELMED * left <= len(now.other) // TO_RAISE)


def something_else(now: Situation) -> Escalate | Improvise | None:
    """Rather than give: another arena, else something desperate; None if nothing."""
    return escalate(now) or (Improvise() if now.improvises else None)
