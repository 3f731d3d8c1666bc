"""Conflicts of several, and follow-ups, in the lab: they play as at a table."""

from random import Random
from typing import Any

import msgspec
import pytest

from cardhouse.engine import CardhouseError
from cardhouse.games.dogs.lab.dice.question import Dice
from cardhouse.games.dogs.lab.opponents import MARKS
from cardhouse.games.dogs.lab.questions import Price
from cardhouse.games.dogs.lab.several import FollowUp, Several
from cardhouse.games.dogs.state import PILES
from cardhouse.lab.questions.proof import check_trial
from cardhouse.lab.questions.settings import settings_of
from tests.thorough import many


def anybody(rng: Random) -> dict[str, Any]:
    """Two kinds of people, and where they begin."""

    def things() -> str:
        return " ".join(rng.choice(list(MARKS)) for _ in range(rng.randint(0, 3)))

    def stats() -> str:
        return " ".join(str(rng.choice([0, 1, 2, 2])) for _ in range(4))

    policies = ["plain", "thrifty", "bold"]
    return {
        "stats": stats(),
        "other_stats": stats(),
        "brings": things(),
        "other_brings": things(),
        "policy": rng.choice(policies),
        "other_policy": rng.choice(policies),
        "arena": rng.choice(PILES),
        "starter": rng.choice(["one", "other", "turns"]),
    }


def test_conflicts_of_several_are_those_of_a_table():
    rng = Random(3)
    for number in range(many(60, 5)):
        asked = {"ones": rng.randint(1, 4), "others": rng.randint(1, 4), "together": rng.random() < 0.5}
        question = msgspec.convert({**anybody(rng), **asked, "decks": rng.choice([1, 2])}, Several)
        question.check_settings()
        check_trial(question, number, number)


def test_what_follows_is_what_follows_at_a_table():
    rng = Random(4)
    seen = set()
    for number in range(many(80, 12)):
        asked = {
            "keep_on_give": rng.choice(["second", "best"]),
            "follows": rng.random() < 0.7,
            "opens_next": rng.choice(["loser", "winner"]),
            "spare": rng.random() < 0.4,
            "then": rng.choice(PILES),
        }
        question = msgspec.convert({**anybody(rng), **asked}, FollowUp)
        check_trial(question, number, number)
        seen.add(int(question.rows(number, number, 1)[0, 0]))
    assert seen == {0, 1, 2}


@pytest.mark.soak
def test_one_against_one_is_a_conflict_of_two():
    """As the kernel plays them, with the same settings and other cards."""
    asked: dict[str, Any] = {"brings": "- o", "other_brings": "o", "policy": "thrifty", "other_policy": "thrifty"}
    many_here, many_there = 400, 20_000
    here = Several(ones=1, others=1, starter="one", **asked).rows(1, 0, many_here)[:, 0].mean()
    there = Price(starter="one", **asked).rows(1, 0, many_there)[:, 0].mean()
    error = (there * (1 - there) * (1 / many_here + 1 / many_there)) ** 0.5
    assert abs(here - there) < 4 * error


def test_a_card_that_was_kept_is_played_in_what_follows():
    """The same two conflicts otherwise: who lost has a card more, and the better one if that is the rule."""
    kept: dict[str, Any] = {
        "follows": True,
        "brings": "",
        "other_brings": "",
        "other_stats": "3 2 2 2",
        "opens_next": "winner",
    }
    changes: dict[str, dict[str, Any]] = {"none": {"follows": False}, "second": {}, "best": {"keep_on_give": "best"}}
    rows = {
        name: msgspec.convert({**kept, **changed}, FollowUp).rows(2, 0, 400)[:, 0] for name, changed in changes.items()
    }
    turned = {name: (again == 2).sum() / (again > 0).sum() for name, again in rows.items()}
    assert turned["none"] < turned["second"] < turned["best"]


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        (Several(stats="3 2 2"), "four numbers"),
        (Several(other_stats="3 3 3 3"), "other_stats: they add up to 12"),
        (Several(brings="x"), "no mark"),
        (FollowUp(stats="3 3 3 3"), "stats: they add up to 12"),
    ],
)
def test_who_can_not_be_is_refused_in_words(question: Several | FollowUp, wrong: str):
    with pytest.raises(CardhouseError, match=wrong):
        question.check_settings()


SMALL: dict[str, Any] = {"stats": "1 2 1 1", "other_stats": "1 2 1 1", "brings": "-", "other_brings": "o"}
"""People whose hands are solved in no time."""


@pytest.mark.parametrize("policy", ["best", "thumb"])
def test_best_play_and_the_rule_of_thumb_are_policies_of_these_too(policy: str):
    for trial in range(many(8, 2)):
        for question in (
            Several(policy=policy, other_policy="best", ones=1, **SMALL),  # type: ignore[arg-type]
            Several(policy=policy, other_policy="thumb", **SMALL),  # type: ignore[arg-type]
            FollowUp(policy=policy, other_policy="best", **SMALL),  # type: ignore[arg-type]
        ):
            question.check_settings()
            check_trial(question, 5, trial)


def test_against_several_they_play_boldly():
    """As the option says."""
    bold, *others = (
        Several(policy=policy, ones=1, others=3, **SMALL).rows(6, 0, many(40, 8))
        for policy in ("bold", "best", "thumb")
    )
    assert all((rows == bold).all() for rows in others)


def test_with_dice_nobody_knows_what_is_best():
    with pytest.raises(CardhouseError, match="policy"):
        msgspec.structs.replace(Dice(), policy="best").check_settings()
    assert "best isn't available with dice" in settings_of(Dice)["policy"].text
