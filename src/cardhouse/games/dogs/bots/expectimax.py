"""Conflicts of two with open hands, solved by expectiminimax: every choice, every card that may be drawn.

Both hold cards, and things that they may bring whenever they act; nothing is improvised, and no other arena entered. A
position is what lies there: both hands by worth, as `duel.py` packs them, what is left to bring, the cards drawn so
far, since they can't come again, and the Raise to be Seen. However one came there, it is worth the same, so that each
is solved once.

Where both play as well as can be, what `duel.py` proves to be no better is left out, and hands to which nothing more
comes are its to solve. Against one who plays by a policy every See is tried, for there it may be right to play more
than it takes.
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
from cardhouse.games.dogs.table import drawn_for

Thing = tuple[Draws, ...]
"""What is drawn for a thing, one after the other: a gun draws as something troublesome besides (DV-11)."""
REGULAR: Final[Thing] = (PLAIN,)
"""One card."""
OF_WORTH: Mapping[int, Sequence[Card]] = {
    value: [card for card in STANDARD if WORTH[card] == value] for value in sorted({WORTH[card] for card in STANDARD})
}


class Position(NamedTuple):
    """Who acts, 0 or 1; its own and the other's hand and things to bring; the cards drawn; the Raise to See, or 0."""

    who: int
    own: int
    other: int
    things: tuple[Thing, ...] = ()
    other_things: tuple[Thing, ...] = ()
    drawn: int = 0
    raised: int = 0


class TooMany(Exception):
    """More positions than were allowed."""


class Expectimax:
    """The chance to win of whoever acts, from any position that comes of two hands.

    `unseen` is how many cards of each worth may be drawn: of one deck, without the hands, if it isn't said. `policies`
    are those that each plays by, None for one that plays as well as can be. With more than `most` positions to look at
    and draws to weigh, it raises TooMany.
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
        """The chance to win of whoever acts."""
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
        """What each choice but to give is worth, to bring a thing first."""
        for place in {thing: place for place, thing in enumerate(now.things)}.values():
            yield self.bringing(now, place)
        if now.raised:
            ways = _good_ways_to_see if self.both_best else _ways_to_see
            yield from (self.seeing(now, left) for left in ways(now.own, now.raised))
        else:
            yield from (self.raising(now, value) for value in duel.values(now.own))

    def bringing(self, now: Position, place: int = 0) -> float:
        """A thing is drawn for, each card that nobody has seen as likely as the others (DV-6, DV-7, DV-10)."""
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
        """It Raises with a card of this worth."""
        rest = duel.without(now.own, value)
        return 1 - self.value(Position(1 - now.who, now.other, rest, now.other_things, now.things, now.drawn, value))

    def seeing(self, now: Position, left: int) -> float:
        """It Sees, so that this is left of its hand; whoever Sees Raises next (DV-15)."""
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
    """All that may be drawn of so many cards of each worth: how likely it is, what is kept of it, and all of it."""
    number, keeps = drawn_for(thing.kind, significant=thing.significant)
    ways = comb(sum(left.values()), number)
    for cards in combinations_with_replacement(sorted(value for value, cards in left.items() if cards), number):
        chance = prod(comb(left[value], cards.count(value)) for value in {*cards})
        if chance:
            kept = cards[-keeps:] if thing.kind == "+" else cards[:keeps]
            yield chance / ways, duel.hand_of(kept), duel.hand_of(cards)


def _ways_to_see(own: int, raised: int) -> Iterator[int]:
    """What may be left of a hand that Sees a Raise (DV-17 to DV-19)."""
    if own >> duel.WIDTH * to_reverse(raised):
        yield own
    yield from (left for left, total in parts(own) if total >= raised)


def _good_ways_to_see(own: int, raised: int) -> Iterator[int]:
    """The same, but for what is no better than another."""
    if own >> duel.WIDTH * to_reverse(raised):
        yield own
    else:
        yield from (own - duel.hand_of(way) for way in duel.ways(own, raised))


def parts(hand: int) -> list[tuple[int, int]]:
    """What is left when some of its cards are played, and what these are worth together."""
    parts = [(hand, 0)]
    for value in duel.values(hand):
        more = range(1, duel.count(hand, value) + 1)
        parts += [
            (left - number * duel.card(value), total + number * value) for left, total in parts for number in more
        ]
    return parts


def _situation(now: Position) -> Situation:
    """The same as a policy has it; fallout is of no account here, and which of equal cards one plays."""
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
