"""Deck files on the command line (DG-20)."""

import io
import json
import sys
from pathlib import Path

import pytest

from cardhouse.games.dogpile.deck_file import STANDARD_FILE, bundled_decks, standard_deck
from tests.cli.conftest import Run

MINE = """\
name = "Five dogs"
text = "A small deck, to try things."
beside.all = [{ attribute = "size", at_most = 1 }, { attribute = "breed", different = true }]
above.any = [{ attribute = "breed", equal = true }, { attribute = "size", differs_by = 2 }]

[cards]
rex = { name = "Rex", size = 1, breed = "pug", coat = "black" }
max = { name = "Max", size = 2, breed = "corgi", coat = "white" }
tiny = { size = 7, breed = "pug", coat = "black" }
any = { wild = true, size = 2 }
joker = { name = "Whoever", wild = true }
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A deck file with five cards."""
    file = tmp_path / "mine.toml"
    file.write_text(MINE, "utf-8")
    return file


def lines(text: str) -> list[str]:
    """The lines, without blanks at their ends."""
    return [line.rstrip() for line in text.splitlines()]


@pytest.mark.parametrize("command", ["check", "show"])
def test_each_teaches_by_example(run: Run, command: str):
    assert f" cardhouse deck {command} " in run("deck", command, "--help").out
    assert f" cardhouse deck {command} " in run("deck").out
    assert run("deck").out.strip() == run("deck", "--help").out.strip()


def test_a_printed_template_passes_the_check(run: Run, tmp_path: Path):
    assert run("deck", "show") == run("deck", "show", "standard") == (0, STANDARD_FILE, "")
    file = tmp_path / "mine.toml"
    file.write_text(run("deck", "show").out.replace("Standard deck", "My deck"), "utf-8")
    checked = run("deck", "check", file)
    assert (checked.status, checked.err) == (0, "")
    assert checked.out.startswith("My deck, 54 cards\n")


@pytest.mark.parametrize("name", bundled_decks())
def test_each_deck_that_comes_along(run: Run, name: str):
    assert run("deck", "show", name) == (0, bundled_decks()[name], "")
    assert run("deck", "check", name).status == 0
    told = json.loads(run("deck", "check", name, "--json").out)
    assert (told["ok"], told["mistakes"]) == (True, [])


def test_a_deck_that_does_not_come_along(run: Run):
    said = f"cardhouse: No deck cats comes with Cardhouse; there are {', '.join(bundled_decks())}.\n"
    assert run("deck", "show", "cats") == (2, "", said)


def test_a_right_file(run: Run, mine: Path):
    status, out, err = run("deck", "check", mine)
    assert (status, err) == (0, "")
    assert lines(out) == [
        "Five dogs, 5 cards",
        "A small deck, to try things.",
        "",
        "Side by side        size 1 at most apart and not the same breed",
        "Above or below      the same breed or size exactly 2 apart",
        "size                1 to 7, 3 values",
        "breed               pug, corgi",
        "coat                black, white; no rule looks at it",
        "Wild                any, any: free in breed, coat",
        "Wild                joker, Whoever: free in size, breed, coat",
        "",
        "A card can touch 2.8 others side by side and 3.2 above or below, on average.",
        "Fewest first:",
        "Card    Name      Side by side   Above or below",
        "───────────────────────────────────────────────",
        "tiny    tiny                 1                3",
        "max     Max                  3                2",
        "rex     Rex                  3                3",
        "any     any                  3                4",
        "joker   Whoever              4                4",
    ]


def test_a_right_file_for_programs(run: Run, mine: Path):
    status, out, err = run("deck", "check", mine, "--json")
    assert (status, err) == (0, "")
    told = json.loads(out)
    assert told["touch"][0] == {"card": "tiny", "name": "tiny", "beside": 1, "above": 3}
    assert [row["card"] for row in told.pop("touch")] == ["tiny", "max", "rex", "any", "joker"]
    assert told == {
        "ok": True,
        "mistakes": [],
        "name": "Five dogs",
        "cards": 5,
        "attributes": {"size": [1, 2, 7], "breed": ["pug", "corgi"], "coat": ["black", "white"]},
        "wild": [{"card": "any", "free": ["breed", "coat"]}, {"card": "joker", "free": ["size", "breed", "coat"]}],
    }


def test_a_large_deck_lists_its_loneliest_cards(run: Run):
    out = lines(run("deck", "check", "standard").out)
    rows = out[out.index("Fewest of all:") + 3 :]
    assert [row.split()[0] for row in rows] == ["CA", "CK", "DA", "DK", "HA", "HK", "SA", "SK", "C2", "C3"]
    assert [row.split()[-2:] for row in rows] == [["6", "14"]] * 8 + [["10", "14"]] * 2
    told = json.loads(run("deck", "check", "standard", "--json").out)
    assert len(told["touch"]) == len(standard_deck().cards)


def test_every_mistake_has_its_line(run: Run, mine: Path):
    mine.write_text(MINE.replace("at_most = 1", "at_mst = 1").replace("size = 7", 'size = "7"'), "utf-8")
    status, out, err = run("deck", "check", mine)
    assert (status, out) == (2, "")
    assert err.splitlines() == [
        f"cardhouse: The deck in {mine} can't be used because of 3 mistakes:",
        f"{mine}:3: beside.all[1].at_mst is an unknown field; did you mean at_most?",
        f"{mine}:3: beside.all[1] must have one of differs_by, at_most, equal, different.",
        f'{mine}:9: cards.tiny.size must be a number, as on the other cards, not "7".',
    ]


def test_every_mistake_for_programs(run: Run, mine: Path):
    mine.write_text(MINE + "rex = {}\n", "utf-8")
    told = run("deck", "check", mine, "--json")
    message = "cards.rex is here twice; the first is in line 7."
    assert told.status == 2
    assert json.loads(told.out) == {
        "ok": False,
        "mistakes": [{"line": 12, "field": "cards.rex", "message": message}],
    }
    assert told.err.splitlines()[1:] == [f"{mine}:12: {message}"]


def test_a_file_that_would_move_the_cursor_is_shown_not_sent(run: Run, mine: Path):
    mine.write_text(MINE + '"\\u001b[2J" = 1\n', "utf-8")
    told = run("deck", "check", mine)
    assert told.status == 2
    assert "\x1b" not in told.err


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(MINE.replace("\n", "\r\n").encode())))
    assert run("deck", "check", "-").out.startswith("Five dogs, 5 cards\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"name = 3\n")))
    status, _, err = run("deck", "check", "-")
    assert status == 2
    assert err.splitlines()[1].startswith("standard input:1: name must be a text")


def test_no_file(run: Run, tmp_path: Path):
    nowhere = tmp_path / "no.toml"
    assert run("deck", "check", nowhere) == (2, "", f"cardhouse: File not found: {nowhere}\n")
    assert run("deck", "check", tmp_path).err == f"cardhouse: {tmp_path} can't be read: Is a directory.\n"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_deck_may_be_a_table_from_a_spreadsheet(run: Run, tmp_path: Path, encoding: str):
    file = tmp_path / "mine.csv"
    file.write_bytes("id\tname\tsuit\tnumber\r\na1\tZoë\tclubs\t1,0\r\na2\tBob\tclubs\t2,0\r\n".encode(encoding))
    done = run("deck", "check", str(file))
    assert (done.status, done.out.split("\n")[0]) == (0, "mine, 2 cards")
    assert run("print", "deck", str(file), "-o", str(tmp_path / "mine.pdf")).status == 0


def test_a_table_that_is_no_deck_is_refused_by_row_and_column(run: Run, tmp_path: Path):
    file = tmp_path / "mine.csv"
    file.write_bytes("id;name;suit;number\na1;Zoë;clubs;1\n".encode("cp1252"))
    assert f'{file}:2: Row 2, column B (name): "Zo?" can\'t be read' in run("deck", "check", str(file)).err
    file.write_text("id;name;suit;number\na1;Zoe;clubs;1\na2;Bob;clubs;two\n", "utf-8")
    assert f"{file}:3: cards.a2.number must be a number" in run("deck", "check", str(file)).err
    file.write_text("id;name;size\na;Ann;1\nb;Bob;2\n", "utf-8")
    assert "needs these columns: number, suit (as in the deck standard)" in run("deck", "check", str(file)).err
