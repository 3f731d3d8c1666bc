"""The conflict from docs/dogs.md, on the command line."""

import json
from pathlib import Path

import pytest

from cardhouse.engine import catalogue_of, fill
from cardhouse.games.dogs.rules import Dogs
from tests.cli.conftest import Run
from tests.walkthrough import write_files


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the document's files are."""
    monkeypatch.chdir(tmp_path)
    write_files("docs/dogs.md", tmp_path)


def test_a_transcript_ends_as_described(run: Run):
    state = json.loads(run("replay", "deed.jsonl", "--json").out)["state"]
    amos, silas = state["characters"]
    assert amos["stats"] == {"acuity": 3, "body": 1, "heart": 2, "will": 3}
    assert [thing["kind"] for thing in amos["things"]] == ["+", "-", "-", "o"]
    assert {key: state["outcomes"]["Amos"][key] for key in ("experience", "fallout", "severity")} == {
        "experience": ["H7", "D9"],
        "fallout": ["S3"],
        "severity": "long_term",
    }
    assert (silas["kept"], state["prizes"], state["conflict"]["winner"]) == (["C6"], ["D7"], ["Amos"])
    # Of 52 cards Silas keeps one, and one is for whoever starts what follows.
    assert state["deck_left"] + state["discard"] + len(silas["kept"]) + len(state["prizes"]) == 52


def test_it_reads_well(run: Run):
    said = " ".join(run("replay", "deed.jsonl").out.split())
    words = catalogue_of(Dogs).words
    traded = {"name": "Amos", "stat": "will", "lower": "body"}
    for text in (
        "Sides Amos; Silas ",
        "Arenas Amos talking; Silas talking fighting ",
        "Fallout of the last conflict Amos (experience H7 D9; fallout S3; ",
        "A Colt belonging o significant gun ",
        "Does the widow get her deed? " + fill(words.events["stat_traded"], traded, None, words.values),
    ):
        assert text in said


def test_in_the_middle_of_it(run: Run):
    lines = Path("deed.jsonl").read_text("utf-8").splitlines()
    place = next(n for n, line in enumerate(lines) if '"S9"}' in line and '"raise"' in line)
    Path("deed.jsonl").write_text("\n".join(lines[: place + 1]), "utf-8")
    conflict = json.loads(run("replay", "deed.jsonl", "--json").out)["state"]["conflict"]
    raised = conflict["raise"]
    assert (conflict["go"], conflict["hands"]) == ("Amos", {"Amos": [], "Silas": ["D8", "C5"]})
    assert (raised["by"], raised["value"], raised["arena"], raised["to_see"]) == ("Amos", 9, "talking", ["Silas"])
    assert conflict["fallout"]["Amos"] == {"talking": 3, "physical": 0, "fighting": 0, "guns": 0}
    assert (conflict["stakes"], conflict["winner"]) == ("Does the widow get her deed?", None)


def test_cards_that_are_not_enough_stop_it(run: Run):
    text = Path("deed.jsonl").read_text("utf-8").replace('"cards": ["H5", "D4", "C3"]', '"cards": ["H5", "D4"]')
    Path("deed.jsonl").write_text(text, "utf-8")
    status, _, err = run("replay", "deed.jsonl")
    assert status == 2
    assert 'jsonl: Line 18: "see" was refused: cards are worth 9, and the Raise is 10.' in err
