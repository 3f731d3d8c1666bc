"""Policies: functions from a participant's situation to its next action."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Final, NamedTuple

import msgspec

from cardhouse.cards import STANDARD, Card
from cardhouse.engine import Action
from cardhouse.games.dogs.actions import Give, Raise, See
from cardhouse.games.dogs.people.fast import Draws
from cardhouse.games.dogs.state import WORTH, Pile, best_first, to_reverse, worth

REMEMBERED: Final = 1 << 11
"""Cache size for functions of hands: as fast as caching all of them, in a tenth of the memory."""
Values = tuple[int, ...]
"""A hand as card values, best first."""


class Unused(NamedTuple):
    """A thing that could still be brought into play: owner, name and draw."""

    owner: str
    name: str
    draws: Draws


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """The situation of a participant who must Raise or See, as its player may know it.

    `hand` is best first. `owes` means that a card must be sideways, for help given. `value` is the Raise to See, None
    when raising; `help_given` is the value of helping cards. `pile` receives the fallout of a blow, None if that
    doesn't matter. `improvises` says whether improvising is allowed.

    Callables cover what is slow to calculate: the `others`' hands (average values for hidden ones), the number of cards
    `coming` to them if they draw all they can at their next turn, the `things` that can be brought, and the `arenas`
    that can be entered, with the cards each draws.
    """

    name: str
    hand: list[Card]
    owes: bool
    value: int | None
    help_given: int
    pile: Pile | None
    others: Callable[[], list[Values]]
    coming: Callable[[], int]
    things: Callable[[], list[Unused]]
    arenas: Callable[[], Mapping[str, int]]
    improvises: bool


Policy = Callable[[Situation], Action]
"""Chooses an action: Raise, See, give, or a preparation."""


def plain(now: Situation) -> Action:
    """The reference for studies: brings nothing into play, and gives only when it must."""
    if now.value is None:
        return Raise(now.name, now.hand[0]) if now.hand else Give(now.name)
    cards = plain_see(now.hand, now.value, now.help_given, owes=now.owes)
    return Give(now.name) if cards is None else see_with(now, cards)


def plain_see(hand: Sequence[Card], value: int, help_given: int = 0, *, owes: bool = False) -> list[Card] | None:
    """Return the cheapest card that reverses, or else Blocks, or else the fewest cards that See; None to give."""
    ranked = best_first(list(hand))
    for needed in (to_reverse(value), value - help_given):
        if singles := enough(ranked, needed, owes=owes):
            return [singles[-1]]
    return fewest(ranked, value - help_given, owes=owes)


def enough(ranked: Sequence[Card], needed: int, *, owes: bool) -> list[Card]:
    """Return the cards that are each worth enough, best first, counted sideways if help is owed."""
    return list(takewhile(lambda card: worth(card, sideways=owes) >= needed, ranked))


def fewest(ranked: Sequence[Card], needed: int, *, owes: bool) -> list[Card] | None:
    """Return the fewest cards, at least two, that are worth enough together; None if no set is."""
    values = fewest_values(values_of(ranked), needed, owes)
    return None if values is None else cards_of(ranked, values)


@lru_cache(REMEMBERED)
def fewest_values(values: Values, needed: int, owes: bool = False) -> Values | None:
    """Return the same for values, best first.

    Among sets of equal size, the smallest sum wins, then the one whose values, high to low, are first in order. If help
    is owed, the lowest card is sideways.
    """
    for number in range(2, len(values) + 1):
        if total_value(values[:number], owes=owes) >= needed:
            return _one_sideways(values, number, needed) if owes else least(values, number, needed)
    return None


def _one_sideways(values: Values, number: int, needed: int) -> Values:
    """Return `number` values that are enough with the lowest of them sideways."""
    others = ((least(values[:place], number - 1, needed - low // 2), low) for place, low in enumerate(values))
    found = ((*cards, low) for cards, low in others if cards is not None)
    return min(found, key=lambda cards: (total_value(cards, owes=True), cards))


def least(values: Values, number: int, needed: int) -> Values | None:
    """Return exactly `number` values with the smallest sufficient sum; None if there are none.

    Among equal sums, the one whose values, high to low, come first.
    """
    sums = _sums(values, number)
    high_enough = sums[0][number] >> max(needed, 0)
    if not high_enough:
        return None
    left = max(needed, 0) + (high_enough & -high_enough).bit_length() - 1
    chosen: list[int] = []
    first = 0
    for more in reversed(range(number)):
        places = reversed(range(first, len(values)))
        place = next(p for p in places if left >= values[p] and sums[p + 1][more] >> left - values[p] & 1)
        chosen.append(values[place])
        left, first = left - values[place], place + 1
    return tuple(chosen)


def _sums(values: Values, number: int) -> list[list[int]]:
    """Return bit masks of the possible sums, by position in the hand and number of cards from there, up to `number`."""
    sums = [[1, *[0] * number]]
    for value in reversed(values):
        after = sums[-1]
        sums.append([1, *(after[cards] | after[cards - 1] << value for cards in range(1, number + 1))])
    return sums[::-1]


def values_of(hand: Iterable[Card]) -> Values:
    """Return the cards' values, in the same order."""
    return tuple(map(WORTH.__getitem__, hand))


def total_value(values: Sequence[int], *, owes: bool) -> int:
    """Return the total of values, best first; if help is owed, the last is sideways (DV-21)."""
    return sum(values) - (values[-1] + 1) // 2 if owes else sum(values)


def cards_of(ranked: Sequence[Card], values: Values) -> list[Card]:
    """Return the first cards with these values; both run from high to low."""
    left = iter(ranked)
    return [next(card for card in left if worth(card) == value) for value in values]


def see_with(now: Situation, cards: list[Card]) -> See:
    """Return the See with these cards; if help is owed, the lowest is sideways."""
    return See(now.name, cards, sideways=min(cards, key=worth) if now.owes else None)


_BY_WORTH: Final = sorted(map(worth, STANDARD), reverse=True)


def typical(number: int) -> Values:
    """Return the values that `number` hidden cards have on average: spread evenly over the deck, best first."""
    return tuple(_BY_WORTH[(2 * place + 1) * len(_BY_WORTH) // (2 * number)] for place in range(number))
