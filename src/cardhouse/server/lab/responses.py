"""Responses of the lab over HTTP, built by worker processes.

The result of a study can be long. It reaches the workers in pieces, because pickling blocks all threads.
"""

import logging
import pickle
from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from cardhouse.engine import CardhouseError, catalogue_of, find_game
from cardhouse.engine.authoring.forms import FileForm, forms_of
from cardhouse.lab.questions.answer import Tale
from cardhouse.lab.questions.design import Design, DesignedFile, SoFar, designs_of
from cardhouse.lab.questions.question import Question, games_with_questions, questions_of
from cardhouse.lab.questions.settings import Kind, Setting, settings_of
from cardhouse.lab.reports.answers import tale_of
from cardhouse.lab.reports.summary import EXACT_DIGITS, line_ups
from cardhouse.lab.reports.text_optimality import best_lines
from cardhouse.lab.running.leaders import is_informative, is_known, lead_of
from cardhouse.lab.running.study import Answer, Found, Progress, Result, require_lab_extra
from cardhouse.lab.search.requests import Found as Changes
from cardhouse.lab.search.sensitivity import Sensitivity
from cardhouse.lab.search.tuning import Tuned
from cardhouse.lab.words.labels import name_of, variants
from cardhouse.lab.words.numbers import value_shown
from cardhouse.lab.words.progress import number_of, text_of
from cardhouse.server.core.game_icons import sign_of
from cardhouse.server.lab.formatting import LabNumber, LabPlot, drawn, format_number, looks
from cardhouse.server.lab.limits import MOST_CELLS, MOST_TRIALS
from cardhouse.server.lab.sensitivity_responses import LabMatters, LabTuned, matters, tuned
from cardhouse.server.wire.requests import Json

log = logging.getLogger("cardhouse.server")


class LabSetting(Struct, frozen=True):
    """A setting of a question: its type, range and default, in the form in which it is written.

    The `choices` of a file are the names of built-in ones. `has_form` is whether the game has a form for such a file,
    under the setting's name.
    """

    name: str
    text: str
    kind: Kind
    usual: str
    least: float | None
    most: float | None
    choices: tuple[str, ...]
    has_form: bool


class LabQuestion(Struct, frozen=True):
    """A question about a game. `trial` is the word for one repetition, `usual_trials` their default number.

    `advises` means that it is about what to do. `asked` is the question as a sentence, with settings in braces; empty
    for none. `compared` has the settings of the other variant of a question that compares two; empty for none.
    """

    name: str
    title: str
    about: str
    trial: str
    usual_trials: int
    advises: bool
    asked: str
    compared: dict[str, str]
    settings: list[LabSetting]


class LabDesign(Struct, frozen=True):
    """Something that can be designed to order: a file for the game's `option`; `has_form` is whether that has a form.

    `trial` is the word for a step of the search.
    """

    name: str
    title: str
    about: str
    trial: str
    option: str
    has_form: bool
    settings: list[LabSetting]


class LabGame(Struct, frozen=True):
    """A game with its icon as SVG, its questions, and what can be designed for it."""

    name: str
    title: str
    sign: str
    questions: list[LabQuestion]
    designs: list[LabDesign]


class LabSummary(Struct, frozen=True):
    """All questions, and the limits of one study."""

    games: list[LabGame]
    most_trials: int
    most_cells: int


class LabFound(Struct, frozen=True):
    """A finding: its text, number, exact value, the other variant's number, and their difference.

    Findings of the same `series` form a line of a plot. `informative` excludes means near 0, shares near 0 or 1, and
    what the lab doesn't know.
    """

    key: str
    text: str
    series: str
    number: LabNumber
    exact: str | None
    versus: LabNumber | None
    more: LabNumber | None
    informative: bool


class LabAnswer(Struct, frozen=True):
    """The results for one combination of settings (`name`); `here` and `there` are the two variants."""

    name: str
    here: str
    there: str
    trials: int
    found: list[LabFound]


class LabResult(Struct, frozen=True):
    """The result of a study: `told` is the key of the main finding, `best` the gap to best play.

    `line_ups` list who took part, if the settings leave that open. `tale` is the answer for players; None if nothing is
    known.

    `looks` are the Vega-Lite settings of the dark and the light theme.
    """

    told: str
    tale: Tale | None
    best: list[str]
    line_ups: list[str]
    answers: list[LabAnswer]
    plots: list[LabPlot]
    looks: dict[str, Json]
    confidence: float
    ready: float
    seconds: float
    workers: int


class LabHeadline(Struct, frozen=True):
    """The main finding so far, for the combination of settings that is being played."""

    name: str
    text: str
    number: LabNumber


class LabCompiling(Struct, frozen=True):
    """Compile progress, on first use on a machine: `done` of about `of` functions of a kernel.

    The last one takes by far the longest; until then trials are slow. `of` is 0 while unknown.
    """

    done: int
    of: int


class LabRun(Struct, frozen=True):
    """A study: its progress and, by its `way`, its result, the settings that matter most, or those that meet targets.

    `command`, `link` and `python` repeat it on the command line, on the page and in Python. `done` of `of` trials are
    played, or steps of the search done. `ahead` is the number of studies before it, `why_stopped` a sentence if it was
    stopped, by a person or the time limit; `problem` is why it failed. `made` is the result of a design.
    """

    id: str
    game: str
    question: str
    trial: str
    way: Literal["study", "sensitivity", "tune", "design"]
    command: str
    link: str
    python: str
    state: Literal["waiting", "running", "over"]
    ahead: int
    done: int
    of: int
    until: float | None
    compiling: LabCompiling | None
    headline: LabHeadline | None
    why_stopped: str
    problem: str
    result: LabResult | None
    matters: LabMatters | None
    tuned: LabTuned | None
    made: DesignedFile | None


# The list of questions.


def list_questions() -> LabSummary:
    """Return all questions.

    Raises CardhouseError if the lab's packages aren't installed.
    """
    check_extra()
    found = []
    for game in games_with_questions():
        try:
            questions = [_question(each) for each in questions_of(game).values()]
            title = catalogue_of(find_game(game)).words.title
        except CardhouseError as error:
            log.warning("The lab has nothing about %s: %s", game, error)
        else:
            designs = _designs(game)
            found += [LabGame(game, title, sign_of(game), questions, designs)] if questions or designs else []
    return LabSummary(found, MOST_TRIALS, MOST_CELLS)


def check_extra() -> None:
    """Raises CardhouseError if the lab's packages aren't installed."""
    try:
        require_lab_extra()
    except CardhouseError as error:
        raise CardhouseError(error.message, "not_installed") from None


def _designs(game: str) -> list[LabDesign]:
    """Return what can be designed for a game; nothing if that can't be loaded."""
    try:
        return [_design(each, _forms(game)) for each in designs_of(game).values()]
    except CardhouseError as error:
        log.warning("%s", error)
        return []


def _design(design: type[Design], forms: Mapping[str, FileForm]) -> LabDesign:
    common = design.name, design.title, design.about, design.trial, design.option
    return LabDesign(*common, design.option in forms, _settings(design))


def _question(question: type[Question]) -> LabQuestion:
    common = question.name, question.title, question.about, question.trial, question.usual_trials
    about = question.advises, question.asked, dict(question.compared)
    return LabQuestion(*common, *about, _settings(question))


def _settings(question: type[Question]) -> list[LabSetting]:
    forms = _forms(question.game)
    return [_setting(each, question, forms) for each in settings_of(question).values()]


def _setting(setting: Setting, question: type[Question], forms: Mapping[str, FileForm]) -> LabSetting:
    usual = setting.shown(setting.default)
    form = forms.get(setting.name) if setting.kind == "file" else None
    choices = setting.choices
    if setting.kind == "file":
        along = form.starts() if form else ()
        choices = (usual, *(name for name in along if name != usual and question.named_file(setting.name, name)))
    return LabSetting(
        setting.name, setting.text, setting.kind, usual, setting.least, setting.most, choices, form is not None
    )


def _forms(game: str) -> Mapping[str, FileForm]:
    """Return the forms of a game's files, except rosters, by option; none if they can't be loaded."""
    try:
        return {option: form for option, form in forms_of(game).items() if not form.roster}
    except CardhouseError as error:
        log.warning("%s", error)
        return {}


# Results.


Came = Result | Changes | DesignedFile
"""The result of a request."""


def split_pieces(came: Came | None) -> list[bytes]:
    """Return the result in pieces, for `join_pieces`; none if nothing was played or made."""
    if isinstance(came, Result):
        head = msgspec.structs.replace(came, answers=())
        return [_pickled(head), *map(_pickled, came.answers)] if came.answers else []
    return [_pickled(came)] if _is_any(came) else []


def _is_any(came: Changes | DesignedFile | None) -> bool:
    if isinstance(came, Sensitivity):
        return bool(came.effects)
    return bool(came.best) if isinstance(came, Tuned) else came is not None


def _pickled(piece: Any) -> bytes:
    return pickle.dumps(piece, pickle.HIGHEST_PROTOCOL)


def join_pieces(pieces: list[bytes]) -> Came:
    """Return the result from its pieces, which come from a process of our own."""
    came: Came
    came, *answers = map(pickle.loads, pieces)
    return msgspec.structs.replace(came, answers=tuple(answers)) if isinstance(came, Result) else came


def with_result(pieces: list[bytes], run: LabRun) -> LabRun:
    """Return the finished run with its result."""
    came = join_pieces(pieces)
    if isinstance(came, Result):
        return msgspec.structs.replace(run, result=_result(came))
    if isinstance(came, Sensitivity):
        return msgspec.structs.replace(run, matters=matters(came))
    if isinstance(came, Tuned):
        return msgspec.structs.replace(run, tuned=tuned(came))
    return msgspec.structs.replace(run, made=came)


def report(pieces: list[bytes], ending: str) -> bytes:
    """Return the report on a study, in the format with this file ending."""
    from cardhouse.lab.reports.report import render

    came = join_pieces(pieces)
    assert not isinstance(came, DesignedFile), "There are no reports on designs."
    return render(came, ending)


def headline(progress: Progress | SoFar) -> LabHeadline | None:
    """Return the main finding so far, or the state of a design."""
    if isinstance(progress, SoFar):
        number = LabNumber(None, None, None, progress.number, "")
        return LabHeadline("", progress.text, number) if progress.number else None
    name = name_of(progress)
    number = format_number(progress.headline, number_of(progress), signed=progress.more is not None)
    return LabHeadline(name, text_of(progress), number)


def _result(result: Result) -> LabResult:
    from cardhouse.lab.plots.plots import plots

    answers = [_answer(answer) for answer in result.answers]
    return LabResult(
        lead_of(result.answers, result.study.confidence).finding.key,
        tale_of(result),
        best_lines(result),
        line_ups(result),
        answers,
        drawn(plots(result)),
        looks(),
        result.study.confidence,
        result.ready,
        result.seconds,
        result.workers,
    )


def _answer(answer: Answer) -> LabAnswer:
    found = [_finding_of(one) for one in answer.found if is_known(one)]
    return LabAnswer(name_of(answer), *variants(answer.cell), answer.trials, found)


def _finding_of(found: Found) -> LabFound:
    finding = found.finding
    return LabFound(
        finding.key,
        finding.text,
        finding.series_text,
        format_number(finding, found.estimate),
        None if found.exact is None else value_shown(finding, found.exact, EXACT_DIGITS),
        None if found.versus is None else format_number(finding, found.versus),
        None if found.more is None else format_number(finding, found.more, signed=True),
        is_informative(found),
    )
