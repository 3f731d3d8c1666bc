"""Lab requests, decoded from the bodies of HTTP requests by worker processes."""

from typing import Any, Literal, NamedTuple
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace

from cardhouse.engine.values.whole_numbers import Seed, Share, Whole
from cardhouse.lab.questions.design import Design, find_design, order
from cardhouse.lab.questions.question import Question, find_question
from cardhouse.lab.questions.settings import cells, changes
from cardhouse.lab.reports import text_commands
from cardhouse.lab.reports.summary import command_of, link_of, python_of
from cardhouse.lab.running.study import Study, usual_trials
from cardhouse.lab.search.requests import ChangeRequest, Way, one_question
from cardhouse.lab.search.tuning import STARTS, TRIES
from cardhouse.server.lab.formatting import among
from cardhouse.server.lab.limits import MOST_TRIALS, check_changes, check_size
from cardhouse.server.wire import requests


class StudyRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Run a question with settings as written on the command line: `4,6,8` and `1-8` are several values.

    `vs` has the settings in which the compared variant differs. A setting that is a file holds its name, and `files`
    its content. `trials` are played of each combination; with `until`, only as many of them as it takes to know every
    share to within this, 0 to 1. `confidence` is the level of the intervals.
    """

    settings: dict[str, str] = {}
    vs: dict[str, str] = {}
    files: dict[str, str] = {}
    trials: Whole | None = None
    until: Share | None = None
    confidence: Share = 0.95
    seed: Seed = 0


class DesignRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Design something to order, with the requirements as typed on the command line."""

    settings: dict[str, str] = {}


class _ChangesRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The common part: settings and files as in `StudyRequest`, each with one value, and what may be changed.

    `vary` has setting names, or ranges such as `limit=15..30`; if it is empty, every setting is varied. `trials` are
    played of each change.
    """

    settings: dict[str, str] = {}
    files: dict[str, str] = {}
    vary: list[str] = []
    trials: Whole | None = None
    confidence: Share = 0.95
    seed: Seed = 0


class SensitivityRequest(_ChangesRequest, frozen=True):
    """Ask which settings matter most for the finding `of`, by key or in words; by default the question's first.

    Settings and files are as in `StudyRequest`, each with one value. `vary` has setting names, or ranges such as
    `limit=15..30`; if it is empty, every setting is varied. `trials` are played of each change.
    """

    of: str = ""


class TuneRequest(_ChangesRequest, frozen=True):
    """Search for settings that meet `targets` such as `dead by hit 3 = 50%`, varying those in `vary`.

    `starts` searches try `tries` candidates each; `trials` confirm each finalist. Other fields are as in
    `SensitivityRequest`.
    """

    targets: list[str] = []
    tries: Whole = TRIES
    starts: Whole = STARTS


class ChangeableRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Ask which settings of a question can be changed."""

    settings: dict[str, str] = {}
    files: dict[str, str] = {}


class Order(Struct, frozen=True):
    """A design to make to order."""

    question: Design


LabTask = Study | ChangeRequest | Order
"""A task of the lab's process: a study, a sensitivity ranking or search for settings, or a design."""


class Equivalents(NamedTuple):
    """The same request as a command line, a link to the page, and Python code."""

    command: str
    link: str
    python: str


NO_EQUIVALENTS = Equivalents("", "", "")


class LabRequest(NamedTuple):
    """A request, and how to repeat it elsewhere."""

    asked: LabTask
    same: Equivalents


def way_of(asked: LabTask) -> Literal["study", "design"] | Way:
    """Return the kind of request."""
    if isinstance(asked, Study):
        return "study"
    return "design" if isinstance(asked, Order) else asked.way


def question_of(asked: LabTask) -> Question:
    """Return the question; of several combinations of settings, the first one's."""
    return asked.cells[0].question if isinstance(asked, Study) else asked.question


def steps_of(asked: LabTask) -> int:
    """Return the number of trials, or steps of a search; 0 if it is only known once it has begun."""
    if isinstance(asked, Study):
        return asked.trials * len(asked.cells)
    return asked.question.steps if isinstance(asked, Order) else 0


# The bodies. Each of these raises CardhouseError, with a message, for an invalid request.


def decode_study(game: str, name: str, body: bytes) -> LabRequest:
    """Decode a study."""
    request = requests.read(body, StudyRequest)
    asked = cells(find_question(game, name), request.settings, request.vs, among(request.files))
    usual = MOST_TRIALS if request.until else min(usual_trials(asked), MOST_TRIALS)
    study = Study(
        cells=asked,
        trials=usual if request.trials is None else request.trials,
        seed=request.seed,
        confidence=request.confidence,
        until=request.until,
    )
    check_size(study)
    return LabRequest(study, Equivalents(command_of(study), link_of(study), python_of(study)))


def decode_sensitivity(game: str, name: str, body: bytes) -> LabRequest:
    """Decode a sensitivity ranking."""
    request = requests.read(body, SensitivityRequest)
    return _changes(game, name, request, of=request.of)


def decode_tuning(game: str, name: str, body: bytes) -> LabRequest:
    """Decode a search for settings that meet targets."""
    request = requests.read(body, TuneRequest)
    return _changes(game, name, request, targets=tuple(request.targets), tries=request.tries, starts=request.starts)


def decode_design(game: str, name: str, body: bytes) -> LabRequest:
    """Decode a design; Python has no one-line equivalent."""
    design = order(find_design(game, name), requests.read(body, DesignRequest).settings)
    link = f"/lab/{game}/{name}?{urlencode(changes(type(design)(), design))}"
    return LabRequest(Order(design), Equivalents(design.command, link, ""))


def _changes(game: str, name: str, request: SensitivityRequest | TuneRequest, **more: Any) -> LabRequest:
    """Return a request about changes, with the usual number of trials by default."""
    asked = ChangeRequest(
        question=one_question(find_question(game, name), request.settings, among(request.files)),
        vary=tuple(request.vary),
        trials=request.trials,
        seed=request.seed,
        confidence=request.confidence,
        **more,
    )
    if asked.trials is None:
        asked = replace(asked, trials=min(asked.many, MOST_TRIALS))
    check_changes(asked)
    words = text_commands
    return LabRequest(asked, Equivalents(words.command_of(asked), words.link_of(asked), words.python_of(asked)))
