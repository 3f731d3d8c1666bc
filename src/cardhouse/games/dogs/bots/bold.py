"""The bold policy: it makes others pay for each Raise, looks one Raise ahead, and has more in store before it gives."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final

from cardhouse.cards import Card
from cardhouse.engine import Action
from cardhouse.games.dogs.actions import Bring, Escalate, Give, Improvise, Raise
from cardhouse.games.dogs.bots.policies import (
    REMEMBERED,
    Situation,
    Unused,
    Values,
    enough,
    fewest,
    fewest_values,
    see_with,
    values_of,
)
from cardhouse.games.dogs.people.fast import Draws
from cardhouse.games.dogs.state import Pile, to_reverse, worth

A_CARD: Final = 3
"""To hold a card at all counts so much, beside what it is worth."""
OUT: Final = 1000
"""To have nothing to See with, or to Raise with, counts so much."""
FEAR: Final[dict[Pile | None, int]] = {None: 0, "talking": 0, "physical": 1, "fighting": 2, "guns": 4}
"""A card of fallout counts so much, by the pile it falls on."""
GOOD: Final = 3
"""A Raise that costs the others so much more than oneself is made; for a better one something is brought first."""
MANY: Final = 3
"""A blow of so many cards is only taken by one who can't help it."""
OVERWHELMED: Final = 4
"""One is overwhelmed whose opponent holds so many times as many cards."""


def bold(now: Situation) -> Action:
    """What costs oneself least and the others most."""
    return raise_boldly(now) if now.value is None else see_boldly(now, now.value)


# Counting.


def holding(hand: Values) -> int:
    """What it counts to hold these cards."""
    return sum(hand) + A_CARD * len(hand)


def without(hand: Values, played: Iterable[int]) -> Values:
    """What is left of a hand."""
    left = list(hand)
    for value in played:
        left.remove(value)
    return tuple(left)


@lru_cache(REMEMBERED)
def after_seeing(hand: Values, value: int) -> Values | None:
    """What is left of a hand that Sees a Raise as cheaply as it can; None if it can't."""
    if hand and hand[0] >= to_reverse(value):
        return hand
    if hand and hand[0] >= value:
        return without(hand, [min(own for own in hand if own >= value)])
    blow = fewest_values(hand, value)
    return None if blow is None else without(hand, blow)


@lru_cache(REMEMBERED)
def cost_of_seeing(hand: Values, value: int) -> int:
    """What it costs a hand to See a Raise."""
    left = after_seeing(hand, value)
    return OUT if left is None else holding(hand) - holding(left)


def threat(hand: Values, others: list[Values]) -> int:
    """What the next Raise of a hand costs its only opponent beyond what it costs itself; of several it isn't known."""
    if len(others) != 1:
        return 0
    return max((cost_of_seeing(others[0], value) - value - A_CARD for value in set(hand)), default=-OUT)


# Raising.


def raise_boldly(now: Situation) -> Action:
    """The card that costs the others most beyond what it is worth; something is brought first if none costs much."""
    others = now.others()
    if max((gain(card, now, others) for card in now.hand), default=-OUT) < GOOD and (things := now.things()):
        return bring(now.name, things)
    if not now.hand:
        return something_else(now) or Give(now.name)
    return Raise(now.name, raise_of(now, set(values_of(now.hand))))


def raise_of(now: Situation, among: Collection[int]) -> Card:
    """The card that is raised, of these values, one at least: the Raise that would come back is thought of as well."""
    others, hand = now.others(), values_of(now.hand)
    gains = {worth(card): (gain(card, now, others), card) for card in now.hand if worth(card) in among}

    def outlook(value: int) -> tuple[int, int]:
        left = [after_seeing(other, value) or () for other in others]
        return gains[value][0] - (threat(left[0], [without(hand, [value])]) if len(left) == 1 else 0), -value

    return gains[max(gains, key=outlook)][1]


def gain(card: Card, now: Situation, others: list[Values]) -> int:
    """What it costs the others to See this card, less what it counts oneself."""
    value = worth(card, sideways=now.owes) + now.help_given
    return sum(cost_of_seeing(hand, value) for hand in others) - worth(card) - A_CARD


# Seeing.


def see_boldly(now: Situation, value: int) -> Action:
    """Reverse, or block, or bring something so as to; a blow is taken if there is nothing else, or it leaves more."""
    if reverses := enough(now.hand, to_reverse(value), owes=now.owes):
        return see_with(now, [reverses[-1]])
    needed = value - now.help_given
    blocks = {worth(card): [card] for card in enough(now.hand, needed, owes=now.owes)}
    if not blocks and (things := now.things()):
        return bring(now.name, things)
    blow = fewest(now.hand, needed, owes=now.owes)
    if not blocks and (blow is None or len(blow) >= MANY) and (other := something_else(now)):
        return other
    if not blocks and (blow is None or is_hopeless(blow, now)):
        return Give(now.name)
    return see_with(now, best_see(now, [*blocks.values(), *([] if blow is None else [blow])]))


def best_see(now: Situation, ways: list[list[Card]]) -> list[Card]:
    """The cards that leave most, and most to Raise with."""
    if len(ways) == 1:
        return ways[0]
    others, hand = now.others(), values_of(now.hand)

    def outlook(cards: list[Card]) -> int:
        left = without(hand, values_of(cards))
        fallout = len(cards) if len(cards) > 1 else 0
        return holding(left) + threat(left, others) - FEAR[now.pile] * fallout

    return max(ways, key=outlook)


def is_hopeless(blow: list[Card], now: Situation) -> bool:
    """Whether it would only be hurt: nothing is left after the blow to go on with, or next to nothing against guns."""
    if now.pile is None:
        return False
    left = len(now.hand) - len(blow) + len(now.things()) + len(now.arenas()) + now.improvises
    return left == 0 or (now.pile == "guns" and OVERWHELMED * left <= max(map(len, now.others()), default=0))


# What goes with a Raise or a See.


def bring(name: str, things: list[Unused]) -> Bring:
    """The thing that draws best."""
    best = max(things, key=lambda thing: strength(thing.draws))
    return Bring(best.owner, best.name)


def strength(draws: Draws) -> int:
    """How good a thing is to draw for: two cards before one, the best kept before any, any before the worst."""
    return 3 * draws.significant + "-o+".index(draws.kind)


def something_else(now: Situation) -> Action | None:
    """Rather than give: the arena that draws most, of those the mildest; else something desperate; None if nothing."""
    if arenas := now.arenas():
        return Escalate(now.name, max(arenas, key=arenas.__getitem__))
    return Improvise(now.name, desperate=True) if now.improvises else None
