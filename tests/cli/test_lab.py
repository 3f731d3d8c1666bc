"""`cardhouse lab`: a question, its numbers, and errors for invalid ones."""

from __future__ import annotations

import json

import pytest

from cardhouse.cli import main

SMALL = ("lab", "dogpile", "silence", "--trials", 6, "--hand-size", 2, "--json")


def test_all_that_is_listed_is_played(run):
    found = json.loads(run(*SMALL, "--players", "1-2", "--bot", "sure,random").out)["answers"]
    assert len(found) == 4
    assert all(one["trials"] == 6 for one in found)


def test_decks_come_along_or_from_a_file(run, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(run("deck", "show", "dogs").out, "utf-8")
    named, own = (json.loads(run(*SMALL, "--deck", deck).out)["answers"][0] for deck in ("dogs", file))
    assert named["findings"] == own["findings"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--players", "9"), "players takes a whole number from 1 to 8, not 9."),
        (("--jokers", "3"), "jokers takes a whole number from 0 to 2, not 3."),
        (("--bot", "bald"), "bot takes one of sure, bold, reader, best, random, not bald."),
        (("--players", "8", "--hand-size", "8"), "8 hands of 8 and a Pack Leader are 65 cards; this deck has 54."),
        (("--deck", "nowhere.toml"), "File not found: nowhere.toml"),
    ],
)
def test_a_question_that_makes_no_sense_says_so(run, arguments, said):
    done = run("lab", "dogpile", "silence", *arguments)
    assert (done.status, done.out) == (2, "")
    assert said in done.err


@pytest.mark.parametrize("words", [("lab",), ("lab", "dogpile")])
def test_without_a_question_it_tells_what_there_is_to_ask(capsys, words):
    assert main(words) == 0
    assert "dogpile" in capsys.readouterr().out.lower()
