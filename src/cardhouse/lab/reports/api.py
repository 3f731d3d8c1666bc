"""The lab in a line of Python, for notebooks: settings are written as on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.question import Question, find_question
from cardhouse.lab.questions.settings import cells
from cardhouse.lab.running import study
from cardhouse.lab.running.study import Result, Study
from cardhouse.lab.search.requests import one_question
from cardhouse.lab.search.sensitivity import Sensitivity, sensitivity
from cardhouse.lab.search.tuning import STARTS, TRIES, Tuned, tune
from cardhouse.lab.words.progress import moving

Value = str | int | float | Path
"""A setting's value, as written on the command line, or as a Python value."""


def ask(
    game: str,
    question: str,
    /,
    *,
    vs: Mapping[str, Value] | None = None,
    trials: int | None = None,
    until: float | None = None,
    confidence: float = 0.95,
    seed: int = 0,
    cores: int | None = None,
    progress: bool = True,
    **settings: Value | Iterable[Value],
) -> Result:
    """Ask a question of the lab; a notebook shows the result.

    A setting is a value, several in a list or as on the command line (`hp="4,8,12"`), or a file's path; `vs` has those
    in which the variant differs. `until` and `confidence` are fractions, `cores` is the number of cores to use, all if
    None; `progress` shows a bar in a terminal or notebook. See `study.ask` for the rest.

    Raises CardhouseError for an unknown question or invalid settings.
    """
    texts = {name: _listed(value) for name, value in settings.items()}
    chosen = cells(find_question(game, question), texts, {name: _text(it) for name, it in (vs or {}).items()}, _files)
    asked = Study(
        cells=chosen,
        trials=study.trials_for(chosen, trials, until),
        seed=seed,
        confidence=confidence,
        until=until,
    )
    with moving(f"{chosen[0].question.trial}s", quiet=not progress, endless=until is not None) as tell:
        return study.ask(asked, workers=cores, tell=tell)


def what_matters(
    game: str,
    question: str,
    /,
    *,
    of: str = "",
    vary: Sequence[str] = (),
    trials: int | None = None,
    confidence: float = 0.95,
    seed: int = 0,
    cores: int | None = None,
    **settings: Value,
) -> Sensitivity:
    """Change everything about a question in turn, and rank the effects on a finding, as `sensitivity` describes.

    Raises CardhouseError for an invalid request.
    """
    asked = _one(game, question, settings)
    return sensitivity(asked, of, vary=vary, trials=trials, seed=seed, confidence=confidence, workers=cores)


def find_settings(
    game: str,
    question: str,
    /,
    *targets: str,
    vary: Sequence[str],
    tries: int = TRIES,
    starts: int = STARTS,
    trials: int | None = None,
    confidence: float = 0.95,
    seed: int = 0,
    cores: int | None = None,
    **settings: Value,
) -> Tuned:
    """Search for settings of a question that meet targets such as `dead by hit 3 = 50%`, as `tune` describes.

    Raises CardhouseError for an invalid request.
    """
    asked = _one(game, question, settings)
    how: dict[str, Any] = {"trials": trials, "seed": seed, "confidence": confidence, "workers": cores}
    return tune(asked, targets, vary=vary, tries=tries, starts=starts, **how)


def _one(game: str, question: str, settings: Mapping[str, Value]) -> Question:
    return one_question(find_question(game, question), {name: _text(it) for name, it in settings.items()}, _files)


def _listed(value: Value | Iterable[Value]) -> str:
    if isinstance(value, str | int | float | Path):
        return _text(value)
    return ",".join(map(_text, value))


def _text(value: Value) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _files(text: str) -> Iterator[tuple[str, bytes]]:
    for file in map(Path, text.split(",")):
        try:
            content = file.read_bytes()
        except OSError as error:
            raise CardhouseError(f"{file} can't be read: {error.strerror or error}.") from None
        yield file.name, content
