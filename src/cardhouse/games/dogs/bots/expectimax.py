"""Conflicts between two with open hands, solved by expectiminimax over every choice and every possible draw.

Both hold cards, and things they may bring whenever they act; nobody improvises or enters another arena. A position has
both hands by value, packed as in `duel.py`, the things left, the cards drawn so far (they can't come again), and the
Raise to See. Its value doesn't depend on how it was reached, so each is solved once.

If both play optimally, moves that `duel.py` proves to be no better are skipped, and positions without further draws are
solved there. Against a policy every See is tried, because playing more cards than needed may be right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Final, NamedTuple

from cardhouse.cards import STANDARD, Card
from cardhouse.games.dogs.actions import Bring, Raise, See
from cardhouse.games.dogs.bots import duel
from cardhouse.games.dogs.bots.policies import Policy, Situation, Unused
from cardhouse.games.dogs.people.fast import PLAIN, Draws
from cardhouse.games.dogs.state import WORTH, to_reverse, worth
from cardhouse.games.dogs.table import draw_counts

Thing = tuple[Draws, ...]
"""The draws for a thing, in order; a gun has a troublesome draw in addition (DV-11)."""
REGULAR: Final[Thing] = (PLAIN,)
"""The draw of a regular thing: one card."""
OF_WORTH: Mapping[int, Sequence[Card]] = {
    value: [card for card in STANDARD if WORTH[card] == value] for value in sorted({WORTH[card] for card in STANDARD})
}


class Position(NamedTuple):
    """The player to act (0 or 1), hands and things of both, the cards drawn so far, and the Raise to See, or 0."""

    who: int
    own: int
    other: int
    things: tuple[Thing, ...] = ()
    other_things: tuple[Thing, ...] = ()
    drawn: int = 0
    raised: int = 0


class TooMany(Exception):
    """Raised when a search exceeds its limit of positions and draws."""


class Expectimax:
    """The win chance of the player to act, from any position reachable from two hands.

    `unseen` is the number of cards of each value that may be drawn; by default one deck without the hands. `policies`
    are the players' policies, None for optimal play. A search of more than `most` positions and draws raises TooMany.
    """

    def __init__(
        self,
        hands: Sequence[int],
        policies: Sequence[Policy | None] = (None, None),
        unseen: Mapping[int, int] | None = None,
        most: int | None = None,
    ) -> None:
        self.policies = policies
        self.both_best = policies[0] is None and policies[1] is None
        self.unseen = (
            unseen
            if unseen is not None
            else {value: len(cards) - sum(duel.count(hand, value) for hand in hands) for value, cards in _DECK}
        )
        self.left = most
        self._known: dict[Position, float] = {}

    def value(self, now: Position) -> float:
        """Return the win chance of the player to act."""
        if not now.things and not now.other_things:
            if self.both_best:
                return float(duel.sees(now.own, now.other, now.raised) if now.raised else duel.wins(now.own, now.other))
            now = now._replace(drawn=0)
        elif self.both_best:
            now = now._replace(who=0)
        found = self._known.get(now)
        if found is None:
            self._look()
            policy = self.policies[now.who]
            found = max(self.choices(now), default=0.0) if policy is None else self._played(now, policy)
            self._known[now] = found
        return found

    def choices(self, now: Position) -> Iterator[float]:
        """Yield the win chance of each choice except giving; bringing things comes first."""
        for place in {thing: place for place, thing in enumerate(now.things)}.values():
            yield self.bringing(now, place)
        if now.raised:
            ways = _good_ways_to_see if self.both_best else _ways_to_see
            yield from (self.seeing(now, left) for left in ways(now.own, now.raised))
        else:
            yield from (self.raising(now, value) for value in duel.values(now.own))

    def bringing(self, now: Position, place: int = 0) -> float:
        """Return the win chance after drawing for a thing, with all unseen cards equally likely (DV-6, DV-7, DV-10)."""
        return self._drawing(now._replace(things=now.things[:place] + now.things[place + 1 :]), now.things[place])

    def _drawing(self, now: Position, thing: Thing) -> float:
        if not thing:
            return self.value(now)
        left = {value: number - duel.count(now.drawn, value) for value, number in self.unseen.items()}
        chance = 0.0
        for share, kept, drawn in draws(left, thing[0]):
            self._look()
            after = now._replace(own=now.own + kept, drawn=now.drawn + drawn)
            chance += share * self._drawing(after, thing[1:])
        return chance

    def _look(self) -> None:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise TooMany

    def raising(self, now: Position, value: int) -> float:
        """Return the win chance after raising with a card of this value."""
        rest = duel.without(now.own, value)
        return 1 - self.value(Position(1 - now.who, now.other, rest, now.other_things, now.things, now.drawn, value))

    def seeing(self, now: Position, left: int) -> float:
        """Return the win chance after a See that leaves `left` of the hand; the player who Sees Raises next (DV-15)."""
        return self.value(now._replace(own=left, raised=0))

    def _played(self, now: Position, policy: Policy) -> float:
        match policy(_situation(now)):
            case Bring(thing=place):
                return self.bringing(now, int(place))
            case Raise(card=card):
                return self.raising(now, worth(card))
            case See(cards=cards):
                values = [worth(card) for card in cards]
                reverses = len(values) == 1 and values[0] >= to_reverse(now.raised)
                return self.seeing(now, now.own if reverses else now.own - duel.hand_of(values))
        return 0.0


_DECK = tuple(OF_WORTH.items())


def draws(left: Mapping[int, int], thing: Draws) -> Iterator[tuple[float, int, int]]:
    """Yield each possible draw for a thing: its probability, the cards kept, and all cards drawn.

    `left` is the number of cards of each value.
    """
    number, keeps = draw_counts(thing.kind, significant=thing.significant)
    ways = comb(sum(left.values()), number)
    for cards in combinations_with_replacement(sorted(value for value, cards in left.items() if cards), number):
        chance = prod(comb(left[value], cards.count(value)) for value in {*cards})
        if chance:
            kept = cards[-keeps:] if thing.kind == "+" else cards[:keeps]
            yield chance / ways, duel.hand_of(kept), duel.hand_of(cards)


def _ways_to_see(own: int, raised: int) -> Iterator[int]:
    """Yield the possible hands after Seeing a Raise (DV-17 to DV-19)."""
    if own >> duel.WIDTH * to_reverse(raised):
        yield own
    yield from (left for left, total in parts(own) if total >= raised)


def _good_ways_to_see(own: int, raised: int) -> Iterator[int]:
    """Yield the same without those that are no better than another."""
    if own >> duel.WIDTH * to_reverse(raised):
        yield own
    else:
        yield from (own - duel.hand_of(way) for way in duel.ways(own, raised))


def parts(hand: int) -> list[tuple[int, int]]:
    """Return, for each subset of cards to play, the hand left and the value played."""
    parts = [(hand, 0)]
    for value in duel.values(hand):
        more = range(1, duel.count(hand, value) + 1)
        parts += [
            (left - number * duel.card(value), total + number * value) for left, total in parts for number in more
        ]
    return parts


def _situation(now: Position) -> Situation:
    """Return the position as a policy sees it. Fallout and the suits of cards don't matter here."""
    things = [Unused("", str(place), thing[0]) for place, thing in enumerate(now.things)]
    return Situation(
        name="",
        hand=[card for value in duel.values(now.own) for card in OF_WORTH[value][: duel.count(now.own, value)]],
        owes=False,
        value=now.raised or None,
        help_given=0,
        pile="talking",
        others=lambda: [tuple(value for value in duel.values(now.other) for _ in range(duel.count(now.other, value)))],
        coming=lambda: sum(1 + draws.significant for thing in now.other_things for draws in thing),
        things=lambda: things,
        arenas=dict,
        improvises=False,
    )
