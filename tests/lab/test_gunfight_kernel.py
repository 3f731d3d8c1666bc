"""The kernel of the gunfight plays by the rules."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

import pytest

from cardhouse.engine import CardhouseError
from cardhouse.games.gunfight.aiming import FINE, Aims
from cardhouse.games.gunfight.lab.aiming import damages
from cardhouse.games.gunfight.lab.questions import Last
from cardhouse.games.hackjack.lab.damage import read_damage
from cardhouse.games.initiative.lab.sides import RANKS_DOWN, Waits
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.proof import check_trial
from cardhouse.lab.running.study import Found, Study, ask
from cardhouse.lab.statistics.estimate import Estimate

pytestmark = pytest.mark.soak


def some_settings(rng: Random) -> dict[str, Any]:
    """Any fight."""
    sides = [" ".join(rng.sample(RANKS_DOWN, rng.randint(1, 4))) for _ in range(2)]
    return {
        "mine": rng.randint(1, 4),
        "theirs": rng.randint(1, 4),
        "cards": rng.choice(["", " / ".join(sides)]),
        "wait": rng.choice(get_args(Waits)),
        "their_wait": rng.choice(get_args(Waits)),
        "aim": rng.choice(get_args(Aims)),
        "their_aim": rng.choice(get_args(Aims)),
        "prevent": rng.choice(["never", "by heart", "best"]),
        "their_prevent": rng.choice(["", "never", "always", "at 15", "unless 11"]),
        "c7": rng.choice(["first", "lower_trauma", "best"]),
        "hp": rng.randint(1, 15),
        "their_hp": rng.randint(1, 15),
        "needs": rng.randint(1, 15),
        "their_needs": rng.randint(1, 15),
        "damage": rng.choice(["1d8", "2d6+1", "5", "3d10"]),
        "their_damage": rng.choice(["1d8", "1d4", "20"]),
        "critical": rng.choice([0, 0, 1, 5]),
        "rounds": rng.choice([2, 10, 30]),
        "limit": rng.choice([21, 25, 13]),
        "massive": rng.choice([13, 10, 20]),
        "draw_at_zero": rng.random() < 0.3,
        "return_cards": rng.random() < 0.3,
        "jokers": rng.random() < 0.3,
        "judged": rng.choice(["at_end", "each_step"]),
        "standing_blood": rng.random() < 0.3,
        "jack_of_clubs": rng.choice(["lower", "lower_given"]),
        "pain": rng.choice(["off", "trauma", "death_score"]),
        "hit_die": rng.choice(["d4", "d8", "d12"]),
    }


@pytest.mark.parametrize("seed", range(20))
def test_the_kernel_plays_by_the_rules(seed):
    question = Last(**some_settings(Random(seed)))
    question.check()
    for trial in range(8):
        check_trial(question, seed, trial)


def test_nobody_begins_to_roll_checks_when_the_fight_is_over():
    """Pain is too much for the last of a side (GF-3), and somebody of the other's wound asks for a check."""
    question = Last(
        mine=4, theirs=2, wait="always", their_wait="always", aim="standing", their_aim="standing", hp=10, their_hp=7,
        needs=8, their_needs=11, damage="2d6+1", their_damage="20", draw_at_zero=True, pain="death_score", hit_die="d4",
    )  # fmt: skip
    assert '"do":"exert","name":"theirs 9"' in check_trial(question, 11, 0).splitlines()[-2]


def test_aces_who_die_under_the_deck_and_people_who_wait_in_vain():
    """Everybody hits and few live long, so that cards leave from wherever they are."""
    question = Last(cards="A K 2 / A K 3", needs=1, their_needs=1, damage="3d10", their_damage="20", wait="always")
    for trial in range(8):
        check_trial(question, 5, trial)


def test_the_last_one_awake_passes_out_at_the_first_of_several_checks():
    question = Last(
        cards="J A 7 / 5 Q K", hp=14, their_hp=7, needs=15, their_needs=1, their_damage="1d4", wait="lower",
        their_wait="always", prevent="at 12", rounds=60, critical=1, limit=25, massive=10,
    )  # fmt: skip
    last_check = check_trial(question, 1321, 0).splitlines()[-2]
    assert '"do":"check"' in last_check
    assert '"wound":"H4"' in last_check


def found(trials: int, **settings: Any) -> dict[str, Found]:
    (answer,) = ask(Study(cells=(Cell(Last(**settings)),), trials=trials)).answers
    return {one.finding.key: one for one in answer.found}


def test_equal_sides_are_equal():
    """Five standard errors, seeded."""
    won = found(20_000, mine=3, theirs=3, hp=8, their_hp=8, needs=11, their_needs=11)
    share, other = won["won"].estimate, won["lost"].estimate
    assert share.value is not None
    assert other.value is not None
    assert share.error is not None
    assert abs(share.value - other.value) < 5 * 2 * share.error / 1.96
    dead, their_dead = won["my_dead"].estimate, won["their_dead"].estimate
    assert dead.value == pytest.approx(their_dead.value, abs=0.1)


def test_who_never_misses_and_always_kills_wins_by_acting_first():
    """The black joker takes one action a round at most, and so the first round decides."""
    deadly = {"needs": 1, "their_needs": 1, "hp": 1, "their_hp": 1, "damage": "99", "their_damage": "99"}
    told = found(20_000, cards="9 / 9", **deadly)
    assert told["won_going_first"].estimate.value == 1
    assert told["won_going_second"].estimate.value == 0
    assert told["over_by_1"].estimate.value == 1
    assert told["hits"].estimate.value == 1
    assert told["my_dead_1"].estimate.value == told["lost"].estimate.value == pytest.approx(0.5, abs=0.02)


def test_nobody_hits_and_nothing_is_decided():
    nothing = found(1000, needs=21, their_needs=21, rounds=3)
    assert nothing["undecided"].estimate.value == 1
    assert nothing["rounds"].estimate.value is None
    assert nothing["my_able"].estimate.value == 4
    assert nothing["their_dead_0"].estimate.value == 1


def test_those_who_hold_their_wounds_do_not_shoot():
    held, shot = (found(4000, prevent=prevent)["rounds"].estimate.value for prevent in ("always", "never"))
    assert held is not None
    assert shot is not None
    assert held > shot + 1


def test_a_row_depends_on_its_trial_alone():
    question = Last(prevent="at 15", wait="lower")
    assert (question.rows(7, 130, 1) == question.rows(7, 100, 50)[30]).all()


EVEN: dict[str, Any] = {"theirs": 4, "hp": 8, "their_hp": 8, "needs": 11, "their_needs": 11}


def more_won(there: dict[str, Any], **here: Any) -> Estimate:
    """By how much a larger share is won there, on the same cards."""
    cell = Cell(Last(**{**EVEN, **here}), Last(**{**EVEN, **here, **there}))
    (answer,) = ask(Study(cells=(cell,), trials=4_000, confidence=0.999)).answers
    more = next(one.more for one in answer.found if one.finding.key == "won")
    assert more is not None
    return more


def test_who_keeps_shooting_at_the_same_one_wins_more():
    """The policies that do so are the same in a fight that begins unhurt."""
    rows = [Last(aim=aim, **EVEN).rows(1, 0, 500) for aim in ("best", "finish", "nearest", "first", "aces")]
    assert all((other == rows[0]).all() for other in rows)
    for aim in ("standing", "fresh", "next"):
        assert (more_won({"aim": "best"}, aim=aim).low or 0) > 0, aim


def test_who_holds_a_wound_or_is_in_pain_is_left_lying():
    for aim, setting in (("nearest", {"prevent": "always"}), ("finish", {"pain": "death_score"})):
        assert (more_won({"aim": "best"}, aim=aim, **setting).low or 0) > 0, setting


def lead_of_the_bots(**theirs: Any) -> float:
    """By how much a side that plays like the bots wins more fights than it loses, halved: 0 is even."""
    ended = Last(prevent="never", aim="finish", **EVEN, **theirs).rows(3, 0, 20_000)[:, 0]
    return float((ended == 2).mean() - (ended == 0).mean()) / 2


@pytest.mark.parametrize("prevent", ["never", "always", "at 15", "at 20", "unless 11", "by heart", "best"])
def test_no_known_policy_beats_the_bots(prevent):
    """By less than 1.5 points, which is four standard errors."""
    for aim in ("best", "finish", "nearest"):
        assert lead_of_the_bots(their_prevent=prevent, their_aim=aim) > -0.015, (prevent, aim)


def test_the_bots_beat_those_that_prevent_blood_loss_close_to_death():
    assert lead_of_the_bots(their_prevent="at 15", their_aim="nearest") > 0.035


@pytest.mark.parametrize("damage", ["1d8", "2d8", "20"])
def test_how_many_hits_it_takes_is_about_what_it_takes(damage):
    """One who never misses, against one who never hits; cards that draw others make the difference."""
    played = found(4_000, cards="9 / 9", needs=1, their_needs=21, their_hp=8, damage=damage, rounds=60)["hits"].estimate
    table, _ = Last(damage=damage, their_hp=8).hits(0)
    assert played.value == pytest.approx(table[8] / FINE, rel=0.06)


def test_what_a_hit_does_and_how_likely():
    assert dict(damages(read_damage("2d6-3"))) == pytest.approx(
        {1: 6 / 36, 2: 4 / 36, 3: 5 / 36, 4: 6 / 36, 5: 5 / 36, 6: 4 / 36, 7: 3 / 36, 8: 2 / 36, 9: 1 / 36}
    )
    assert damages(read_damage("7")) == [(7, 1.0)]


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"damage": "1d8,"}, "Damage is a number or dice such as 1d8"),
        ({"their_damage": "-1"}, "Damage is a number or dice such as 1d8"),
        ({"prevent": "sometimes"}, "prevent is never, always, at 15"),
        ({"prevent": "hold if score > 9", "their_prevent": "best"}, "Only one side can have a rule of your own"),
        ({"their_prevent": "sometimes"}, "prevent is never, always, at 15"),
        ({"cards": "A K"}, 'are not two sides; they are written like "A K 9 / Q 8 4".'),
        ({"cards": "A / K / Q"}, "are not two sides"),
        ({"cards": "A / 1"}, 'There is no rank "1" (side 2)'),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_words(settings, says):
    with pytest.raises(CardhouseError) as caught:
        Last(**settings).check()
    assert says in str(caught.value)
