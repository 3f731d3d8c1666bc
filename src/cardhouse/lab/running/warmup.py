"""Warm-up: preparing what takes long on first use, machine code and exact numbers."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from filelock import FileLock, Timeout

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.optimality import paired
from cardhouse.lab.questions.paths import cache_folder, mark_used
from cardhouse.lab.questions.question import Question, games_with_questions, questions_of
from cardhouse.lab.running.checkpoint import code_of, default_store, program
from cardhouse.lab.statistics.histogram import played

log = logging.getLogger("cardhouse.lab")


def is_ready() -> bool:
    """Return whether all of it was prepared on this machine, by this version of the program."""
    mark_used(_mark())
    return _mark().exists()


def was_made(question: Question) -> bool:
    """Return whether a question's machine code was compiled on this machine before, with any settings."""
    mark = _mark_of(question)
    mark_used(mark)
    return mark.exists() or is_ready()


def note_made(question: Question) -> None:
    """Record that a question's machine code is compiled."""
    mark = _mark_of(question)
    with suppress(OSError):
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()


def make_ready() -> Iterator[type[Question]]:
    """Prepare all questions, yielding each beforehand; those that can't be played are logged.

    This is quick where it was done before. It does nothing while another process is doing it.
    """
    mark = _mark()
    with suppress(OSError, Timeout):  # on a disk that can't be written to, it just takes as long next time
        mark.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(mark.with_suffix(".lock"), timeout=0):
            for question in _questions():
                yield question
                prepare(question())
            mark.touch()


def prepare(question: Question) -> None:
    """Compile what a question needs and compute its exact numbers; a failure is logged."""
    try:
        if question.compiled:
            played(question, None, 0, 0, 1)
            played(question, question, 0, 0, 1)
            if (best := question.best_play()) is not None:
                paired(best, 0, (0, 1))
        default_store().exact(question)
    except Exception:
        log.exception("The lab could not be prepared for %s of %s", question.name, question.game)


def _questions() -> Iterator[type[Question]]:
    for game in games_with_questions():
        with suppress(CardhouseError):
            yield from questions_of(game).values()


def _mark_of(question: Question) -> Path:
    digest = hashlib.sha256(code_of(type(question))).hexdigest()[:16]
    return cache_folder() / "kernels" / f"made-{question.game}-{question.name}-{digest}"


def _mark() -> Path:
    digest = hashlib.sha256(program())
    for package in ("numba", "numpy", *games_with_questions()):
        with suppress(PackageNotFoundError):
            digest.update(f"{package} {version(package)}".encode())
    return cache_folder() / "kernels" / f"ready-{digest.hexdigest()[:16]}"
