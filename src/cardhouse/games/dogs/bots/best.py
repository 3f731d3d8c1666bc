"""The best policy found: it draws everything as early as possible, and then solves the hands.

While the hands are too large to solve, it plays by the rule of thumb. The opponent's possible draws are covered by
solving several worlds, each with different cards for the opponent; the policy plays what wins in most of them.
`docs/findings-dogs.md` measures how close that is to optimal play.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cardhouse.engine import Action
from cardhouse.games.dogs.actions import Give, Raise, See
from cardhouse.games.dogs.bots import duel
from cardhouse.games.dogs.bots.bold import best_see, bold, bring, last_resort, raise_of
from cardhouse.games.dogs.bots.policies import Situation, Values, cards_of, enough, fewest, see_with, values_of
from cardhouse.games.dogs.bots.thumb import by_thumb
from cardhouse.games.dogs.state import to_reverse, worth

MANY_WORLDS: Final = 12
"""With this many cards together, every world is solved; with more, only some."""
SPREAD: Final = 5
"""The spacing within a suit of the cards of one world."""
APART: Final = 4
"""The spacing of the first cards of the worlds, if only some are solved."""


def best(now: Situation) -> Action:
    """Return the action that wins in most worlds, the bold one if none wins, or by the rule of thumb without worlds.

    Plays boldly against several opponents, or if a card is sideways (DV-21).
    """
    others = now.others()
    if len(others) != 1 or now.owes or now.help_given:
        return bold(now)
    if things := now.things():
        return bring(now.name, things)
    if other := last_resort(now):
        return other
    hands = _opponent_hands(now, others[0])
    if not hands:
        return by_thumb(now, others[0])
    return _raise(now, hands) if now.value is None else _see(now, now.value, hands)


def worlds(own: int, other: int, coming: int) -> Iterator[list[int]]:
    """Yield the values of the coming cards in each world; nothing if hands of this size can't be solved."""
    coming = min(coming, duel.MOST_SOLVED - own - other)
    if coming < 0 or max(own, other + coming) > duel.MOST:
        return
    suit = duel.SUIT
    step = len(suit) if not coming else 1 if own + other + coming <= MANY_WORLDS else APART
    for first in range(0, len(suit), step):
        yield [suit[(first + SPREAD * place) % len(suit)] for place in range(coming)]


def _opponent_hands(now: Situation, other: Values) -> list[int]:
    """Return the opponent's hand in each world."""
    return [duel.hand_of((*other, *more)) for more in worlds(len(now.hand), len(other), now.coming())]


def _raise(now: Situation, others: list[int]) -> Raise | Give:
    own = duel.hand_of(values_of(now.hand))
    won = {value: sum(duel.wins_with(own, other, value) for other in others) for value in values_of(now.hand)}
    most = max(won.values(), default=0)
    return Raise(now.name, raise_of(now, {value for value in won if won[value] == most})) if won else Give(now.name)


def _see(now: Situation, value: int, others: list[int]) -> See | Give:
    if reverses := enough(now.hand, to_reverse(value), owes=False):
        return see_with(now, [reverses[-1]])
    own = duel.hand_of(values_of(now.hand))
    ways = {way: sum(duel.wins(own - duel.hand_of(way), other) for other in others) for way in duel.ways(own, value)}
    way = max(ways, key=ways.__getitem__, default=())
    blocks = {worth(card): [card] for card in enough(now.hand, value, owes=False)}
    if way and ways[way]:
        return see_with(now, blocks[way[0]] if len(way) == 1 else cards_of(now.hand, way))
    blow = fewest(now.hand, value, owes=False)
    could = [*blocks.values(), *([] if blow is None else [blow])]
    return see_with(now, best_see(now, could)) if could else Give(now.name)
