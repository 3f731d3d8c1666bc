"""The feel of a game: the findings for a game with known answers, and for other packages' games."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest

from cardhouse.cli import main
from cardhouse.engine import GM, CardhouseError, find_game
from cardhouse.lab.questions.answer import Values
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.drama import OWN, Feel, feel_of
from cardhouse.lab.questions.game_settings import options_of
from cardhouse.lab.questions.lead import Course
from cardhouse.lab.questions.question import find_question, questions_of
from cardhouse.lab.questions.settings import settings_of
from cardhouse.lab.running.study import Found, Study, ask
from tests.installed import look_anew
from tests.player.conftest import EXAMPLES, GAMES

TALLY = Path(__file__).parent / "games"
DIST = "Metadata-Version: 2.1\nName: strangers\nVersion: 1\n"


@pytest.fixture(autouse=True, scope="module")
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The strangers' games in `examples/` are installed, and one that stands beside this file."""
    told = tmp_path_factory.mktemp("strangers") / "strangers-1.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(DIST)
    lines = (f"{name} = {there}\n" for name, there in GAMES.items())
    (told / "entry_points.txt").write_text("[cardhouse.games]\n" + "".join(lines))
    with pytest.MonkeyPatch.context() as patch:
        for folder in (told.parent, TALLY, *(EXAMPLES / game for game in GAMES)):
            patch.syspath_prepend(str(folder))
        forget()
        yield
    forget()


def forget() -> None:
    """Look anew which games are installed."""
    look_anew()
    for known in (feel_of, options_of):
        known.cache_clear()


def found(game: str, trials: int, **settings: Any) -> dict[str, Found]:
    """What so many evenings tell, by the findings' keys."""
    question = of(game, **settings)
    (answer,) = ask(Study(cells=(Cell(question),), trials=trials), workers=1).answers
    return {one.finding.key: one for one in answer.found}


def of(game: str, **settings: Any) -> Feel:
    """The question, with settings that only this game has."""
    return feel_of(game)(**settings)


def value(one: Found) -> float | None:
    return one.estimate.value


# Who led, against a brute-force reading of every short course.


def test_the_course_of_an_evening_is_as_one_would_count_it():
    none, ada, ben, both = frozenset[str](), frozenset({"ada"}), frozenset({"ben"}), frozenset({"ada", "ben"})
    for led in product((none, ada, ben, both), repeat=5):
        course = Course(led)
        last = led[-1]
        some = [one for one in led if one]
        assert course.changes() == sum(not one & other for one, other in pairwise(some))
        if not last:
            continue
        since = min(n for n in range(6) if all(one == last for one in led[n:]))
        assert course.decided() == pytest.approx(since / 5)
        assert course.behind() == pytest.approx(sum(bool(one) and not one & last for one in led) / 5)
        assert course.at(10) == 3
        for tenth in range(1, 11):
            there = led[(tenth + 1) // 2 - 1]
            assert course.at(tenth) == (3 if there == last else 1 if there and not there & last else 2)


# A game of which one knows the answers.


@pytest.mark.soak
def test_where_a_choice_is_all_there_is_it_is_seen():
    told = found("tally", 30, turns=2, worlds=4, playouts=6)
    assert (value(told["second"]), value(told["idle"])) == (100, 0)
    exact = 100 * (2 / 3 + 1 / 3 / 2)  # of three answers one is the best itself, and a tie is half
    low, high = told["any"].estimate.low, told["any"].estimate.high
    assert low is not None
    assert high is not None
    assert low < exact < high
    assert (value(told["answers"]), value(told["decisions"]), value(told["open"])) == (4, 4, 3)
    assert value(told["waits"]) == 1  # the other's
    assert value(told["decided"]) is None  # all take the same: nobody leads at the end


def test_what_skill_does_is_what_one_can_count():
    """Of two turns chance takes the most in both once in nine evenings: then it comes to as much, else to less."""
    told = found("tally", 300, turns=2, worlds=0)
    better, alike = told["better"].estimate, told["alike"].estimate
    assert better.low is not None
    assert better.high is not None
    assert better.low < 8 / 9 < better.high
    assert value(told["worse"]) == 0
    assert alike.value == pytest.approx(1 - (better.value or 0))


@pytest.mark.soak
@pytest.mark.parametrize("points", ["die", "same"])
def test_where_nothing_matters_that_is_seen_too(points: str):
    told = found("tally", 6, points=points, turns=2, worlds=2, playouts=6)
    assert [value(told[key]) for key in ("second", "any", "idle", "alike")] == [50, 50, 1, 1]


@pytest.mark.soak
def test_the_lead_changes_with_the_dice_alone():
    """Of two turns of a die each, the lead can change with the third and fourth throw: counted over all."""
    many = changed = 0
    for throws in product(range(1, 7), repeat=4):
        one = other = 0
        led = []
        for turn, throw in enumerate(throws):
            one, other = (one + throw, other) if turn % 2 == 0 else (one, other + throw)
            led.append(frozenset("a") if one > other else frozenset("b") if other > one else frozenset())
        changed += Course(led).changes()
        many += 1
    told = found("tally", 300, points="die", turns=2, worlds=0, against="greedy")["changes"].estimate
    assert told.low is not None
    assert told.high is not None
    assert told.low < changed / many < told.high


# Strangers' games, and ours.


@pytest.mark.soak
def test_a_strangers_game_is_asked_with_no_line_of_its_own(capsys: pytest.CaptureFixture[str]):
    short = ("--deals", "1", "--hand", "3", "--worlds", "1", "--playouts", "4")
    asked = ["lab", "magpies", "feel", "--trials", "3", "--cores", "1", "--afresh", *short]
    assert main([*asked, "--json"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)["answers"]
    told = {one["key"]: one for one in answer["findings"]}
    assert answer["settings"]["player"] == "shrewd"
    assert told["decisions"]["value"] > 3
    assert told["second"]["low"] <= told["second"]["value"] <= told["second"]["high"]
    assert main(asked) == 0
    assert "lead changes" in capsys.readouterr().out


def test_a_ladder_of_players_is_a_sweep(capsys: pytest.CaptureFixture[str]):
    """A row for each player, from the same seeds: who thinks is better than who doesn't."""
    short = ("--turns", "2", "--worlds", "0", "--playouts", "8", "--trials", "12", "--cores", "1", "--afresh")
    asked = ["lab", "tally", "feel", "--player", "chance,greedy,house", "--others", "chance", *short, "--json"]
    assert main(asked) == 0
    chance, greedy, house = (
        {one["key"]: one["value"] for one in each["findings"]}
        for each in json.loads(capsys.readouterr().out)["answers"]
    )
    assert chance["won"] < greedy["won"] == house["won"] == 1
    assert (chance["alike"], chance["better"]) == (1, 0)
    assert greedy["better"] == house["better"] > 0.5


def test_a_game_without_standings_reports_the_other_findings():
    told = found("showdown", 2, worlds=1, playouts=4)
    assert list(told) == ["answers", "decisions", "open", "waits", "cards", "dice"]
    assert value(told["answers"]) is not None


def test_its_settings_are_the_games_players_and_options():
    assert options_of("dogpile", OWN)["hand_size"] == "hand_size"
    settings = settings_of(feel_of("dogpile"))
    assert settings["player"].choices == ("chance", *find_game("dogpile").bots, "house")
    assert settings["hand_size"].text
    assert "players" in settings
    assert of("tally", points="die").options() == {"turns": 4, "points": "die"}


def test_it_is_played_by_bots_that_can_win():
    dogs = of("dogs")
    assert (dogs.player, dogs.others, dogs.against) == ("bold", "bold", "chance")
    assert of("initiative").player == find_game("initiative").plays_on


def test_chance_shoots_where_the_game_master_applies_shots():
    """Its turn has no other answer than to end it; the shot is the game master's."""
    session = of("gunfight", player="chance", worlds=0).played(1, 0)
    by = next(who["name"] for who in session.view(GM)["fight"]["characters"] if who["controller"] == "ada")
    turns, shots, acting = 0, 0, ""
    for entry in session.entries:
        shots += entry.lines[0].get("do") == "damage" and acting == by
        for event in entry.events:
            if event.key == "acts":
                acting = str(event.about["name"])
                turns += acting == by
    assert 0 < shots < turns


def test_where_no_choice_changed_who_won_it_says_so():
    question = of("tally")
    known = {"answers": 20, "decisions": 8, "alike": 1.0, "better": 0.0, "worse": 0.0}
    tale = question.tale(Values(known, trials=40))
    assert tale is not None
    assert tale.sentence == "In 40 sessions, no choice changed who won."
    assert "A session takes 20 moves, 8 of them a choice." in tale.line
    tale = question.tale(Values({**known, "alike": 0.99}, trials=40))
    assert tale is not None
    assert "no choice" not in tale.sentence


def test_rows_of_which_nothing_is_known_are_left_out(capsys: pytest.CaptureFixture[str]):
    assert main(["lab", "tally", "feel", "--trials", "2", "--worlds", "0", "--turns", "2", "--afresh"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert not [row for row in rows if re.search(r" -\s*$", row)]
    assert any(row.startswith("moves in a session") for row in rows)


def test_it_goes_to_other_processes():
    question = of("tally", turns=2)
    assert pickle.loads(pickle.dumps(question)) == question
    assert isinstance(question, Feel)


def test_impossible_settings_are_refused_with_a_reason():
    with pytest.raises(CardhouseError, match="feel: "):
        of("tally", turns=99).check_settings()
    with pytest.raises(CardhouseError, match="player can't be 'nobody'"):
        of("tally", player="nobody").check_settings()
    with pytest.raises(CardhouseError, match="there are feel"):
        find_question("tally", "odd")
    assert list(questions_of("tally")) == ["feel"]
