"""The best policy that is known: all there is to draw is drawn as soon as it can be, and the hands are solved.

What the other may yet draw is reckoned with: the hands are solved in several worlds, each with other cards of it, and
that is played which wins in most. `docs/findings-dogs.md` tells how near that comes to what is best indeed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cardhouse.engine import Action
from cardhouse.games.dogs.actions import Give, Raise, See
from cardhouse.games.dogs.bots import duel
from cardhouse.games.dogs.bots.bold import best_see, bold, bring, raise_of, something_else
from cardhouse.games.dogs.bots.policies import Situation, cards_of, enough, fewest, see_with, values_of
from cardhouse.games.dogs.state import to_reverse, worth

MANY_WORLDS: Final = 12
"""With so many cards together, all worlds there are are solved; with more, some."""
SPREAD: Final = 5
"""The cards of a world stand so far apart in a suit."""
APART: Final = 4
"""So far apart stand the first cards of some worlds."""


def best(now: Situation) -> Action:
    """What wins in most worlds; if nothing does in any, what the bold would do.

    Against several, and where a card is turned sideways (DV-21), it plays boldly.
    """
    if len(now.others()) != 1 or now.owes or now.help_given:
        return bold(now)
    if things := now.things():
        return bring(now.name, things)
    return something_else(now) or (_raise(now) if now.value is None else _see(now, now.value))


def worlds(own: int, other: int, coming: int) -> Iterator[list[int]]:
    """What so many cards that are coming may be, in each world; none, if two hands of this size can't be solved."""
    coming = min(coming, duel.MOST_SOLVED - own - other)
    if coming < 0 or max(own, other + coming) > duel.MOST:
        return
    suit = duel.SUIT
    step = len(suit) if not coming else 1 if own + other + coming <= MANY_WORLDS else APART
    for first in range(0, len(suit), step):
        yield [suit[(first + SPREAD * place) % len(suit)] for place in range(coming)]


def _against(now: Situation) -> list[int]:
    """The other's hand in each world."""
    other = now.others()[0]
    return [duel.hand_of((*other, *more)) for more in worlds(len(now.hand), len(other), now.coming())]


def _raise(now: Situation) -> Raise | Give:
    own, others = duel.hand_of(values_of(now.hand)), _against(now)
    won = {value: sum(duel.wins_with(own, other, value) for other in others) for value in values_of(now.hand)}
    most = max(won.values(), default=0)
    return Raise(now.name, raise_of(now, {value for value in won if won[value] == most})) if won else Give(now.name)


def _see(now: Situation, value: int) -> See | Give:
    if reverses := enough(now.hand, to_reverse(value), owes=False):
        return see_with(now, [reverses[-1]])
    own, others = duel.hand_of(values_of(now.hand)), _against(now)
    could_see = duel.ways(own, value) if others else ()
    ways = {way: sum(duel.wins(own - duel.hand_of(way), other) for other in others) for way in could_see}
    way = max(ways, key=ways.__getitem__, default=())
    blocks = {worth(card): [card] for card in enough(now.hand, value, owes=False)}
    if way and ways[way]:
        return see_with(now, blocks[way[0]] if len(way) == 1 else cards_of(now.hand, way))
    blow = fewest(now.hand, value, owes=False)
    could = [*blocks.values(), *([] if blow is None else [blow])]
    return see_with(now, best_see(now, could)) if could else Give(now.name)
