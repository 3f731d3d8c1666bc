"""The order of turns: the kernel plays by the rules, and exact numbers are right."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, get_args

import pytest

from cardhouse.engine import GM, Action, Ask, CardhouseError, Game, Table
from cardhouse.engine.table.enumerate import walk
from cardhouse.games.initiative.lab.exact import MEASURES, Round, finding_value
from cardhouse.games.initiative.lab.questions import Order
from cardhouse.games.initiative.lab.sides import RANKS_DOWN, SIDES, Fighter, Waits, read_sides, two_sides
from cardhouse.games.initiative.rules import Initiative
from cardhouse.games.initiative.state import AddCharacter, Done, StartRound
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.proof import check_trial
from cardhouse.lab.running.study import Study, ask

POLICIES: tuple[Waits, ...] = get_args(Waits)


@pytest.mark.parametrize("seed", range(30))
def test_the_kernel_plays_by_the_rules(seed):
    rng = Random(seed)
    sides = [rng.sample(RANKS_DOWN, rng.randint(1, 5)) for _ in range(rng.randint(1, 4))]
    settings: dict[str, Any] = {
        "wait": rng.choice(POLICIES),
        "their_wait": rng.choice(POLICIES),
        "hero": rng.choice(sides[0]),
    }
    question = Order(cards=" / ".join(" ".join(side) for side in sides), **settings)
    for trial in range(12):
        check_trial(question, seed, trial)


def test_a_round_of_everybody_there_can_be():
    everybody = " ".join(RANKS_DOWN)
    for wait, their_wait in product(POLICIES, POLICIES):
        check_trial(Order(cards="/".join([everybody] * 4), hero="A", wait=wait, their_wait=their_wait), 1, 2)


@pytest.mark.parametrize("cards", ["A 5", "A / K", "A 9 / A", "5 / 5 3", "2 / A / A"])
@pytest.mark.parametrize(("wait", "their_wait"), [("never", "lower"), ("always", "always"), ("lower", "never")])
def test_what_is_counted_out_is_what_every_way_a_round_can_go_says(cards, wait, their_wait):
    question = Order(cards=cards, hero=cards[0], wait=wait, their_wait=their_wait)
    exact, walked = question.exact(), by_walking(question)
    assert exact
    for finding in question.findings():
        assert exact[finding.key] == pytest.approx(walked[finding.key], abs=1e-12), finding.key


def by_walking(question: Order) -> dict[str, float]:
    """Every finding, from every way the round can go by the rules."""
    table = Table.new("initiative")
    for who in question.fighters():
        table.answer(GM, AddCharacter(who.name, card=who.card, side=SIDES[who.side]))
    says = question.responder(question.all_players())

    def policy(game: Game, asked: Ask) -> Action | None:
        assert isinstance(game, Initiative)
        if not game.under_way:
            return StartRound() if game.round == 0 else None
        return Done(asked.about["name"]) if asked.key == "turn" else says(game, asked)

    chances: dict[str, dict[int, Fraction]] = {measure.key: {} for measure in question.measures()}
    for way in walk(table, policy):
        for one, number in zip(chances.values(), question.row_of_story(way.events), strict=True):
            one[number] = one.get(number, Fraction(0)) + way.chance
    found = {}
    for finding in question.findings():
        given = {
            number: chance
            for number, chance in chances[finding.measure].items()
            if finding.given_least <= number and (finding.given_most is None or number <= finding.given_most)
        }
        if finding.kind == "mean":
            of_all = sum(number * chance for number, chance in given.items())
        else:
            most = max(given) if finding.most is None else finding.most
            of_all = sum((chance for number, chance in given.items() if finding.least <= number <= most), Fraction(0))
        found[finding.key] = float(of_all / sum(given.values())) * (finding.scale if finding.kind == "mean" else 1)
    return found


@pytest.mark.parametrize(
    "question",
    [
        Order(),
        Order(hero="A", mine=3, theirs=5, wait="never", their_wait="never"),
        Order(cards="A K 2 / A 3 / A K", hero="2", wait="lower", their_wait="lower"),
        Order(mine=1, theirs=0),
    ],
)
def test_what_is_played_comes_to_what_is_counted_out(question):
    (answer,) = ask(Study(cells=(Cell(question),), trials=40_000, confidence=0.9999)).answers
    counted = 0
    for found in answer.found:
        if found.exact is not None:
            # Wider than the interval by a half, so that it would miss once in ten million.
            arm = 1.5 * (found.estimate.error or 0) + 1e-9
            assert found.estimate.value == pytest.approx(found.exact, abs=arm), found.finding.key
            counted += 1
    assert counted > 10


def test_with_nobody_waiting_all_but_the_aces_are_alike():
    exact = Order(mine=8, theirs=8, wait="never", their_wait="never").exact()
    places = {key: place for key, place in exact.items() if key.startswith("place_mine_") and key != "place_mine_A"}
    assert len(places) == 7
    assert max(places.values()) == pytest.approx(min(places.values()))


def test_rounds_with_too_many_states_are_left_to_simulation():
    assert Order(mine=13, theirs=13).exact() == {}
    assert Order(mine=13, theirs=13, wait="never", their_wait="never").exact()


def test_the_chances_of_each_measure_add_up_to_1():
    question = Order(mine=2, theirs=2, hero="A")
    people: list[tuple[Fighter, Waits]] = [(who, "always") for who in question.fighters()]
    counted = Round(people, question.hero_place())
    value = counted.value(counted.start)
    assert value.shape[0] == len(MEASURES)
    assert value.sum(axis=1) == pytest.approx(1)
    assert finding_value(question.findings()[0], value[0]) == pytest.approx(value[0][1])


def test_a_row_depends_on_its_trial_alone():
    question = Order(mine=5, theirs=3, their_wait="lower")
    together = question.rows(7, 100, 50)
    assert (question.rows(7, 130, 1) == together[30]).all()


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"hero": "1"}, 'There is no rank "1"; the ranks are A K Q J 10 9 8 7 6 5 4 3 2.'),
        ({"cards": "A K / 11", "hero": "A"}, 'There is no rank "11" (side 2)'),
        ({"cards": "A K / ", "hero": "A"}, "Side 2 of"),
        ({"cards": "9 9"}, "Side 1 has the 9 twice"),
        ({"cards": "9/9/9/9/9"}, "are 5 sides; there are at most 4"),
        ({"cards": "A K"}, 'The hero is one of A, K, not "9".'),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_words(settings, says):
    with pytest.raises(CardhouseError) as caught:
        Order(**settings).check()
    assert says in str(caught.value)


def test_sides_of_any_size_have_people_of_every_kind():
    assert [who.name for who in two_sides(4, 2, "9")] == [
        "mine A",
        "mine K",
        "mine 9",
        "mine 5",
        "theirs K",
        "theirs 9",
    ]
    assert [who.card for who in read_sides("5 a/10")] == ["CA", "C5", "D10"]
    assert len(two_sides(13, 13)) == 26
