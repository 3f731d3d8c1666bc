"""Wounds files on the command line (HJ-30)."""

import io
import json
import sys
from pathlib import Path

import pytest

from cardhouse.cards import STANDARD
from cardhouse.games.hackjack.wounds.data import WOUNDS_FILE, standard_wounds
from tests.cli.conftest import Run

MINE = """\
[C4]
name = "Sprained arms"
text = "They hurt for a week."
ends = "week"

[DQ]
name = "Dread"
text = "It doesn't leave you."
ends = "permanent"
conditions = ["fear"]
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A wounds file with two wounds."""
    file = tmp_path / "mine.toml"
    file.write_text(MINE, "utf-8")
    return file


@pytest.mark.parametrize("command", ["check", "show"])
def test_each_teaches_by_example(run: Run, command: str):
    assert f" cardhouse wounds {command} " in run("wounds", command, "--help").out
    assert f" cardhouse wounds {command} " in run("wounds").out
    assert run("wounds").out.strip() == run("wounds", "--help").out.strip()


def test_a_right_file(run: Run, mine: Path):
    said = "2 wounds are rewritten: C4, DQ; the others are the standard ones.\n"
    assert run("wounds", "check", mine) == (0, said, "")
    told = run("wounds", "check", mine, "--json")
    assert (told.status, json.loads(told.out)) == (0, {"ok": True, "cards": ["C4", "DQ"], "mistakes": []})
    assert told.err == ""


def test_one_wound_and_none(run: Run, mine: Path):
    mine.write_text(MINE.partition("[DQ]")[0], "utf-8")
    assert run("wounds", "check", mine).out == "1 wound is rewritten: C4; the others are the standard ones.\n"
    mine.write_text("")
    assert run("wounds", "check", mine).out == "No wound is rewritten: all are the standard ones.\n"


def test_all_wounds(run: Run, mine: Path):
    mine.write_text("".join(MINE.partition("\n\n")[0].replace("C4", card) + "\n" for card in STANDARD), "utf-8")
    assert run("wounds", "check", mine).out == f"52 wounds are rewritten: {', '.join(STANDARD)}.\n"


def test_a_printed_template_passes_the_check(run: Run, tmp_path: Path):
    status, out, err = run("wounds", "show")
    assert (status, out, err) == (0, WOUNDS_FILE, "")
    (tmp_path / "mine.toml").write_text(out.replace("Thrown back", "Knocked over"), "utf-8")
    checked = run("wounds", "check", tmp_path / "mine.toml")
    assert checked.out == "1 wound is rewritten: CA; the others are the standard ones.\n"


def test_every_mistake_has_its_line(run: Run, mine: Path):
    mine.write_text(MINE.replace('"week"', '"weak"').replace("[DQ]", "[DX]") + "[CA]\nblood = 21\n", "utf-8")
    status, out, err = run("wounds", "check", mine)
    assert (status, out) == (2, "")
    first, *lines = err.splitlines()
    assert first == f"cardhouse: The wounds in {mine} can't be used because of 6 mistakes:"
    assert [line.partition(" must be ")[0] for line in lines if " must be " in line] == [
        f"{mine}:4: C4.ends",
        f"{mine}:12: CA.blood",
    ]
    assert [line.removeprefix(f"{mine}:").partition(": ")[0] for line in lines] == ["4", "6", "11", "11", "11", "12"]


def test_every_mistake_for_programs(run: Run, mine: Path):
    mine.write_text(MINE + "trama = 1\n", "utf-8")
    told = run("wounds", "check", mine, "--json")
    message = "DQ.trama is an unknown field; did you mean trauma?"
    assert told.status == 2
    assert json.loads(told.out) == {
        "ok": False,
        "cards": [],
        "mistakes": [{"line": 11, "field": "DQ.trama", "message": message}],
    }
    assert told.err.splitlines()[1:] == [f"{mine}:11: {message}"]


def test_a_file_that_would_move_the_cursor_is_shown_not_sent(run: Run, mine: Path):
    mine.write_text('"\\u001b[2J" = 1\nC4.ends = "\\u001b[2J"\n', "utf-8")
    told = run("wounds", "check", mine)
    assert told.status == 2
    assert "\x1b" not in told.err
    assert [line.split(": ")[0] for line in told.err.splitlines()[1:]] == [f"{mine}:1", *[f"{mine}:2"] * 3]


def test_a_file_that_is_no_text(run: Run, mine: Path):
    mine.write_bytes(b"# one\n\xff")
    told = run("wounds", "check", mine)
    assert told.status == 2
    assert told.err.endswith(f"\n{mine}:2: The file must be UTF-8, and the byte 0xff in this line is not.\n")


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"[C1]\r\n")))
    status, _, err = run("wounds", "check", "-")
    assert status == 2
    assert err.splitlines()[1].startswith("standard input:1: C1 isn't a card")


def test_no_file(run: Run, tmp_path: Path):
    nowhere = tmp_path / "no.toml"
    assert run("wounds", "check", nowhere) == (2, "", f"cardhouse: File not found: {nowhere}\n")
    assert run("wounds", "check", tmp_path).err == f"cardhouse: {tmp_path} can't be read: Is a directory.\n"


@pytest.mark.parametrize("card", STANDARD)
def test_one_wound_shown(run: Run, card: str):
    wound = standard_wounds()[card]
    status, out, err = run("wounds", "show", card)
    assert (status, err) == (0, "")
    assert out.startswith(f"{card:7}{wound.name}\n")
    said = " ".join(out.split())
    assert wound.text in said
    assert f"Ends {wound.ends}" in said
    words = [*wound.conditions, *(meaning for detail in wound.details for meaning in detail.means)]
    words += [str(amount) for amount in (wound.blood, wound.trauma, wound.max_hp) if amount]
    words += [f"{ability} {change}" for ability, change in wound.abilities.items()]
    words += [f"{ability} {dice}" for ability, dice in wound.drops.items()]
    words += [wound.special] if wound.special else []
    words += [wound.check.failed] if wound.check else []
    words += [wound.lasting.text] if wound.lasting else []
    assert [word for word in words if word not in said] == []


def test_one_wound_whole(run: Run):
    assert [line.rstrip() for line in run("wounds", "show", "sj").out.splitlines()] == [
        "SJ     Limb lost",
        "       Something comes off. Roll a d4 for the limb and a d4 for how much of it:",
        "       1 is just the hand or foot, 4 is the whole limb. The stump heals with",
        "       your recovery time; what is gone is gone for good.",
        "",
        "       Ends            recovery",
        "       Blood           3",
        "       Trauma          2",
        "       Conditions      limb_lost",
        "       Roll 1d4        limb: 1 left arm, 2 right arm, 3 left leg, 4 right leg",
        "       Roll 1d4        how much: 1 only the hand or foot, 2 less than half of",
        "                       it, 3 more than half of it, 4 all of it",
        "       Lasting         The limb is gone for good. (conditions limb_lost)",
    ]


def test_a_wound_that_is_not_there(run: Run):
    status, out, err = run("wounds", "show", "RJ")
    assert (status, out) == (2, "")
    assert err == "cardhouse: There is no wound RJ; each card has one: C, D, H or S, and A, 2 to 10, J, Q or K.\n"


def test_wounds_may_be_a_table_from_a_spreadsheet(run: Run, tmp_path: Path):
    file = tmp_path / "mine.csv"
    file.write_text("sep=;\nid;name;text;ends;abilities\nC2;Black eye;It is swollen.;week;STR -2\n", "utf-16")
    assert run("wounds", "check", str(file)).out == "1 wound is rewritten: C2; the others are the standard ones.\n"
    asked = run("lab", "hackjack", "deadly", "--wounds", str(file), "--trials", "50", "--json")
    assert json.loads(asked.out)["answers"][0]["settings"]["wounds"]["C2"]["name"] == "Black eye"
    file.write_text("id;name;text;ends\nC2;Black eye;It is swollen.;never\n", "utf-8")
    assert f"{file}:2: C2.ends" in run("wounds", "check", str(file)).err
