"""The HTTP part of the lab: what can be asked, studies under way, and what came of them."""

import logging
from asyncio import to_thread
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from litestar import MediaType, Request, Response, delete, get, post
from litestar.datastructures import State
from msgspec import Struct

from cardhouse.engine import CardhouseError, catalogue_of, find_game
from cardhouse.lab.estimate import Estimate
from cardhouse.lab.look import config
from cardhouse.lab.question import Finding, Question, find_question, games_with_questions, questions_of
from cardhouse.lab.settings import Kind, Setting, cells, settings_of
from cardhouse.lab.study import Answer, Found, Progress, Result, Study, need_the_extra, usual_trials
from cardhouse.lab.summary import EXACT_DIGITS, NOTHING, command_of
from cardhouse.lab.telling import ALONE, number_shown, value_shown
from cardhouse.lab.wording import minus, name_of, variants
from cardhouse.server.lab import MOST_CELLS, MOST_SECONDS, MOST_TRIALS, Lab, Run, check_size
from cardhouse.server.limits import charged
from cardhouse.server.visitors import visitor_of

ASKED_BYTES = 1_000_000
Json = dict[str, Any]
log = logging.getLogger("cardhouse.server")


class LabSetting(Struct, frozen=True):
    """A setting of a question: what it may be, and what it usually is, as one writes it."""

    name: str
    text: str
    kind: Kind
    usual: str
    least: float | None
    most: float | None
    choices: tuple[str, ...]


class LabQuestion(Struct, frozen=True):
    """A question about a game. `trial` is a word for what is played once, `usual_trials` how often it is played."""

    name: str
    title: str
    about: str
    trial: str
    usual_trials: int
    settings: list[LabSetting]


class LabGame(Struct, frozen=True):
    """A game, and what can be asked about it."""

    name: str
    title: str
    questions: list[LabQuestion]


class LabListed(Struct, frozen=True):
    """All that can be asked, and how much of it at once."""

    games: list[LabGame]
    most_trials: int
    most_cells: int


class StudyWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """A question with its settings, as they are written on the command line: `4,6,8` and `1-8` are several.

    `vs` are those in which another variant differs that it is compared with. A setting that is a file is its name, and
    `files` what is in it. `trials` is how many of each combination; with `until` only as many, if that is enough, as
    it takes to know every share as exactly as that, 0 to 1. `confidence` is how sure an interval holds the true number.
    """

    settings: dict[str, str] = {}
    vs: dict[str, str] = {}
    files: dict[str, str] = {}
    trials: int | None = None
    until: float | None = None
    confidence: float = 0.95
    seed: int = 0


class LabNumber(Struct, frozen=True):
    """A number with its interval, and as people read it: `68.2 %` and `±0.1`, or that it has no interval."""

    value: float | None
    low: float | None
    high: float | None
    shown: str
    error: str


class LabFound(Struct, frozen=True):
    """A finding: what it is, its number, what it is exactly, what it is for the other variant, and how they differ.

    Findings of one `series` make a line of a plot.
    """

    key: str
    text: str
    series: str
    number: LabNumber
    exact: str | None
    versus: LabNumber | None
    more: LabNumber | None


class LabAnswer(Struct, frozen=True):
    """What came of a combination of settings: `name` tells it from the others; `here` and `there` the two variants."""

    name: str
    here: str
    there: str
    trials: int
    found: list[LabFound]


class LabPlot(Struct, frozen=True):
    """A plot, in Vega-Lite's terms. One that is `beside` makes a pair with the one before it."""

    title: str
    caption: str
    spec: Json
    beside: bool


class LabResult(Struct, frozen=True):
    """What came of a study. `looks` are Vega-Lite's settings for the plots by lamp light and by daylight."""

    answers: list[LabAnswer]
    plots: list[LabPlot]
    looks: dict[str, Json]
    confidence: float
    ready: float
    seconds: float
    workers: int


class LabHeadline(Struct, frozen=True):
    """What is known so far of what the question is about; of the combination of settings that is played now."""

    name: str
    text: str
    number: LabNumber


class LabRun(Struct, frozen=True):
    """A study: how far it is, and what came of it.

    `command` asks the same on the command line. `ahead` is how many are to be done before it, `why_stopped` a sentence
    if it was stopped, by somebody or the clock; `problem` why nothing came of it.
    """

    id: str
    game: str
    question: str
    trial: str
    command: str
    state: Literal["waiting", "running", "over"]
    ahead: int
    done: int
    of: int
    until: float | None
    headline: LabHeadline | None
    why_stopped: str
    problem: str
    result: LabResult | None


@get("/api/lab", guards=[charged("games")])
async def lab_questions() -> LabListed:
    """What can be asked about each game."""
    return LabListed(await to_thread(_listed), MOST_TRIALS, MOST_CELLS)


@post("/api/lab/{game:str}/{question:str}", guards=[charged("studies")], request_max_body_size=ASKED_BYTES)
async def ask_lab(
    game: str, question: str, data: StudyWanted, request: Request[Any, Any, State], state: State
) -> LabRun:
    """Have a study begun, and hear under which id one can ask how far it is."""
    lab, visitor = _lab(state), visitor_of(request)
    lab.check_room(visitor)
    run = lab.start(await to_thread(_study, game, question, data), visitor)
    return _told(lab, run)


@get("/api/lab/runs/{id:str}")
async def lab_run(id: str, state: State) -> Response[LabRun]:
    """How far a study is, and what came of it."""
    lab = _lab(state)
    run = lab.find(id)
    told = await to_thread(_told_at_end, lab, run) if run.over else _told(lab, run)
    return Response(told, headers={"Cache-Control": "no-store"})


@delete("/api/lab/runs/{id:str}")
async def stop_run(id: str, state: State) -> None:
    """Stop a study; what was played of it is told."""
    lab = _lab(state)
    lab.stop(lab.find(id))


@get("/api/lab/runs/{id:str}/report.html", guards=[charged("reports")], media_type=MediaType.HTML)
async def lab_report(id: str, state: State) -> Response[bytes]:
    """What came of a study, as one file to send to a friend."""
    headers = {"Content-Security-Policy": REPORT_POLICY}
    return Response(await _written(id, state, ".html"), media_type=MediaType.HTML, headers=headers)


@get("/api/lab/runs/{id:str}/report.csv", guards=[charged("reports")], media_type="text/csv")
async def lab_numbers(id: str, state: State) -> Response[bytes]:
    """What came of a study, as a table for a spreadsheet."""
    name = _lab(state).find(id).study.cells[0].question.name
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(await _written(id, state, ".csv"), media_type="text/csv; charset=utf-8", headers=headers)


REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'none'; sandbox"
)
"""A report brings its own styles. It is made of people's own texts, and is kept from everything else here."""


# What can be asked.


def _listed() -> list[LabGame]:
    _need_the_extra()
    found = []
    for game in games_with_questions():
        try:
            questions = [_question(each) for each in questions_of(game).values()]
            title = catalogue_of(find_game(game)).words.title
        except (CardhouseError, ImportError) as error:
            log.warning("The lab has nothing about %s: %s", game, error)
        else:
            found += [LabGame(game, title, questions)] if questions else []
    return found


def _need_the_extra() -> None:
    try:
        need_the_extra()
    except CardhouseError as error:
        raise CardhouseError(error.message, "not_installed") from None


def _question(question: type[Question]) -> LabQuestion:
    settings = [_setting(each) for each in settings_of(question).values()]
    return LabQuestion(question.name, question.title, question.about, question.trial, question.usual_trials, settings)


def _setting(setting: Setting) -> LabSetting:
    usual = setting.shown(setting.default)
    return LabSetting(setting.name, setting.text, setting.kind, usual, setting.least, setting.most, setting.choices)


def _study(game: str, name: str, wanted: StudyWanted) -> Study:
    """What is asked for.

    Raises CardhouseError, in words, if that can't be.
    """
    _need_the_extra()
    question = find_question(game, name)
    asked = cells(question, wanted.settings, wanted.vs, _among(wanted.files))
    usual = MOST_TRIALS if wanted.until else min(usual_trials(asked), MOST_TRIALS)
    study = Study(
        cells=asked,
        trials=usual if wanted.trials is None else wanted.trials,
        seed=wanted.seed,
        confidence=wanted.confidence,
        until=wanted.until,
    )
    check_size(study)
    return study


def _among(files: Mapping[str, str]) -> Callable[[str], Iterable[tuple[str, bytes]]]:
    """Finds files among those that came along."""

    def find(name: str) -> Iterable[tuple[str, bytes]]:
        if name not in files:
            raise CardhouseError(f'"{name[:40]}" is neither a file that came along nor the name of one known here.')
        yield name, files[name].encode()

    return find


# What came of it.


def _told(lab: Lab, run: Run, result: LabResult | None = None) -> LabRun:
    question, progress = run.study.cells[0].question, run.progress
    return LabRun(
        run.id,
        question.game,
        question.name,
        question.trial,
        command_of(run.study),
        "over" if run.over else "running" if run.begun else "waiting",
        lab.ahead_of(run),
        progress.done if progress else 0,
        run.study.trials * len(run.study.cells),
        run.study.until,
        _headline(progress) if progress else None,
        _why_stopped(run),
        run.problem,
        result,
    )


def _told_at_end(lab: Lab, run: Run) -> LabRun:
    return _told(lab, run, _result(run.result) if run.result and run.result.answers else None)


def _why_stopped(run: Run) -> str:
    if not run.over or (run.result is not None and not run.result.stopped):
        return ""
    if run.out_of_time:
        return f"It was stopped after {MOST_SECONDS / 60:.0f} minutes, the most that a study has here."
    return "It was stopped." if run.halted else ""


def _headline(progress: Progress) -> LabHeadline:
    name = name_of(progress)
    return LabHeadline(name, progress.headline.text, _number(progress.headline, progress.estimate))


def _result(result: Result) -> LabResult:
    from cardhouse.lab.plots import plots

    drawn = [LabPlot(plot.title, plot.caption, plot.vega_lite_spec, plot.beside) for plot in plots(result)]
    looks = {"dark": config(dark=True), "light": config(dark=False)}
    answers = [_answer(answer) for answer in result.answers]
    return LabResult(answers, drawn, looks, result.study.confidence, result.ready, result.seconds, result.workers)


def _answer(answer: Answer) -> LabAnswer:
    found = [_found(one) for one in answer.found]
    return LabAnswer(name_of(answer), *variants(answer.cell), answer.trials, found)


def _found(found: Found) -> LabFound:
    finding = found.finding
    return LabFound(
        finding.key,
        finding.text,
        finding.series_text,
        _number(finding, found.estimate),
        None if found.exact is None else value_shown(finding, found.exact, EXACT_DIGITS),
        None if found.versus is None else _number(finding, found.versus),
        None if found.more is None else _number(finding, found.more, signed=True),
    )


def _number(finding: Finding, number: Estimate, *, signed: bool = False) -> LabNumber:
    if number.value is None:
        return LabNumber(None, None, None, NOTHING, "")
    if number.error is None:
        return LabNumber(
            number.value, None, None, minus(value_shown(finding, number.value, 2, signed=signed)), f"({ALONE})"
        )
    shown, _, error = minus(number_shown(finding, number, signed=signed)).partition(" ±")
    error, _, unit = error.partition(" ")
    return LabNumber(number.value, number.low, number.high, f"{shown} {unit}".rstrip(), f"±{error}" if error else "")


async def _written(id: str, state: State, ending: str) -> bytes:
    """The report on a study, in the form that goes with an ending.

    Raises CardhouseError if there is nothing to report.
    """
    result = _lab(state).find(id).result
    if result is None or not result.answers:
        raise CardhouseError("Nothing has come of this study that could be reported yet.", "not_found")
    from cardhouse.lab.report import render

    return await to_thread(render, result, ending)


def _lab(state: State) -> Lab:
    lab: Lab = state["lab"]
    return lab


LAB_ROUTES = [lab_questions, ask_lab, lab_run, stop_run, lab_report, lab_numbers]
