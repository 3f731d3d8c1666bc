"""Studies: trials are played until there are enough, and their counts become numbers with intervals.

The number and kind of workers doesn't affect the result: trials are counted in pieces, the pieces are added up as
integers, and whether there are enough is checked after numbers of trials that depend only on the counts before.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing
from functools import partial
from importlib.util import find_spec
from itertools import groupby
from math import inf
from typing import TYPE_CHECKING

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.cell import MOST_CELLS, Cell
from cardhouse.lab.questions.optimality import AT_ONCE, BestPlay, OptimalityGap, beside, joint, paired
from cardhouse.lab.questions.question import Finding, Question
from cardhouse.lab.running.checkpoint import CellCheckpoint, CheckpointStore
from cardhouse.lab.running.executors import Players, Work, players_for, tallied
from cardhouse.lab.running.leaders import lead_of
from cardhouse.lab.statistics.estimate import Estimate, difference, estimate
from cardhouse.lab.statistics.histogram import Tally, no_trials

if TYPE_CHECKING:
    import altair as alt
    import polars as pl

    from cardhouse.lab.statistics.histogram import Counts

MOST_TRIALS = 1_000_000_000
NOTHING: Mapping[str, float] = {}
BY_RULES = 1_000
"""The most trials that are played by the rules by default."""
BESIDE_SECONDS = 2.0
"""The seconds that the comparison with best play may take while there is no machine code."""
FIRST_LOOK = 10_000
"""With a stop rule, the trials after which the remaining number is first estimated."""


class Study(msgspec.Struct, frozen=True, kw_only=True):
    """A study: these cells, each with this many trials.

    With `until`, run until every proportion's half-width is at most `until`, at this confidence (0.5 to 0.9999), or
    until `trials` is reached. Proportions without data never count as precise enough.
    """

    cells: tuple[Cell, ...]
    trials: int
    seed: int = 0
    confidence: float = 0.95
    until: float | None = None

    def check(self) -> None:
        """Raise CardhouseError, with the reason, if the study is invalid."""
        if not 1 <= len(self.cells) <= MOST_CELLS:
            raise CardhouseError(
                f"These are {len(self.cells):,} combinations of settings; at most {MOST_CELLS:,} are allowed."
            )
        if not 1 <= self.trials <= MOST_TRIALS:
            raise CardhouseError(f"trials takes 1 to {MOST_TRIALS:,}, not {self.trials:,}.")
        if not 0 <= self.seed < 1 << 63:
            raise CardhouseError(f"seed takes a whole number from 0 to {(1 << 63) - 1}, not {self.seed}.")
        if not 0.5 <= self.confidence <= 0.9999:
            raise CardhouseError(f"confidence takes 50 to 99.99 percent, not {100 * self.confidence:g}.")
        if self.until is not None and not 0.00001 <= self.until <= 0.5:
            raise CardhouseError(f"until takes 0.001% to 50%, not {100 * self.until:g}%.")
        for cell in self.cells:
            cell.question.check_settings()
            if cell.versus is not None:
                cell.versus.check_settings()
                _check_comparable(cell.question, cell.versus)


def check_trial(trial: int) -> None:
    """Raise CardhouseError unless this is a possible number of a trial."""
    if not 0 <= trial < MOST_TRIALS:
        raise CardhouseError(f"Trials are numbered from 0 to {MOST_TRIALS - 1:,}; there is no {trial}.")


def _check_comparable(question: Question, versus: Question) -> None:
    """Raise CardhouseError if the two count different measures."""
    here, there = ([measure.key for measure in each.measures()] for each in (question, versus))
    if here != there:
        raise CardhouseError("These two don't count the same things. Ask about each separately.")


class Found(msgspec.Struct, frozen=True):
    """A finding with its number, and the exact value if known.

    With a variant, `versus` is the variant's number, and `more` the difference.
    """

    finding: Finding
    estimate: Estimate
    exact: float | None = None
    versus: Estimate | None = None
    more: Estimate | None = None


class Answer(msgspec.Struct, frozen=True):
    """The result of a cell: its trials, its findings, and the counts of each value of each measure.

    If it is about policies and the best is known, `beside` is their distance from it.
    """

    cell: Cell
    trials: int
    found: tuple[Found, ...]
    counts: dict[str, list[int]]
    versus_counts: dict[str, list[int]] | None = None
    beside: OptimalityGap | None = None


class Result(msgspec.Struct, frozen=True):
    """The answers, the seconds to prepare machine code and to play, and whether it was stopped."""

    study: Study
    answers: tuple[Answer, ...]
    ready: float
    seconds: float
    workers: int
    stopped: bool = False

    @property
    def command(self) -> str:
        """The command that asks the same."""
        from cardhouse.lab.reports.summary import command_of

        return command_of(self.study)

    @property
    def link(self) -> str:
        """The link to the same question on a server's page, without its address."""
        from cardhouse.lab.reports.summary import link_of

        return link_of(self.study)

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each combination of settings and finding: `tables.findings`."""
        from cardhouse.lab.reports.tables import findings

        return findings(self)

    def to_altair(self) -> list[alt.TopLevelMixin]:
        """Return its plots, in the order of the report."""
        from cardhouse.lab.reports.notebook import charts

        return charts(self)

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from cardhouse.lab.reports.notebook import html

        return html(self)


class Progress(msgspec.Struct, frozen=True):
    """Progress: the trials, or steps, that are `done`, and the present estimate of a cell's leading finding.

    With a variant, `more` is the difference. While kernels are `compiling`, trials are played in Python, which is much
    slower.
    """

    done: int
    of: int
    cell: Cell
    headline: Finding
    estimate: Estimate
    compiling: bool = False
    more: Estimate | None = None


def ask(
    study: Study,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    kept: CheckpointStore | None = None,
    exact: Callable[[Question], Mapping[str, float]] = lambda question: question.exact(),
    tell: Callable[[Progress], None] = lambda progress: None,
    halt: Callable[[], bool] = lambda: False,
) -> Result:
    """Play the trials of a study and count them.

    They run on this many cores, all if None, or on a Dask cluster at an address. `kept` stores the counts of a stopped
    study, to continue from, and `exact` returns a question's exact numbers, possibly from a cache. `tell` receives the
    progress, and `halt` may stop the study; so may Ctrl-C. The result is then that of the trials played.

    Raises CardhouseError, before anything is played, for an invalid study or an unreachable cluster.
    """
    require_lab_extra()
    study.check()
    begun = time.perf_counter()
    grown: list[tuple[Cell, Tally, OptimalityGap | None]] = []
    stopped = False
    with _players(study, workers, cluster, halt) as players:
        for cell in study.cells:
            so_far = _load_cell(study, cell, kept)
            tally = so_far.tally
            try:
                shown = _ProgressShown(study, cell, len(grown) * study.trials)
                with closing(_growing(study, cell, players, kept, so_far)) as growing:
                    for tally in growing:
                        tell(shown.progress(tally, compiling=players.compiling))
                        players.look()
            except KeyboardInterrupt:
                stopped = True
            if tally.trials:
                near = None if stopped else _optimality_gap(study, cell, tally, players)
                grown.append((cell, tally, near))
            if stopped:
                break
    # After a stop without machine code, computing the exact numbers might take as long.
    known = exact if not (stopped and players.compiling) else lambda question: NOTHING
    answers = tuple(_answer(study, cell, tally, known(cell.question), near) for cell, tally, near in grown)
    if kept is not None and not stopped:
        kept.forget(study)
    seconds = time.perf_counter() - begun - players.ready
    return Result(study, answers, players.ready, seconds, players.workers, stopped)


def usual_trials(cells: Iterable[Cell]) -> int:
    """Return the default number of trials of these: fewer where the rules play them."""
    return min(each.usual_trials if each.compiled else min(each.usual_trials, BY_RULES) for each in _questions(cells))


def trials_for(cells: Iterable[Cell], trials: int | None, until: float | None) -> int:
    """Return the number of trials of each: as given, or the most that a stop rule allows, or the default."""
    return trials or (MOST_TRIALS if until is not None else usual_trials(cells))


def has_lab_extra() -> bool:
    """Return whether the packages for simulation are installed."""
    return find_spec("numba") is not None  # only looked for: loading it takes a second and a hundred megabytes


def require_lab_extra() -> None:
    """Raise CardhouseError if the packages for simulation aren't installed."""
    if not has_lab_extra():
        raise CardhouseError("The lab needs more packages: pip install 'cardhouse[lab]'.")


def _players(
    study: Study, workers: int | None, cluster: str | None, halt: Callable[[], bool]
) -> AbstractContextManager[Players]:
    """Return the executors of a study; they prepare the kernel of its first cell."""
    first, compiled = study.cells[0], all(question.compiled for question in _questions(study.cells))
    kernels = [(first.question, first.versus)]
    if compiled and (play := _best_play(first)) is not None and play.compiled:
        kernels += [(question, None) for question in play.questions]
    return players_for(kernels, study.seed, compiled=compiled, workers=workers, cluster=cluster, halt=halt)


def _questions(cells: Iterable[Cell]) -> Iterator[Question]:
    return (question for cell in cells for question in (cell.question, cell.versus) if question)


def _load_cell(study: Study, cell: Cell, kept: CheckpointStore | None) -> CellCheckpoint:
    """Return the state of a cell before anything is played: its checkpoint, if it was stopped before."""
    begun = kept.found(study, cell) if kept is not None else None
    return begun or CellCheckpoint(no_trials(cell.question, cell.versus), 0)


def _next_look(study: Study, cell: Cell, begun: CellCheckpoint) -> int:
    """Return the number of trials after which to check whether they are enough.

    A study stopped between two checks continues to the next planned one, as if it hadn't been stopped.
    """
    return begun.goal if begun.goal > begun.tally.trials else _enough(study, cell, begun.tally)


def _growing(
    study: Study, cell: Cell, players: Players, kept: CheckpointStore | None, begun: CellCheckpoint
) -> Generator[Tally, None, None]:
    """Yield the growing tally of a cell until there are enough trials; it is stored if stopped."""
    tally, goal = begun
    work = tallied(cell.question, cell.versus, study.seed)
    try:
        while (goal := _next_look(study, cell, CellCheckpoint(tally, goal))) > tally.trials:
            for end, piece in players.counts(work, cell.question.at_once, tally.trials, goal):
                tally = tally.with_(piece)
                if end < goal:
                    yield tally
        yield tally
    finally:
        if kept is not None and tally.trials:
            kept.keep(study, cell, CellCheckpoint(tally, goal))


def _enough(study: Study, cell: Cell, tally: Tally) -> int:
    """Return how many trials to play before checking again: the present number, if they are enough."""
    if study.until is None:
        return study.trials
    if not tally.trials:
        return min(FIRST_LOOK, study.trials)
    shares = (
        one.more or one.estimate for one in found_in(cell, tally, study.confidence) if one.finding.kind == "share"
    )
    # Without data for a proportion, all trials so far were about something else: more may help.
    error = max((inf if one.error is None else one.error for one in shares), default=0.0)
    if error <= study.until:
        return tally.trials
    # The error falls with the square root of the number of trials; 2% more makes up for its own error.
    wanted = 1.02 * tally.trials * (error / study.until) ** 2
    return min(study.trials, int(min(max(wanted, 1.1 * tally.trials), 4 * tally.trials)))


class _ProgressShown:
    """The progress of a cell, after `done` trials of others.

    The finding that it shows is chosen anew whenever the trials have doubled.
    """

    def __init__(self, study: Study, cell: Cell, done: int) -> None:
        self._study = study
        self._cell = cell
        self._done = done
        self._key = ""
        self._again = 1

    def progress(self, tally: Tally, *, compiling: bool) -> Progress:
        """Return the progress, with the leading finding so far."""
        study, cell = self._study, self._cell
        if tally.trials >= self._again:
            all_found = Answer(cell, tally.trials, tuple(found_in(cell, tally, study.confidence)), {})
            self._key, self._again = lead_of([all_found], study.confidence).finding.key, 2 * tally.trials
        shown = next(found_in(cell, tally, study.confidence, only=self._key))
        of = study.trials * len(study.cells)
        return Progress(self._done + tally.trials, of, cell, shown.finding, shown.estimate, compiling, shown.more)


def _best_play(cell: Cell) -> BestPlay | None:
    """Return the policies to compare with the best; None with custom rules, whose best play is unknown."""
    return cell.question.best_play() if cell.question.rules is None else None


def _optimality_gap(study: Study, cell: Cell, tally: Tally, players: Players) -> OptimalityGap | None:
    """Return how far a cell's policies are from the best; None if that is unknown, or on Ctrl-C."""
    if (play := _best_play(cell)) is None:
        return None
    try:
        return beside(play, study.confidence, _compared(play, study.seed, tally.trials, players))
    except KeyboardInterrupt:
        return None


def _compared(play: BestPlay, seed: int, trials: int, players: Players) -> Iterator[tuple[int, list[Counts]]]:
    """Yield results of part of these trials with each policy and with best play, and how many they are so far.

    Without machine code these are few: a finished answer doesn't wait for them.
    """
    until = time.monotonic() + BESIDE_SECONDS
    work = Work(play.questions, seed, partial(paired, play, seed), partial(joint, play))
    size = min(AT_ONCE, play.best.question.at_once)
    with closing(players.counts(work, size, 0, play.trials_of(trials))) as counts:
        for end, counted in counts:
            yield end, counted
            players.look()
            if players.compiling and time.monotonic() > until:
                return


def _answer(
    study: Study, cell: Cell, tally: Tally, exact: Mapping[str, float], near: OptimalityGap | None = None
) -> Answer:
    keys = [measure.key for measure in cell.question.measures()]
    counts, others = ([each.tolist() for each in some] for some in (tally.here(), tally.there() if cell.versus else ()))
    return Answer(
        cell,
        tally.trials,
        tuple(_ranked(found_in(cell, tally, study.confidence, exact))),
        dict(zip(keys, counts, strict=True)),
        dict(zip(keys, others, strict=True)) if cell.versus else None,
        near,
    )


def _ranked(found: Iterable[Found]) -> Iterator[Found]:
    """Yield findings, sorting those with the same rank word in ascending order, unknown ones last."""
    for ranked, some in groupby(found, key=lambda one: one.finding.ranked):
        those = list(some)
        yield from sorted(those, key=_value) if ranked else those


def _value(found: Found) -> float:
    return inf if found.estimate.value is None else found.estimate.value


def found_in(
    cell: Cell, tally: Tally, confidence: float, exact: Mapping[str, float] = NOTHING, *, only: str = ""
) -> Iterator[Found]:
    """Yield a tally's findings, or `only` the one of this key; for the variant only those that both have."""
    columns = {measure.key: place for place, measure in enumerate(cell.question.measures())}
    here = tally.here()
    there = tally.there() if cell.versus else ()
    others: dict[str, Finding] = {one.key: one for one in cell.versus.findings()} if cell.versus else {}
    for finding in cell.question.findings():
        if only and finding.key != only:
            continue
        column = columns[finding.measure]
        number = estimate(finding, here[column], confidence)
        other = others.get(finding.key)
        beside = estimate(other, there[column], confidence) if other else None
        more = difference(finding, tally.counts[column], confidence, other) if other else None
        if cut := columns.get(finding.cut_off_in):
            is_cut = _is_cut_off(number, here[cut]) or (beside is not None and _is_cut_off(beside, there[cut]))
            finding = finding.cut_off() if is_cut else finding
        known = exact.get(finding.key)
        # JSON writes an integer differently from the same number read back from the cache.
        yield Found(finding, number, None if known is None else float(known), beside, more)


def _is_cut_off(number: Estimate, cut: Counts) -> bool:
    """Return whether a mean would visibly rise if the trials cut off had lasted that long again."""
    return number.value is not None and float(cut[1:].sum()) / number.trials * number.value > (number.error or 0.0)
