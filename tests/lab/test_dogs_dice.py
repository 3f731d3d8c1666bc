"""Conflicts with dice: the kernel follows the rulings, roll for roll, and exact numbers are right."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from cardhouse.engine import CardhouseError
from cardhouse.games.dogs.fallout.odds import SEVERITIES
from cardhouse.games.dogs.lab import dice as rulings
from cardhouse.games.dogs.lab.dice.exact import odds_of
from cardhouse.games.dogs.lab.dice.policies import fewest
from cardhouse.games.dogs.lab.dice.pools import POOLS, dice_of, person_from
from cardhouse.games.dogs.lab.dice.question import Dice
from cardhouse.games.dogs.lab.dice.rules import DiceConflict
from cardhouse.games.dogs.lab.dice.sides import FALLOUT_DICE, Setting
from cardhouse.games.dogs.lab.opponents import MARKS
from cardhouse.games.dogs.people.notation import read_dice, scaled
from cardhouse.games.dogs.people.sheet import STATS, Stats
from cardhouse.games.dogs.state import PILES, Pile
from cardhouse.lab.questions.proof import check_trial
from tests.thorough import many

pytestmark = pytest.mark.soak


def any_question(rng: Random) -> Dice:
    """Settings of every kind: points and dice, marks and dice, many things and none."""
    most = rng.choice([0, 1, 3, 6])

    def things() -> str:
        words = [*MARKS, "1d4", "3d10", "1d6+1d4", "2d8", "1d10", "5d4"]
        return " ".join(rng.choice(words) for _ in range(rng.randint(0, most)))

    def stats() -> str:
        if rng.random() < 0.3:
            return " ".join(f"{rng.randint(1, 6)}d6" for _ in range(4))
        return " ".join(str(rng.choice([0, 1, 2, 2, 2])) for _ in range(4))

    asked: dict[str, Any] = {
        "by": rng.choice(["dice", "dice", "dice", "dice", "cards"]),
        "stats": stats(),
        "other_stats": stats(),
        "brings": things(),
        "other_brings": things(),
        "policy": rng.choice(["plain", "thrifty", "bold"]),
        "other_policy": rng.choice(["plain", "thrifty", "bold"]),
        "pools": rng.choice(["fewest", "usual", "most"]),
        "arena": rng.choice(PILES),
        "starter": rng.choice(["one", "other", "turns"]),
        "improvised": rng.choice([0, 1, 3]),
    }
    return msgspec.convert(asked, Dice)


@pytest.mark.slow
def test_trials_are_those_of_the_rulings():
    rng = Random(8)
    seen: Counter[str] = Counter()
    for number in range(many(400, 40)):
        question = any_question(rng)
        question.check_settings()
        for trial in range(2):
            for line in map(msgspec.json.decode, check_trial(question, number, trial).splitlines()):
                seen[line.get("does", "")] += 1
    assert {"rolls", "escalates", "raises", "reverses", "blocks", "takes the blow", "gives", "suffers"} <= set(seen)


@pytest.mark.parametrize("value", [2, 7, 13, 20])
def test_the_fewest_dice_are_the_cheapest_of_their_number(value: int):
    rng = Random(value)
    for _ in range(60):
        hand = tuple(sorted((rng.randint(1, rng.choice([2, 6, 10])) for _ in range(rng.randint(0, 9))), reverse=True))
        for at_least in (1, 3):
            ways = [tuple(sorted(some, reverse=True)) for some in subsets(hand, at_least) if sum(some) >= value]
            best = min(ways, key=lambda dice: (len(dice), sum(dice), dice), default=None)
            assert fewest(hand, value, at_least) == best


def subsets(hand: tuple[int, ...], at_least: int) -> Iterator[tuple[int, ...]]:
    """All of a hand's subsets of so many dice or more."""
    for taken in product((False, True), repeat=len(hand)):
        if sum(taken) >= at_least:
            yield tuple(die for die, is_taken in zip(hand, taken, strict=True) if is_taken)


def every_fight(setting: Setting) -> Iterator[tuple[DiceConflict, float]]:
    """A conflict of the rulings for each way the dice may fall, with its chance; fallout isn't rolled."""
    faces: list[int] = []
    while True:
        rolled: list[int] = []

        def roll_die(sides: int, rolled: list[int] = rolled) -> int:
            rolled.append(sides)
            if len(faces) < len(rolled):
                faces.append(1)
            return faces[len(rolled) - 1]

        conflict = DiceConflict(setting, 0, roll_die)
        conflict.fight()
        yield conflict, 1 / prod(rolled)
        while faces and faces[-1] == rolled[len(faces) - 1]:
            faces.pop()
        if not faces:
            return
        faces[-1] += 1


@pytest.mark.parametrize(
    "question",
    [
        Dice(
            policy="plain", other_policy="plain", stats="1 0 0 0", other_stats="1 0 0 0", brings="2d4", other_brings="-"
        ),
        Dice(policy="bold", other_policy="plain", stats="0 0 2 0", other_stats="1 0 0 0", brings="", other_brings=""),
        Dice(
            policy="thrifty",
            other_policy="plain",
            stats="0 0 2 0",
            other_stats="0 0 1 0",
            brings="",
            other_brings="1d4",
        ),
    ],
)
def test_exact_numbers_equal_the_rulings_over_all_rolls(question: Dice):
    setting = msgspec.structs.replace(question, improvised=0, starter="one").with_dice()
    found: defaultdict[str, float] = defaultdict(float)
    for conflict, chance in every_fight(setting):
        one, other = conflict.two
        found["all"] += chance
        found["wins"] += chance * (conflict.winner == 0)
        found["starter_wins"] += chance * (conflict.winner == conflict.starter)
        found["raises"] += chance * conflict.raises
        found["cards"] += chance * one.used
        found["other_cards"] += chance * other.used
        found["blows"] += chance * sum(one.blows.values())
        found["other_blows"] += chance * sum(other.blows.values())
    assert found.pop("all") == pytest.approx(1)
    assert odds_of(setting) == pytest.approx(dict(found), abs=1e-9)


def test_trials_come_out_as_is_exact():
    question = Dice(
        stats="2 1 1 1", other_stats="1 1 2 1", brings="o", other_brings="1d4 -", policy="plain", other_policy="plain"
    )
    rows = question.rows(9, 0, 60_000).astype(float)
    columns = [measure.key for measure in question.measures()]
    exact = question.exact()
    assert len(exact) == 7
    for finding in question.findings():
        if finding.key in exact:
            found = rows[:, columns.index(finding.measure)]
            assert abs(found.mean() - exact[finding.key]) <= 5 * found.std() / len(rows) ** 0.5 + 1e-9, finding.key


@pytest.mark.parametrize(
    "question",
    [
        Dice(),
        Dice(policy="plain", other_policy="plain", brings="+* +* +*"),
        Dice(policy="bold", other_policy="plain", stats="0 0 2 0", brings="", other_brings="o"),
    ],
)
def test_later_or_too_many_rolls_are_not_exact(question: Dice):
    assert question.exact() == {}


@pytest.mark.parametrize(
    ("pile", "dice", "severities", "learns"),
    [
        ("talking", 3, (84.3, 15.6, 0, 0, 0), 57.8),
        ("talking", 5, (63.2, 36.7, 0, 0, 0), 76.2),
        ("physical", 3, (31.9, 60.6, 7.4, 0, 0), 42.1),
        ("fighting", 3, (13.5, 40.2, 42.0, 4.3, 0), 33.0),
        ("guns", 3, (6.9, 22.1, 38.3, 29.9, 2.8), 26.8),
        ("guns", 4, (2.2, 13.0, 36.1, 43.4, 5.2), 33.3),
    ],
)
def test_fallout_is_as_others_have_counted_it(pile: Pile, dice: int, severities: tuple[float, ...], learns: float):
    """In per cent, from John H. Kim's tables (darkshire.net/~jhkim/rpg/dogsinthevineyard/diceprob.html)."""
    setting = Dice().with_dice()
    found: Counter[str] = Counter()
    every = list(product(range(1, FALLOUT_DICE[pile] + 1), repeat=dice))
    for faces in every:
        left = iter((*faces, *(6,) * 20))
        conflict = DiceConflict(setting, 0, lambda sides: next(left))  # noqa: B023 (called before the next)
        one = conflict.two[0]
        one.blows[pile] = dice
        conflict.resolve_fallout(one)
        found[one.suffers or ""] += 1
        found["learns"] += one.learns
    shares = [100 * found[severity] / len(every) for severity in SEVERITIES]
    assert shares == pytest.approx(severities, abs=0.11)
    assert 100 * found["learns"] / len(every) == pytest.approx(learns, abs=0.11)


def test_the_injured_who_roll_as_high_need_nobody():
    assert not injured(8, 4, (6, 6, 1, 1))
    assert injured(8, 4, (6, 5, 5, 5))
    assert injured(8, 5, (6, 6, 6, 6))


def injured(first: int, second: int, body: tuple[int, ...]) -> bool:
    """Whether somebody with these fallout dice of a fight needs healing, if these are its dice for Body."""
    left = iter((first, second, 1, *body))
    conflict = DiceConflict(Dice(stats="3 2 2 2").with_dice(), 0, lambda sides: next(left))
    one = conflict.two[0]
    one.blows["fighting"] = 3
    conflict.resolve_fallout(one)
    assert one.suffers == "injured"
    assert list(left) == []
    return one.needs_healing


def test_stats_are_the_same_there_and_back():
    """Of nine points, that is: fewer are brought to nine by DV-5."""
    some = [Stats(*points) for points in product(range(1, 7), repeat=4) if sum(points) == 9]
    assert len(some) == 56
    assert [dice_of(stats).total for stats in some] == [17] * 56
    back = [scaled({stat: dice_of(stats).of(stat) for stat in STATS}) for stats in some]
    assert back == some
    assert [dice_of(Stats(*points)).total for points in ((2, 2, 2, 2), (2, 2, 2, 1), (0, 0, 0, 0))] == [15, 13, 0]


def test_the_dice_of_a_mark_make_it():
    assert set(POOLS) == set(MARKS)
    for mark, pools in POOLS.items():
        for dice in pools:
            kind, significant, _ = read_dice(dice)
            assert kind + "*" * significant == mark


def test_a_character_may_be_written_in_either_game():
    who = person_from("5d6 4d6 4d6 4d6", "2d8 o 1d6+2d4", "fewest")
    assert (who.stats, who.dice) == (Stats(3, 2, 2, 2), Stats(5, 4, 4, 4))
    assert [draws.mark for draws in who.things] == ["+", "o", "-*"]
    assert who.pools == ((8, 8), (6,), (6, 4, 4))
    assert person_from("3 2 2 2", "", "usual").dice == who.dice


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [
        ({"stats": "3 2 2"}, "Stats are four numbers"),
        ({"stats": "5d6 4d6 4d6 4d8"}, "Stats are four numbers"),
        ({"stats": "5d6 4d6 0d6 4d6"}, "1 to 20 each"),
        ({"other_stats": "3 3 3 3"}, "add up to 12, and 9 is the most"),
        ({"brings": "o x"}, 'no mark "x"; there are'),
        ({"brings": "1d12"}, "no d12"),
        ({"brings": "o " * 21}, "21 things are too many"),
        ({"brings": "20d4 " * 10}, "the most that somebody has"),
    ],
)
def test_who_can_not_be_is_refused_in_words(asked: dict[str, str], wrong: str):
    with pytest.raises(CardhouseError, match=wrong):
        msgspec.convert(asked, Dice).check_settings()


def test_every_ruling_is_in_the_document():
    ids = re.findall(r"^(DICE-\d+) ", rulings.__doc__ or "", re.MULTILINE)
    told = (Path(__file__).parents[2] / "docs" / "findings-dogs-dice.md").read_text("utf-8")
    assert len(ids) == 11
    assert re.findall(r"^\| (DICE-\d+) \|", told, re.MULTILINE) == ids
