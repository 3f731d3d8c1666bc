"""A rule of thumb: as near to best play as what one can keep in mind at a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cardhouse.cards import Card
from cardhouse.engine import Action
from cardhouse.games.dogs.actions import Give, Raise
from cardhouse.games.dogs.bots.bold import bold, bring, something_else
from cardhouse.games.dogs.bots.policies import Situation, Values, enough, fewest, plain_see, see_with
from cardhouse.games.dogs.state import to_reverse, worth

NEARLY: Final = 2
"""A card blocks gladly that is worth no more than so much more than the Raise."""


def thumb(now: Situation) -> Action:
    """Draw whatever can be drawn, at once. Raise the second-best card, or the best if they could reverse the other.

    Reverse what can be. Block with a card that is worth hardly more; else See with two that are worth less than the
    Raise; else as one can. Against several, and where a card is turned sideways, it plays boldly.
    """
    others = now.others()
    if len(others) != 1 or now.owes or now.help_given:
        return bold(now)
    if things := now.things():
        return bring(now.name, things)
    if other := something_else(now):
        return other
    if now.value is not None:
        return _see(now, now.value)
    return Raise(now.name, _raised(now.hand, others[0])) if now.hand else Give(now.name)


def _raised(hand: Sequence[Card], other: Values) -> Card:
    """The second-best card, or the best; of cards worth the same the last."""
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
