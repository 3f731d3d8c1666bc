"""Responses of the lab about changes: possible changes, the most important settings, settings that meet targets."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.answer import Tale
from cardhouse.lab.questions.question import Finding, Question, find_question
from cardhouse.lab.questions.settings import A_FILE, changes, settings_of
from cardhouse.lab.reports import text_sensitivity, text_tuning
from cardhouse.lab.reports.answers_search import tale_of_choices, tale_of_effects
from cardhouse.lab.search.ranking import CombinedEffect, Effect
from cardhouse.lab.search.requests import ChangeRequest, one_question
from cardhouse.lab.search.sensitivity import Sensitivity
from cardhouse.lab.search.space import space_of
from cardhouse.lab.search.targets import Grade
from cardhouse.lab.search.tuning import Candidate, Tuned
from cardhouse.lab.search.variations import values_near
from cardhouse.lab.words.labels import capital
from cardhouse.server.lab.formatting import LabNumber, LabPlot, among, drawn, format_number, looks
from cardhouse.server.lab.requests import ChangeableRequest
from cardhouse.server.wire import requests


class LabFindingKnown(Struct, frozen=True):
    """A finding of a question; `share` means that it is a probability, shown in percent."""

    key: str
    text: str
    series: str
    share: bool


class LabVaried(Struct, frozen=True):
    """How a setting may be varied by default: number of its pieces, of nearby values, and of all values."""

    name: str
    pieces: int
    near: int
    values: int


class LabChangeable(Struct, frozen=True):
    """The choices for a search over a question's settings: its findings and settings.

    `trials` is the default for each ranked change, `confirming` that for each finalist.
    """

    findings: list[LabFindingKnown]
    settings: list[LabVaried]
    trials: int
    confirming: int


class LabEffect(Struct, frozen=True):
    """The effect of a change: the finding's number with it, the difference (`more`), and whether it is clear (`seen`).

    `settings` are those that differ from the defaults, with the change; None if they include a file without a name.
    """

    text: str
    number: LabNumber
    more: LabNumber
    seen: bool
    settings: dict[str, str] | None


class LabTogether(Struct, frozen=True):
    """The combined effect of the most important pieces; other fields as in `LabEffect`."""

    text: str
    number: LabNumber
    more: LabNumber
    settings: dict[str, str] | None


class LabMatters(Struct, frozen=True):
    """The most important settings: the finding's number, all changes, the strongest first, and the answer as text.

    `tale` is the answer as a sentence and a picture.
    """

    finding: str
    number: LabNumber
    told: list[str]
    effects: list[LabEffect]
    together: list[LabTogether]
    plots: list[LabPlot]
    looks: dict[str, requests.Json]
    trials: int
    confidence: float
    seconds: float
    tale: Tale | None


class LabChoice(Struct, frozen=True):
    """Settings that were tried, or the present ones (`now`): each target's number, and how well it is met.

    `best` are those that meet all targets, otherwise the trade-offs. `settings` are as in `LabEffect`.
    """

    text: str
    kind: Literal["now", "best", "rest"]
    numbers: list[LabNumber]
    grades: list[Grade]
    grade: Grade
    settings: dict[str, str] | None


class LabTuned(Struct, frozen=True):
    """Settings that meet targets: the answer in sentences, and the candidates found, fewest changes first.

    `met` means that some meet all targets; if none do, the best are those that no other one beats in every target.
    """

    targets: list[str]
    met: bool
    told: list[str]
    choices: list[LabChoice]
    plots: list[LabPlot]
    looks: dict[str, requests.Json]
    confidence: float
    seconds: float
    tale: Tale | None


# Requests.


def changeable(game: str, name: str, body: bytes) -> LabChangeable:
    """Return what can be asked about the changes of a question.

    Raises CardhouseError, with a message, for an unknown question.
    """
    request = requests.read(body, ChangeableRequest)
    question = one_question(find_question(game, name), request.settings, among(request.files))
    question.check_settings()
    findings = [LabFindingKnown(one.key, one.text, one.series_text, one.kind == "share") for one in question.findings()]
    varied = [_varied(question, setting) for setting in settings_of(type(question))]
    return LabChangeable(
        findings, varied, ChangeRequest(question=question).many, ChangeRequest(question=question, targets=()).many
    )


def _varied(question: Question, name: str) -> LabVaried:
    setting = settings_of(type(question))[name]
    if setting.kind == "file":
        return LabVaried(name, len(question.pieces(name)), 0, 0)
    try:
        values = space_of(question, [name]).size
    except CardhouseError:
        values = 0
    return LabVaried(name, 0, len(values_near(question, setting)), values)


# Results.


def matters(found: Sensitivity) -> LabMatters:
    """Return the response of a sensitivity ranking."""
    from cardhouse.lab.reports.change_report import sheet_of

    finding = found.finding
    return LabMatters(
        capital(finding.text),
        format_number(finding, found.estimate),
        list(text_sensitivity.sentences(found)),
        [_effect(finding, one) for one in found.effects],
        [_together(finding, one) for one in found.together],
        drawn(sheet_of(found).plots),
        looks(),
        found.trials,
        found.confidence,
        found.seconds,
        tale_of_effects(found),
    )


def _effect(finding: Finding, one: Effect) -> LabEffect:
    more = format_number(finding, one.more, signed=True)
    variation = one.variation
    return LabEffect(
        variation.text, format_number(finding, one.estimate), more, one.is_seen, settings_written(variation.question)
    )


def _together(finding: Finding, one: CombinedEffect) -> LabTogether:
    text = f"{', '.join(each.variation.what for each in one.effects)}: {one.effects[0].variation.becomes}"
    more = format_number(finding, one.more, signed=True)
    return LabTogether(text, format_number(finding, one.estimate), more, settings_written(one.question))


def tuned(found: Tuned) -> LabTuned:
    """Return the response of a search for settings."""
    from cardhouse.lab.reports.change_report import sheet_of

    now = [found.now] if found.now is not None else []
    return LabTuned(
        [capital(one.text) for one in found.targets],
        found.met,
        list(text_tuning.sentences(found)),
        [
            *(_choice(found, one, "now") for one in now),
            *(_choice(found, one, "best") for one in found.best),
            *(_choice(found, one, "rest") for one in found.rest),
        ],
        drawn(sheet_of(found).plots),
        looks(),
        found.wanted.confidence,
        found.seconds,
        tale_of_choices(found),
    )


def _choice(found: Tuned, one: Candidate, kind: Literal["now", "best", "rest"]) -> LabChoice:
    both = zip(found.targets, one.estimates, strict=True)
    numbers = [format_number(target.finding, number) for target, number in both]
    text = capital(text_tuning.describe_changes(one))
    return LabChoice(text, kind, numbers, list(one.grades), one.grade, settings_written(one.question))


def settings_written(question: Question) -> dict[str, str] | None:
    """Return the settings that differ from the defaults, as written; None if one is a file without a name."""
    settings = settings_of(type(question))
    changed = changes(type(question)(), question)
    return None if any(changed[name] == A_FILE and settings[name].kind == "file" for name in changed) else changed
