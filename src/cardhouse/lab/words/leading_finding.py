"""The sentence about the finding that leads an answer: which way it changed, from which number to which."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cardhouse.lab.questions.answer import listed, percent, two_digits, would_tell
from cardhouse.lab.questions.question import Finding
from cardhouse.lab.running.leaders import Lead
from cardhouse.lab.running.study import Answer
from cardhouse.lab.statistics.leading import Shift
from cardhouse.lab.words.labels import capital, name_of, variants
from cardhouse.lab.words.numbers import MOST_DIGITS, how_many

QUOTED: Final = "\N{LEFT DOUBLE QUOTATION MARK}{}\N{RIGHT DOUBLE QUOTATION MARK}"

MOST_STEADY: Final = 2
"""The most findings that are named because they stay the same."""


def shown_value(finding: Finding, value: float) -> str:
    """Return a finding's value as players read it."""
    return percent(value) if finding.kind == "share" else two_digits(value)


def shown_apart(finding: Finding, here: float, there: float) -> tuple[str, str]:
    """Return two values as players read them, with as many digits as it takes to tell them apart."""
    shown = shown_value(finding, here), shown_value(finding, there)
    times, unit = (100, "%") if finding.kind == "share" else (1, "")
    for digits in range(1, MOST_DIGITS + 1):
        if here == there or shown[0] != shown[1]:
            break
        shown = f"{times * here:.{digits}f}{unit}", f"{times * there:.{digits}f}{unit}"
    return shown


def plain_label(name: str) -> str:
    """Return the label of settings as players read it."""
    return re.sub(r"\bhp\b", "HP", name)


def verb(move: Shift) -> str:
    """Return which way a finding changes."""
    return "rises" if move.there > move.here else "falls"


def from_to(move: Shift) -> tuple[str, str]:
    """Return the numbers of a change, in digits that tell them apart."""
    return shown_apart(move.finding, move.here, move.there)


def of_variants(move: Shift, answer: Answer) -> str:
    """Return the sentence about a change between two variants."""
    here, there = from_to(move)
    name = plain_label(variants(answer.cell)[1])
    return f"With {name}, {QUOTED.format(move.finding.text)} {verb(move)} from {here} to {there}."


def of_settings(move: Shift, answers: Sequence[Answer], finding: Finding) -> str:
    """Return the sentence about a change between combinations of settings."""
    here, there = from_to(move)
    first, last = (plain_label(name_of(answers[place])) for place in move.places)
    return f"{QUOTED.format(capital(finding.text))} {verb(move)} from {here} with {first} to {there} with {last}."


def of_variants_by_settings(move: Shift, answers: Sequence[Answer], finding: Finding) -> str:
    """Return the sentence about a change between two variants that is strongest in one combination of settings."""
    answer = answers[move.places[0]]
    there = plain_label(variants(answers[0].cell)[1])
    more = [one.more for each in answers for one in each.found if one.finding.key == finding.key and one.more]
    clear = [number for number in more if number.is_clear and ((number.value or 0.0) > 0) == (move.there > move.here)]
    here_shown, there_shown = from_to(move)
    many = f"in {len(clear)} of {how_many(len(answers), 'combination')}"
    most = f"most clearly from {here_shown} to {there_shown} with {plain_label(name_of(answer))}"
    return f"With {there}, {QUOTED.format(finding.text)} {verb(move)} {many}, {most}."


def unclear(answers: Sequence[Answer], lead: Lead) -> str:
    """Return the sentence where no change is clear, and how many trials would tell whether the first finding changes.

    That is left out if its number stays about the same, or is exact.
    """
    told = ""
    if lead.moves and not lead.moves[0].is_steady and not lead.moves[0].is_saturated:
        move, answer = lead.moves[0], answers[lead.moves[0].places[0]]
        gap = move.gap
        told = would_tell(answer.cell.question.trial, answer.trials, gap) if gap.half_width else ""
    return f"{_no_difference(answers)}{told and f' {capital(told)}.'}"


def _no_difference(answers: Sequence[Answer]) -> str:
    if len(answers) == 1:
        here, there = map(plain_label, variants(answers[0].cell))
    elif answers[0].cell.versus is not None:
        there = plain_label(variants(answers[0].cell)[1])
        return f"{capital(there)} makes no clear difference in {how_many(len(answers), 'combination')}."
    elif len(answers) > 2:
        return f"No clear difference between {how_many(len(answers), 'combination')} of settings."
    else:
        here, there = (plain_label(name_of(answer)) for answer in answers)
    return f"No clear difference between {here} and {there}."


def beside(lead: Lead) -> str:
    """Return sentences about findings that don't lead: the question's own, and a few that stay about the same."""
    first = lead.moves[0]
    said = []
    if lead.finding.key != first.finding.key and not first.is_steady:
        name = QUOTED.format(capital(first.finding.text))
        here, there = from_to(first)
        if first.is_clear:
            said.append(f"{name} {verb(first)} from {here} to {there}.")
        elif not first.is_saturated:
            said.append(f"{name}: {here} and {there}, no clear difference.")
    steady = [one for one in lead.moves if one.is_steady and not (one.finding.series or one.finding.aside)]
    if steady:
        shown = (
            f"{QUOTED.format(one.finding.text)} ({shown_value(one.finding, one.here)})" for one in steady[:MOST_STEADY]
        )
        said.append(f"About the same: {listed(list(shown))}.")
    return " ".join(said)
