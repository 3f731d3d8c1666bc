"""Act or wait, so that one's own side acts early and the others late: solved to the end of the round, from a view.

Each turn is worth the more the earlier it is, one's own side's for it and the others' against it; whoever may choose of
one's own characters does what is worth most, and everybody else acts at once. To wait is worth something to one whom
few of the others outrank: who is drawn next and is lower must then wait itself (IN-10), until somebody lower comes.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from cardhouse.cards import JOKERS, RED_JOKER, Card
from cardhouse.games.initiative.state import FRESH_ACE, RANK, actions_owed, initiative_rank

MOST_TO_COME: Final = 6
"""With more cards of people still to come, or waiting, a round is not solved: it would take more than a second."""


class Round(NamedTuple):
    """Where the cards of a round lie: in no order, under them in order, waiting; which aces have acted; turns taken."""

    loose: frozenset[Card]
    under: tuple[Card, ...]
    waiting: Card | None
    spent: frozenset[Card]
    turns: int


class Early:
    """What the rest of a round is worth to a side.

    `worth` is 1 for a card of one's own side and -1 for another's, by card; `chooses` are those one plays oneself.
    """

    def __init__(self, worth: dict[Card, int], chooses: frozenset[Card]) -> None:
        self.worth, self.chooses = worth, chooses
        self.due = sum(map(actions_owed, worth))
        self.known: dict[Round, float] = {}

    def value(self, now: Round) -> float:
        """What is still to come is worth, when the next card is to be turned over (IN-7)."""
        found = self.known.get(now)
        if found is None:
            found = self.known[now] = self.next_card(now)
        return found

    def next_card(self, now: Round) -> float:
        """The mean over what may be turned over (IN-8, IN-9, IN-15, IN-16)."""
        if now.loose:
            return sum(self.turned(card, now._replace(loose=now.loose - {card})) for card in now.loose) / len(now.loose)
        if now.under:
            return self.turned(now.under[0], now._replace(under=now.under[1:]))
        return 0.0 if now.waiting is None else self.acted(now.waiting, now._replace(waiting=None))

    def turned(self, card: Card, now: Round) -> float:
        """A card is up, and lies nowhere in `now`."""
        if card == RED_JOKER:
            waits = () if now.waiting is None else (now.waiting,)
            return self.value(now._replace(loose=now.loose.union(now.under, waits), under=(), waiting=None))
        if card in JOKERS:
            return self.burned(now)
        if now.waiting is None:
            acts = self.acted(card, now)
            left = now.loose or now.under
            return max(acts, self.value(now._replace(waiting=card))) if left and card in self.chooses else acts
        acts, gives_way = self.acted(card, now), self.acted(now.waiting, now._replace(waiting=card))
        lead = rank(card, now) - rank(now.waiting, now)
        if lead and (card if lead > 0 else now.waiting) in self.chooses:
            return max(acts, gives_way)
        return acts if lead >= 0 else gives_way

    def burned(self, now: Round) -> float:
        """The next card is lost with the black joker (IN-9)."""
        if now.loose:
            return sum(self.value(now._replace(loose=now.loose - {card})) for card in now.loose) / len(now.loose)
        return self.value(now._replace(under=now.under[1:]))

    def acted(self, card: Card, now: Round) -> float:
        """A card that lies nowhere in `now` has its turn, an ace's first one of two (IN-13, IN-14)."""
        turn = self.worth[card] * (1 - now.turns / self.due)
        after = now._replace(turns=now.turns + 1)
        if RANK[card] == FRESH_ACE and card not in now.spent:
            after = after._replace(under=(*now.under, card), spent=now.spent | {card})
        return turn + self.value(after)


def rank(card: Card, now: Round) -> int:
    """How a card compares (IN-3)."""
    return initiative_rank(card, card in now.spent)


def acts_early(view: dict[str, Any], asked: str, seat: str, idle: Collection[str] = ()) -> bool:
    """Whether the one that is asked had better act, by the view of a round (`InitiativeView`) in which it may choose.

    The turns of those who are `idle`, by name, are worth nothing. Of what is worth the same it acts, and so
    it does while somebody hides, or where too many are still to come.
    """
    people = {who["name"]: who for who in view["characters"]}
    one = people[asked]
    to_come = [who for who in people.values() if who["where"] in ("deck", "bottom", "waiting")]
    if view["hidden"] or len(to_come) > MOST_TO_COME:
        return True
    worth = {who["card"]: 0 if name in idle else side_of(one, who) for name, who in people.items()}
    chooses = frozenset(who["card"] for who in people.values() if who["controller"] == seat and worth[who["card"]] > 0)
    now = Round(
        frozenset([*(who["card"] for who in to_come if who["where"] == "deck"), *view["jokers"]]),
        tuple(view["bottom"]),
        None,
        frozenset(who["card"] for who in people.values() if who["acted"] and RANK[who["card"]] == FRESH_ACE),
        len(view["order"]),
    )
    rest, card = Early(worth, chooses), one["card"]
    other = view["drawn"] if card == view["waiting"] else view["waiting"]
    acts = rest.acted(card, now._replace(waiting=other))
    if other is None:
        return acts >= rest.value(now._replace(waiting=card))
    return acts >= rest.acted(other, now._replace(waiting=card))


def side_of(one: dict[str, Any], other: dict[str, Any]) -> int:
    """1 of one's own side, else -1; who is on none is on their own (IN-2)."""
    return 1 if other is one or (one["side"] is not None and one["side"] == other["side"]) else -1
