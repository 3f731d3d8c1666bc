"""Tuning: a search for settings that meet targets, confirmed on fresh cards.

    found = tune(Deadly(hp=1, damage="2"), ["dead by hit 3 = 50%"], vary=["limit=15..30", "massive=10..20"])
    found.best[0].differs, found.best[0].estimates

Few choices all race against each other (`elimination`); of many, Optuna's tree of Parzen estimators proposes which
(`optimizer`). The best are played again with another seed: the best of many is also the luckiest, so the numbers that
selected it would be biased.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.question import Question
from cardhouse.lab.running.checkpoint import CheckpointStore
from cardhouse.lab.running.executors import Players, players_for
from cardhouse.lab.running.study import Progress, Study, require_lab_extra, usual_trials
from cardhouse.lab.search.elimination import Contender, Misses, Race, counts_of, front
from cardhouse.lab.search.optimizer import Search, Start
from cardhouse.lab.search.space import Choice, Space, space_of
from cardhouse.lab.search.targets import Grade, Target, read_target
from cardhouse.lab.statistics.estimate import Estimate

if TYPE_CHECKING:
    import polars as pl

USUAL_TRIALS: Final = 200_000
"""The default number of trials that confirm each candidate, where kernels play them."""
NO_TARGETS: Final = 'Name a target, such as "won = 50%".'
TRIES: Final = 200
STARTS: Final = 3
"""The default number of choices in each search, and of searches."""
MOST_CONFIRMED: Final = 8
"""The most candidates that are confirmed."""


class Candidate(msgspec.Struct, frozen=True):
    """Settings that were tried, with their changes, and the result for each target.

    `confirmed` says that the numbers are from fresh trials; `cost` is about the number of changes.
    """

    question: Question
    differs: dict[str, str]
    cost: float
    estimates: tuple[Estimate, ...]
    grades: tuple[Grade, ...]
    misses: Misses
    trials: int
    confirmed: bool

    @property
    def meets(self) -> bool:
        """Whether every target is met."""
        return self.grade == "met"

    @property
    def grade(self) -> Grade:
        """The joint grade of all targets."""
        return "missed" if "missed" in self.grades else "perhaps" if "perhaps" in self.grades else "met"


class TuningRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request: a question, targets and settings to vary as written by the user, and the amount of play."""

    question: Question
    targets: tuple[str, ...]
    vary: tuple[str, ...]
    tries: int
    starts: int
    trials: int
    seed: int
    confidence: float


class Tuned(msgspec.Struct, frozen=True):
    """The result: the question as it is `now`, and the `best` settings: those that meet all targets, or the front.

    `tried` of `size` choices were tried, all if `is_whole`, with a total of `played` trials. All intervals of the best
    and of the `rest`, which were confirmed too, hold simultaneously with the requested confidence; each has the
    confidence `each`.
    """

    wanted: TuningRequest
    targets: tuple[Target, ...]
    now: Candidate | None
    best: tuple[Candidate, ...]
    rest: tuple[Candidate, ...]
    starts: tuple[Start, ...]
    tried: int
    size: int
    is_whole: bool
    played: int
    each: float
    seconds: float
    stopped: bool

    @property
    def met(self) -> bool:
        """Whether any settings meet all targets."""
        return any(one.meets for one in self.best)

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each reported choice."""
        from cardhouse.lab.reports.change_report import frame_of

        return frame_of(self)

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from cardhouse.lab.reports.notebook import html_of_changes

        return html_of_changes(self)


def tune(
    question: Question,
    targets: Sequence[str],
    *,
    vary: Sequence[str],
    tries: int = TRIES,
    starts: int = STARTS,
    trials: int | None = None,
    seed: int = 0,
    confidence: float = 0.95,
    workers: int | None = None,
    cluster: str | None = None,
    kept: CheckpointStore | None = None,
    tell: Callable[[Progress], None] = lambda progress: None,
    halt: Callable[[], bool] = lambda: False,
) -> Tuned:
    """Search for settings of a question that meet targets such as `won = 50%`, among what `vary` names.

    Each of `starts` searches tries `tries` choices; if there are no more choices than that in total, all are tried. The
    best are played for `trials` with another seed. `kept` stores a stopped run to continue from; `tell` receives the
    progress, with the first target's estimate for the best choice so far; `halt` may stop it, and so may Ctrl-C: the
    result then has the best so far, unconfirmed.

    Raises CardhouseError for an invalid request.
    """
    require_lab_extra()
    question.check_settings()
    many = trials_for(question, trials)
    Study(cells=(Cell(question),), trials=many, seed=seed, confidence=confidence).check()
    wanted = TuningRequest(
        question=question,
        targets=tuple(targets),
        vary=tuple(vary),
        tries=tries,
        starts=starts,
        trials=many,
        seed=seed,
        confidence=confidence,
    )
    if not targets:
        raise CardhouseError(NO_TARGETS)
    aims = tuple(read_target(question.findings(), text) for text in targets)
    space = space_of(question, vary)
    known = kept.noted(question, wanted) if kept is not None else None
    begun = time.perf_counter()
    compiled = question.compiled
    with players_for(
        [(question, None)], seed, compiled=compiled, workers=workers, cluster=cluster, halt=halt
    ) as players:
        race = Race(aims, many, seed, players, known)
        keep = partial(_store, kept, wanted, race)
        search = Search(space, race, tries, starts, tell, keep)
        judge = _Judge(space, aims, many, seed + 1, players)
        stopped = False
        try:
            search.run()
            pool = search.best(MOST_CONFIRMED)
            each = 1 - (1 - confidence) / max(1, len(pool) * len(aims))
            found = [judge.confirmed(one, each) for one in pool]
            now = judge.as_it_is(each)
        except KeyboardInterrupt:
            stopped, each = True, confidence
            found = [judge.so_far(one, race.runners[one], each) for one in search.best(MOST_CONFIRMED)]
            now = None
        finally:
            keep()
    if kept is not None and not stopped:
        kept.forget_note(question, wanted)
    best = _best(found)
    return Tuned(
        wanted,
        aims,
        now,
        tuple(best),
        tuple(one for one in found if one not in best),
        tuple(search.starts),
        len(race.runners),
        space.size,
        search.is_whole,
        race.played + judge.played,
        each,
        time.perf_counter() - begun,
        stopped,
    )


def trials_for(question: Question, trials: int | None) -> int:
    """Return the number of trials that confirm each candidate: as given, or the default."""
    if trials is not None:
        return trials
    return USUAL_TRIALS if question.compiled else usual_trials([Cell(question)])


def _store(kept: CheckpointStore | None, wanted: TuningRequest, race: Race) -> None:
    if kept is not None:
        kept.note(wanted.question, wanted, found=race.noted())


def _best(found: Sequence[Candidate]) -> list[Candidate]:
    """Return those that meet all targets, fewest changes first; otherwise the Pareto front, nearest first."""
    meeting = sorted((one for one in found if one.meets), key=lambda one: one.cost)
    if meeting:
        return meeting
    ahead = [found[place] for place in front([one.misses for one in found])]
    return sorted(ahead, key=lambda one: (sum(one.misses), one.cost))


class _Judge:
    """The player of candidates on fresh cards."""

    def __init__(
        self,
        space: Space,
        targets: Sequence[Target],
        trials: int,
        seed: int,
        players: Players,
    ) -> None:
        self.played = 0
        self._space = space
        self._targets = targets
        self._trials = trials
        self._seed = seed
        self._players = players

    def confirmed(self, choice: Choice, each: float) -> Candidate:
        """Return a choice with its results from new trials."""
        question = self._space.chosen(choice)
        assert question is not None
        return self._played(question, self._space.differs(choice), self._space.cost(choice), each)

    def as_it_is(self, each: float) -> Candidate:
        """Return the unchanged question with its results from the same trials."""
        return self._played(self._space.question, {}, 0.0, each)

    def so_far(self, choice: Choice, runner: Contender, each: float) -> Candidate:
        """Return a choice with its results from the trials that selected it."""
        differs, cost = self._space.differs(choice), self._space.cost(choice)
        return self._candidate(runner, differs, cost, each, confirmed=False)

    def _played(self, question: Question, differs: dict[str, str], cost: float, each: float) -> Candidate:
        for counts in counts_of(question, self._targets, self._seed, 0, self._trials, self._players):
            last = counts
        self.played += self._trials
        return self._candidate(Contender(question, [last], self._trials), differs, cost, each, confirmed=True)

    def _candidate(
        self, runner: Contender, differs: dict[str, str], cost: float, each: float, *, confirmed: bool
    ) -> Candidate:
        numbers = runner.estimates(self._targets, each)
        grades = tuple(target.grade(number) for target, number in zip(self._targets, numbers, strict=True))
        misses = runner.misses(self._targets)
        return Candidate(runner.question, differs, cost, numbers, grades, misses, runner.trials, confirmed)
