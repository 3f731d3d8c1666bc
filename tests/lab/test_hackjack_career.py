"""Permanent wounds and careers: by the rules, played by them, and counted by hand with few cards."""

from __future__ import annotations

from math import comb, sqrt
from random import Random
from typing import Any

import numpy as np
import pytest

from cardhouse.cards import STANDARD
from cardhouse.engine import CardhouseError, Table
from cardhouse.games.hackjack.lab.damage import DEAD_FOR_GOOD, MOST_FOR_GOOD
from cardhouse.games.hackjack.lab.questions import Career, Deadly
from cardhouse.games.hackjack.wounds.data import wounds_from
from cardhouse.games.hackjack.wounds.schema import Wound
from cardhouse.lab.questions.proof import check_trial
from cardhouse.lab.questions.question import Question
from tests.lab.test_hackjack_kernel import any_question

NOTHING = {"name": "x", "text": "x", "ends": "round"}
FOR_GOOD = {**NOTHING, "ends": "permanent", "conditions": ["limps"]}
SCAR = {**NOTHING, "ends": "permanent", "conditions": ["scar"]}
TRIALS = 20_000


def of(deck: dict[str, Any], **settings: Any) -> Career:
    """A career in which nobody dies, and each fight is one hit and one card, harmless but for these."""
    wounds = {**dict.fromkeys(STANDARD, NOTHING), **deck}
    return Career(**{"hp": 1, "damage": "2", "hits": 1, "limit": 1000, "wounds": wounds, **settings})


def columns(question: Question) -> dict[str, Any]:
    """What was counted, by measure."""
    rows = question.rows(2, 0, TRIALS)
    return {measure.key: rows[:, place] for place, measure in enumerate(question.measures())}


def test_what_stays_of_the_wounds_in_the_rulebook():
    """Fourteen leave something for good (HJ-18, HJ-19), three of them only a scar and one takes a finger."""
    wounds = wounds_from({})
    stays = {card for card in STANDARD if wounds[card].has_permanent_effect}
    assert stays == {"C9", "CQ", "S7", "S8", "S10", "SJ", "DA", "D3", "D5", "D6", "D7", "D9", "D10", "DJ", "DQ"}
    assert stays - {card for card in STANDARD if wounds[card].hinders_permanently} == {"DA", "D3", "D5", "D10"}


@pytest.mark.parametrize(
    ("more", "stays", "hinders"),
    [
        ({}, False, False),
        ({"ends": "permanent", "conditions": ["scar"]}, True, False),
        ({"ends": "permanent", "rolls": -1}, True, True),
        ({"ends": "permanent", "wears": {"WIS": 1}}, True, True),
        ({"max_hp": 1}, True, True),
        ({"lasting": {"text": "x", "conditions": ["scar"]}}, True, False),
        ({"lasting": {"text": "x", "to_hit_ranged": -1}}, True, True),
        ({"conditions": ["limps"]}, False, False),
    ],
)
def test_what_stays_of_a_wound_of_ones_own(more: dict[str, Any], stays: bool, hinders: bool):
    wound: Wound = wounds_from({"CA": {"name": "x", "text": "x", "ends": "recovery", **more}})["CA"]
    assert (wound.has_permanent_effect, wound.hinders_permanently) == (stays, hinders)


def any_career(random: Random) -> Career:
    """A career with settings of all kinds."""
    fight = any_question(random)
    shared = {name: getattr(fight, name) for name in Career.__struct_fields__ if hasattr(fight, name)}
    return Career(
        **{**shared, "hits": random.choice([1, 2, 3])},
        fights=random.choice([2, 6, 15]),
        retire=random.choice([0, 1, 3]),
    )


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
def test_plays_by_the_rules(seed: int):
    random = Random(seed)
    for _ in range(8):
        question = any_career(random)
        question.check_settings()
        for _ in range(2):
            check_trial(question, random.randrange(1 << 40), random.randrange(1 << 40))


@pytest.mark.soak
def test_old_wounds_open_and_hit_points_are_gone_in_the_next_fight():
    """One who lives through many fights by the standard rules but for a limit that nobody reaches."""
    question = Career(hp=1, damage="2", limit=1000, retire=0, fights=12, hits=2)
    for trial in range(10):
        text = check_trial(question, 5, trial)
        assert '"do":"recover"' in text
    told = {event.key for trial in range(10) for entry in entries(question, trial) for event in entry.events}
    assert {"old_wound_opens", "max_hp_lost", "stays", "recovered"} <= told


def entries(question: Career, trial: int) -> list[Any]:
    table = question.played(5, trial)
    assert isinstance(table, Table)
    return list(table.entries)


def none_of(many: int, drawn: int) -> float:
    """The chance that of so many cards none is among these drawn of 52."""
    return comb(52 - many, drawn) / comb(52, drawn)


def test_when_the_first_wound_stays_is_as_one_counts_it_by_hand():
    """One card a fight, and none comes back before the deck has run out: a hypergeometric draw."""
    found = columns(of(dict.fromkeys(STANDARD[:5], FOR_GOOD), fights=8, retire=0))
    for fights in range(1, 9):
        share, chance = ((found["first"] > 0) & (found["first"] <= fights)).mean(), 1 - none_of(5, fights)
        assert abs(share - chance) < 5 * sqrt(chance * (1 - chance) / TRIALS)
    assert abs(found["for_good"].mean() - 8 * 5 / 52) < 5 * found["for_good"].std() / sqrt(TRIALS)
    assert (found["hinders"] == found["for_good"]).all()
    assert not found["died"].any()
    assert found["goes_on"].all()


def test_who_retires_is_as_one_counts_it_by_hand():
    """With the second of ten such wounds; a scar is none."""
    scars = dict.fromkeys(STANDARD[20:30], SCAR)
    found = columns(of({**dict.fromkeys(STANDARD[:10], FOR_GOOD), **scars}, fights=6, retire=2))
    for fights in range(1, 7):
        share = ((found["retired"] > 0) & (found["retired"] <= fights)).mean()
        one = 10 * comb(42, fights - 1) / comb(52, fights)
        chance = max(0.0, 1 - none_of(10, fights) - one)
        assert abs(share - chance) <= 5 * sqrt(chance * (1 - chance) / TRIALS) + 1e-12
    retired = found["retired"] > 0
    assert (found["hinders"][retired] == 2).all()
    assert (found["hinders"][~retired] < 2).all()
    assert (found["lived"] == np.where(retired, found["retired"], 6)).all()
    assert (found["for_good"] > found["hinders"]).any()


def test_hit_points_that_are_gone_and_weeks_in_bed():
    """Every card takes 3 of 8 hit points, until one is left, and needs one to six weeks."""
    wound = {**NOTHING, "ends": "recovery", "trauma": 2, "max_hp": 3}
    found = columns(of(dict.fromkeys(STANDARD, wound), hp=8, damage="9", fights=4, retire=0))
    assert (found["lost_hp"] == 7).all()
    assert ((found["weeks"] >= 4) & (found["weeks"] <= 24)).all()
    assert abs(found["weeks"].mean() - 4 * 3.5) < 5 * found["weeks"].std() / sqrt(TRIALS)


def test_the_dead_count_only_by_when_they_died():
    found = columns(Career(hits=3, retire=0, fights=4))
    dead = found["died"] > 0
    assert 0.1 < dead.mean() < 0.9
    for measure in ("for_good", "hinders", "lost_hp"):
        assert (found[measure][dead] == DEAD_FOR_GOOD).all()
        assert (found[measure][~dead] <= MOST_FOR_GOOD).all()
    assert (found["lived"][dead] == found["died"][dead] - 1).all()


def test_wounds_for_good_of_one_hit_are_as_one_counts_them_by_hand():
    """The first card of a deck in which nothing draws another: five of 52 stay, and of nine draws none twice."""
    wounds = {**dict.fromkeys(STANDARD, NOTHING), **dict.fromkeys(STANDARD[:5], FOR_GOOD)}
    fight = Deadly(hp=1, damage="2", hits=9, limit=1000, wounds=wounds)
    found = columns(fight)
    assert abs((found["for_good"] > 0).mean() - (1 - none_of(5, 9))) < 5 * 0.5 / sqrt(TRIALS)
    assert (found["wounds_cards"] == 9).all()
    assert not found["wounds_shuffles"].any()


def test_a_deck_that_runs_out_is_shuffled_and_counted():
    """Ten people draw a card each in every round; after an exact 21, and only then, cards come back."""
    fight = Deadly(hp=1, damage="2", hits=40, others=9, limit=21, prevent="always")
    found = columns(fight)
    assert (found["wounds_shuffles"] > 0).any()
    assert (found["wounds_cards"][found["wounds_shuffles"] > 0] > 52).all()
    trial = int(np.argmax(found["wounds_shuffles"]))
    check_trial(fight, 2, trial)


def test_settings_that_cannot_be():
    for wrong, word in ((Career(fights=0), "fights"), (Career(retire=-1), "retire"), (Career(damage="hard"), "Damage")):
        with pytest.raises(CardhouseError, match=word):
            wrong.check_settings()
