"""Requests for changes: which settings matter most, or which settings meet targets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.question import Question
from cardhouse.lab.questions.settings import Open, cells
from cardhouse.lab.running.checkpoint import CheckpointStore
from cardhouse.lab.running.study import Progress, Study
from cardhouse.lab.search import sensitivity as ranking
from cardhouse.lab.search import tuning as search
from cardhouse.lab.search.sensitivity import Sensitivity, sensitivity
from cardhouse.lab.search.space import space_of
from cardhouse.lab.search.targets import read_target
from cardhouse.lab.search.tuning import STARTS, TRIES, Tuned, tune
from cardhouse.lab.search.variations import variations
from cardhouse.lab.words.finding_lookup import find_finding

Way = Literal["sensitivity", "tune"]
Found = Sensitivity | Tuned


class ChangeRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request for `sensitivity` or `tune`: with targets, even an empty tuple, for settings that meet them."""

    question: Question
    of: str = ""
    targets: tuple[str, ...] | None = None
    vary: tuple[str, ...] = ()
    tries: int = TRIES
    starts: int = STARTS
    trials: int | None = None
    seed: int = 0
    confidence: float = 0.95

    @property
    def way(self) -> Way:
        """The command that answers it."""
        return "sensitivity" if self.targets is None else "tune"

    @property
    def many(self) -> int:
        """The number of trials of each change, or, in tuning, of each confirmed choice."""
        if self.targets is None:
            return ranking.trials_for(self.question, self.trials)
        return search.trials_for(self.question, self.trials)


def one_question(kind: type[Question], texts: Mapping[str, str], open_files: Open | None) -> Question:
    """Return the question with these settings, as written by the user, to which changes are applied.

    Raises CardhouseError for invalid settings, and for several values of one.
    """
    chosen = cells(kind, texts, {}, open_files)
    if len(chosen) != 1:
        several = ", ".join(chosen[0].label)
        raise CardhouseError(f"Each setting takes one value here, from which changes are made; {several} has several.")
    return chosen[0].question


def size_of(asked: ChangeRequest) -> int:
    """Return how many changes, or choices, there are.

    Raises CardhouseError for an invalid request, as `find` does, before anything is played.
    """
    question = asked.question
    question.check_settings()
    study = Study(cells=(Cell(question),), trials=asked.many, seed=asked.seed, confidence=asked.confidence)
    study.check()
    if asked.targets is None:
        find_finding(question.findings(), asked.of) if asked.of else None
        return len(variations(question, asked.vary))
    if not asked.targets:
        raise CardhouseError(search.NO_TARGETS)
    for text in asked.targets:
        read_target(question.findings(), text)
    return space_of(question, asked.vary).size


def find(
    asked: ChangeRequest,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    kept: CheckpointStore | None = None,
    tell: Callable[[Progress], None] = lambda progress: None,
    halt: Callable[[], bool] = lambda: False,
) -> Found:
    """Answer a request, as described at `sensitivity` and `tune`. `kept` stores stopped runs to continue from."""
    vary, trials, seed, confidence = asked.vary, asked.trials, asked.seed, asked.confidence
    if asked.targets is None:
        return sensitivity(
            asked.question,
            asked.of,
            vary=vary,
            trials=trials,
            seed=seed,
            confidence=confidence,
            workers=workers,
            cluster=cluster,
            kept=kept,
            tell=tell,
            halt=halt,
        )
    return tune(
        asked.question,
        asked.targets,
        vary=vary,
        tries=asked.tries,
        starts=asked.starts,
        trials=trials,
        seed=seed,
        confidence=confidence,
        workers=workers,
        cluster=cluster,
        kept=kept,
        tell=tell,
        halt=halt,
    )


def asked_of(found: Found) -> ChangeRequest:
    """Return the request behind a result, with all values explicit."""
    if isinstance(found, Sensitivity):
        return ChangeRequest(
            question=found.question,
            of=found.finding.key,
            vary=found.vary,
            trials=found.asked,
            seed=found.seed,
            confidence=found.confidence,
        )
    return ChangeRequest(**{name: getattr(found.wanted, name) for name in found.wanted.__struct_fields__})
