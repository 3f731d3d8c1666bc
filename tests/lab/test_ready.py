"""Warm-up before the first study: its progress, and that nothing compiles twice."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from cardhouse.lab.kernels.compile_progress import Compiling, telling
from cardhouse.lab.kernels.compiled import compiled, part
from cardhouse.lab.questions.question import Finding, Measure, Question, share
from cardhouse.lab.running import warmup


class Even(Question, frozen=True, kw_only=True):
    """Every second trial."""

    game: ClassVar[str] = "initiative"
    name: ClassVar[str] = "even"
    broken: bool = False

    def measures(self) -> Sequence[Measure]:
        return [Measure("even", 2, "even")]

    def findings(self) -> Sequence[Finding]:
        return [share("even", "even", "even", 1)]

    def run(self, seed: int, first: int, out: Any, log: Any) -> None:
        if self.broken:
            raise ValueError("It is odd.")
        out[:, 0] = 1


class Broken(Even, frozen=True, kw_only=True):
    """One whose trials can't be played."""

    name: ClassVar[str] = "broken"
    broken: bool = True


@pytest.fixture(autouse=True)
def only_these(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(warmup, "games_with_questions", lambda: ["initiative"])
    monkeypatch.setattr(warmup, "questions_of", lambda game: {"broken": Broken, "even": Even})


def test_it_is_ready_when_all_questions_were_played(caplog: pytest.LogCaptureFixture) -> None:
    making = warmup.make_ready()
    assert [next(making), next(making)] == [Broken, Even]
    assert "It is odd." in caplog.text
    assert not warmup.is_ready()
    assert list(making) == []
    assert warmup.is_ready()


def test_what_another_process_is_at_is_left_to_it() -> None:
    making = warmup.make_ready()
    next(making)
    assert list(warmup.make_ready()) == []
    assert list(making) == [Even]


def test_another_version_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    list(warmup.make_ready())
    monkeypatch.setattr(warmup, "program", lambda: b"changed")
    assert not warmup.is_ready()


def test_how_far_compiling_is() -> None:
    @part
    def twice(number: int) -> int:
        return 2 * number

    @compiled
    def thrice(number: int) -> int:
        return twice(number) + number

    told: list[Compiling] = []

    @compiled
    def half(number: float) -> float:
        return number / 2

    with telling(told.append):
        assert thrice(5) == 15
        assert thrice(7) == 21
        assert half(5.0) == 2.5
    assert [step.done for step in told] == [0, 0, 1, 2, 2, 3], "what is compiled next comes on top"
    assert all(step.of >= 2 for step in told)
    assert all(step.of >= 3 for step in told[4:])
    with telling(told.append):
        thrice(9)
    assert len(told) == 6
