"""Optimality gaps: how far a policy is from best play, and which rule of thumb is nearest, on the same trials.

A question that has a policy and knows a best one returns the strategies to compare (`Question.best_play`). They are
played along with an answer, trial for trial with the same chance, so that common effects cancel out: a fraction of its
trials suffices to distinguish them, and takes less time than the answer itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cardhouse.lab.questions.question import Finding
from cardhouse.lab.statistics.estimate import Estimate, difference
from cardhouse.lab.statistics.histogram import added, column_of, in_batches, pairs_of, values_of

if TYPE_CHECKING:
    from cardhouse.lab.questions.question import Question, Rows
    from cardhouse.lab.statistics.histogram import Counts

PART = 20
"""One in this many trials of an answer is also played by the other strategies, if kernels play them as fast."""
FEWEST = 2_000
"""The minimum number of these trials; fewer for strategies that are slower in proportion."""
BY_RULES = 200
"""Their number where the rules play them, which takes a thousand times as long."""
AT_ONCE = 10_000
"""The number of trials in a piece of work."""


Piece = tuple[int, int]
"""The first trial of a piece of work, and its length."""


class Strategy(NamedTuple):
    """A strategy: its description for players, and the question and measure that count it."""

    text: str
    question: Question
    measure: str


def strategy_with(question: Question, finding: Finding, text: str, **policies: Any) -> Strategy:
    """Return a strategy for a question with other policies, counted by a finding's measure."""
    return Strategy(text, msgspec.structs.replace(question, **policies), finding.measure)


class BestPlay(NamedTuple):
    """The strategies to compare: the one asked for, the best one, and rules of thumb.

    Each is counted in the same way, and `finding` makes a number of it. `more` describes the best strategy's lead, with
    `{}` for the number: `survive {} hits more`. `less` does so for a negative lead, which is desirable if
    `less_is_better`, and otherwise possible where the best is only the best known. `about` describes best play in a
    sentence, and `proven` says whether no play is better. All strategies play one in `part` of an answer's trials.
    """

    finding: Finding
    more: str
    less: str
    about: str
    asked: Strategy
    best: Strategy
    thumbs: Sequence[Strategy]
    less_is_better: bool = False
    part: int = PART
    proven: bool = False

    @property
    def compiled(self) -> bool:
        """Whether kernels play all of them."""
        return all(way.question.compiled for way in self.ways)

    @property
    def ways(self) -> list[Strategy]:
        """All strategies, the best first, then the one asked for."""
        return [self.best, self.asked, *self.thumbs]

    @property
    def questions(self) -> tuple[Question, ...]:
        """The distinct questions to play; several strategies may share one."""
        questions: list[Question] = []
        for way in self.ways:
            questions += [way.question] * (way.question not in questions)
        return tuple(questions)

    def trials_of(self, trials: int) -> int:
        """Return how many of an answer's trials all strategies play."""
        return min(trials, max(FEWEST * PART // self.part, trials // self.part) if self.compiled else BY_RULES)


class OptimalityGap(msgspec.Struct, frozen=True):
    """The distance of an answer from best play, on some of its trials.

    `more` is the lead of the best over the policy asked for, which may itself be the best (`is_best`), and `thumb_more`
    its lead over the nearest rule of thumb, None if there is none.
    """

    trials: int
    finding: Finding
    trial: str
    is_best: bool
    more: Estimate
    more_text: str
    less_text: str
    about: str
    less_is_better: bool = False
    proven: bool = False
    thumb: str = ""
    thumb_is_asked: bool = False
    thumb_more: Estimate | None = None


def beside(play: BestPlay, confidence: float, counted: Iterable[tuple[int, list[Counts]]]) -> OptimalityGap:
    """Return the distance from best play, from the counts of pieces of trials, each with the running total."""
    count = 0
    summed: list[Counts] = []
    for count, piece in counted:  # noqa: B007 (the last one is used)
        summed = added(summed, piece)
    asked, *thumbs = (difference(play.finding, joint, confidence) for joint in summed)
    is_best = play.asked[1:] == play.best[1:]
    trial = play.best.question.trial
    gap = OptimalityGap(
        count, play.finding, trial, is_best, asked, play.more, play.less, play.about, play.less_is_better, play.proven
    )
    near = [(abs(more.value), place) for place, more in enumerate(thumbs) if more.value is not None]
    if not near:
        return gap
    place = min(near)[1]
    nearest = play.thumbs[place]
    same = nearest[1:] == play.asked[1:]
    return msgspec.structs.replace(gap, thumb=nearest.text, thumb_is_asked=same, thumb_more=thumbs[place])


def paired(play: BestPlay, seed: int, piece: Piece) -> list[Counts]:
    """Return the joint counts of each strategy with the best one, on these trials: int64 of shape (size, size).

    The strategy asked for comes first, then each rule of thumb.
    """
    batches = [joint(play, rows) for rows in in_batches(seed, *piece, *play.questions)]
    return [sum(some[1:], start=some[0]) for some in zip(*batches, strict=True)]


def joint(play: BestPlay, rows: Sequence[Rows]) -> list[Counts]:
    """Return the joint counts of each strategy with the best one, in these rows of each question."""
    questions = play.questions
    at = [(questions.index(way.question), column_of(way.question, way.measure)) for way in play.ways]
    size = max(way.question.measures()[column].size for way, (_, column) in zip(play.ways, at, strict=True))
    best, *others = (values_of(rows[place], column, size) for place, column in at)
    return [pairs_of(values, best, (size, size)) for values in others]
