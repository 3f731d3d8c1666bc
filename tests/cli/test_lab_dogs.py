"""`cardhouse lab dogs fallout`: its exact odds."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest

from cardhouse.games.dogs.fallout.odds import DECKS, chances, needs_healing
from cardhouse.games.dogs.state import PILES


def test_the_odds_of_fallout_are_a_table(run):
    """docs/dogs-fallout.md has the whole of it."""
    done = run("lab", "dogs", "fallout", "--cards", "2-3", "--body", 1)
    assert (done.status, done.err) == (0, "")
    rows = [line.split() for line in done.out.splitlines() if line.strip()]
    guns = [row for row in rows if row[:2] == ["Guns", "3"]]
    assert guns[0][-2:] == ["5.77%", "1.29%"]
    assert guns[1][2:] == ["63.68%"]
    assert [row[1] for row in rows if row[0] == "Talking"] == ["2", "3"]


def test_programs_get_fractions(run):
    done = run("lab", "dogs", "fallout", "--cards", 4, "--body", "0,2", "--decks", 2, "--json")
    told = json.loads(done.out)
    assert (told["decks"], [one["arena"] for one in told["found"]]) == (2, [*PILES])
    for one in told["found"]:
        found = chances(one["arena"], one["cards"], DECKS[2])
        assert {name: Fraction(chance) for name, chance in one["severity"].items()} == found.severity
        assert Fraction(one["experience"]) == found.experience
        healing = {body: Fraction(chance) for body, chance in one["needs_healing"].items()}
        assert healing == {str(body): needs_healing(one["arena"], 4, body, DECKS[2]) for body in (0, 2)}


def test_one_asks_about_some_arenas_only(run):
    told = json.loads(run("lab", "dogs", "fallout", "--cards", 2, "--arena", "guns,talking", "--json").out)
    assert [one["arena"] for one in told["found"]] == ["guns", "talking"]
    done = run("lab", "dogs", "fallout", "--cards", 2, "--arena", "guns")
    arenas = [line.split()[0] for line in done.out.splitlines() if line[:1].isalpha() and line.split()[1:2] == ["2"]]
    assert arenas == ["Guns", "Guns"]
    assert "Body" not in run("lab", "dogs", "fallout", "--arena", "talking").out, "which wounds nobody"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--arena", "love"), "arena takes one of talking, physical, fighting, guns, not love."),
        (("--cards", "0"), "cards takes a whole number from 1 to 20, not 0."),
        (("--cards", "3,1-21"), "cards takes a whole number from 1 to 20, not 21."),
        (("--body", "10"), "body takes a whole number from 0 to 9, not 10."),
        (("--decks", "3"), "--decks"),
    ],
)
def test_a_question_that_makes_no_sense_says_so(run, arguments, said):
    done = run("lab", "dogs", "fallout", *arguments)
    assert (done.status, done.out) == (2, "")
    assert said in done.err


def test_dice_and_cards_are_compared_unless_one_asks_for_one_of_them(run):
    both = run("lab", "dogs", "dice", "--trials", 400).out
    assert re.search(r"^Do cards play like dice\? \(400 conflicts; ", both, re.MULTILINE)
    assert re.search(r"difference between dice and cards|With cards,", both)
    assert "difference" not in run("lab", "dogs", "dice", "--by", "cards", "--trials", 400).out.lower()
