"""What a question of the lab is: who asks what, with which settings, and what is measured of each trial.

A question of a game is one class, `class Deadly(Question)`. Its fields are the settings, each with a default and a
description, and become the options of `cardhouse lab GAME QUESTION` and the form on the page. Its methods play trials
and say what is to be made of them. Everything else, intervals, comparisons, sweeps, reports, is the same for all.
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

    from cardhouse.lab.questions.answer import Tale
    from cardhouse.lab.questions.optimality import BestPlay

    Rows = NDArray[np.int16]

GROUP = "cardhouse.lab"
"""The entry points by which a package tells of its questions: the name of a game = a tuple of questions."""

LONGEST_LOG = 10_000
"""So many draws and rolls of one trial can be written down."""

MOST_MEASURED = 4096
"""The most values that a measure tells apart."""

UNASKED = msgspec.Meta(extra_json_schema={"unasked": True})
"""A field that is no setting: nobody is asked for it, and it is not told of."""

Unit = Literal["", "share"]


class Situation(msgspec.Struct, frozen=True):
    """Where a table stands, as settings of a question, as one writes them; `text` says of whom or what it asks."""

    text: str
    settings: dict[str, str]


class Piece(msgspec.Struct, frozen=True):
    """A part of a setting that can be changed by itself, such as a card of a file.

    `text` is what it is called, and each word of `becomes` something that it may be made: `harmless`, `left out`.
    """

    key: str
    text: str
    becomes: tuple[str, ...]


class Measure(msgspec.Struct, frozen=True):
    """Something counted in each trial: a whole number from 0 to `size - 1`, of which the last stands for more as well.

    `text` says what it is, for people.
    """

    key: str
    size: int
    text: str


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A number that follows from how often each value of one measure came up.

    A `share` is the chance of a value from `least` to `most`, a `mean` the mean value times `scale`; of the trials
    whose value is from `given_least` to `given_most` only, if these are not all. No `most` is no upper end. Where a
    measure counts what may be below 0, its value `zero` stands for 0.

    Findings that make a line of a plot have the same `series`, and `x` is where they stand on it. `text` says what it
    is, `series_text` and `x_text` what the line and its axis are.

    A series whose findings have each a `bar` is drawn as bars, named by that, and told in one row where there is little
    room; what it is `of` tells bars of the same name apart.

    Findings that are `ranked` under the same word stand next to each other; an answer has the lowest of them first.

    A mean that a setting may cut off names it in `cut_off_by`, and in `cut_off_in` the measure that is above 0 in the
    trials in which it did. `is_cut_off` says that it did so often enough to be seen; `text` then says so, too.
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

    def cut_off(self) -> Finding:
        """The same, marked as cut off."""
        text = f"{self.text}, cut off by the setting {self.cut_off_by}"
        return msgspec.structs.replace(self, text=text, is_cut_off=True)


class PlayedTrial(Protocol):
    """A trial as it was played by the rules: a table as it stands at its end, or what else can be written down."""

    def transcript(self) -> str:
        """All that happened, a line of JSON each; of a table what `cardhouse replay` reads."""
        ...


class Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question of the lab, with its settings.

    A setting is a field with a default; `Annotated[int, msgspec.Meta(ge=1, le=60, description="...")]` says what it may
    be. A Literal of words is a choice. A comma never stands in a setting's text: on the command line it lists several.
    """

    game: ClassVar[str]
    name: ClassVar[str]
    """The word on the command line: `deadly`."""
    title: ClassVar[str]
    """The question as one asks it: `How deadly is it?`."""
    about: ClassVar[str]
    """A few sentences: what is played, what is counted."""
    asked: ClassVar[str] = ""
    """The question as a sentence with its main settings in braces: `A character with {hp} HP ...`."""
    trial: ClassVar[str] = "trial"
    """What one trial is, as a word for people: `fight`, `round`."""
    compiled: ClassVar[bool] = True
    """Whether trials are played by a kernel, on threads, or by the rules, on processes."""
    at_once: ClassVar[int] = 50_000
    """So many trials make a piece of work."""
    usual_trials: ClassVar[int] = 1_000_000
    advises: ClassVar[bool] = False
    """Whether it is about what one should do, rather than about how it goes: the page lists it so."""

    come_last: ClassVar[Sequence[str]] = ()
    """Settings that come after all others, in this order: those that a question shares with others of its game."""

    rules: ClassVar[type[Game] | None] = None
    """The variant of the game by whose rules trials are played (`variants`); None for the game itself."""

    def check_settings(self) -> None:
        """Raises CardhouseError, in words, for a setting that can't be, or settings that don't go together."""
        try:
            msgspec.convert(msgspec.to_builtins(self), type(self))
        except msgspec.ValidationError as error:
            raise CardhouseError(f"{self.name}: {plainly(error, 'what is asked')}.") from None
        self.check()

    def check(self) -> None:
        """Raise CardhouseError, in words, for settings that don't go together."""

    def measures(self) -> Sequence[Measure]:
        """What is counted in each trial; the columns of its rows."""
        raise NotImplementedError

    def findings(self) -> Sequence[Finding]:
        """What is told of it; the first is what the question is about."""
        raise NotImplementedError

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        """Play trials, mostly by calling the kernel: `out` has a row for each trial from `first` on, of zeros.

        A row depends on the settings, the seed and its trial's number, and on nothing else. `log` is as kernels have
        it, and None but for `chance`. Raises CardhouseError, in words, if trials can't be played.
        """
        raise NotImplementedError

    def rows(self, seed: int, first: int, count: int) -> Rows:
        """Play the trials `first` to `first + count - 1`: int16 of shape (count, number of measures)."""
        import numpy as np

        out = np.zeros((count, len(self.measures())), np.int16)
        self.run(seed, first, out, None)
        return out

    def chance(self, seed: int, trial: int) -> list[int]:
        """What chance gave in this trial, in order, as the kernel's log has it."""
        import numpy as np

        out, log = np.zeros((1, len(self.measures())), np.int16), np.zeros(LONGEST_LOG, np.int16)
        self.run(seed, trial, out, log)
        if log[0] >= LONGEST_LOG:
            raise CardhouseError(
                f"Trial {trial} has more than {LONGEST_LOG} draws and rolls; it can't be written down."
            )
        return [int(outcome) for outcome in log[1 : log[0] + 1]]

    def exact(self) -> Mapping[str, float]:
        """Findings that are known exactly, by key; those of settings that are too large to count are left out."""
        return {}

    def tale(self, values: Mapping[str, float]) -> Tale | None:
        """Return the answer as players read it, from the findings' values by key.

        By default, and where it is None, the first finding is told (cardhouse.lab.reports.answers).
        """
        return None

    def played(self, seed: int, trial: int) -> PlayedTrial:
        """A trial once more, by the rules of the game: mostly the table as it stands at its end.

        Raises CardhouseError if the rules don't go the way the trial went.
        """
        raise NotImplementedError

    def row_of(self, table: Any) -> Sequence[int]:
        """What is counted of a trial that was played by the rules: what `rows` should have for it."""
        raise NotImplementedError

    def best_play(self) -> BestPlay | None:
        """The best that those can do whose policies are settings, to see how far these are from it.

        By default None: nobody chooses anything, or what is best isn't known.
        """
        return None

    def line_up(self) -> str:
        """Who takes part in a trial, sides parted by ` / `, where settings say only how many; by default nothing."""
        return ""

    def worth_trying(self, setting: str) -> Sequence[str]:
        """What else a setting that is a text might be, where one looks for what matters; by default nothing."""
        return ()

    def pieces(self, setting: str) -> Sequence[Piece]:
        """What a setting is made of, a file or a text that lists things, where its pieces can be changed one by one.

        By default nothing.
        """
        return ()

    def with_pieces(self, setting: str, becomes: Mapping[str, str]) -> Any:
        """A value for a setting: as it is, but with these pieces changed, by key, each to a word that it may become."""
        raise NotImplementedError

    @classmethod
    def from_table(cls, view: Mapping[str, Any], options: Mapping[str, Any]) -> Sequence[Situation]:
        """What can be asked of a table as it stands: what a seat sees of it, and its options, both as plain data.

        By default nothing: the question asks of no table in particular.
        """
        return []

    def paired_with(self, other: Question) -> tuple[Question, Question]:
        """This question and another variant of it as they are to be compared, where chance can be more alike for both.

        What either comes to by itself must be as likely as before. By default they stay as they are: the same trial
        then has the same numbers of chance. A field that is only set here is `Annotated` as `UNASKED`.
        """
        return self, other

    @classmethod
    def named_file(cls, setting: str, text: str) -> Any | None:
        """What a word means for a setting that is a file, where files come along under a name; None if none does."""
        return None

    @classmethod
    def read_file(cls, setting: str, text: bytes) -> Any:
        """What a file means for a setting that is one; by default as for the game's option of this name.

        Raises CardhouseError for a file that is not what it should be.
        """
        return find_game(cls.game).read_option_file(setting, text)


def finding_of(question: Question, key: str) -> Finding:
    """The finding of this key, which the question must have."""
    return next(one for one in question.findings() if one.key == key)


def questions_of(game: str) -> dict[str, type[Question]]:
    """The questions one can ask about a game, by name, in their order: its packages' own, then that of every game.

    Raises CardhouseError for a game that there isn't, and if its questions can't be loaded.
    """
    found: tuple[type[Question], ...] = brought_for(game, GROUP, f"The questions of the lab about {game}")
    from cardhouse.lab.questions.drama import Feel, feel_of  # which are questions themselves

    own = {question.name: question for question in found}
    return own if Feel.name in own else {**own, Feel.name: feel_of(game)}


def find_question(game: str, name: str) -> type[Question]:
    """The question of this name.

    Raises CardhouseError for a game or a question that there isn't.
    """
    found = questions_of(game)
    if name not in found:
        raise CardhouseError(f'There is no question "{name[:40]}" about {game}; there are {", ".join(found)}.')
    return found[name]


def games_with_questions() -> list[str]:
    """The games that something can be asked about, by name: all that are installed."""
    return list(game_names())


def share(key: str, text: str, measure: str, least: int, most: int | None = None, **more: Any) -> Finding:
    """The chance of a value from `least` to `most`."""
    return Finding(key=key, text=text, measure=measure, kind="share", least=least, most=most, **more)


def mean(key: str, text: str, measure: str, **more: Any) -> Finding:
    """The mean of a measure."""
    return Finding(key=key, text=text, measure=measure, kind="mean", **more)


def line_of(findings: Iterable[Finding], series: str, text: str, x_text: str) -> list[Finding]:
    """These findings as a line of a plot, at 1, 2, 3 and so on where they don't say."""
    return [
        msgspec.structs.replace(
            one, series=series, series_text=text, x_text=x_text, x=float(place) if one.x is None else one.x
        )
        for place, one in enumerate(findings, 1)
    ]
