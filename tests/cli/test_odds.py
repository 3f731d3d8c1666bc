"""The odds on the command line, for a game with nested odds and a damage option."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

BRAWL = """\
{"cardhouse":1,"game":"hackjack","seats":["gm","ada","ben"]}
{"by":"gm","do":"add_character","name":"Nan","hp":0,"max_hp":7,"controller":"ada"}
{"by":"gm","do":"add_character","name":"Doc","hp":9,"max_hp":9}
{"by":"gm","do":"damage","target":"Nan","amount":1}
{"draw":"wounds","card":"D3"}
{"roll":"1d10","dice":[4]}
{"by":"gm","do":"drain","target":"Nan","amount":8,"as":"death_score"}
"""
GUNFIGHT = """\
{"cardhouse":1,"game":"gunfight","seats":["gm"]}
{"by":"gm","do":"add_character","name":"Nan","hp":0,"max_hp":7,"card":"HK"}
{"by":"gm","do":"add_character","name":"Doc","hp":9,"max_hp":9,"card":"C9"}
{"by":"gm","do":"damage","target":"Nan","amount":1}
{"draw":"wounds","card":"DA"}
{"by":"gm","do":"start_round"}
{"draw":"initiative","card":"HK"}
"""
MILL = """\
{"cardhouse":1,"game":"dogs","seats":["gm","ada"]}
{"by":"ada","do":"create","name":"Ada","stats":{"acuity":3,"body":2,"heart":2,"will":2}}
{"by":"gm","do":"npc","name":"The steward","type":"A"}
{"by":"gm","do":"open_conflict","stakes":"Whose is the mill?","sides":[["Ada"],["The steward"]],"arena":"talking"}
"""
GLIMPSE = """\
{"by":"gm","do":"damage","target":"Nan","amount":1}
{"draw":"wounds","card":"HA"}
{"draw":"wounds","card":"S8"}
"""


@pytest.fixture
def brawl(tmp_path: Path) -> Path:
    """A brawl in which Nan is down, with a death-score of 11 and a point of Blood."""
    file = tmp_path / "brawl.jsonl"
    file.write_text(BRAWL, "utf-8")
    return file


def test_chances_within_chances_are_columns(run: Run, brawl: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "120")
    status, out, err = run("odds", brawl)
    assert (status, err) == (0, "")
    head, _, nan = out.splitlines()
    assert re.split(r"\s{2,}", head.strip()) == [
        *("Preventing: dies", "Preventing: exactly 21"),
        *("Fighting on: dies", "Fighting on: exactly 21"),
    ]
    # Of 51 cards 15 count ten, and the queen of spades ten and more; four count nine.
    assert nan.split() == ["Nan", *(f"{count / 51:.4g}" for count in (1, 15, 16, 4))]


def test_for_programs_every_sum(run: Run, brawl: Path):
    status, out, _ = run("odds", brawl, "--json")
    told = json.loads(out)
    assert (status, out.count("\n")) == (0, 1)
    assert (told["game"], told["seat"], list(told["odds"])) == ("hackjack", "gm", ["Nan"])
    preventing, fighting_on = told["odds"]["Nan"]["preventing"], told["odds"]["Nan"]["not_preventing"]
    assert list(preventing) == list(fighting_on) == ["dies", "exactly_21", "death_score"]
    assert preventing["death_score"]["0"] == preventing["exactly_21"] == 15 / 51
    assert fighting_on["death_score"]["13"] == 4 / 51


def test_how_hard_the_hit_is(run: Run, brawl: Path):
    def after(damage: int) -> Any:
        told = json.loads(run("odds", brawl, "--damage", damage, "--json").out)
        return told["odds"]["Nan"]["preventing"]["death_score"]

    assert after(1) == after(13) != after(14)
    assert after(14)["25"] == 50 / 51
    assert " 1 " in run("odds", brawl, "--damage", 1000).out


def test_odds_use_only_what_the_seat_may_know(run: Run, tmp_path: Path):
    file = tmp_path / "glimpse.jsonl"
    file.write_text(BRAWL + GLIMPSE, "utf-8")
    known = {
        seat: json.loads(run("odds", file, "--seat", seat, "--json").out) for seat in ("gm", "ada", "ben", "screen")
    }
    spread = {seat: told["odds"]["Nan"]["preventing"]["death_score"] for seat, told in known.items()}
    assert spread["gm"] == spread["ada"] == {"0": 1}
    assert spread["ben"] == spread["screen"] != spread["ada"]


def test_a_game_of_two_has_a_table_for_each(run: Run, tmp_path: Path):
    file = tmp_path / "gunfight.jsonl"
    file.write_text(GUNFIGHT, "utf-8")
    status, out, _ = run("odds", file)
    assert status == 0
    order, fight = out.split("Fight\n")
    assert order.startswith("\nOrder\n")
    assert "Acts" in order
    assert "Preventing" in fight
    assert "Doc" in order
    assert "Doc" not in fight


def test_odds_of_a_simulation_come_with_their_error(run: Run, tmp_path: Path):
    file = tmp_path / "mill.jsonl"
    file.write_text(MILL, "utf-8")
    told = json.loads(run("odds", file, "--trials", 50, "--json").out)["odds"]
    assert (told["trials"], told["policy"]) == (50, "bold")
    done = run("odds", file, "--trials", 50)
    assert (done.status, done.err) == (0, "")
    assert re.search(r"Played as +bold", done.out)
    for side in told["sides"]:
        assert " ".join([*side["names"], f"{side['wins']:.4g}", f"{side['error']:.4g}"]) in " ".join(done.out.split())
    assert "they take trials" in run("odds", file, "--damage", 3).err


def test_there_are_no_odds_without_a_character_down(run: Run, tmp_path: Path):
    file = tmp_path / "quiet.jsonl"
    file.write_text("".join(BRAWL.splitlines(keepends=True)[:3]), "utf-8")
    assert run("odds", file).out == "There are no odds to show at this point.\n"
    assert run("odds", file, "--json").out == '{"game":"hackjack","seat":"gm","odds":{}}\n'


def test_odds_that_do_not_ask_for_damage(run: Run, fight: Path):
    assert run("odds", fight, "--damage", 3) == (
        2,
        "",
        "cardhouse: The odds of initiative don't take damage; they take no parameters.\n",
    )


@pytest.mark.parametrize("damage", ["0", "1001", "-1", "1.5", "much"])
def test_damage_is_a_whole_number_from_1_to_1000(run: Run, brawl: Path, damage: str):
    status, out, err = run("odds", brawl, "--damage", damage)
    assert (status, out) == (2, "")
    assert err.startswith("cardhouse: Invalid value for '--damage': ")
    assert err.count("\n") == 1
