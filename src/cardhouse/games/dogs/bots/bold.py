"""The bold policy: it makes Raises costly for others, looks one Raise ahead, and tries everything before it gives."""

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
"""The value of holding a card, in addition to the card's own value."""
OUT: Final = 1000
"""The cost of having nothing to See or Raise with."""
FEAR: Final[dict[Pile | None, int]] = {None: 0, "talking": 0, "physical": 1, "fighting": 2, "guns": 4}
"""The cost of a card of fallout, by pile."""
GOOD: Final = 3
"""The least gain of a Raise; below it, the policy brings a thing into play first."""
MANY: Final = 3
"""From this many cards on, the policy takes a blow only if nothing else is possible."""
OVERWHELMED: Final = 4
"""The ratio of an opponent's cards to the policy's own at which it gives up against guns."""


def bold(now: Situation) -> Action:
    """Return the action with the least cost to its own side and the most to others."""
    return raise_boldly(now) if now.value is None else see_boldly(now, now.value)


# Values.


def holding(hand: Values) -> int:
    """Return the value of holding these cards."""
    return sum(hand) + A_CARD * len(hand)


def without(hand: Values, played: Iterable[int]) -> Values:
    """Return a hand without the cards played."""
    left = list(hand)
    for value in played:
        left.remove(value)
    return tuple(left)


@lru_cache(REMEMBERED)
def after_seeing(hand: Values, value: int) -> Values | None:
    """Return the rest of a hand after Seeing a Raise as cheaply as possible; None if it can't."""
    if hand and hand[0] >= to_reverse(value):
        return hand
    if hand and hand[0] >= value:
        return without(hand, [min(own for own in hand if own >= value)])
    blow = fewest_values(hand, value)
    return None if blow is None else without(hand, blow)


@lru_cache(REMEMBERED)
def cost_of_seeing(hand: Values, value: int) -> int:
    """Return the cost to a hand of Seeing a Raise."""
    left = after_seeing(hand, value)
    return OUT if left is None else holding(hand) - holding(left)


def threat(hand: Values, others: list[Values]) -> int:
    """Return how much more the hand's next Raise costs its only opponent than itself; 0 with several opponents."""
    if len(others) != 1:
        return 0
    return max((cost_of_seeing(others[0], value) - value - A_CARD for value in set(hand)), default=-OUT)


# Raising.


def raise_boldly(now: Situation) -> Action:
    """Raise with the card that costs others most beyond its value; bring a thing first if none costs them much."""
    others = now.others()
    if max((gain(card, now, others) for card in now.hand), default=-OUT) < GOOD and (things := now.things()):
        return bring(now.name, things)
    if not now.hand:
        return last_resort(now) or Give(now.name)
    return Raise(now.name, raise_of(now, set(values_of(now.hand))))


def raise_of(now: Situation, among: Collection[int]) -> Card:
    """Return the card to raise among these values, at least one of which is in hand, weighing the Raise in return."""
    others, hand = now.others(), values_of(now.hand)
    gains = {worth(card): (gain(card, now, others), card) for card in now.hand if worth(card) in among}

    def outlook(value: int) -> tuple[int, int]:
        left = [after_seeing(other, value) or () for other in others]
        return gains[value][0] - (threat(left[0], [without(hand, [value])]) if len(left) == 1 else 0), -value

    return gains[max(gains, key=outlook)][1]


def gain(card: Card, now: Situation, others: list[Values]) -> int:
    """Return the cost to others of Seeing this card, minus its value in hand."""
    value = worth(card, sideways=now.owes) + now.help_given
    return sum(cost_of_seeing(hand, value) for hand in others) - worth(card) - A_CARD


# Seeing.


def see_boldly(now: Situation, value: int) -> Action:
    """Reverse, or Block, or bring a thing to do so; Take the Blow if that is the only way, or leaves more."""
    if reverses := enough(now.hand, to_reverse(value), owes=now.owes):
        return see_with(now, [reverses[-1]])
    needed = value - now.help_given
    blocks = {worth(card): [card] for card in enough(now.hand, needed, owes=now.owes)}
    if not blocks and (things := now.things()):
        return bring(now.name, things)
    blow = fewest(now.hand, needed, owes=now.owes)
    if not blocks and (blow is None or len(blow) >= MANY) and (other := last_resort(now)):
        return other
    if not blocks and (blow is None or is_hopeless(blow, now)):
        return Give(now.name)
    return see_with(now, best_see(now, [*blocks.values(), *([] if blow is None else [blow])]))


def best_see(now: Situation, ways: list[list[Card]]) -> list[Card]:
    """Return the cards whose See leaves the best hand, including its next Raise."""
    if len(ways) == 1:
        return ways[0]
    others, hand = now.others(), values_of(now.hand)

    def outlook(cards: list[Card]) -> int:
        left = without(hand, values_of(cards))
        fallout = len(cards) if len(cards) > 1 else 0
        return holding(left) + threat(left, others) - FEAR[now.pile] * fallout

    return max(ways, key=outlook)


def is_hopeless(blow: list[Card], now: Situation) -> bool:
    """Return whether the blow is pointless: nothing left to play afterwards, or far too little against guns."""
    if now.pile is None:
        return False
    left = len(now.hand) - len(blow) + len(now.things()) + len(now.arenas()) + now.improvises
    return left == 0 or (now.pile == "guns" and OVERWHELMED * left <= max(map(len, now.others()), default=0))


# Preparations.


def bring(name: str, things: list[Unused]) -> Bring:
    """Bring the thing with the best draw."""
    best = max(things, key=lambda thing: strength(thing.draws))
    return Bring(best.owner, best.name)


def strength(draws: Draws) -> int:
    """Return the rank of a draw: significant first, then strong, regular, troublesome."""
    return 3 * draws.significant + "-o+".index(draws.kind)


def last_resort(now: Situation) -> Action | None:
    """Return a last resort instead of giving, or None.

    First the arena that draws most, the mildest of equals; then a desperate improvisation.
    """
    if arenas := now.arenas():
        return Escalate(now.name, max(arenas, key=arenas.__getitem__))
    return Improvise(now.name, desperate=True) if now.improvises else None
