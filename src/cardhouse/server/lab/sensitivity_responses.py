"""What the lab tells of changes over HTTP: which may be made, what matters most, which settings meet targets."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.question import Finding, Question, find_question
from cardhouse.lab.questions.settings import A_FILE, changes, settings_of
from cardhouse.lab.reports import text_sensitivity, text_tuning
from cardhouse.lab.search.ranking import CombinedEffect, Effect
from cardhouse.lab.search.requests import ChangeRequest, one_question
from cardhouse.lab.search.sensitivity import Sensitivity
from cardhouse.lab.search.space import space_of
from cardhouse.lab.search.targets import Grade
from cardhouse.lab.search.tuning import Candidate, Tuned
from cardhouse.lab.search.variations import values_near
from cardhouse.lab.words.labels import capital
from cardhouse.server.lab.formatting import LabNumber, LabPlot, among, drawn, looks, number_told
from cardhouse.server.wire import requests
from cardhouse.server.wire.requests import ChangeableRequest


class LabFindingKnown(Struct, frozen=True):
    """A finding that a question has; `share` says that it is a chance, told in percent."""

    key: str
    text: str
    series: str
    share: bool


class LabVaried(Struct, frozen=True):
    """How a setting may be changed where nobody lists its values: piece by piece, to how many near by, to how many."""

    name: str
    pieces: int
    near: int
    values: int


class LabChangeable(Struct, frozen=True):
    """What could be asked about the changes of a question: its findings, and what may be changed.

    `trials` are usually played of each change that is ranked, `confirming` of each choice that was found.
    """

    findings: list[LabFindingKnown]
    settings: list[LabVaried]
    trials: int
    confirming: int


class LabEffect(Struct, frozen=True):
    """What a change does: the finding then, by how much `more` that is, and if it can be told from none.

    `settings` are those that are not the usual ones, with the change; None where a file of them has no name.
    """

    text: str
    number: LabNumber
    more: LabNumber
    seen: bool
    settings: dict[str, str] | None


class LabTogether(Struct, frozen=True):
    """What the pieces that matter most do all at once; the rest is as of an effect."""

    text: str
    number: LabNumber
    more: LabNumber
    settings: dict[str, str] | None


class LabMatters(Struct, frozen=True):
    """What matters most: a finding as it is, every change, the strongest first, and the answer in sentences."""

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


class LabChoice(Struct, frozen=True):
    """Settings that were tried, or as they are `now`: the number of each target, and how well all are met.

    `best` are those that meet all targets, or else the trade-off. `settings` are as of an effect.
    """

    text: str
    kind: Literal["now", "best", "rest"]
    numbers: list[LabNumber]
    grades: list[Grade]
    grade: Grade
    settings: dict[str, str] | None


class LabTuned(Struct, frozen=True):
    """Which settings meet targets: the answer in sentences, and what was found, the least changed first.

    `met` says that some meet all; if none do, the best are those of which none is better than another in all.
    """

    targets: list[str]
    met: bool
    told: list[str]
    choices: list[LabChoice]
    plots: list[LabPlot]
    looks: dict[str, requests.Json]
    confidence: float
    seconds: float


# What can be asked.


def changeable(game: str, name: str, body: bytes) -> LabChangeable:
    """What could be asked about the changes of a question.

    Raises CardhouseError, in words, for a question that there isn't.
    """
    wanted = requests.read(body, ChangeableRequest)
    question = one_question(find_question(game, name), wanted.settings, among(wanted.files))
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


# What came of it.


def matters(found: Sensitivity) -> LabMatters:
    """What matters most."""
    from cardhouse.lab.reports.change_report import sheet_of

    finding = found.finding
    return LabMatters(
        capital(finding.text),
        number_told(finding, found.estimate),
        list(text_sensitivity.sentences(found)),
        [_effect(finding, one) for one in found.effects],
        [_together(finding, one) for one in found.together],
        drawn(sheet_of(found).plots),
        looks(),
        found.trials,
        found.confidence,
        found.seconds,
    )


def _effect(finding: Finding, one: Effect) -> LabEffect:
    more = number_told(finding, one.more, signed=True)
    variation = one.variation
    return LabEffect(
        variation.text, number_told(finding, one.estimate), more, one.is_seen, settings_written(variation.question)
    )


def _together(finding: Finding, one: CombinedEffect) -> LabTogether:
    text = f"{', '.join(each.variation.what for each in one.effects)}: {one.effects[0].variation.becomes}"
    more = number_told(finding, one.more, signed=True)
    return LabTogether(text, number_told(finding, one.estimate), more, settings_written(one.question))


def tuned(found: Tuned) -> LabTuned:
    """Which settings meet targets."""
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
    )


def _choice(found: Tuned, one: Candidate, kind: Literal["now", "best", "rest"]) -> LabChoice:
    both = zip(found.targets, one.estimates, strict=True)
    numbers = [number_told(target.finding, number) for target, number in both]
    text = capital(text_tuning.differs_said(one))
    return LabChoice(text, kind, numbers, list(one.grades), one.grade, settings_written(one.question))


def settings_written(question: Question) -> dict[str, str] | None:
    """The settings that are not the usual ones, as one writes them; None if one is a file that has no name."""
    settings = settings_of(type(question))
    said = changes(type(question)(), question)
    return None if any(said[name] == A_FILE and settings[name].kind == "file" for name in said) else said
