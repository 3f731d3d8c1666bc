"""`cardhouse lab GAME sensitivity` and `tune`: which question is meant, what is printed, what is written down."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ORDER = ("--mine", 2, "--theirs", 2, "--trials", 2_000, "--cores", 1)
WHAT = ("lab", "initiative", "sensitivity", "order")
WHICH = ("lab", "initiative", "tune", "acts first = 25%")


@pytest.mark.soak
def test_what_matters_most_is_printed_as_bars_and_sentences(run):
    done = run(*WHAT, "--of", "hero acts first", *ORDER)
    assert (done.status, done.err) == (0, "")
    sentence, _, details = done.out.partition("\n\n")
    assert "the hero acts first of all" in sentence
    assert details.startswith("What matters most? (initiative order; mine 2; theirs 2; 2,000 rounds; 95%")
    assert "the hero acts first of all: " in done.out
    assert "█" in done.out
    assert " changes have a clear effect." in " ".join(done.out.split())


def test_settings_that_meet_targets_are_printed(run):
    done = run(*WHICH, "--vary", "mine=1..3", "--vary", "wait=never,lower", *ORDER)
    assert (done.status, done.err) == (0, "")
    out = " ".join(done.out.split())
    assert out.startswith("Which settings meet the targets? (initiative order; mine 2; theirs 2; 95% intervals for all")
    assert "the hero acts first of all = 25 ±1%" in out
    assert "All 6 choices were tried" in out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((*WHAT, "--of", "dragons", *ORDER), 'There is no finding "dragons"'),
        (
            ("lab", "dogpile", "sensitivity", "--of", "dogs"),
            "Several questions have these findings; name the question: ",
        ),
        (
            ("lab", "dogs", "tune", "dragons > 3", "--vary", "decks"),
            "No question has these findings; name the question: ",
        ),
        ((*WHAT, "--mine", "1,2"), "Each setting takes one value here, from which changes are made; mine has several."),
        ((*WHICH, *ORDER), "Name at least one setting that may change"),
        ((*WHICH, "--vary", "mine", "--report", "found.doc"), "A report is a file ending in .html"),
    ],
)
def test_nonsense_is_refused_with_a_reason(run, words: tuple, why: str):
    done = run(*words)
    assert done.status != 0
    assert why in " ".join(done.err.split())


@pytest.mark.soak
def test_both_are_written_down(run, tmp_path: Path):
    """As a page, a picture, a table and for programs; the command in it asks the same again."""
    kinds = ("html", "svg", "csv", "parquet", "json")
    for words in ((*WHAT, "--of", "first"), (*WHICH, "--vary", "mine=1..3")):
        files = [tmp_path / f"{words[2]}.{kind}" for kind in kinds]
        done = run(*words, *ORDER, *(word for file in files for word in ("--report", file)), "--json")
        assert done.status == 0
        assert all(file.stat().st_size for file in files)
        told, written = json.loads(done.out), json.loads(files[-1].read_text())
        command = written.pop("command")
        assert command.startswith(f"cardhouse lab initiative {words[2]} order ")
        del written["cardhouse"]
        assert written == told
        assert f"{words[2]} order " in files[0].read_text()


def test_the_commands_are_listed_with_the_questions(run):
    out = " ".join(run("lab", "initiative").out.split())
    assert "What matters most?" in out
    assert "Which settings meet these targets?" in out
    assert "order" in " ".join(run("lab", "initiative", "tune").out.split())
