"""Act or wait: best play is best, the rules play it, and a rule of thumb comes near it."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from random import Random
from statistics import mean
from typing import Any, get_args

import pytest

from cardhouse.engine import GM, Action, Ask, CardhouseError, Game, Table
from cardhouse.engine.table.enumerate import walk
from cardhouse.games.initiative.goals import GOALS, Goal
from cardhouse.games.initiative.lab.best import WAYS, Best
from cardhouse.games.initiative.lab.questions import Order
from cardhouse.games.initiative.lab.rounds import Responder
from cardhouse.games.initiative.lab.sides import RANKS_DOWN, SIDES, WaitsWell
from cardhouse.games.initiative.rules import Initiative
from cardhouse.games.initiative.state import AddCharacter, Done, StartRound
from cardhouse.lab.questions.proof import check_trial
from tests.thorough import many

POLICIES: tuple[WaitsWell, ...] = get_args(WaitsWell)
Turns = tuple[str, ...]


def some_settings(rng: Random, most: int) -> dict[str, Any]:
    """Any round of two to four sides."""
    sides = [rng.sample(RANKS_DOWN, rng.randint(1, most)) for _ in range(rng.randint(2, 4))]
    return {
        "cards": " / ".join(" ".join(side) for side in sides),
        "hero": rng.choice(sides[0]),
        "goal": rng.choice(GOALS),
        "foe": rng.choice(["", *sides[1]]),
        "wait": rng.choice(POLICIES),
        "their_wait": rng.choice(POLICIES),
    }


@pytest.mark.parametrize("seed", range(many(60, 12)))
def test_the_kernel_plays_by_the_rules(seed):
    rng = Random(seed)
    for question in (Best(**some_settings(rng, 2)), Order(**some_settings(rng, 2))):
        question.check()
        for trial in range(4):
            check_trial(question, seed, trial)


@pytest.mark.parametrize("goal", GOALS)
def test_others_that_matter_the_same_to_the_hero_still_compare_by_their_own_ranks(goal):
    """The hero alone waits by a plan, so a higher one of the others can be left waiting when a lower one comes."""
    settings = {"cards": "A / 5 / A Q / K 10", "hero": "A", "goal": goal, "wait": "best", "their_wait": "never"}
    for question in (Order(**settings), Best(**settings)):
        for trial in range(many(200, 20)):
            check_trial(question, 1, trial)


PAIRS: list[tuple[WaitsWell, WaitsWell]] = [
    ("never", "never"), ("never", "always"), ("lower", "never"), ("best", "best"), ("always", "best")
]  # fmt: skip
CARDS = ["9 5 / K", "A 9 / 5 K", "9 / A 2", "A / 9 5", "A 3 / A", "5 / 5 9", "K 2 / 3"]


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("cards", CARDS[: many(len(CARDS), 3)])
def test_nothing_is_better_than_what_is_best(goal, cards):
    for wait, their_wait in PAIRS if cards.count(" ") > 3 else PAIRS[1:]:
        question = Best(cards=cards, hero=cards[0], goal=goal, wait=wait, their_wait=their_wait)
        assert question.exact()["best"] == pytest.approx(ByHand(cards, goal, wait, their_wait).chance(), abs=1e-12)


ACTS = {"alone": {"never": True}, "new": {"never": True, "lower": True}, "waiting": {"never": True}}
"""Who acts by a policy: with none waiting, drawn and higher, waiting and higher; the others wait."""


class ByHand:
    """Every way a round can go, written from the rules, if the hero, and each side that says so, does what is best.

    Whole histories are kept, and the goal is judged by the row of turns when all is over.
    """

    def __init__(self, cards: str, goal: Goal, wait: str, their_wait: str) -> None:
        mine, theirs = (side.split() for side in cards.split("/"))
        self.people = [f"mine {rank}" for rank in mine] + [f"theirs {rank}" for rank in theirs]
        self.hero, self.goal = self.people[0], goal
        self.hows = {who: their_wait if is_foe(who) else wait for who in self.people} | {self.hero: "best"}
        self.value = cache(self.value_of)

    def chance(self) -> float:
        return self.value(frozenset({*self.people, "red", "black"}), (), "", ())

    def judged(self, turns: Turns) -> float:
        if self.goal == "first":
            return turns[:1] == (self.hero,)
        if self.goal == "last":
            return turns[-1:] == (self.hero,)
        if self.goal == "after":
            return any(is_foe(one) and other == self.hero for one, other in pairwise(turns))
        return self.hero in turns and not any(map(is_foe, turns[: turns.index(self.hero)]))

    def value_of(self, loose: frozenset[str], under: Turns, waiting: str, turns: Turns) -> float:
        if loose:
            return mean([self.turn_up(card, loose - {card}, under, waiting, turns) for card in sorted(loose)])
        if under:
            return self.turn_up(under[0], loose, under[1:], waiting, turns)
        return self.acts(waiting, loose, under, "", turns) if waiting else self.judged(turns)

    def turn_up(self, card: str, loose: frozenset[str], under: Turns, waiting: str, turns: Turns) -> float:
        if card == "red":
            return self.value(loose | {*under} | ({waiting} if waiting else set()), (), "", turns)
        if card == "black":
            if loose:
                return mean([self.value(loose - {lost}, under, waiting, turns) for lost in sorted(loose)])
            return self.value(loose, under[1:], waiting, turns)
        new = self.acts(card, loose, under, waiting, turns)
        if not waiting:
            alone = not (loose or under)
            return new if alone else self.choice(card, "alone", new, self.value(loose, under, card, turns))
        old, lead = self.acts(waiting, loose, under, card, turns), rank(card, turns) - rank(waiting, turns)
        if lead > 0:
            return self.choice(card, "new", new, old)
        return new if lead == 0 else self.choice(waiting, "waiting", old, new)

    def acts(self, who: str, loose: frozenset[str], under: Turns, waiting: str, turns: Turns) -> float:
        again = who.endswith("A") and who not in turns
        return self.value(loose, (*under, who) if again else under, waiting, (*turns, who))

    def choice(self, who: str, when: str, acts: float, waits: float) -> float:
        if self.hows[who] == "best":
            return min(acts, waits) if is_foe(who) else max(acts, waits)
        return acts if ACTS[when].get(self.hows[who], False) else waits


def is_foe(who: str) -> bool:
    return who.startswith("theirs")


def rank(who: str, turns: Turns) -> int:
    letter = who.split()[1]
    return {"A": 1 if who in turns else 14, "K": 13}.get(letter) or int(letter)


@pytest.mark.parametrize("goal", GOALS)
def test_who_plays_it_by_the_rules_reaches_the_goal_as_often_as_it_says(goal):
    question = Best(cards="A / 9 3", hero="A", goal=goal, wait="lower", their_wait="best")
    exact = question.exact()
    for how, key in zip(WAYS, ("best", "thumb", "never", "lower", "always"), strict=True):
        responder = question.responder(question.players(how, question.wait, question.their_wait))
        assert by_walking(question, responder) == pytest.approx(exact[key], abs=1e-12), key


def by_walking(question: Best, responder: Responder) -> float:
    """How likely the goal is reached, from every way the round can go by the rules."""
    table = Table.new("initiative")
    for who in question.fighters():
        table.answer(GM, AddCharacter(who.name, card=who.card, side=SIDES[who.side]))

    def policy(game: Game, asked: Ask) -> Action | None:
        assert isinstance(game, Initiative)
        if not game.under_way:
            return StartRound() if game.round == 0 else None
        return Done(asked.about["name"]) if asked.key == "turn" else responder(game, asked)

    return float(sum(way.chance * question.reached(way.events) for way in walk(table, policy)))


def test_what_is_played_comes_to_what_is_counted_out():
    for goal in GOALS:
        question = Best(cards="A 9 5 / A 9 3", goal=goal, wait="always", their_wait="best")
        exact = question.exact()
        played = question.rows(3, 0, 20_000).mean(axis=0)
        for key, number in zip(exact, played, strict=False):
            if not key.startswith("short"):
                assert number == pytest.approx(exact[key], abs=5 * 0.5 / 20_000**0.5), (goal, key)


@pytest.mark.parametrize("goal", GOALS)
def test_the_rule_of_thumb_is_best_for_all_but_the_ace_and_near_it_for_that(goal):
    for hero in ("2", "9", "K", "A"):
        for wait, their_wait in PAIRS:
            exact = Best(hero=hero, goal=goal, mine=3, theirs=3, wait=wait, their_wait=their_wait).exact()
            assert exact["best"] - exact["thumb"] == pytest.approx(0, abs=0.01 if hero == "A" else 1e-12)
            assert all(exact["best"] >= exact[key] - 1e-12 for key in ("never", "lower", "always"))


def test_large_sides_are_solved_where_the_others_never_wait():
    assert Best(mine=13, theirs=13).exact()["best"] == pytest.approx(0.95, abs=0.05)
    with pytest.raises(CardhouseError, match="take fewer people, or let the others never wait"):
        Best(mine=13, theirs=13, their_wait="always").check()
    with pytest.raises(CardhouseError, match="take fewer people"):
        Order(mine=13, theirs=13, wait="best").check()


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"foe": "7"}, 'The foe is one of K, 9, 5, not "7".'),
        ({"foe": "7", "theirs": 0}, 'The foe is nobody, not "7".'),
        ({"goal": "after", "theirs": 0}, "To act after a foe takes a foe"),
    ],
)
def test_foes_that_there_are_not_are_refused_in_words(settings, says):
    with pytest.raises(CardhouseError) as caught:
        Best(**{"mine": 3, "theirs": 3, **settings}).check()
    assert says in str(caught.value)
