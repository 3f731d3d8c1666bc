"""Conflicts of two with open hands, solved by expectiminimax: every choice, every card that may be drawn.

Both hold cards, and things of the kind that draws one card (o), which they may bring whenever they act; nothing is
improvised, and no other arena entered. A position is what lies there: both hands by worth, as `bots/duel.py` packs
them, what is left to bring, the cards drawn so far, since they can't come again, and the Raise to be Seen. However one
came there, it is worth the same, so that each is solved once.

Where both play as well as can be, what `bots/duel.py` proves to be no better is left out, and hands to which nothing
more comes are its to solve. Against one who plays by a policy every See is tried, for there it may be right to play
more than it takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cardhouse.cards import STANDARD, Card
from cardhouse.games.dogs.actions import Bring, Raise, See
from cardhouse.games.dogs.bots import duel
from cardhouse.games.dogs.bots.policies import Policy, Situation, Unused
from cardhouse.games.dogs.people.fast import Draws
from cardhouse.games.dogs.state import WORTH, to_reverse, worth

REGULAR = Draws("o")
"""What is drawn for a thing: one card."""
OF_WORTH: Mapping[int, Sequence[Card]] = {
    value: [card for card in STANDARD if WORTH[card] == value] for value in sorted({WORTH[card] for card in STANDARD})
}


class Position(NamedTuple):
    """Who acts, 0 or 1; its own and the other's hand and things to bring; the cards drawn; the Raise to See, or 0."""

    who: int
    own: int
    other: int
    things: int
    other_things: int
    drawn: int = 0
    raised: int = 0


class Expectimax:
    """The chance to win of whoever acts, from any position that comes of two hands dealt from one deck.

    `policies` are those that each plays by, None for one that plays as well as can be.
    """

    def __init__(self, hands: Sequence[int], policies: Sequence[Policy | None] = (None, None)) -> None:
        self.policies = policies
        self.both_best = policies[0] is None and policies[1] is None
        self.unseen = {value: len(cards) - sum(duel.count(hand, value) for hand in hands) for value, cards in _DECK}
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
            policy = self.policies[now.who]
            found = max(self.choices(now), default=0.0) if policy is None else self._played(now, policy)
            self._known[now] = found
        return found

    def choices(self, now: Position) -> Iterator[float]:
        """What each choice but to give is worth, to bring a thing first."""
        if now.things:
            yield self.bringing(now)
        if now.raised:
            ways = _good_ways_to_see if self.both_best else _ways_to_see
            yield from (self._seeing(now, left) for left in ways(now.own, now.raised))
        else:
            yield from (self._raising(now, value) for value in duel.values(now.own))

    def bringing(self, now: Position) -> float:
        """A card is drawn, each that nobody has seen as likely as the others (DV-10)."""
        left = {value: number - duel.count(now.drawn, value) for value, number in self.unseen.items()}
        total = sum(left.values())
        return sum(
            number
            / total
            * self.value(
                now._replace(own=now.own + duel.card(value), things=now.things - 1, drawn=now.drawn + duel.card(value))
            )
            for value, number in left.items()
            if number
        )

    def _raising(self, now: Position, value: int) -> float:
        rest = duel.without(now.own, value)
        return 1 - self.value(Position(1 - now.who, now.other, rest, now.other_things, now.things, now.drawn, value))

    def _seeing(self, now: Position, left: int) -> float:
        """Whoever Sees Raises next (DV-15)."""
        return self.value(now._replace(own=left, raised=0))

    def _played(self, now: Position, policy: Policy) -> float:
        match policy(_situation(now)):
            case Bring():
                return self.bringing(now)
            case Raise(card=card):
                return self._raising(now, worth(card))
            case See(cards=cards):
                values = [worth(card) for card in cards]
                reverses = len(values) == 1 and values[0] >= to_reverse(now.raised)
                return self._seeing(now, now.own if reverses else now.own - duel.hand_of(values))
        return 0.0


_DECK = tuple(OF_WORTH.items())


def _ways_to_see(own: int, raised: int) -> Iterator[int]:
    """What may be left of a hand that Sees a Raise (DV-17 to DV-19)."""
    if own >> duel.WIDTH * to_reverse(raised):
        yield own
    yield from (left for left, total in _parts(own) if total >= raised)


def _good_ways_to_see(own: int, raised: int) -> Iterator[int]:
    """The same, but for what is no better than another."""
    if own >> duel.WIDTH * to_reverse(raised):
        yield own
    else:
        yield from (own - duel.hand_of(way) for way in duel.ways(own, raised))


def _parts(hand: int) -> list[tuple[int, int]]:
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
    things = [Unused("", str(number), REGULAR) for number in range(now.things)]
    return Situation(
        name="",
        hand=[card for value in duel.values(now.own) for card in OF_WORTH[value][: duel.count(now.own, value)]],
        owes=False,
        value=now.raised or None,
        help_given=0,
        pile="talking",
        others=lambda: [tuple(value for value in duel.values(now.other) for _ in range(duel.count(now.other, value)))],
        coming=lambda: now.other_things,
        things=lambda: things,
        arenas=dict,
        improvises=False,
    )
