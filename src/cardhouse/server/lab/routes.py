"""HTTP routes of the lab: questions, running studies, and results."""

from collections.abc import Callable
from typing import Any

from litestar import MediaType, Request, Response, delete, get, post
from litestar.datastructures import State

from cardhouse.engine import CardhouseError
from cardhouse.lab.running.study import Study
from cardhouse.server.access.rate_limits import rate_limited
from cardhouse.server.api.responses import RawBody, cancel_on_disconnect, manager_of, response_of, sent
from cardhouse.server.core import static_cache
from cardhouse.server.core.compression import gunzip_chunks, run_and_gzip
from cardhouse.server.core.visitors import visitor_of, widest_network
from cardhouse.server.jobs.pool import Workers
from cardhouse.server.lab.limits import GONE_SECONDS, MOST_SECONDS
from cardhouse.server.lab.requests import (
    ChangeableRequest,
    DesignRequest,
    LabRequest,
    Order,
    SensitivityRequest,
    StudyRequest,
    TuneRequest,
    decode_design,
    decode_sensitivity,
    decode_study,
    decode_tuning,
    steps_of,
    way_of,
)
from cardhouse.server.lab.responses import (
    LabRun,
    LabSummary,
    check_extra,
    list_questions,
    report,
    with_result,
)
from cardhouse.server.lab.sensitivity_responses import LabChangeable, changeable
from cardhouse.server.lab.service import LabService, StudyRun
from cardhouse.server.process.handoff import WrongWorker

ASKED_BYTES = 1_000_000
WRITING_SECONDS = 60.0
"""Time limit of a report; its imports alone take seconds."""


@get("/api/lab", guards=[rate_limited("games")], compressed_already=True, **response_of(LabSummary))
async def lab_questions(request: Request[Any, Any, State], state: State) -> Response[Any]:
    """Return the questions about each game."""
    lab = _lab(state)
    if lab.questions_file is None:
        working = _workers(state).run(visitor_of(request), run_and_gzip, list_questions, seconds=WRITING_SECONDS)
        content = b"".join(gunzip_chunks(await cancel_on_disconnect(request, working)))
        lab.questions_file = static_cache.computed_file(content, MediaType.JSON)
    return static_cache.answer(lab.questions_file, request)


@post(
    "/api/lab/{game:str}/{question:str}",
    guards=[rate_limited("studies")],
    request_max_body_size=ASKED_BYTES,
    dto=RawBody[StudyRequest],
    return_dto=None,
)
async def ask_lab(game: str, question: str, data: bytes, request: Request[Any, Any, State], state: State) -> LabRun:
    """Start a study, and return its id, with which to ask for its progress."""
    return await _start_run(request, decode_study, game, question, data)


@post(
    "/api/lab/{game:str}/{question:str}/changes",
    guards=[rate_limited("files")],
    request_max_body_size=ASKED_BYTES,
    dto=RawBody[ChangeableRequest],
    return_dto=None,
    status_code=200,
    compressed_already=True,
    **response_of(LabChangeable),
)
async def lab_changes(
    game: str, question: str, data: bytes, request: Request[Any, Any, State], state: State
) -> Response[Any]:
    """Return which changes of a question, with these settings, can be asked about."""
    check_extra()
    working = _workers(state).run(visitor_of(request), run_and_gzip, changeable, game, question, data)
    return sent(await cancel_on_disconnect(request, working), request, MediaType.JSON, {"Cache-Control": "no-store"})


@post(
    "/api/lab/{game:str}/{question:str}/sensitivity",
    guards=[rate_limited("studies")],
    request_max_body_size=ASKED_BYTES,
    dto=RawBody[SensitivityRequest],
    return_dto=None,
)
async def ask_what_matters(
    game: str, question: str, data: bytes, request: Request[Any, Any, State], state: State
) -> LabRun:
    """Start a study of which settings matter most."""
    return await _start_run(request, decode_sensitivity, game, question, data)


@post(
    "/api/lab/{game:str}/{question:str}/tune",
    guards=[rate_limited("studies")],
    request_max_body_size=ASKED_BYTES,
    dto=RawBody[TuneRequest],
    return_dto=None,
)
async def ask_for_settings(
    game: str, question: str, data: bytes, request: Request[Any, Any, State], state: State
) -> LabRun:
    """Start a search for settings that meet targets."""
    return await _start_run(request, decode_tuning, game, question, data)


@post(
    "/api/designs/{game:str}/{design:str}",
    guards=[rate_limited("studies")],
    request_max_body_size=ASKED_BYTES,
    dto=RawBody[DesignRequest],
    return_dto=None,
)
async def ask_for_design(
    game: str, design: str, data: bytes, request: Request[Any, Any, State], state: State
) -> LabRun:
    """Start a design."""
    return await _start_run(request, decode_design, game, design, data)


@get("/api/lab/runs/{id:str}", compressed_already=True, **response_of(LabRun))
async def lab_run(id: str, request: Request[Any, Any, State], state: State) -> Response[Any]:
    """Return a study's progress and results."""
    lab = _lab(state)
    run, headers = lab.find(id), {"Cache-Control": "no-store"}
    if not run.over or not run.pieces:
        return Response(_progress_of(lab, run), headers=headers)
    content = await _from_result(request, run, "", with_result, _progress_of(lab, run))
    return sent(content, request, MediaType.JSON, headers)


@delete("/api/lab/runs/{id:str}")
async def stop_run(id: str, state: State) -> None:
    """Stop a study; its results so far are kept."""
    lab = _lab(state)
    lab.stop(lab.find(id))


@get(
    "/api/lab/runs/{id:str}/report.html",
    guards=[rate_limited("reports")],
    media_type=MediaType.HTML,
    compressed_already=True,
    **response_of(bytes, MediaType.HTML),
)
async def lab_report(id: str, request: Request[Any, Any, State], state: State) -> Response[Any]:
    """Return the results of a study, as one file to share."""
    headers = {"Content-Security-Policy": REPORT_POLICY}
    return sent(await _report(request, _lab(state).find(id), ".html"), request, MediaType.HTML, headers)


@get(
    "/api/lab/runs/{id:str}/report.csv",
    guards=[rate_limited("reports")],
    media_type="text/csv",
    compressed_already=True,
    **response_of(bytes, "text/csv"),
)
async def lab_numbers(id: str, request: Request[Any, Any, State], state: State) -> Response[Any]:
    """Return the results of a study, as a table for a spreadsheet."""
    run = _lab(state).find(id)
    headers = {"Content-Disposition": f'attachment; filename="{run.question.name}.csv"'}
    return sent(await _report(request, run, ".csv"), request, "text/csv; charset=utf-8", headers)


REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'none'; sandbox"
)
"""A report has inline styles. It contains user-written text, so it is isolated from everything else here."""


async def _start_run(
    request: Request[Any, Any, State], read: Callable[[str, str, bytes], LabRequest], game: str, name: str, body: bytes
) -> LabRun:
    """Start a request, after a worker has decoded it."""
    lab, visitor = _lab(request.app.state), widest_network(visitor_of(request))
    lab.check_room(visitor)
    check_extra()
    working = _workers(request.app.state).run(visitor, read, game, name, body)
    wanted = await cancel_on_disconnect(request, working)
    return _progress_of(lab, lab.start(wanted.asked, visitor, wanted.same))


def _progress_of(lab: LabService, run: StudyRun) -> LabRun:
    """Return a study's progress, without its result."""
    question = run.question
    return LabRun(
        id=run.id,
        game=question.game,
        question=question.name,
        trial=question.trial,
        way=way_of(run.asked),
        command=run.same.command,
        link=run.same.link,
        python=run.same.python,
        state="over" if run.over else "running" if run.begun else "waiting",
        ahead=lab.ahead_of(run),
        done=run.far.done,
        of=steps_of(run.asked) or run.far.of,
        until=run.asked.until if isinstance(run.asked, Study) else None,
        compiling=run.far.compiling,
        headline=run.far.headline,
        why_stopped=_why_stopped(run),
        problem=run.problem,
        result=None,
        matters=None,
        tuned=None,
        made=None,
    )


def _why_stopped(run: StudyRun) -> str:
    if not run.over or (run.played is not None and not run.played.stopped):
        return ""
    if run.out_of_time:
        return f"It was stopped after {MOST_SECONDS / 60:.0f} minutes, the most that a study has here."
    if run.left:
        return f"The server stopped the study after {GONE_SECONDS / 60:.0f} minutes without a request about it."
    return "It was stopped." if run.halted else ""


async def _report(request: Request[Any, Any, Any], run: StudyRun, ending: str) -> bytes:
    """Return the report on a study, gzipped, in the format with this file ending.

    Raises CardhouseError if there is nothing to report.
    """
    if not run.over or not run.pieces or isinstance(run.asked, Order):
        raise CardhouseError("This study has no results yet. Try again when it has.", "not_found")
    return await _from_result(request, run, ending, report, ending)


async def _from_result(
    request: Request[Any, Any, Any], run: StudyRun, ending: str, make: Callable[..., Any], *more: Any
) -> bytes:
    """Return what a worker makes of a study's result, gzipped; it is cached, because the result is final."""
    if ending not in run.written:
        workers = _workers(request.app.state)
        working = workers.run(visitor_of(request), run_and_gzip, make, run.pieces, *more, seconds=WRITING_SECONDS)
        run.written[ending] = await cancel_on_disconnect(request, working)
    return run.written[ending]


def _lab(state: State) -> LabService:
    """Return the lab. Raises NotHere if another process has it."""
    lab: LabService | None = state["lab"]
    if lab is None:
        raise WrongWorker(0)
    return lab


def _workers(state: State) -> Workers:
    return manager_of(state).workers


LAB_ROUTES = [
    lab_questions,
    ask_lab,
    lab_changes,
    ask_what_matters,
    ask_for_settings,
    ask_for_design,
    lab_run,
    stop_run,
    lab_report,
    lab_numbers,
]
