"""Questions of the lab: their settings, and what is measured in each trial.

A question about a game is one class, `class Deadly(Question)`. Its fields are the settings, each with a default and a
description; they become the options of `cardhouse lab GAME QUESTION` and the form on the page. Its methods play trials
and define the results. Everything else, such as intervals, comparisons, sweeps and reports, is shared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

import msgspec

from cardhouse.engine import CardhouseError, Game, brought_for, find_game, game_names
from cardhouse.engine.values.error_messages import plainly

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cardhouse.lab.questions.answer import Tale, Values
    from cardhouse.lab.questions.optimality import BestPlay

    Rows = NDArray[np.int16]

GROUP = "cardhouse.lab"
"""The entry point group in which a package declares questions: the name of a game = a tuple of questions."""

LONGEST_LOG = 10_000
"""The most draws and rolls of a trial that can be logged."""

MOST_MEASURED = 4096
"""The most values of a measure."""

UNASKED = msgspec.Meta(extra_json_schema={"unasked": True})
"""Marks a field that isn't a setting: users aren't asked for it, and it isn't reported."""

Unit = Literal["", "share"]


class Situation(msgspec.Struct, frozen=True):
    """A table's situation as settings of a question, as users write them; `text` names its subject."""

    text: str
    settings: dict[str, str]


class Piece(msgspec.Struct, frozen=True):
    """A part of a setting that can be changed by itself, such as a card of a file.

    `text` is its name, and `becomes` lists its alternatives: `harmless`, `left out`.
    """

    key: str
    text: str
    becomes: tuple[str, ...]


class Measure(msgspec.Struct, frozen=True):
    """A quantity counted in each trial: an integer 0 .. size - 1; the last one includes everything above.

    `text` describes it for people.
    """

    key: str
    size: int
    text: str


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A number computed from the counts of one measure's values.

    A `share` is the probability of a value from `least` to `most`, a `mean` the mean value times `scale`; only trials
    with a value from `given_least` to `given_most` count. `most` None means no upper limit. If a measure counts what
    may be negative, its value `zero` stands for 0.

    Findings that form a line of a plot share a `series`, and `x` is their place on it. `text` describes the finding,
    `series_text` and `x_text` the line and its axis.

    If each finding of a series has a `bar`, it is drawn as bars with these names, and shown in one row where there is
    little room; `of` distinguishes bars of the same name.

    Findings that are `ranked` under the same word are adjacent; an answer sorts them in ascending order.

    A mean that a setting may cut off names that setting in `cut_off_by`, and in `cut_off_in` the measure that is
    positive in the trials affected. `is_cut_off` says that it happened often enough to matter; `text` then mentions it.

    A finding `aside` counts what a trial takes rather than how it ends, such as the cards in a hand, and leads no
    answer in which another finding changes.
    """

    key: str
    text: str
    measure: str
    kind: Literal["share", "mean"]
    least: int = 0
    most: int | None = None
    given_least: int = 0
    given_most: int | None = None
    scale: float = 1.0
    zero: int = 0
    series: str = ""
    series_text: str = ""
    x: float | None = None
    x_text: str = ""
    bar: str = ""
    of: str = ""
    ranked: str = ""
    cut_off_by: str = ""
    cut_off_in: str = ""
    is_cut_off: bool = False
    aside: bool = False

    def cut_off(self) -> Finding:
        """Return the same, marked as cut off."""
        text = f"{self.text}, cut off by the setting {self.cut_off_by}"
        return msgspec.structs.replace(self, text=text, is_cut_off=True)


class PlayedTrial(Protocol):
    """A trial played by the rules: a table in its final state, or anything else that can be written down."""

    def transcript(self) -> str:
        """Return everything that happened, a line of JSON each; for a table, a transcript."""
        ...


class Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question of the lab, with its settings.

    A setting is a field with a default; `Annotated[int, msgspec.Meta(ge=1, le=60, description="...")]` limits and
    describes it. A Literal of words is a choice. A setting's text never contains a comma: on the command line that
    separates values.
    """

    game: ClassVar[str]
    name: ClassVar[str]
    """Its word on the command line: `deadly`."""
    title: ClassVar[str]
    """The question in words: `How deadly is it?`."""
    about: ClassVar[str]
    """A few sentences about what is played and what is counted."""
    asked: ClassVar[str] = ""
    """The question as a sentence with its main settings in braces: `A character with {hp} HP ...`."""
    trial: ClassVar[str] = "trial"
    """A word for one trial: `fight`, `round`."""
    compiled: ClassVar[bool] = True
    """Whether kernels play trials, on threads, or the rules, on processes."""
    at_once: ClassVar[int] = 50_000
    """The number of trials in a piece of work."""
    usual_trials: ClassVar[int] = 1_000_000
    advises: ClassVar[bool] = False
    """Whether it gives advice rather than describing what happens: the page lists these separately."""

    compared: ClassVar[Mapping[str, str]] = {}
    """The settings of the other variant of a question that compares two, unless someone asks for another."""
    come_last: ClassVar[Sequence[str]] = ()
    """The settings that come after all others, in this order: those shared by the game's questions."""

    rules: ClassVar[type[Game] | None] = None
    """The variant whose rules play trials (`variants`); None for the game itself."""

    def check_settings(self) -> None:
        """Raise CardhouseError, with the reason, for invalid or incompatible settings."""
        try:
            msgspec.convert(msgspec.to_builtins(self), type(self))
        except msgspec.ValidationError as error:
            raise CardhouseError(f"{self.name}: {plainly(error, 'what is asked')}.") from None
        self.check()

    def check(self) -> None:
        """Raise CardhouseError, with the reason, for incompatible settings."""

    def measures(self) -> Sequence[Measure]:
        """Return what is counted in each trial: the columns of its rows."""
        raise NotImplementedError

    def findings(self) -> Sequence[Finding]:
        """Return its findings; the first is what the question is about."""
        raise NotImplementedError

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        """Play trials, usually by calling the kernel: `out` has a row of zeros for each trial from `first` on.

        A row depends only on the settings, the seed and the trial's number. `log` is as for kernels, and None except
        for `chance`. Raises CardhouseError, with the reason, if trials can't be played.
        """
        raise NotImplementedError

    def rows(self, seed: int, first: int, count: int) -> Rows:
        """Play the trials `first` to `first + count - 1`: int16 of shape (count, number of measures)."""
        import numpy as np

        out = np.zeros((count, len(self.measures())), np.int16)
        self.run(seed, first, out, None)
        return out

    def chance(self, seed: int, trial: int) -> list[int]:
        """Return this trial's chance, in order, as in the kernel's log."""
        import numpy as np

        out, log = np.zeros((1, len(self.measures())), np.int16), np.zeros(LONGEST_LOG, np.int16)
        self.run(seed, trial, out, log)
        if log[0] >= LONGEST_LOG:
            raise CardhouseError(
                f"Trial {trial} has more than {LONGEST_LOG} draws and rolls; it can't be written down."
            )
        return [int(outcome) for outcome in log[1 : log[0] + 1]]

    def exact(self) -> Mapping[str, float]:
        """Return the findings known exactly, by key, without those that are too large to compute."""
        return {}

    def tale(self, values: Values) -> Tale | None:
        """Return the answer for players, from the findings' values by key, with their intervals.

        If it is None, as by default, the first finding is used (cardhouse.lab.reports.answers).
        """
        return None

    def played(self, seed: int, trial: int) -> PlayedTrial:
        """Replay a trial by the rules of the game; usually returns the table in its final state.

        Raises CardhouseError if the rules differ from the trial.
        """
        raise NotImplementedError

    def row_of(self, table: Any) -> Sequence[int]:
        """Return the counts of a trial played by the rules, which `rows` should have for it."""
        raise NotImplementedError

    def best_play(self) -> BestPlay | None:
        """Return best play by those whose policies are settings, to compare them with it.

        By default None: there are no choices, or best play is unknown.
        """
        return None

    def line_up(self) -> str:
        """Return the participants of a trial, with ` / ` between sides, if settings only give numbers.

        By default "".
        """
        return ""

    def worth_trying(self, setting: str) -> Sequence[str]:
        """Return other values worth trying for a text setting, in a search for what matters; by default none."""
        return ()

    def pieces(self, setting: str) -> Sequence[Piece]:
        """Return the pieces of a file, or of a text that lists things, that can be changed one by one.

        By default none.
        """
        return ()

    def with_pieces(self, setting: str, becomes: Mapping[str, str]) -> Any:
        """Return a setting's value with these pieces changed, by key, each to one of its alternatives."""
        raise NotImplementedError

    @classmethod
    def from_table(cls, view: Mapping[str, Any], options: Mapping[str, Any]) -> Sequence[Situation]:
        """Return the situations of a table that this question fits, from a seat's view and the options, as plain data.

        By default none: the question isn't about a particular table.
        """
        return []

    def paired_with(self, other: Question) -> tuple[Question, Question]:
        """Return this question and a variant, prepared for comparison so that they share more chance.

        Each must keep its own distribution. By default they stay unchanged: the same trial then has the same random
        numbers. A field that is only set here is `Annotated` as `UNASKED`.
        """
        return self, other

    @classmethod
    def completed(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the settings given, with those that follow from them; by default none do."""
        return given

    @classmethod
    def named_file(cls, setting: str, text: str) -> Any | None:
        """Return the value of a word for a file setting, if there is a bundled file of that name; otherwise None."""
        return None

    @classmethod
    def read_file(cls, setting: str, text: bytes) -> Any:
        """Read a file for a file setting; by default as for the game's option of this name.

        Raises CardhouseError for an invalid file.
        """
        return find_game(cls.game).read_option_file(setting, text)


def finding_of(question: Question, key: str) -> Finding:
    """Return the finding of this key, which the question must have."""
    return next(one for one in question.findings() if one.key == key)


def questions_of(game: str) -> dict[str, type[Question]]:
    """Return the questions about a game, by name, in their order: its packages' own, then the one for every game.

    Raises CardhouseError for an unknown game, and if its questions can't be loaded.
    """
    found: tuple[type[Question], ...] = brought_for(game, GROUP, f"The questions of the lab about {game}")
    from cardhouse.lab.questions.drama import Feel, feel_of  # these are questions themselves

    own = {question.name: question for question in found}
    return own if Feel.name in own else {**own, Feel.name: feel_of(game)}


def find_question(game: str, name: str) -> type[Question]:
    """Return the question of this name.

    Raises CardhouseError for an unknown game or question.
    """
    found = questions_of(game)
    if name not in found:
        raise CardhouseError(f'There is no question "{name[:40]}" about {game}; there are {", ".join(found)}.')
    return found[name]


def games_with_questions() -> list[str]:
    """Return the games that have questions, by name: all that are installed."""
    return list(game_names())


def share(key: str, text: str, measure: str, least: int, most: int | None = None, **more: Any) -> Finding:
    """Return a finding for the probability of a value from `least` to `most`."""
    return Finding(key=key, text=text, measure=measure, kind="share", least=least, most=most, **more)


def mean(key: str, text: str, measure: str, **more: Any) -> Finding:
    """Return a finding for the mean of a measure."""
    return Finding(key=key, text=text, measure=measure, kind="mean", **more)


def line_of(findings: Iterable[Finding], series: str, text: str, x_text: str) -> list[Finding]:
    """Return these findings as a line of a plot, at 1, 2, 3 and so on where they have no `x`."""
    return [
        msgspec.structs.replace(
            one, series=series, series_text=text, x_text=x_text, x=float(place) if one.x is None else one.x
        )
        for place, one in enumerate(findings, 1)
    ]
