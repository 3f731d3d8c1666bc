"""The wait between two turns: the kernel plays by the rules, and exact numbers are right."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

import numpy as np
import pytest

from cardhouse.engine import GM, Action, Ask, CardhouseError, Game, Table
from cardhouse.engine.table.enumerate import walk
from cardhouse.games.initiative.lab.exact import Round, exact_waits
from cardhouse.games.initiative.lab.idle import Idle, measure_of, turns_of_rounds
from cardhouse.games.initiative.lab.questions import Order
from cardhouse.games.initiative.lab.sides import RANKS_DOWN, SIDES, Waits, answer_by
from cardhouse.games.initiative.rules import Initiative
from cardhouse.games.initiative.state import AddCharacter, Done, StartRound
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.optimality import OptimalityGap
from cardhouse.lab.questions.proof import check_trial
from cardhouse.lab.reports.text_optimality import sentences
from cardhouse.lab.running.study import Answer, Study, ask
from tests.lab.test_initiative_best import ByHand, Turns

POLICIES: tuple[Waits, ...] = get_args(Waits)
FAR = 60
"""Longer waits are too rare to matter to a comparison."""


@pytest.mark.parametrize("seed", range(12))
def test_the_kernel_plays_by_the_rules(seed: int):
    rng = Random(seed)
    sides = [rng.sample(RANKS_DOWN, rng.randint(1, 4)) for _ in range(rng.randint(1, 4))]
    settings: dict[str, Any] = {
        "wait": rng.choice(POLICIES),
        "their_wait": rng.choice(POLICIES),
        "hero": rng.choice(sides[0]),
    }
    question = Idle(cards=" / ".join(" ".join(side) for side in sides), **settings)
    for trial in range(4):
        check_trial(question, seed, trial)


def rounds_by_walking(question: Idle, hero: int) -> dict[tuple[int, int, int], float]:
    """The chances of how one round goes for somebody: its first turn, its last, and how many turns there were."""
    table = Table.new("initiative")
    for who in question.fighters():
        table.answer(GM, AddCharacter(who.name, card=who.card, side=SIDES[who.side]))
    by_card = {who.card: who for who in question.fighters()}

    def policy(game: Game, asked: Ask) -> Action | None:
        assert isinstance(game, Initiative)
        if not game.under_way:
            return StartRound() if game.round == 0 else None
        if asked.key == "turn":
            return Done(asked.about["name"])
        return answer_by(game, asked, question.how(by_card[game.named(asked.about["name"]).card]))

    name = question.fighters()[hero].name
    found: dict[tuple[int, int, int], float] = {}
    for way in walk(table, policy):
        turns = [who for who, _ in turns_of_rounds(way.events)]
        own = [place for place, who in enumerate(turns) if who == name]
        key = (own[0], own[-1], len(turns)) if own else (-1, -1, len(turns))
        found[key] = found.get(key, 0.0) + float(way.chance)
    return found


def waits_by_walking(question: Idle, hero: int) -> np.ndarray[Any, Any]:
    """The chances of each wait: every round that may be, then every one that may follow, and so on."""
    rounds = rounds_by_walking(question, hero)
    acts = sum(chance for (first, _, _), chance in rounds.items() if first >= 0)
    so_far = np.zeros(FAR)
    for (first, last, turns), chance in rounds.items():
        if first >= 0:
            so_far[turns - last - 1] += chance / acts
    waits = np.zeros(FAR)
    while so_far.sum() > 1e-13:
        later = np.zeros(FAR)
        for (first, _, turns), chance in rounds.items():
            further = first if first >= 0 else turns
            (waits if first >= 0 else later)[further:] += chance * so_far[: FAR - further]
        so_far = later
    return waits


@pytest.mark.parametrize("cards", ["A 5", "5 / 3", "A / K", "9 7 / A"])
@pytest.mark.parametrize(("wait", "their_wait"), [("never", "lower"), ("always", "always"), ("lower", "never")])
def test_what_is_counted_out_is_what_every_way_rounds_can_go_says(cards: str, wait: Waits, their_wait: Waits):
    question = Idle(cards=cards, hero=cards[0], wait=wait, their_wait=their_wait)
    people = [(who, question.how(who)) for who in question.fighters()]
    for place, exact in exact_waits(people).items():
        walked = waits_by_walking(question, place)
        assert exact[:FAR] == pytest.approx(walked[: len(exact)], abs=1e-10)


def test_the_mean_wait_is_that_of_all_turns_over_ones_own():
    """In the long run others have so many turns for each of one's own (renewals): a second way to the same number."""
    for settings in ({"wait": "never"}, {"wait": "lower", "their_wait": "always", "mine": 2, "theirs": 3}):
        order = Order(**{"their_wait": "never", **settings, "hero": "9"}).exact()  # type: ignore[arg-type]
        idle = Idle(**{"their_wait": "never", **settings, "hero": "9"}).exact()  # type: ignore[arg-type]
        assert idle["wait"] == pytest.approx(order["turns"] / (1 - order["never_acts"]) - 1)


@pytest.mark.soak
@pytest.mark.parametrize(
    "question",
    [Idle(), Idle(hero="A", wait="lower", their_wait="lower", mine=2, theirs=2), Idle(cards="9 / A K / A", long=4)],
)
def test_what_is_played_comes_to_what_is_counted_out(question: Idle):
    (answer,) = ask(Study(cells=(Cell(question),), trials=20_000, confidence=0.9999), workers=1).answers
    known = [found for found in answer.found if found.exact is not None]
    for found in known:
        # Wider than the interval by a half, so that it would miss once in ten million.
        arm = 1.5 * (found.estimate.error or 0) + 1e-9
        assert found.estimate.value == pytest.approx(found.exact, abs=arm), found.finding.key
    assert len(known) > 10


def test_the_chances_of_what_follows_a_last_turn_add_up():
    question = Idle(hero="A", mine=2, theirs=2, wait="always", their_wait="always")
    counted = Round([(who, question.how(who)) for who in question.fighters()], question.hero_place())
    assert counted.value(counted.start).sum(axis=1) == pytest.approx(1)


def test_with_too_many_to_count_it_is_played():
    assert Idle(mine=13, theirs=13, wait="always").exact() == {}
    assert Idle(mine=13, theirs=13).exact()
    everybody = " ".join(RANKS_DOWN)
    question = Idle(cards="/".join([everybody] * 4), hero="A", their_wait="lower")
    check_trial(question, 1, 2)
    rows = question.rows(1, 0, 200)
    assert rows[:, 1:].min() >= 1
    assert measure_of(question.fighters()[question.hero_place()]) == "wait_mine_A"


class Soonest(ByHand):
    """The most that somebody can gain in a round who is paid for having a turn, and pays for those of others outside.

    What is outside is before its first turn and behind its last. Rounds have nothing to do with each other: so if
    nobody gains where a turn is paid with the mean wait of a policy, no other way to choose, whatever it goes by in a
    round, has a shorter one.
    """

    def __init__(self, cards: str, their_wait: str, paid: float) -> None:
        super().__init__(cards, "first", "never", their_wait)
        self.paid = paid

    def judged(self, turns: Turns) -> float:
        own = [place for place, who in enumerate(turns) if who == self.hero]
        return self.paid - own[0] - (len(turns) - own[-1] - 1) if own else -float(len(turns))


@pytest.mark.parametrize("their_wait", POLICIES)
@pytest.mark.parametrize("cards", ["2 / 9 5", "9 / K 5", "9 / K 5 3", "5 2 / 9", "9 / A 5", "K / A 9 5"])
def test_nobody_has_its_next_turn_sooner_than_who_never_waits(cards: str, their_wait: Waits):
    """Where there is an ace somebody has, by hardly anything."""
    question = Idle(cards=cards, hero=cards[0], wait="best", their_wait=their_wait)
    paid, hardly = question.exact()["wait"], 0.02 if "A" in cards else 0
    assert Soonest(cards, their_wait, paid - hardly).chance() <= 1e-9
    assert Soonest(cards, their_wait, paid + 0.01).chance() > 0.001


def test_of_an_ace_it_is_not_known():
    assert Idle(hero="A").best_play() is None
    with pytest.raises(CardhouseError, match="an ace"):
        Idle(hero="A", wait="best").check_settings()


@pytest.mark.soak
def test_best_is_told_of_waits():
    def answered(wait: Waits, trials: int) -> Answer:
        (answer,) = ask(Study(cells=(Cell(Idle(wait=wait)),), trials=trials), workers=1).answers
        return answer

    def waited(wait: Waits, told: OptimalityGap) -> float:
        """On the same rounds by themselves."""
        found = answered(wait, told.trials).found
        return next(one.estimate.value for one in found if one.finding == told.finding) or 0.0

    told = answered("always", 4_000).beside
    assert told is not None
    assert told.less_is_better
    assert told.more.value == pytest.approx(waited("never", told) - waited("always", told))
    assert next(sentences(told)).endswith(
        "\N{LEFT DOUBLE QUOTATION MARK}act as soon as you may\N{RIGHT DOUBLE QUOTATION MARK} gives the same result."
    )
