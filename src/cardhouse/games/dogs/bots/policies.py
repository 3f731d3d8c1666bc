"""What a bot plays: a policy is given what lies before somebody and says what that one does (the rules file's end)."""

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
"""Of so many hands it is remembered what follows from them: as quick as all of them, and in a tenth of the memory."""
Values = tuple[int, ...]
"""A hand by what its cards are worth, the best first."""


class Unused(NamedTuple):
    """A thing that could still be brought: whose it is, what it is called, how it is drawn for."""

    owner: str
    name: str
    draws: Draws


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """What lies before somebody who is to Raise or See, as its player may know it.

    Its `hand`, best first. It `owes` help: one of its cards must be turned sideways. `value` is the Raise it is to See,
    None if it raises itself, `help_given` what cards turned sideways add to that. `pile` is where the cards of a blow
    would go, None if that doesn't matter to it, `improvises` whether it may. What takes longer to tell is asked for
    when it matters: the `others`' hands (of one who can't be looked at, what so many cards are worth as a rule); how
    many cards more are `coming` into them if they draw all they can when they act next; the `things` that could be
    brought, the `arenas` that could be entered, with the cards that each would draw.
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
"""What somebody does: raise, see or give, or something that goes with the Raise or See before that."""


def plain(now: Situation) -> Action:
    """The reference for studies: nothing is brought after the opening, and nobody gives unless it must."""
    if now.value is None:
        return Raise(now.name, now.hand[0]) if now.hand else Give(now.name)
    cards = plain_see(now.hand, now.value, now.help_given, owes=now.owes)
    return Give(now.name) if cards is None else see_with(now, cards)


def plain_see(hand: Sequence[Card], value: int, help_given: int = 0, *, owes: bool = False) -> list[Card] | None:
    """The cheapest card that reverses; else the cheapest that blocks; else as few as can be; None to give."""
    ranked = best_first(list(hand))
    for needed in (to_reverse(value), value - help_given):
        if singles := enough(ranked, needed, owes=owes):
            return [singles[-1]]
    return fewest(ranked, value - help_given, owes=owes)


def enough(ranked: Sequence[Card], needed: int, *, owes: bool) -> list[Card]:
    """The cards, best first, that are each worth enough, turned sideways if that is owed."""
    return list(takewhile(lambda card: worth(card, sideways=owes) >= needed, ranked))


def fewest(ranked: Sequence[Card], needed: int, *, owes: bool) -> list[Card] | None:
    """As few cards as can be, two at least, that are worth enough together; None if none are."""
    values = fewest_values(values_of(ranked), needed, owes)
    return None if values is None else cards_of(ranked, values)


@lru_cache(REMEMBERED)
def fewest_values(values: Values, needed: int, owes: bool = False) -> Values | None:
    """The same of a hand by worth, best first.

    Of as many cards those with the smallest sum, among equal sums those whose values from high to low come first. One
    who owes help turns the lowest of them sideways.
    """
    for number in range(2, len(values) + 1):
        if together(values[:number], owes=owes) >= needed:
            return _one_sideways(values, number, needed) if owes else least(values, number, needed)
    return None


def _one_sideways(values: Values, number: int, needed: int) -> Values:
    """So many cards that are enough with the lowest turned sideways."""
    others = ((least(values[:place], number - 1, needed - low // 2), low) for place, low in enumerate(values))
    found = ((*cards, low) for cards, low in others if cards is not None)
    return min(found, key=lambda cards: (together(cards, owes=True), cards))


def least(values: Values, number: int, needed: int) -> Values | None:
    """Exactly so many cards, of a hand by worth, with the smallest sum that is enough; None if none is.

    Of equal sums those whose values from high to low come first.
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
    """For each place in a hand, and for so many cards from there on, up to `number`: which sums they have, as bits."""
    sums = [[1, *[0] * number]]
    for value in reversed(values):
        after = sums[-1]
        sums.append([1, *(after[cards] | after[cards - 1] << value for cards in range(1, number + 1))])
    return sums[::-1]


def values_of(hand: Iterable[Card]) -> Values:
    """What cards are worth, in their order."""
    return tuple(map(WORTH.__getitem__, hand))


def together(values: Sequence[int], *, owes: bool) -> int:
    """What cards are worth together, best first; one who owes help turns the last sideways (DV-21)."""
    return sum(values) - (values[-1] + 1) // 2 if owes else sum(values)


def cards_of(ranked: Sequence[Card], values: Values) -> list[Card]:
    """The first cards of these values, both from high to low."""
    left = iter(ranked)
    return [next(card for card in left if worth(card) == value) for value in values]


def see_with(now: Situation, cards: list[Card]) -> See:
    """The See with these cards, the lowest of them sideways if that is owed."""
    return See(now.name, cards, sideways=min(cards, key=worth) if now.owes else None)


_BY_WORTH: Final = sorted(map(worth, STANDARD), reverse=True)


def typical(number: int) -> Values:
    """What so many cards that nobody sees are worth as a rule: spread evenly over the deck, best first."""
    return tuple(_BY_WORTH[(2 * place + 1) * len(_BY_WORTH) // (2 * number)] for place in range(number))
