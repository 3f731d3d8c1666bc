"""How far what somebody named is from best play, and which rule of thumb comes nearest: on the same trials.

A question that has a policy and knows a best one says by which ways to compare them (`Question.best_play`). They are
played beside an answer, trial for trial with the same chance, so that what they have in common cancels out: a part of
its trials is enough to tell them apart, and takes less time than the answer itself.
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
"""One in so many trials of an answer is played by the other ways, too, where kernels play them as quickly."""
FEWEST = 2_000
"""So many are then, if there are so many; of ways that take longer in proportion fewer."""
BY_RULES = 200
"""So many are, where the rules play them, which takes a thousand times as long."""
AT_ONCE = 10_000
"""So many trials make a piece of work."""


Piece = tuple[int, int]
"""The number of the first trial of a piece of work, and how many."""


class Strategy(NamedTuple):
    """A way to play: as one says it at the table, and the question and measure by which it is counted."""

    text: str
    question: Question
    measure: str


def way_by(question: Question, finding: Finding, text: str, **policies: Any) -> Strategy:
    """A way to play a question with other policies, counted by what a finding is about."""
    return Strategy(text, msgspec.structs.replace(question, **policies), finding.measure)


class BestPlay(NamedTuple):
    """What a policy is measured by: the way that was asked for, the best one, and rules of thumb.

    Of every way as much is counted, and `finding` makes a number of it. `more` says of the best, with `{}` for the
    number, what it would do more of, `survive {} hits more`; `less` the same where it turns out to be less, which is
    what one wants if `less_is_better`, and else may be where best is only the best that was found. `about` says in a
    sentence what best play is here. All ways are played on one in `part` of an answer's trials.
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

    @property
    def compiled(self) -> bool:
        """Whether kernels play all of them."""
        return all(way.question.compiled for way in self.ways)

    @property
    def ways(self) -> list[Strategy]:
        """All of them, the best first, then what was asked for."""
        return [self.best, self.asked, *self.thumbs]

    @property
    def questions(self) -> tuple[Question, ...]:
        """What is played: several ways may be told of one question, which is played once."""
        questions: list[Question] = []
        for way in self.ways:
            questions += [way.question] * (way.question not in questions)
        return tuple(questions)

    def trials_of(self, trials: int) -> int:
        """How many of an answer's trials are played by all ways."""
        return min(trials, max(FEWEST * PART // self.part, trials // self.part) if self.compiled else BY_RULES)


class OptimalityGap(msgspec.Struct, frozen=True):
    """How far an answer is from best play, on so many of its trials.

    `more` is how much more the best came to than what was asked for, which may be best itself (`is_best`), and
    `thumb_more` than the rule of thumb that came nearest, or, if there is none, nothing.
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
    thumb: str = ""
    thumb_is_asked: bool = False
    thumb_more: Estimate | None = None


def beside(play: BestPlay, confidence: float, counted: Iterable[tuple[int, list[Counts]]]) -> OptimalityGap:
    """How far from the best it is, by what `joint` counted on pieces of trials, each with how many there are then."""
    count = 0
    summed: list[Counts] = []
    for count, piece in counted:  # noqa: B007 (the last one is told)
        summed = added(summed, piece)
    asked, *thumbs = (difference(play.finding, joint, confidence) for joint in summed)
    is_best = play.asked[1:] == play.best[1:]
    trial = play.best.question.trial
    told = OptimalityGap(
        count, play.finding, trial, is_best, asked, play.more, play.less, play.about, play.less_is_better
    )
    near = [(abs(more.value), place) for place, more in enumerate(thumbs) if more.value is not None]
    if not near:
        return told
    place = min(near)[1]
    nearest = play.thumbs[place]
    same = nearest[1:] == play.asked[1:]
    return msgspec.structs.replace(told, thumb=nearest.text, thumb_is_asked=same, thumb_more=thumbs[place])


def paired(play: BestPlay, seed: int, piece: Piece) -> list[Counts]:
    """How often each value came up by a way and by the best together, on these trials: int64 of shape (size, size).

    First of what was asked for, then of each rule of thumb.
    """
    batches = [joint(play, rows) for rows in in_batches(seed, *piece, *play.questions)]
    return [sum(some[1:], start=some[0]) for some in zip(*batches, strict=True)]


def joint(play: BestPlay, rows: Sequence[Rows]) -> list[Counts]:
    """How often each value came up by a way and by the best together, in these rows of each question."""
    questions = play.questions
    at = [(questions.index(way.question), column_of(way.question, way.measure)) for way in play.ways]
    size = max(way.question.measures()[column].size for way, (_, column) in zip(play.ways, at, strict=True))
    best, *others = (values_of(rows[place], column, size) for place, column in at)
    return [pairs_of(values, best, (size, size)) for values in others]
