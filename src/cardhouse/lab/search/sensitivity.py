"""Sensitivity: change one thing about a question at a time, on the same cards, and rank the effects.

    found = sensitivity(Deadly(hp=1, damage="2", hits=40), "dead by hit 3")
    found.effects[0].variation.text, found.effects[0].more

It knows no game: `cardhouse.lab.search.variations` makes the changes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.question import Finding, Question, finding_of
from cardhouse.lab.running.checkpoint import CheckpointStore
from cardhouse.lab.running.executors import Players, players_for, tallied
from cardhouse.lab.running.leaders import lead_of
from cardhouse.lab.running.study import Answer, Progress, Study, check_trial, found_in, require_lab_extra, usual_trials
from cardhouse.lab.search.ranking import CombinedEffect, Effect, Ranking, RankingProgress, has, strength
from cardhouse.lab.search.variations import variations
from cardhouse.lab.statistics.estimate import Estimate
from cardhouse.lab.statistics.histogram import no_trials
from cardhouse.lab.words.finding_lookup import find_finding

if TYPE_CHECKING:
    import polars as pl


FIRST_TRIALS = 200
"""The most trials that choose the finding to explain, where none is named."""
USUAL_TRIALS = 100_000
"""The default number of trials of each change, where kernels play them."""


class Sensitivity(msgspec.Struct, frozen=True):
    """Every change and its effect on a finding of a question, the strongest first.

    Each effect is based on `trials`; all intervals hold simultaneously with this `confidence`, for which each has the
    confidence `each` (Bonferroni). `left_out` lists changes without that finding, `not_begun` those not played before a
    stop.
    """

    question: Question
    finding: Finding
    estimate: Estimate
    effects: tuple[Effect, ...]
    together: tuple[CombinedEffect, ...]
    left_out: tuple[str, ...]
    not_begun: tuple[str, ...]
    vary: tuple[str, ...]
    trials: int
    asked: int
    seed: int
    confidence: float
    each: float
    seconds: float
    stopped: bool

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each change, the strongest first."""
        from cardhouse.lab.reports.change_report import frame_of

        return frame_of(self)

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from cardhouse.lab.reports.notebook import html_of_changes

        return html_of_changes(self)


def sensitivity(
    question: Question,
    of: str = "",
    *,
    vary: Sequence[str] = (),
    trials: int | None = None,
    seed: int = 0,
    confidence: float = 0.95,
    workers: int | None = None,
    cluster: str | None = None,
    kept: CheckpointStore | None = None,
    tell: Callable[[Progress], None] = lambda progress: None,
    halt: Callable[[], bool] = lambda: False,
) -> Sensitivity:
    """Change everything about a question in turn, or what `vary` names, and rank the effects on a finding.

    `of` is the finding's key, or words from it; by default it is the question's first, or, if that is nearly always or
    never true, another. Each change is played for
    `trials`, with the same chance as the question itself. `kept` stores a stopped run to continue from; `tell` receives
    the progress, with the finding's present estimate; `halt` may stop it, and so may Ctrl-C: the result then has what
    was played.

    Raises CardhouseError for an invalid request.
    """
    require_lab_extra()
    question.check_settings()
    finding = find_finding(question.findings(), of) if of else None
    every = variations(question, vary)
    if not [one for one in every if finding is None or has(one.question, finding)]:
        raise CardhouseError(f"Nothing about {question.name} can be changed by itself.")
    many = trials_for(question, trials)
    Study(cells=(Cell(question),), trials=many, seed=seed, confidence=confidence).check()
    check_trial(many)
    begun = time.perf_counter()
    compiled = question.compiled and all(one.question.compiled for one in every)
    kernels = [(question, None), (every[0].question, None)]
    who: dict[str, Any] = {"compiled": compiled, "workers": workers, "cluster": cluster}
    with players_for(kernels, seed, halt=halt, **who) as players:
        finding = finding or _most_telling(question, players, seed, min(many, FIRST_TRIALS), confidence)
        found = [one for one in every if has(one.question, finding)]
        note = _Note(kept, question, ("sensitivity", finding.key, tuple(vary), many, seed, confidence))
        ranking = Ranking(question, finding, found, many, seed, confidence, players, tell, note.found())
        together: list[CombinedEffect] = []
        stopped = False
        try:
            ranking.play(players.workers if compiled else 0)
            together += ranking.together()
        except KeyboardInterrupt:
            stopped = True
            note.keep(ranking.begun)
    if not stopped:
        note.forget()
    effects = ranking.effects
    return Sensitivity(
        question,
        finding,
        ranking.here,
        tuple(sorted(effects, key=strength)),
        tuple(together),
        tuple(one.text for one in every if one not in found),
        tuple(one.text for one in found[len(effects) :]),
        tuple(vary),
        ranking.trials,
        many,
        seed,
        confidence,
        ranking.each,
        time.perf_counter() - begun,
        stopped,
    )


def trials_for(question: Question, trials: int | None) -> int:
    """Return the number of trials of each change: as given, or the default."""
    return min(USUAL_TRIALS, usual_trials([Cell(question)])) if trials is None else trials


def _most_telling(question: Question, players: Players, seed: int, trials: int, confidence: float) -> Finding:
    """Return the question's first finding, or, if a few trials show that hardly any change could move that, another."""
    first = question.findings()[0]
    tally = no_trials(question, None)
    for _, piece in players.counts(tallied(question, None, seed), question.at_once, 0, trials):
        tally = tally.with_(piece)
    cell = Cell(question)
    answer = Answer(cell, tally.trials, tuple(found_in(cell, tally, confidence)), {})
    return finding_of(question, lead_of([answer], confidence).finding.key) if tally.trials else first


class _Note:
    """The stored state of a stopped ranking, if there is a store."""

    def __init__(self, kept: CheckpointStore | None, question: Question, asked: tuple[Any, ...]) -> None:
        self._kept = kept
        self._asked = (question, *asked)

    def found(self) -> RankingProgress:
        """Return the stored state; an empty one if there is none or it can't be read."""
        with suppress(msgspec.ValidationError):
            if self._kept is not None and (noted := self._kept.noted(*self._asked)) is not None:
                return msgspec.convert(noted, RankingProgress)
        return RankingProgress()

    def keep(self, begun: RankingProgress) -> None:
        """Store the state."""
        if self._kept is not None:
            self._kept.note(*self._asked, found=begun)

    def forget(self) -> None:
        """Delete the state when the ranking is done."""
        if self._kept is not None:
            self._kept.forget_note(*self._asked)
