"""A rule of thumb that comes close to optimal play, yet can be remembered at a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cardhouse.cards import Card
from cardhouse.engine import Action
from cardhouse.games.dogs.actions import Give, Raise
from cardhouse.games.dogs.bots.bold import bold, bring, last_resort
from cardhouse.games.dogs.bots.policies import Situation, Values, enough, fewest, plain_see, see_with
from cardhouse.games.dogs.state import to_reverse, worth

NEARLY: Final = 2
"""The most by which a card may exceed the Raise and still be a good Block."""


def thumb(now: Situation) -> Action:
    """Draw everything at once; Raise with the second-best card, or the best if the opponent could reverse the other.

    Reverse if possible. Block with a card worth hardly more than the Raise, or else See with two cards that are each
    worth less, or else See as cheaply as possible. Plays boldly against several opponents, or if a card is sideways.
    """
    others = now.others()
    if len(others) != 1 or now.owes or now.help_given:
        return bold(now)
    if things := now.things():
        return bring(now.name, things)
    return last_resort(now) or by_thumb(now, others[0])


def by_thumb(now: Situation, other: Values) -> Action:
    """Raise or See by the rule of thumb, or give."""
    if now.value is not None:
        return _see(now, now.value)
    return Raise(now.name, _raised(now.hand, other)) if now.hand else Give(now.name)


def _raised(hand: Sequence[Card], other: Values) -> Card:
    """Return the second-best card, or the best; among cards of equal value the last."""
    second = worth(hand[min(1, len(hand) - 1)])
    value = worth(hand[0]) if other and other[0] >= to_reverse(second) else second
    return next(card for card in reversed(hand) if worth(card) == value)


def _see(now: Situation, value: int) -> Action:
    lower = [card for card in now.hand if worth(card) < value]
    blocks, two = enough(now.hand, value, owes=False), fewest(lower, value, owes=False)
    reverses = bool(enough(now.hand, to_reverse(value), owes=False))
    if blocks and not reverses and worth(blocks[-1]) > value + NEARLY and two is not None and len(two) == 2:
        return see_with(now, two)
    cards = plain_see(now.hand, value)
    return Give(now.name) if cards is None else see_with(now, cards)
