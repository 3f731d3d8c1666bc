"""Characters of the dice game become a roster."""

import io
import sys
from pathlib import Path

import pytest

from cardhouse.games.dogs.people.sheet import Stats
from cardhouse.games.dogs.people.sheets import read_roster
from tests.cli.conftest import Run

AMOS = """\
Name: Brother Amos
Acuity 3d6
Body 5d6
Heart 3d6
Will 4d6
Traits
I know the scripture 3d8
I ride like the wind 1d6
Relationships
Sister Ruth 1d6
Belongings
A big old Colt (gun) 4d6
"""
RUTH = "Acuity 2\nBody 3\nHeart 2\nWill 2\nI never forget -*\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the command is run: a character in dice with its name, and one in marks without."""
    monkeypatch.chdir(tmp_path)
    Path("amos.txt").write_text(AMOS, "utf-8")
    Path("ruth.txt").write_text(RUTH, "utf-8")


def test_a_roster_of_two(run: Run):
    status, out, err = run("convert", "amos.txt", "ruth.txt")
    assert status == 0
    amos, ruth = read_roster(out.encode())
    assert (amos.name, amos.stats, amos.proposed) == ("Brother Amos", Stats(2, 3, 2, 2), True)
    marks = [(thing.name, thing.group, thing.mark, thing.gun) for thing in amos.things]
    assert marks == [
        ("I know the scripture", "trait", "+*", False),
        ("I ride like the wind", "trait", "o", False),
        ("Sister Ruth", "relationship", "o", False),
        ("A big old Colt", "belonging", "o*", True),
    ]
    assert (ruth.name, ruth.stats, ruth.proposed) == ("ruth", Stats(2, 3, 2, 2), False)
    assert err.splitlines() == [
        "Brother Amos: Acuity 2, Body 3, Heart 2, Will 2. This is a proposal, which you can change at the table.",
        "Brother Amos: consider combining these traits, which have a single die: I ride like the wind, Sister Ruth.",
    ]
    assert run("convert", "ruth.txt", "-o", "roster.json") == (0, "", "")
    assert read_roster(Path("roster.json").read_bytes()) == [ruth]


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbf" + AMOS.encode())))
    assert [sheet.name for sheet in read_roster(run("convert", "-").out.encode())] == ["Brother Amos"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (AMOS.replace("3d8", "3d7"), "bad.txt: line 7: 3d7: there are d4, d6, d8 and d10, and no d7."),
        (AMOS.replace("5d6", "5d8"), "bad.txt: line 3: Stats are d6, and Body is d8 here."),
        (AMOS.replace("Will 4d6\n", ""), "bad.txt: the sheet lacks Will"),
        (RUTH.replace("Body 3", "Body 4"), "bad.txt: stats add up to 10, and 9 is the most."),
        (AMOS.replace("Sister Ruth", "I know the scripture"), "bad.txt: things: I know the scripture is there twice."),
        (AMOS.replace("Brother Amos", "B" * 41), "bad.txt: name may have 40 characters at most"),
        (RUTH.replace("never", "ne\x00ver"), "bad.txt isn't a text file."),
        (AMOS.replace("Amos", "\udcff"), "bad.txt isn't UTF-8: line 1 has a letter that can't be read."),
    ],
)
def test_invalid_sheets_are_not_converted(run: Run, text: str, said: str):
    Path("bad.txt").write_bytes(text.encode("utf-8", "surrogateescape"))
    status, out, err = run("convert", "amos.txt", "bad.txt")
    assert (status, out) == (2, "")
    assert err.startswith(f"cardhouse: {said}")
    assert "Traceback" not in err


def test_names_that_meet_and_files_that_are_not_there(run: Run):
    assert run("convert", "amos.txt", "amos.txt").err == "cardhouse: amos.txt: Brother Amos is there already.\n"
    assert run("convert", "none.txt").err == "cardhouse: File not found: none.txt\n"
    assert run("convert", "ruth.txt", "-o", ".").err == "cardhouse: . can't be written: Is a directory.\n"


@pytest.mark.parametrize(
    "line",
    [
        "- I know the scripture 3d8",
        "\u2022 I know the scripture 3 d 8",
        "*\tI know the scripture \u2013 3d8",
        "12. I know the scripture: 3 D8",
        "I know\u00a0the scripture 3w8.",
        "\u2014 I know the scripture (2d8 + 1 d 8)",
        "\ufeffI know the scripture\u200b 3d8",
    ],
    ids=ascii,
)
def test_bullets_dashes_and_spaces_make_no_difference(run: Run, line: str):
    wanted = run("convert", "amos.txt").out
    lines = AMOS.replace("I know the scripture 3d8", line).replace("Body 5d6", "\u2022 Body 5 d 6")
    Path("amos.txt").write_text(lines.replace("Name:", "- Name:"), "utf-8")
    assert run("convert", "amos.txt").out == wanted


def test_marks_and_numbers_in_names_stay(run: Run):
    Path("ruth.txt").write_text("- Acuity 2\n- Body 3\nHeart 2\nWill 2\n- Colt 45 +*\n- Vitamin D 3\n", "utf-8")
    things = read_roster(run("convert", "ruth.txt").out.encode())[0].things
    assert [(thing.name, thing.mark) for thing in things] == [("Colt 45", "+*"), ("Vitamin D 3", "o")]


def test_a_sheet_in_utf_16_is_read(run: Run):
    wanted = run("convert", "amos.txt").out
    Path("amos.txt").write_text(AMOS, "utf-16")
    assert run("convert", "amos.txt").out == wanted
