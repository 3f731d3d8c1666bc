"""The question and its answer, in sentences."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from cardhouse.engine import catalogue_of, find_game
from cardhouse.lab.questions.question import Finding, Question
from cardhouse.lab.questions.settings import A_FILE, changes, settings_of
from cardhouse.lab.running.leaders import lead_of
from cardhouse.lab.running.study import Answer, Found, Result, Study
from cardhouse.lab.statistics.estimate import Estimate
from cardhouse.lab.words.labels import capital, findings_of, minus, name_of, name_of_cell, variants, words_of
from cardhouse.lab.words.leading_finding import shown_apart
from cardhouse.lab.words.numbers import ALONE, MORE_TELL, digits_for, hardly, how_many, number_shown, value_shown

NOTHING = "\N{EN DASH}"
EXACT_DIGITS = 4
"""The decimals of exact numbers."""
MOST_LINE_UPS = 20
"""The most line-ups that are written out."""


class Headline(NamedTuple):
    """The number that answers a question, its text, and its certainty."""

    number: str
    text: str
    sure: str


def title_of(result: Result) -> str:
    """Return the question in words."""
    return question_of(result).title


def game_of(result: Result) -> str:
    """Return the title of the game."""
    return catalogue_of(find_game(question_of(result).game)).words.title


def question_of(result: Result) -> Question:
    """Return the question, with the first combination of settings."""
    return result.study.cells[0].question


def headline(result: Result) -> Headline | None:
    """Return the most informative finding in a sentence; None if nothing was played or nothing is known."""
    if not result.answers:
        return None
    key = lead_of(result.answers, result.study.confidence).finding.key
    answers = [answer for answer in result.answers if found(answer, key).estimate.value is not None]
    if not answers:
        return None
    confidence = f"with {100 * result.study.confidence:g}% confidence"
    if len(answers) > 1:
        return _range(answers, key, confidence)
    answer, one = answers[0], found(answers[0], key)
    finding, number = one.finding, one.estimate
    if one.versus is not None and one.more is not None and one.more.value is not None:
        here, there = variants(answer.cell)
        sides = apart(finding, number, one.versus)
        beside = f"{finding.text}: {sides[0]} with {here}, {sides[1]} with {there}"
        unit = " points" if finding.kind == "share" else ""
        sure = f"Played with the same chance on both sides; the true difference lies {within(finding, one.more)}"
        sure = f"{sure}{unit}, {confidence}."
        if few := hardly(one.more):
            sure += f" {capital(few)}: {MORE_TELL}."
        return Headline(f"{short(finding, one.more, signed=True)}{unit}", beside, sure)
    if one.exact is not None:
        played = f"{how_many(answer.trials, answer.cell.question.trial)} came to {shown(finding, number)}"
        return Headline(value_shown(finding, one.exact, EXACT_DIGITS), finding.text, f"Counted exactly; {played}.")
    if number.low is None:
        return Headline(short(finding, number), finding.text, "From a single trial, which says nothing about others.")
    sure = f"The true number lies {within(finding, number)}{_percent(finding)}, {confidence}."
    return Headline(short(finding, number), finding.text, sure)


def found(answer: Answer, key: str) -> Found:
    """Return the finding of this key; the first if there is none, since other settings may count something else."""
    return next((one for one in answer.found if one.finding.key == key), answer.found[0])


def _range(answers: Sequence[Answer], key: str, confidence: str) -> Headline:
    """Return the range over several combinations of settings; with a variant, of the differences."""
    first = [found(answer, key) for answer in answers]
    differs = all(one.more is not None and one.more.value is not None for one in first)
    numbers = [one.more if differs and one.more is not None else one.estimate for one in first]
    values = [number.value for number in numbers if number.value is not None]
    least, most = values.index(min(values)), values.index(max(values))
    finding = next(one for one in findings_of(answers) if one.key == first[0].finding.key)
    low, high = (short(finding, numbers[place], signed=differs) for place in (least, most))
    if not differs:
        low, high = apart(finding, numbers[least], numbers[most])
    unit = " points" if finding.kind == "share" else ""
    text = finding.text
    if differs:
        high += unit
        here, there = variants(answers[0].cell)
        # The number has its sign, which a word such as "more" would reverse.
        text = f"{text}, with {there} instead of {here}"
    is_same = low == high.removesuffix(unit)
    number = high if is_same else f"{low.removesuffix(_percent(finding))} to {high}"
    ends = f"the least with {name_of(answers[least])}, the most with {name_of(answers[most])}"
    where = f"{text}: {'the same with all' if is_same else ends}"
    error = max((error for one in numbers if (error := one.error) is not None), default=None)
    if error is None:
        return Headline(number, where, "")
    error *= 100 if finding.kind == "share" else 1
    return Headline(number, where, f"Each is known to ±{error:.{digits_for(error)}f}{unit} or better, {confidence}.")


def stopped(result: Result) -> str:
    """Return a note that a study was stopped, and after how many trials; "" if it wasn't."""
    if not result.stopped:
        return ""
    trial = question_of(result).trial
    if not result.answers:
        return f"It was stopped before the first {trial} had been counted, so there are no numbers."
    cells, of = len(result.study.cells), how_many(result.study.trials, trial)
    if cells == 1:
        return f"It was stopped early: the numbers rest on {result.answers[0].trials:,} of {of}."
    last = result.answers[-1]
    return (
        f"It was stopped early: of {cells:,} combinations of settings {len(result.answers):,} were begun, and the "
        f"last, {name_of(last)}, rests on {last.trials:,} of {of}."
    )


def asked(result: Result) -> str:
    """Return the conditions in a line: settings that aren't defaults, trials and seed."""
    study = result.study
    first = study.cells[0]
    given = changes(type(first.question)(), first.question)
    parts = [f"{words_of(name)} {value}" for name, value in given.items() if name not in first.label]
    parts += [f"{words_of(name)} {listed(study, name)}" for name in first.label]
    played = sorted({answer.trials for answer in result.answers}) or [0]
    least, most = played[0], how_many(played[-1], first.question.trial)
    many = most if len(played) == 1 else f"{least:,} to {most}"
    each = " each" if len(study.cells) > 1 else ""
    settings = ", ".join(parts).replace(",", ", ").replace(",  ", ", ") if parts else "the usual settings"
    return f"With {settings}: {many}{each}, seed {study.seed}."


def line_ups(result: Result) -> list[str]:
    """Return the participants, one line for each line-up; empty if the questions don't name any.

    If there are several line-ups, each names its settings.
    """
    found: dict[str, list[str]] = {}
    for cell in result.study.cells:
        sides = cell.question.line_up()
        there = cell.versus.line_up() if cell.versus is not None else sides
        found.setdefault(sides if there == sides else f"{sides}; against: {there}", []).append(name_of_cell(cell))
    found.pop("", None)
    if len(found) == 1:
        return [f"Line-up, your side first: {sides}" for sides in found]
    lines = [f"Line-up, your side first: {sides} ({'; '.join(names)})" for sides, names in found.items()]
    more = len(lines) - MOST_LINE_UPS
    return lines if more <= 0 else [*lines[:MOST_LINE_UPS], f"{more} more line-ups are not shown."]


def listed(study: Study, name: str) -> str:
    """Return all values of a setting in a study, as a list: `4,6,8`, or `1-8`."""
    texts = list(dict.fromkeys(cell.label.get(name, "") for cell in study.cells))
    if len(texts) > 2 and all(text.isdecimal() for text in texts):
        numbers = list(map(int, texts))
        if numbers == list(range(numbers[0], numbers[-1] + 1)):
            return f"{texts[0]}-{texts[-1]}"
    return ",".join(texts)


def command_of(study: Study) -> str:
    """Return the command that asks the same, with the files' names where they are known."""
    question = study.cells[0].question
    words = ["cardhouse", "lab", question.game, question.name]
    for name, text in _given(study):
        words += [f"--{name.replace('_', '-')}", text]
    for name, text in _given_there(study):
        words += ["--vs", f"{name}={text}"]
    words += ["--trials", str(study.trials)]
    words += [] if study.until is None else ["--until", f"{100 * study.until:g}%"]
    words += ["--confidence", f"{100 * study.confidence:g}", "--seed", str(study.seed)]
    return shlex.join(words)


def link_of(study: Study) -> str:
    """Return the link to the same question on a server's page, without its address; files are only named."""
    params = dict(_given(study))
    params |= {f"vs.{name}": text for name, text in _given_there(study)}
    params |= {"trials": str(study.trials), "confidence": f"{100 * study.confidence:g}", "seed": str(study.seed)}
    if study.until is not None:
        params["until"] = f"{100 * study.until:g}%"
    question = study.cells[0].question
    return f"/lab/{question.game}/{question.name}?{urlencode(params)}"


def python_of(study: Study) -> str:
    """Return the Python code that asks the same."""
    question = study.cells[0].question
    arguments = [f"{question.game!r}, {question.name!r}", *(f"{name}={text!r}" for name, text in _given(study))]
    there = dict(_given_there(study))
    arguments += [f"vs={there!r}"] if there else []
    arguments += [f"trials={study.trials}", f"confidence={study.confidence:g}", f"seed={study.seed}"]
    arguments += [] if study.until is None else [f"until={study.until:g}"]
    return f"lab.ask({', '.join(arguments)})"


def _given(study: Study) -> Iterator[tuple[str, str]]:
    """Yield the settings that aren't defaults, with their values; `FILE` for a file without a name."""
    first = study.cells[0]
    given = changes(type(first.question)(), first.question)
    for name, setting in settings_of(type(first.question)).items():
        text = listed(study, name) if name in first.label else given.get(name)
        if text is not None:
            yield name, "FILE" if text == A_FILE and setting.kind == "file" else text


def _given_there(study: Study) -> Iterator[tuple[str, str]]:
    """Yield the settings in which the variant differs, with its values."""
    others: dict[str, str] = {}
    for cell in study.cells:
        others |= changes(cell.question, cell.versus) if cell.versus is not None else {}
    yield from others.items()


# Numbers.


def short(finding: Finding, number: Estimate, *, signed: bool = False) -> str:
    """Return a number without its error, with the digits that the error justifies.

    Differences of shares without unit.
    """
    if number.value is None:
        return NOTHING
    text = minus(value_shown(finding, number.value, _digits(finding, number), signed=signed))
    return text.removesuffix("%") if signed else text


def apart(finding: Finding, here: Estimate, there: Estimate) -> tuple[str, str]:
    """Return two numbers with the digits that their errors justify, or as many as it takes to tell them apart."""
    numbers = short(finding, here), short(finding, there)
    if numbers[0] == numbers[1] and here.value is not None and there.value is not None:
        return shown_apart(finding, here.value, there.value)
    return numbers


def shown(finding: Finding, number: Estimate | None, *, signed: bool = False) -> str:
    """Return a number with its error; differences of shares without unit."""
    if number is None or number.value is None:
        return NOTHING
    text = minus(number_shown(finding, number, signed=signed))
    return text.removesuffix("%") if signed else text


def interval(finding: Finding, number: Estimate) -> str:
    """Return both ends of the interval: `68.14 to 68.32%`."""
    if number.low is None or number.high is None:
        return NOTHING if number.value is None else ALONE
    low, high = (minus(value_shown(finding, end, _digits(finding, number))) for end in (number.low, number.high))
    return f"{low.removesuffix('%')} to {high}"


def within(finding: Finding, number: Estimate) -> str:
    """Return the interval in words, without unit."""
    return "between " + interval(finding, number).removesuffix("%").replace(" to ", " and ")


def exact(one: Found) -> str:
    """Return the exact number."""
    return NOTHING if one.exact is None else minus(value_shown(one.finding, one.exact, EXACT_DIGITS))


def _digits(finding: Finding, number: Estimate) -> int:
    error = number.error
    return 2 if error is None else digits_for(error * (100 if finding.kind == "share" else 1))


def _percent(finding: Finding) -> str:
    return "%" if finding.kind == "share" else ""
