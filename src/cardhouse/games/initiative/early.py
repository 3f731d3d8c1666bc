"""Act or wait, so that the bot's own side acts early and others late, solved to the end of the round from a view.

A turn is worth more the earlier it is: positive for the own side, negative for others. The bot's own characters choose
what is worth most; all others act at once. Waiting helps a character whom few others outrank: a lower card drawn next
must then wait itself (IN-10), until a still lower one comes.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from cardhouse.cards import JOKERS, RED_JOKER, Card
from cardhouse.games.initiative.state import FRESH_ACE, RANK, actions_owed, initiative_rank

MOST_TO_COME: Final = 6
"""The most cards still to come, or waiting, in a solved round; more would take over a second."""


class Round(NamedTuple):
    """The cards of a round: in random order, under them in order, waiting; the aces that have acted; turns taken."""

    loose: frozenset[Card]
    under: tuple[Card, ...]
    waiting: Card | None
    spent: frozenset[Card]
    turns: int


class Early:
    """The value of the rest of a round to a side.

    `worth` maps cards to 1 for the own side and -1 for others; `chooses` are the cards that the bot plays.
    """

    def __init__(self, worth: dict[Card, int], chooses: frozenset[Card]) -> None:
        self.worth, self.chooses = worth, chooses
        self.due = sum(map(actions_owed, worth))
        self.known: dict[Round, float] = {}

    def value(self, now: Round) -> float:
        """Return the value of the rest when the next card is about to be turned over (IN-7)."""
        found = self.known.get(now)
        if found is None:
            found = self.known[now] = self.next_card(now)
        return found

    def next_card(self, now: Round) -> float:
        """Return the mean value over the possible next cards (IN-8, IN-9, IN-15, IN-16)."""
        if now.loose:
            return sum(self.turned(card, now._replace(loose=now.loose - {card})) for card in now.loose) / len(now.loose)
        if now.under:
            return self.turned(now.under[0], now._replace(under=now.under[1:]))
        return 0.0 if now.waiting is None else self.acted(now.waiting, now._replace(waiting=None))

    def turned(self, card: Card, now: Round) -> float:
        """Return the value after a card is turned over, which isn't in `now`."""
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
        """Return the value after the black joker, which loses the next card (IN-9)."""
        if now.loose:
            return sum(self.value(now._replace(loose=now.loose - {card})) for card in now.loose) / len(now.loose)
        return self.value(now._replace(under=now.under[1:]))

    def acted(self, card: Card, now: Round) -> float:
        """Return the value after a turn of a card that isn't in `now`; an ace has two turns (IN-13, IN-14)."""
        turn = self.worth[card] * (1 - now.turns / self.due)
        after = now._replace(turns=now.turns + 1)
        if RANK[card] == FRESH_ACE and card not in now.spent:
            after = after._replace(under=(*now.under, card), spent=now.spent | {card})
        return turn + self.value(after)


def rank(card: Card, now: Round) -> int:
    """Return how a card compares (IN-3)."""
    return initiative_rank(card, card in now.spent)


def acts_early(view: dict[str, Any], asked: str, seat: str, idle: Collection[str] = ()) -> bool:
    """Return whether the character asked should act, by the view of a round (`InitiativeView`).

    Turns of `idle` characters, by name, are worth nothing. The answer is to act if both are worth the same, while a
    character is hidden, or with too many cards still to come.
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
    """Return 1 for the own side, otherwise -1; a character without a side is on its own (IN-2)."""
    return 1 if other is one or (one["side"] is not None and one["side"] == other["side"]) else -1
