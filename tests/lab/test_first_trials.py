"""The first trials of a study are played as Python while its kernels are compiled: the very same trials, to the bit."""

import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardhouse.lab.checkpoint import Kept
from cardhouse.lab.first_trials import IN_ITS_PROCESS, FirstTrials
from cardhouse.lab.question import games_with_questions, questions_of
from cardhouse.lab.ready import note_made
from cardhouse.lab.settings import cells
from cardhouse.lab.study import Cell, Progress, Study, ask
from cardhouse.lab.tally import Tally, played
from tests.lab.thirds import Third, enough

FEW = 12
SETTINGS: dict[tuple[str, str], tuple[dict[str, str], ...]] = {
    ("hackjack", "deadly"): (
        {"prevent": "best", "c7": "best", "jokers": "yes", "return_cards": "yes", "others": "1", "critical": "3"},
        {"prevent": "hold if score + pool >= 11", "judged": "each_step", "standing_blood": "yes", "damage": "2d6"},
    ),
    ("dogs", "price"): ({"policy": "bold", "other_policy": "bold", "decks": "2", "reversed_card": "next_only"},),
    ("dogs", "dice"): ({"by": "cards"},),
    ("initiative", "order"): ({"wait": "lower"},),
}
"""More than what is asked by default, by the same kernels."""
ASKED = [
    cell.question
    for game in games_with_questions()
    for name, kind in questions_of(game).items()
    if kind.compiled
    for settings in ({}, *SETTINGS.get((game, name), ()))
    for cell in cells(kind, settings, {}, lambda text: ())
]
AS_PYTHON = """
import pickle, sys
asked = pickle.load(sys.stdin.buffer)
pickle.dump([question.rows(7, 3, {few}) for question in asked], sys.stdout.buffer)
"""


@pytest.fixture(scope="module")
def as_python() -> list[Any]:
    """The rows of all that is asked, by a process in which kernels stay Python."""
    told = subprocess.run(
        [sys.executable, "-c", AS_PYTHON.format(few=FEW)],
        input=pickle.dumps(ASKED),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        stdout=subprocess.PIPE,
        check=True,
    )
    found: list[Any] = pickle.loads(told.stdout)
    return found


@pytest.mark.parametrize("place", range(len(ASKED)), ids=[f"{one.game} {one.name} {n}" for n, one in enumerate(ASKED)])
def test_python_plays_what_machine_code_does(place: int, as_python: list[Any]) -> None:
    rows = ASKED[place].rows(7, 3, FEW)
    assert np.array_equal(as_python[place], rows)
    assert rows.any()


@pytest.fixture
def new_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One on which no machine code was made yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


@pytest.fixture(autouse=True)
def made_at_once() -> None:
    """Nothing is to be compiled, if a test doesn't say so."""
    enough.set()


def counts_of(tally: Tally) -> list[list[int]]:
    return [counts.tolist() for counts in tally.counts]


@pytest.mark.parametrize("versus", [None, Third(of=2)])
def test_they_are_counted_as_all_are_and_go_on_from_what_there_was(versus: Third | None) -> None:
    before, heard, all_told = played(Third(), versus, 0, 0, 10), list[int](), threading.Event()

    def tell(tally: Tally) -> None:
        heard.append(tally.trials)
        if tally.trials == 500:
            all_told.set()

    with FirstTrials(Third(), versus, 0, before, 500, tell) as first:
        first.begin()
        first.begin()  # once is enough
        all_told.wait()
    assert heard[0] == 10 + 4
    assert heard == sorted(heard)
    assert counts_of(first.tally) == counts_of(played(Third(), versus, 0, 0, 500))


def test_a_study_goes_on_from_them(new_machine: None) -> None:
    told: list[Progress] = []

    def tell(progress: Progress) -> None:
        told.append(progress)
        enough.set()

    study = Study(cells=(Cell(Third()),), trials=70_000)
    enough.clear()
    result = ask(study, workers=1, tell=tell)
    first = [one for one in told if one.compiling]
    assert first
    assert first == told[: len(first)]
    assert [one.done for one in told] == sorted(one.done for one in told)
    assert told[-1].done == 70_000
    # Where its machine code was made before nothing is played by Python, and the same comes of it.
    told.clear()
    again = ask(study, workers=1, tell=tell)
    assert not any(one.compiling for one in told)
    assert result.answers == again.answers


def test_what_is_compiled_though_machine_code_was_made_before_has_them_too(new_machine: None) -> None:
    note_made(Third())
    told: list[Progress] = []

    def tell(progress: Progress) -> None:
        told.append(progress)
        enough.set()

    enough.clear()
    ask(Study(cells=(Cell(Third()),), trials=70_000), workers=1, tell=tell)
    assert told[0].compiling


def test_stopped_while_it_is_compiled_a_study_tells_what_was_played(new_machine: None, tmp_path: Path) -> None:
    told: list[Progress] = []
    kept, study = Kept(tmp_path), Study(cells=(Cell(Third()),), trials=10**9)
    enough.clear()
    result = ask(study, workers=1, kept=kept, tell=told.append, halt=lambda: True)
    enough.set()
    assert result.stopped
    (answer,) = result.answers
    assert answer.trials >= told[0].done
    assert answer.counts["third"] == played(Third(), None, 0, 0, answer.trials).counts[0].tolist()
    begun = kept.found(study, study.cells[0])
    assert begun is not None
    assert begun.tally.trials == answer.trials


def test_where_they_cannot_be_played_a_study_does_without(new_machine: None) -> None:
    class Own(Third, frozen=True, kw_only=True):
        """Known to this function alone, as a notebook's own would be."""

    for question in (Own(), Third(broken=True)):
        told: list[Progress] = []
        result = ask(Study(cells=(Cell(question),), trials=100), workers=1, tell=told.append)
        assert [one.done for one in told] == [100]
        assert result.answers[0].counts["third"][0] == 34


def test_the_process_ends_with_the_one_that_started_it() -> None:
    playing = subprocess.Popen(
        [sys.executable, "-c", IN_ITS_PROCESS],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with playing:
        assert playing.stdin is not None
        assert playing.stdout is not None
        playing.stdin.write(pickle.dumps(([Third()], 0, 0, 10**9)))
        playing.stdin.flush()
        (rows,) = pickle.load(playing.stdout)
        assert rows.tolist() == Third().rows(0, 0, 4).tolist()
        playing.stdin.close()  # as it is when that process is killed
        while playing.stdout.read(1 << 16):
            pass
    assert playing.returncode == 0
