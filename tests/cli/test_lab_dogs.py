"""`cardhouse lab dogs`: exact odds of fallout, and duels between policies."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from cardhouse.games.dogs.fallout_odds import DECKS, chances, needs_healing
from cardhouse.games.dogs.state import PILES
from cardhouse.lab.dogs import deals_of


def test_the_odds_of_fallout_are_a_table(run):
    """docs/dogs-fallout.md has the whole of it."""
    done = run("lab", "dogs", "fallout", "--cards", "2-3", "--body", 1)
    assert (done.status, done.err) == (0, "")
    rows = [line.split() for line in done.out.splitlines() if line.strip()]
    guns = [row for row in rows if row[:2] == ["Guns", "3"]]
    assert guns[0][-4:] == ["5.77", "%", "1.29", "%"]
    assert guns[1][2:] == ["63.68", "%"]
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


def test_duels_are_a_table_or_json(run):
    asked = ("lab", "dogs", "policies", "--cards", "3,5", "--trials", 4)
    heading, *rows = run(*asked).out.splitlines()
    assert heading.split()[:4] == ["Cards", "Deals", "Wins", "Against"]
    assert [row.split()[:4] for row in rows] == [["3", "4", "bold", "plain"], ["5", "4", "bold", "plain"]]
    told = json.loads(run(*asked, "--policies", "plain,plain", "--json").out)
    assert [(one["policies"], one["wins"]["mean"]) for one in told["found"]] == [(["plain", "plain"], 0.5)] * 2


def test_stopped_it_tells_of_what_was_played(run, monkeypatch):
    """As when somebody presses Ctrl-C in the third deal."""

    def stopped(duel, deals, seed):
        for number, one in enumerate(deals_of(duel, deals, seed, workers=1)):
            if number == 2:
                raise KeyboardInterrupt
            yield one

    monkeypatch.setattr("cardhouse.cli.lab_dogs.deals_of", stopped)
    done = run("lab", "dogs", "policies", "--cards", 3, "--trials", 5, "--json")
    assert "Stopped" in done.err
    assert json.loads(done.out)["found"][0]["deals"] == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("fallout", "--cards", "0"), "--cards takes numbers from 1 to 20"),
        (("fallout", "--body", "10"), "--body takes numbers from 0 to 9"),
        (("fallout", "--decks", "3"), "--decks"),
        (("policies", "--cards", "21"), "--cards takes numbers from 1 to 20"),
        (("policies", "--policies", "bold"), "--policies takes two of plain, bold"),
        (("policies", "--policies", "bold,bald"), 'There is no policy "bald" for dogs; there are plain, bold.'),
    ],
)
def test_a_question_that_makes_no_sense_says_so(run, arguments, said):
    done = run("lab", "dogs", *arguments)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
