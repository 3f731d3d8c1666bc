"""`cardhouse lab GAME QUESTION`: the options of every question, and errors for invalid ones."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.thorough import in_soak

ORDER = ("lab", "initiative", "order", "--mine", 2, "--theirs", 2, "--wait", "never", "--their-wait", "never")
QUICK = (*ORDER, "--trials", 2_000)


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is kept of stopped studies is kept in a folder of the test's own."""
    folder = tmp_path / "kept"
    from cardhouse.cli import lab
    from cardhouse.lab.running.checkpoint import CheckpointStore

    monkeypatch.setattr(lab, "default_store", lambda: CheckpointStore(folder))
    return folder


def found(out: str, answer: int = 0) -> dict[str, dict]:
    return {one["key"]: one for one in json.loads(out)["answers"][answer]["findings"]}


def test_the_numbers_come_with_their_error(run):
    done = run(*QUICK)
    assert (done.status, done.err) == (0, "")
    told, title, numbers = done.out.split("\n\n", 2)
    assert title.startswith("Who acts when? (mine 2; theirs 2; ")
    assert " ".join(title.split()).endswith("2,000 rounds; 95% intervals)")
    assert told.startswith("The 9 most often acts ")
    headings, first, *_ = numbers.splitlines()
    assert headings.split() == ["Exact", "Played"]
    assert first.split("  ")[0] == "the hero acts first of all"
    assert "±" in first


def test_a_single_trial_has_no_interval_and_says_so(run):
    done = run("lab", "hackjack", "deadly", "--trials", 1)
    assert "(1 fight; 95% intervals)" in done.out
    assert done.out.startswith("Too few fights to tell if most outlive 10 hits")
    assert "a single trial: no interval" in " ".join(done.out.split())


def test_the_same_seed_is_the_same_to_the_letter(run):
    once = run(*QUICK, "--seed", 4, "--json", "--cores", 1)
    assert once.status == 0
    assert run(*QUICK, "--seed", 4, "--json", "--cores", 2).out == once.out
    assert run(*QUICK, "--seed", 5, "--json").out != once.out


@pytest.mark.parametrize("more", [("--json",), *in_soak(((),))])
def test_the_same_command_prints_the_same_cold_and_warm(run, kept: Path, monkeypatch, more: tuple):
    """What is known exactly is worked out once and kept; a 0 that was kept is no other 0."""
    monkeypatch.setattr("cardhouse.lab.running.checkpoint.WORTH_KEEPING", 0.0)
    # while kernels load, the comparison with best play stops after a time
    monkeypatch.setattr("cardhouse.lab.running.study.BESIDE_SECONDS", math.inf)
    asked = ("lab", "hackjack", "deadly", "--hits", 2, "--trials", 300, *more)
    cold = run(*asked)
    assert list(kept.iterdir()), "nothing was kept"
    warm = run(*asked)
    assert (warm.status, warm.out, warm.err) == (cold.status, cold.out, cold.err) == (0, cold.out, "")


def test_programs_get_everything(run):
    told = json.loads(run(*QUICK, "--vs", "wait=lower", "--confidence", 99, "--json").out)
    assert (told["game"], told["question"], told["seed"], told["confidence"]) == ("initiative", "order", 0, 0.99)
    (answer,) = told["answers"]
    assert (answer["trials"], answer["settings"]["mine"], answer["versus"]) == (2_000, 2, {"wait": "lower"})
    first = answer["findings"][0]
    assert first["low"] < first["value"] < first["high"]
    assert first["low"] < first["exact"] < first["high"]
    assert first["difference"]["value"] == pytest.approx(first["versus"]["value"] - first["value"])
    assert sum(answer["counts"]["place"]) == sum(answer["versus_counts"]["place"]) == 2_000


@pytest.mark.soak
def test_a_sweep_has_a_row_for_each(run):
    done = run("lab", "initiative", "order", "--mine", "1-3", "--theirs", "2,4", "--trials", 500)
    table = done.out.split("\n\n")[2]
    rows = [line.split()[:2] for line in table.splitlines() if line[:1].isdigit()]
    assert rows == [[mine, theirs] for mine in "123" for theirs in "24"]


@pytest.mark.soak
def test_a_sweep_against_another_variant_has_the_differences(run):
    done = run(
        "lab",
        "initiative",
        "order",
        "--mine",
        "1-2",
        "--their-wait",
        "lower",
        "--vs",
        "their-wait=always",
        "--trials",
        500,
    )
    assert done.out.count("Difference") == 2
    assert "against their_wait always" in " ".join(done.out.split())


def test_as_many_as_it_takes(run):
    done = run(*ORDER, "--until", "1%", "--confidence", 99, "--json")
    errors = [max(one["high"] - one["value"], one["value"] - one["low"]) for one in found(done.out).values()]
    assert errors
    assert all(
        max(one["high"] - one["value"], one["value"] - one["low"]) <= 0.01
        for one in found(done.out).values()
        if one["kind"] == "share"
    )


@pytest.mark.soak
def test_one_trial_is_a_transcript_that_can_be_replayed(run, tmp_path: Path):
    done = run(*ORDER, "--transcript", 17)
    assert done.status == 0
    assert json.loads(done.out.splitlines()[0])["game"] == "initiative"
    file = tmp_path / "trial.jsonl"
    file.write_text(done.out)
    assert run("replay", file).status == 0


def test_reports_are_written(run, tmp_path: Path):
    page, table = tmp_path / "report.html", tmp_path / "numbers.csv"
    done = run(*QUICK, "--report", page, "--report", table)
    assert done.status == 0
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert "the hero acts first of all" in table.read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--mine", 0), "mine takes a whole number from 1 to 13, not 0."),
        (("--mine", "-4"), "mine takes a whole number from 1 to 13, not -4."),
        (("--mine", "many"), "mine takes a whole number from 1 to 13, not many."),
        (("--mine", "4-2"), "mine takes a whole number from 1 to 13, not 4-2."),
        (("--mine", "1-9999999999999"), "mine takes a whole number from 1 to 13, not 9999999999999."),
        (("--wait", "bravely"), "wait takes one of never, always, lower, best, not bravely."),
        (
            ("--vs", "limit=25"),
            'order has no setting "limit"; it has hero, mine, theirs, cards, goal, foe, wait, their_wait.',
        ),
        (("--vs", "lower"), "--vs takes a setting and its other value, such as limit=25, not lower."),
        (("--vs", "mine=2,3"), "A variant is compared with one other: mine takes one value there, not 2,3."),
        (("--until", "often"), "until takes a percentage such as 0.1%, not often."),
        (("--until", "0%"), "until takes 0.001% to 50%, not 0%."),
        (("--trials", "9999999999"), "trials takes 1 to 1,000,000,000, not 9,999,999,999."),
        (("--on", "here"), "--on takes the address of a Dask scheduler, such as tcp://10.0.0.5:8786, not here."),
        (("--on", "tcp://127.0.0.1:9"), "No Dask scheduler answers at tcp://127.0.0.1:9."),
        (("--mine", "1-3", "--transcript", 1), "--transcript needs a single combination of settings."),
        *(
            (("--transcript", number), f"Trials are numbered from 0 to 999,999,999; there is no {number}.")
            for number in ("1000000000", "99999999999999999999")
        ),
    ],
)
def test_nonsense_is_refused_at_once(run, arguments: tuple, said: str):
    done = run("lab", "initiative", "order", *arguments)
    assert (done.status, done.out, done.err) == (2, "", f"cardhouse: {said}\n")


def test_a_grid_of_a_million_cells_is_refused_at_once(run):
    cards = ",".join(f"A K / {rank}" for rank in [*range(2, 11), "Q", "J"])
    done = run(*("lab", "initiative", "order", "--mine", "1-13", "--theirs", "1-13", "--cards", cards))
    assert (done.status, done.out) == (2, "")
    assert done.err == "cardhouse: These are 1,859 combinations of settings; at most 1,000 are allowed.\n"


def test_there_are_no_other_games_and_questions(run):
    for arguments in (("chess",), ("initiative", "why")):
        done = run("lab", *arguments)
        assert (done.status, done.out) == (2, "")
        assert f"No such command '{arguments[-1]}'" in done.err


def test_help_tells_the_settings(run):
    done = run("lab", "initiative", "order", "--help")
    assert "never|always|lower" in done.out
    assert "--until" in done.out


def test_without_the_extra_it_says_what_to_install(tmp_path: Path):
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from cardhouse.cli import main\n"
        "assert main(['lab', 'initiative', 'order', '--help']) == 0\n"
        "sys.exit(main(['lab', 'initiative', 'order']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ)
    assert done.returncode == 2
    assert done.stderr == "cardhouse: The lab needs more packages: pip install 'cardhouse[lab]'.\n"


def test_columns_of_a_sweep_are_chosen(run):
    sweep = ("lab", "hackjack", "deadly", "--hp", "4,8", "--return-cards", "yes", "--trials", 200)
    headings = " ".join(run(*sweep, "--columns", "trauma").out.split("\n\n")[2].splitlines()[0].split())
    assert headings == "hp Trauma of those who live"
    refused = run(*sweep, "--columns", "luck")
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith('cardhouse: There is no finding "luck" for a column; there are dead, saved, ')


def test_few_differing_trials_are_noted(run):
    said = " ".join(run(*ORDER, "--trials", 40, "--vs", "wait=never").out.split())
    assert "on which hardly any" in said
    assert "more trials help." in said
    assert "none of 40 differed" in said
