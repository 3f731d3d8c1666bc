"""Which cards can See a Raise (DV-17 to DV-19, DV-21)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from cardhouse.cards import Card
from cardhouse.games.dogs.state import best_first, to_reverse, worth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardhouse.games.dogs.actions import See
    from cardhouse.games.dogs.state import Participant

SHOWN = 20
"""The number of ways to See that are given as examples."""


def sum_of(cards: Sequence[Card], sideways: Card | None = None) -> int:
    """Return the value of cards together; one of them may be sideways."""
    return sum(worth(card, sideways=card == sideways) for card in cards)


def problem_of_see(one: Participant, answer: See, value: int, help_given: int) -> str | None:
    """Return why these cards can't See a Raise of this value, as the rest of a sentence; None if they can."""
    sideways = answer.sideways
    if one.owes and len(answer.cards) == 1:
        if sideways not in (None, answer.cards[0]):
            return f"sideways can't be {sideways}: the only card played is {answer.cards[0]}"
        sideways = answer.cards[0]
    elif one.owes and sideways not in answer.cards:
        shown = ", ".join(answer.cards)
        return f"sideways must be one of {shown}, for help that {one.name} gave: that card counts half"
    total = sum_of(answer.cards, sideways) + help_given
    if total < value:
        helped = f" with the help of {help_given}" if help_given else ""
        return f"cards are worth {total}{helped}, and the Raise is {value}"
    if answer.reverse and (len(answer.cards) > 1 or total - help_given < to_reverse(value)):
        return f"reverse takes a single card worth {to_reverse(value)}, twice the Raise"
    return None


def can_see(one: Participant, value: int, help_given: int) -> bool:
    """Return whether some cards See a Raise of this value. Playing the whole hand is the most a participant can do."""
    lowest = min(one.hand, key=worth) if one.owes and one.hand else None
    return bool(one.hand) and sum_of(one.hand, lowest) + help_given >= value


def fewest(hand: Sequence[Card], value: int, *, owes: bool) -> int | None:
    """Return the fewest cards, best first and at least two, that See a Raise; None if the hand is too low.

    If help is owed, the card that loses least by it is sideways.
    """
    for number in range(2, len(hand) + 1):
        if sum_of(hand[:number], hand[number - 1] if owes else None) >= value:
            return number
    return None


def ways_to_see(one: Participant, value: int, help_given: int) -> list[dict[str, Any]]:
    """Return some ways to See a Raise: single cards and pairs, or else the fewest cards that do."""
    hand = best_first(one.hand)
    ways: list[dict[str, Any]] = [
        {"cards": [card]} for card in hand if worth(card, sideways=bool(one.owes)) + help_given >= value
    ]
    for pair in combinations(hand, 2):
        if len(ways) < SHOWN:
            ways += _way(one, pair, value, help_given)
    if not ways and (number := fewest(hand, value - help_given, owes=bool(one.owes))) is not None:
        ways = _way(one, hand[:number], value, help_given)
    return ways


def _way(one: Participant, cards: Sequence[Card], value: int, help_given: int) -> list[dict[str, Any]]:
    """Return these cards as an example if they See the Raise; if help is owed, the lowest card is sideways."""
    sideways = min(cards, key=worth) if one.owes else None
    if sum_of(cards, sideways) + help_given < value:
        return []
    return [{"cards": list(cards)} | ({"sideways": sideways} if sideways else {})]
