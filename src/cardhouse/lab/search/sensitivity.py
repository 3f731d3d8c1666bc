"""What matters most: everything about a question is changed in turn, on the same cards, and ranked by what that does.

    found = sensitivity(Deadly(hp=1, damage="2", hits=40), "dead by hit 3")
    found.effects[0].variation.text, found.effects[0].more

Nothing about it is known of any game: settings are changed as `cardhouse.lab.search.variations` does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.question import Finding, Question
from cardhouse.lab.running.checkpoint import CheckpointStore
from cardhouse.lab.running.executors import players_for
from cardhouse.lab.running.study import Progress, Study, check_trial, need_the_extra, usual_trials
from cardhouse.lab.search.ranking import CombinedEffect, Effect, Ranking, RankingProgress, has, strength
from cardhouse.lab.search.variations import variations
from cardhouse.lab.statistics.estimate import Estimate
from cardhouse.lab.words.finding_lookup import find_finding

if TYPE_CHECKING:
    import polars as pl


USUAL_TRIALS = 100_000
"""So many trials are played of each change if nobody says how many, and kernels play them."""


class Sensitivity(msgspec.Struct, frozen=True):
    """Every change and what it does to a finding of a question, the strongest first.

    Each effect rests on so many `trials`; all their intervals hold at once with this `confidence`, for which each by
    itself is one of `each` (Bonferroni). `left_out` are changes for which there is no such finding, `not_begun` those
    that were not yet played when it was stopped.
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
        """A row for each change, the strongest first."""
        from cardhouse.lab.reports.change_report import frame_of

        return frame_of(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
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
    """Change everything about a question in turn, or what `vary` names, and rank it by its effect on a finding.

    `of` is the finding's key, or words of it; by default it is what the question is about. Each change is played so
    many trials, of the same chance as the question itself. `kept` is where it may go on from if it was stopped; `tell`
    hears how many trials of how many are played, and what the finding is as it is; `halt` may stop it, and so may
    Ctrl-C: what was played so far is told.
    Raises CardhouseError, in words, for what can't be asked.
    """
    need_the_extra()
    question.check_settings()
    finding = find_finding(question.findings(), of) if of else question.findings()[0]
    every = variations(question, vary)
    found = [one for one in every if has(one.question, finding)]
    if not found:
        raise CardhouseError(f"Nothing about {question.name} can be changed by itself.")
    many = trials_for(question, trials)
    Study(cells=(Cell(question),), trials=many, seed=seed, confidence=confidence).check()
    check_trial(many)
    begun = time.perf_counter()
    note = _Note(kept, question, ("sensitivity", finding.key, tuple(vary), many, seed, confidence))
    compiled = question.compiled and all(one.question.compiled for one in found)
    kernels = [(question, None), (found[0].question, None)]
    who: dict[str, Any] = {"compiled": compiled, "workers": workers, "cluster": cluster}
    with players_for(kernels, seed, halt=halt, **who) as players:
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
    """How many trials are played of each change: as many as somebody said, or as is usual."""
    return min(USUAL_TRIALS, usual_trials([Cell(question)])) if trials is None else trials


class _Note:
    """Where a ranking that was stopped is kept, if it is."""

    def __init__(self, kept: CheckpointStore | None, question: Question, asked: tuple[Any, ...]) -> None:
        self._kept = kept
        self._asked = (question, *asked)

    def found(self) -> RankingProgress:
        """What there is of it: nothing, if what is there can't be read."""
        with suppress(msgspec.ValidationError):
            if self._kept is not None and (noted := self._kept.noted(*self._asked)) is not None:
                return msgspec.convert(noted, RankingProgress)
        return RankingProgress()

    def keep(self, begun: RankingProgress) -> None:
        """Keep it."""
        if self._kept is not None:
            self._kept.note(*self._asked, found=begun)

    def forget(self) -> None:
        """It is done."""
        if self._kept is not None:
            self._kept.forget_note(*self._asked)
