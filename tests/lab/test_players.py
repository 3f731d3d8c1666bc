"""Python plays a study's first trials while its kernels compile: the same trials, to the bit."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardhouse.engine import CardhouseError
from cardhouse.lab.kernels.compile_progress import Compiling, telling
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.question import games_with_questions, questions_of
from cardhouse.lab.questions.settings import cells
from cardhouse.lab.running import executors
from cardhouse.lab.running.checkpoint import CheckpointStore
from cardhouse.lab.running.study import Progress, Study, ask
from cardhouse.lab.running.subprocess_worker import AT_WORK
from cardhouse.lab.running.warmup import note_made
from cardhouse.lab.search.sensitivity import sensitivity
from cardhouse.lab.search.tuning import tune
from cardhouse.lab.words.labels import name_of
from tests.lab.thirds import TO_COMPILE, Third

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
@pytest.mark.soak
def test_python_plays_what_machine_code_does(place: int, as_python: list[Any]) -> None:
    rows = ASKED[place].rows(7, 3, FEW)
    assert np.array_equal(as_python[place], rows)
    assert rows.any()


@pytest.fixture
def new_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One on which no machine code was made yet, and more is to be made as long as this file is there."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    more = tmp_path / "more"
    more.touch()
    monkeypatch.setenv(TO_COMPILE, str(more))
    return more


class Told(list[Progress]):
    """All that is told; once that is enough, there is no more to compile."""

    def __init__(self, more: Path, enough: int = 1) -> None:
        self.more = more
        self.enough = enough

    def __call__(self, progress: Progress) -> None:
        self.append(progress)
        if len(self) == self.enough:
            self.more.unlink(missing_ok=True)


def a_third(trials: int, **settings: Any) -> Study:
    return Study(cells=(Cell(Third(**settings)),), trials=trials)


@pytest.mark.soak
@pytest.mark.parametrize("versus", [None, Third(of=2)])
def test_a_study_goes_on_from_them(new_machine: Path, versus: Third | None) -> None:
    told, study = Told(new_machine), Study(cells=(Cell(Third(slow=500), versus),), trials=70_000)
    result = ask(study, workers=1, tell=told)
    first = [one for one in told if one.compiling]
    assert first[0].done == (4 if versus is None else 2)
    assert first == told[: len(first)]
    assert [one.done for one in told] == sorted(one.done for one in told)
    assert told[-1].done == 70_000
    # Where its machine code was made before nothing is played by Python, and the same comes of it.
    told.clear()
    again = ask(study, workers=1, tell=told)
    assert not any(one.compiling for one in told)
    assert result.answers == again.answers


@pytest.mark.soak
def test_what_is_compiled_though_machine_code_was_made_before_has_them_too(new_machine: Path) -> None:
    note_made(Third())
    told = Told(new_machine)
    ask(a_third(70_000, slow=500), workers=1, tell=told)
    assert told[0].compiling


def test_who_has_all_its_trials_waits_for_no_machine_code(new_machine: Path) -> None:
    """Of several combinations of settings, too; there is more to compile to the very end."""
    study = Study(cells=(Cell(Third()), Cell(Third(of=4), label={"of": "4"})), trials=300)
    result = ask(study, workers=1)
    assert new_machine.exists()
    assert not result.stopped
    assert [answer.trials for answer in result.answers] == [300, 300]
    assert [answer.counts["third"] for answer in result.answers] == [[100] * 3, [75] * 4]


def test_stopped_while_it_is_compiled_a_study_tells_what_was_played_and_goes_on(
    new_machine: Path, tmp_path: Path
) -> None:
    told: list[Progress] = []
    kept, study = CheckpointStore(tmp_path), a_third(10**9)
    result = ask(study, workers=1, kept=kept, tell=told.append, halt=lambda: len(told) > 1)
    assert result.stopped
    (answer,) = result.answers
    assert answer.trials == told[-1].done
    assert answer.counts["third"] == played_as_code(answer.trials)
    begun = kept.found(study, study.cells[0])
    assert begun is not None
    assert begun.tally.trials == answer.trials


def played_as_code(trials: int) -> list[int]:
    return [len(range(place, trials, 3)) for place in range(3)]


def test_where_python_cannot_play_machine_code_is_waited_for(new_machine: Path) -> None:
    class Own(Third, frozen=True, kw_only=True):
        """Known to this function alone, as a notebook's own would be."""

    new_machine.unlink()
    for question in (Own(), Third(broken=True)):
        told: list[Progress] = []
        result = ask(Study(cells=(Cell(question),), trials=100), workers=1, tell=told.append)
        assert [one.done for one in told] == [100]
        assert result.answers[0].counts["third"][0] == 34


def test_impossible_players_are_refused_with_a_reason(new_machine: Path) -> None:
    new_machine.unlink()
    with pytest.raises(CardhouseError, match="Nobody can play this"):
        ask(a_third(100, unplayable=True), workers=1)


@pytest.mark.soak
@pytest.mark.parametrize("why", ["one core", "nothing can be kept"])
def test_python_plays_alone_for_a_while_where_nothing_is_compiled_beside_it(
    new_machine: Path, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    if why == "one core":
        monkeypatch.setattr(executors, "cores", lambda: 1)
    else:
        (new_machine.parent / "cache").write_text("no folder")
    told = Told(new_machine)
    result = ask(a_third(70_000, slow=500), workers=1, tell=told)
    assert told[0].compiling
    assert result.answers[0].counts["third"] == played_as_code(70_000)


@pytest.mark.soak
def test_what_matters_most_has_its_first_trials_from_python(new_machine: Path) -> None:
    asked: dict[str, Any] = {"vary": ["of=2..5"], "trials": 70_000, "workers": 1}
    told = Told(new_machine)
    found = sensitivity(Third(slow=300), **asked, tell=told)
    assert told[0].compiling
    assert not told[-1].compiling
    assert (told[0].done, told[0].of) == (3, 3 * 70_000)
    assert told[0].estimate.trials == 1
    again: list[Progress] = []
    assert sensitivity(Third(slow=300), **asked, tell=again.append).effects == found.effects
    assert not any(one.compiling for one in again)


@pytest.mark.soak
def test_settings_have_their_first_trials_from_python(new_machine: Path) -> None:
    asked: dict[str, Any] = {"vary": ["of=2..5"], "trials": 70_000, "workers": 1}
    told = Told(new_machine)
    found = tune(Third(slow=300), ["a third = 25% ±1%"], **asked, tell=told)
    assert told[0].compiling
    assert not told[-1].compiling
    assert (told[0].done, told[0].of, told[0].estimate.trials) == (0, 12, 4)
    assert name_of(told[-1]) == "of 4"
    assert [one.differs for one in found.best] == [{"of": "4"}]
    again: list[Progress] = []
    assert tune(Third(slow=300), ["a third = 25% ±1%"], **asked, tell=again.append).best == found.best
    assert not any(one.compiling for one in again)


@pytest.mark.soak
def test_how_far_another_process_is_with_it_is_heard(new_machine: Path) -> None:
    heard: list[Compiling] = []

    def hear(compiling: Compiling) -> None:
        heard.append(compiling)
        if len(heard) == 4:
            new_machine.unlink()

    with telling(hear):
        ask(a_third(70_000, slow=500), workers=1)
    assert len(heard) >= 4
    assert all(one.of >= one.done for one in heard)


ON_ONE_CORE = """
import os
import sys
from cardhouse.lab.questions.question import find_question
from cardhouse.lab.running.study import Cell, Study, ask

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # where nobody makes machine code beside it
study, loaded = Study(cells=(Cell(find_question("initiative", "order")()),), trials=1_000_000), []
ask(study, tell=lambda progress: loaded.append("numba" in sys.modules), halt=lambda: bool(loaded))
print(loaded[0])
"""


def test_the_first_number_waits_for_no_compiler(tmp_path: Path) -> None:
    """Of a question that hasn't been played on a machine, machine code isn't looked for before."""
    new = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", ON_ONE_CORE], env=new, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_another_process_ends_with_the_one_that_started_it() -> None:
    playing = subprocess.Popen(
        [sys.executable, "-c", AT_WORK],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with playing:
        assert playing.stdin is not None
        assert playing.stdout is not None
        for endless in (False, True):
            playing.stdin.write(pickle.dumps(partial(told_by, endless=endless)))
        playing.stdin.flush()
        assert [pickle.load(playing.stdout) for _ in range(3)] == [0, 1, 0]
        playing.stdin.close()  # as it is when that process is killed
        while playing.stdout.read(1 << 16):
            pass
    assert playing.returncode == 0


def told_by(tell: Callable[[int], None], *, endless: bool) -> None:
    for number in count() if endless else range(2):
        tell(number)
