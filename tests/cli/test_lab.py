"""`cardhouse lab`: a question, its numbers, and what is said of a question that makes no sense."""

from __future__ import annotations

import json

import pytest

from cardhouse.cli import main
from cardhouse.lab.dogpile import games_of

SMALL = ("lab", "dogpile", "silence", "--trials", 3, "--rounds", 2, "--hand-size", 2)


def test_the_numbers_are_a_table(run):
    done = run(*SMALL, "--players", "1,2", "--bots", "sure,random")
    assert (done.status, done.err.strip()) == (0, "")
    heading, *rows = (line.split() for line in done.out.splitlines())
    assert heading[:4] == ["Players", "Jokers", "Bot", "Games"]
    assert [row[:4] for row in rows] == [[players, "2", bot, "3"] for players in "12" for bot in ("sure", "random")]
    assert all("±" in row[6] for row in rows)


def test_programs_get_everything(run):
    done = run(*SMALL, "--players", 2, "--bots", "reader", "--jokers", "0-1", "--seed", 4, "--json")
    found = json.loads(done.out)
    assert (found["rounds"], found["seed"], found["deck"]) == (2, 4, "standard")
    assert [one["jokers"] for one in found["found"]] == [0, 1]
    for one in found["found"]:
        assert one["bots"] == ["reader", "reader"]
        assert (one["games"], one["hand_size"]) == (3, 2)
        assert set(one["dogs_a_round"]) == set(one["lost"]) == {"mean", "error"}
    assert run(*SMALL, "--players", 2, "--bots", "reader", "--jokers", "0-1", "--seed", 4, "--json").out == done.out


def test_all_bots_play_if_none_is_named(run):
    found = json.loads(run(*SMALL, "--players", 1, "--json").out)["found"]
    assert [one["bots"] for one in found] == [["sure"], ["bold"], ["reader"], ["random"]]


def test_decks_come_along_or_from_a_file(run, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(run("deck", "show", "dogs").out, "utf-8")
    named, own = (json.loads(run(*SMALL, "--deck", deck, "--bots", "sure", "--json").out) for deck in ("dogs", file))
    assert named["found"] == own["found"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--players", "9"), "--players takes numbers from 1 to 8"),
        (("--players", "0"), "--players takes numbers from 1 to 8"),
        (("--players", "4-2"), "--players takes numbers from 1 to 8, the lower one first, not 4-2"),
        (("--players", "many"), "--players takes numbers such as 2 or 1-8 or 1,8, not many"),
        (("--jokers", "3"), "--jokers takes numbers from 0 to 2"),
        (("--bots", "bald"), 'There is no bot "bald" for dogpile; there are sure, bold, reader, random.'),
        (("--bots", "sure,"), 'There is no bot ""'),
        (("--players", "8", "--hand-size", "8"), "8 hands of 8 and a Pack Leader are 65 cards; this deck has 54."),
        (("--hand-size", "11"), "--hand-size"),
        (("--trials", "0"), "--trials"),
        (("--deck", "nowhere.toml"), "There is no file nowhere.toml."),
    ],
)
def test_a_question_that_makes_no_sense_says_so(run, arguments, said):
    done = run("lab", "dogpile", "silence", *arguments)
    assert (done.status, done.out) == (2, "")
    assert said in done.err


def test_stopped_it_tells_of_what_was_played(run, monkeypatch):
    """As when somebody presses Ctrl-C in the third game."""

    def stopped(setting, games, seed):
        for number, one in enumerate(games_of(setting, games, seed, workers=1)):
            if number == 2:
                raise KeyboardInterrupt
            yield one

    monkeypatch.setattr("cardhouse.cli.lab_games.games_of", stopped)
    done = run(*SMALL, "--players", 1, "--bots", "sure", "--json")
    assert done.status == 0
    assert "Stopped" in done.err
    assert json.loads(done.out)["found"][0]["games"] == 2


@pytest.mark.parametrize("words", [("lab",), ("lab", "dogpile")])
def test_without_a_question_it_tells_what_there_is_to_ask(capsys, words):
    assert main(words) == 0
    assert "dogpile" in capsys.readouterr().out.lower()
