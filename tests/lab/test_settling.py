"""Trials that are too few to tell: how many would tell, in drama, tales and headlines alike."""

from __future__ import annotations

from math import inf, sqrt
from random import Random
from typing import Any

import pytest

from cardhouse.games.dogs.lab.questions import Templates
from cardhouse.games.gunfight.lab.questions import Last
from cardhouse.games.hackjack.lab.questions import Deadly
from cardhouse.lab.questions.answer import Values, advised, rivals, too_few, would_tell
from cardhouse.lab.questions.drama import feel_of
from cardhouse.lab.questions.question import Question, share
from cardhouse.lab.statistics.estimate import Estimate
from cardhouse.lab.statistics.leading import Shift
from cardhouse.lab.statistics.settling import MOST_TO_SETTLE, Gap, gap_to, trials_to_settle


def test_so_many_trials_make_the_interval_as_narrow_as_the_distance() -> None:
    rng = Random(2)
    told = 0
    for _ in range(300):
        trials, gap = rng.randint(20, 20_000), Gap(rng.uniform(0.001, 0.2), rng.uniform(0.2, 0.5))
        needed = trials_to_settle(trials, gap)
        if needed is None:
            assert gap.half_width * sqrt(trials / MOST_TO_SETTLE) > gap.distance
            continue
        told += 1
        assert needed > trials
        assert len(str(needed).rstrip("0")) == 1
        assert gap.half_width * sqrt(trials / needed) <= gap.distance * 1.000001
    assert 20 < told < 280


def test_the_closest_of_several_decides() -> None:
    near, far = Gap(0.01, 0.1), Gap(0.05, 0.1)
    assert trials_to_settle(60, near, far) == trials_to_settle(60, near) == 6_000
    assert trials_to_settle(60, far) == 300
    assert trials_to_settle(60, Gap(0.0, 0.1)) is None


def test_the_gap_is_to_the_end_of_the_interval_that_faces_the_bound() -> None:
    assert gap_to(0.5, 0.6, 0.4, 0.7) == pytest.approx((0.1, 0.2))
    assert gap_to(0.5, 0.4, 0.2, 0.7) == pytest.approx((0.1, 0.3))


def test_in_words() -> None:
    assert too_few("fight", "who wins", 60, Gap(0.02, 0.12)) == "Too few fights to tell who wins: about 3,000 would."
    even = "It would take over 1,000,000 fights to tell who wins: about even."
    assert too_few("fight", "who wins", 60, Gap(0.0001, 0.12)) == even
    assert too_few("fight", "who wins", 1, Gap(0.1, inf)) == "Too few fights to tell who wins."
    assert would_tell("fight", 60, Gap(0.02, 0.12)) == "about 3,000 fights would tell"
    assert would_tell("fight", 60, Gap(0.0, 0.12)) == "they are about even"
    assert would_tell("fight", 1, Gap(0.1, inf)) == ""


def known(numbers: dict[str, tuple[float, float]], trials: int = 60, **others: float) -> Values:
    """Return numbers with the half-widths of their intervals."""
    ends = {key: (value - wide, value + wide) for key, (value, wide) in numbers.items()}
    return Values({**others, **{key: value for key, (value, _) in numbers.items()}}, ends, trials)


ENDS = {f"dead_by_{hit}": (0.05 * hit, 0.1) for hit in range(1, 11)} | {"survived": (8.0, 0.5)}


@pytest.mark.parametrize(
    ("question", "values", "says"),
    [
        (
            Last(),
            known({"won": (0.51, 0.13), "lost": (0.47, 0.13)}, undecided=0.02, my_able=1.0, their_able=1.0),
            "Too few fights to tell who wins more often (yours 51%, theirs 47%): about 3,000 would.",
        ),
        (
            Deadly(hits=9),
            known(ENDS),
            "Too few fights to tell if most outlive 9 hits (45% don't): about 300 would.",
        ),
        (
            Templates(),
            known({"wins": (0.44, 0.1)}, unhurt=0.5),
            "Too few conflicts to tell whether it can (it wins 44% against a Fast NPC of type A): about 400 would.",
        ),
    ],
    ids=["gunfight", "hackjack", "dogs"],
)
def test_a_tale_says_how_many_trials_would_tell(question: Question, values: Values, says: str) -> None:
    told: Any = question
    if isinstance(question, Last):
        sentence = told._who_wins(values)
    else:
        sentence = told._half_dead(values)[1] if isinstance(question, Deadly) else told.won(values)
    assert sentence == says


def test_advice_says_how_many_trials_would_tell() -> None:
    advice = {"one": "Wait.", "other": "Act at once.", "third": "Run."}
    values = known({"one": (0.6, 0.05), "other": (0.55, 0.05), "third": (0.3, 0.05)}, 100)
    told = advised(advice, "one", rivals(values, advice, "one"), 100, "round")
    assert told == "Wait, or act at once: about 400 rounds would tell."
    several = known({"one": (0.6, 0.2), "other": (0.55, 0.2), "third": (0.3, 0.2)}, 100)
    told = advised(advice, "one", rivals(several, advice, "one"), 100, "round")
    assert told == "Too few rounds to tell which way is best: about 7,000 would."
    assert advised(advice, "one", {}, 100, "round") == "Wait."


@pytest.mark.parametrize(
    ("better", "worse", "says"),
    [
        ((0.83, 0.1), (0.13, 0.1), "the gunfighter bot does better than the chance bot in 83% of sessions, and worse"),
        ((0.13, 0.1), (0.83, 0.1), "the gunfighter bot does worse than the chance bot in 83% of sessions, and better"),
        ((0.58, 0.13), (0.4, 0.13), "Too few sessions to tell whether the gunfighter bot does better than the chance"),
    ],
)
def test_skill_is_told_as_far_as_its_interval_tells(
    better: tuple[float, float], worse: tuple[float, float], says: str
) -> None:
    question = feel_of("gunfight")()
    tale = question.tale(known({"better": better, "worse": worse}, 60, answers=50.0, decisions=8.0))
    assert tale is not None
    assert says in f"{tale.sentence} {tale.line}"


def test_a_shift_knows_its_gap() -> None:
    shift = Shift(share("a", "a", "a", 1), 0.5, 0.53, Estimate(0.03, -0.02, 0.08, 100, 50), 0.05)
    assert shift.gap == pytest.approx((0.03, 0.05))
