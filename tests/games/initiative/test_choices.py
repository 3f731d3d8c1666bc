"""The chances of acting and of waiting are exact: they equal all possible courses of the round."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from random import Random
from statistics import mean

import pytest

from cardhouse.cards import suit_of
from cardhouse.engine import GM, SeededDealer, Table
from tests.games.initiative.playing import game_of, some_cards, step
from tests.thorough import many

Turns = tuple[str, ...]


class ByHand:
    """Every way a round can go on if all others act at once and the chooser does what is best for its goal.

    Whole histories are kept, and the goal is judged by the row of turns when all is over.
    """

    def __init__(self, table: Table, goal: str) -> None:
        game = game_of(table)
        self.goal, self.name = goal, table.asks()["with"]["name"]
        self.hero = game.named(self.name).card
        self.before = tuple(game.order)
        self.side = {who.card: who.side for who in game.characters}
        self.loose, self.under = frozenset(game.deck.loose), tuple(game.deck.bottom)
        self.other = game.waiting if game.drawn == self.hero else game.drawn
        self.value = cache(self.value_of)

    def acting(self) -> float:
        return self.acts(self.hero, self.loose, self.under, self.other, self.before)

    def waiting(self) -> float:
        if self.other is None:
            return self.value(self.loose, self.under, self.hero, self.before)
        return self.acts(self.other, self.loose, self.under, self.hero, self.before)

    def is_foe(self, card: str) -> bool:
        return card != self.hero and (self.side[card] is None or self.side[card] != self.side[self.hero])

    def judged(self, turns: Turns) -> bool:
        if self.goal == "last":
            return turns[-1] == self.hero and len(turns) > len(self.before)
        if self.goal == "after":
            row = turns[max(0, len(self.before) - 1) :]
            return any(self.is_foe(one) and other == self.hero for one, other in pairwise(row))
        now = turns[len(self.before) :]
        return self.hero in now and not any(map(self.is_foe, now[: now.index(self.hero)]))

    def rank(self, card: str, turns: Turns) -> int:
        return {"A": 1 if card in turns else 14, "K": 13, "Q": 12, "J": 11}.get(card[1:]) or int(card[1:])

    def value_of(self, loose: frozenset[str], under: Turns, waiting: str | None, turns: Turns) -> float:
        if loose:
            return mean([self.turn_up(card, loose - {card}, under, waiting, turns) for card in sorted(loose)])
        if under:
            return self.turn_up(under[0], loose, under[1:], waiting, turns)
        return self.acts(waiting, loose, under, None, turns) if waiting else float(self.judged(turns))

    def turn_up(self, card: str, loose: frozenset[str], under: Turns, waiting: str | None, turns: Turns) -> float:
        if card == "RJ":
            return self.value(loose | {*under} | ({waiting} if waiting else set()), (), None, turns)
        if card == "BJ":
            if loose:
                return mean([self.value(loose - {lost}, under, waiting, turns) for lost in sorted(loose)])
            return self.value(loose, under[1:], waiting, turns)
        acts = self.acts(card, loose, under, waiting, turns)
        if waiting is None:
            if card != self.hero or not (loose or under):
                return acts
            return max(acts, self.value(loose, under, card, turns))
        lead = self.rank(card, turns) - self.rank(waiting, turns)
        if lead == 0:
            return acts
        other = self.acts(waiting, loose, under, card, turns)
        higher = card if lead > 0 else waiting
        return max(acts, other) if higher == self.hero else acts if lead > 0 else other

    def acts(self, who: str, loose: frozenset[str], under: Turns, waiting: str | None, turns: Turns) -> float:
        again = who.endswith("A") and who not in turns
        return self.value(loose, (*under, who) if again else under, waiting, (*turns, who))


def a_fight(rng: Random, count: int) -> Table:
    """Up to two sides, and others on none, before the first round."""
    table = Table.new("initiative", dealer=SeededDealer(rng.getrandbits(32)))
    sides = {"C": "Posse", "D": "Gang"} if rng.random() < 0.8 else {}
    for card in some_cards(rng, count):
        side = {"side": sides[suit_of(card)]} if suit_of(card) in sides else {}
        table.answer(GM, {"do": "add_character", "name": card, "card": card, **side})
    return table


def check(table: Table) -> bool:
    """Hold what is told of the choice that is open against the oracle; whether there was anything to hold."""
    if table.asks()["key"] not in ("first", "either"):
        return False
    game = game_of(table)
    aces = sum(who.rank == 14 for who in game.characters if who.card not in game.discard)
    if len(game.deck) + aces + len(game.deck.bottom) > 5:  # more ways than the oracle can go in a moment
        return False
    told = table.game.odds(GM)[table.asks()["with"]["name"]]["choices"]
    assert told["act"].keys() == told["wait"].keys() >= {"last"}
    for goal in told["act"]:
        oracle = ByHand(table, goal)
        assert told["act"][goal] == pytest.approx(oracle.acting(), abs=1e-12), (goal, "act")
        assert told["wait"][goal] == pytest.approx(oracle.waiting(), abs=1e-12), (goal, "wait")
    return True


@pytest.mark.parametrize("seed", range(many(60, 20)))
def test_choices_are_those_of_every_way_the_round_can_go_on(seed):
    rng = Random(seed)
    table = a_fight(rng, rng.randint(3, 7))
    checked = 0
    for _ in range(40):
        step(table, rng)
        checked += check(table)
    assert checked
