"""Answers for players: a question's own text, or a general one for comparisons and sweeps."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cardhouse.lab.questions.answer import MOST_COLUMNS, Bar, Picture, Tale, Values, or_else
from cardhouse.lab.questions.question import Finding
from cardhouse.lab.reports.summary import found, within
from cardhouse.lab.running.leaders import Lead, lead_of, number_of
from cardhouse.lab.running.study import Answer, Found, Result
from cardhouse.lab.words import leading_finding as said
from cardhouse.lab.words.labels import capital, findings_of, name_of, variants
from cardhouse.lab.words.leading_finding import plain_label, shown_apart, shown_value
from cardhouse.lab.words.numbers import how_many


def tale_of(result: Result) -> Tale | None:
    """Return the answer as a sentence and a picture; None if nothing was played, or nothing is known."""
    answers = result.answers
    if not answers:
        return None
    lead = lead_of(answers, result.study.confidence)
    key = lead.finding.key
    known = [answer for answer in answers if number_of(found(answer, key)).value is not None]
    if not known:
        return None
    if len(answers) > 1:
        return _of_several(answers, known, lead)
    (answer,) = answers
    if answer.cell.versus is not None:
        return _of_two(answer, lead)
    tale = answer.cell.question.tale(values_of(answer)) or _plainly(answer, found(answer, key))
    return _with_intervals(tale, answer)


def values_of(answer: Answer) -> Values:
    """Return the known numbers with their intervals; those of exact ones have no width."""
    numbers = {one.finding.key: number_of(one) for one in answer.found}
    return Values(
        {key: number.value for key, number in numbers.items() if number.value is not None},
        {key: (number.low, number.high) for key, number in numbers.items()},
        answer.trials,
    )


def _plainly(answer: Answer, one: Found) -> Tale:
    """Return the most informative finding, for a question without its own text."""
    finding, value = one.finding, number_of(one).value
    assert value is not None
    trial = answer.cell.question.trial
    sentence = f"{capital(finding.text)}: {shown_value(finding, value)}."
    if finding.kind == "mean":
        return Tale(sentence, f"The mean of {how_many(answer.trials, trial)}.")
    picture = or_else(f"A hundred {trial}s", finding.text, "the others", value)
    return Tale(sentence, f"Of {how_many(answer.trials, trial)}.", picture)


def _of_two(answer: Answer, lead: Lead) -> Tale | None:
    """Return the comparison of two variants on the same deals."""
    one = found(answer, lead.finding.key)
    finding, here, there, more = one.finding, one.estimate, one.versus, one.more
    if there is None or there.value is None or here.value is None or more is None or more.low is None:
        return None
    names = [plain_label(name) for name in variants(answer.cell)]
    numbers = shown_apart(finding, here.value, there.value)
    unit = " points" if finding.kind == "share" else ""
    true = f"The true difference lies {within(finding, more)}{unit}."
    if lead.move is None:
        sentence = said.unclear([answer], lead)
        each = f"{numbers[0]} with {names[0]}, {numbers[1]} with {names[1]}"
        each = f"{numbers[0]} with both" if numbers[0] == numbers[1] else each
        line = f"{capital(finding.text)}: {each}. {true}"
    else:
        sentence = said.of_variants(lead.move, answer)
        line = f"{true} {said.beside(lead)}".strip()
    bars = [
        Bar(name, number.value or 0.0, shown, low=number.low, high=number.high, bright=name == names[1])
        for name, number, shown in zip(names, (here, there), numbers, strict=True)
    ]
    return Tale(sentence, line, Picture(capital(finding.text), "Both played on the same deals.", bars=bars))


def _of_several(answers: Sequence[Answer], known: Sequence[Answer], lead: Lead) -> Tale:
    """Return the change over combinations of settings, with those that are `known`; with a variant, its differences."""
    key = lead.finding.key
    finding = next(one for one in findings_of(answers) if one.key == key)
    if answers[0].cell.versus is not None:
        return _differences(answers, lead, finding)
    numbers = [number_of(found(answer, key)) for answer in known]
    values = [number.value or 0.0 for number in numbers]
    shown = [shown_value(finding, value) for value in values]
    least, most = values.index(min(values)), values.index(max(values))
    shown[least], shown[most] = shown_apart(finding, values[least], values[most])
    bars = [
        Bar(plain_label(name_of(answer)), value, text, place == most, low=number.low, high=number.high)
        for place, (answer, value, text, number) in enumerate(zip(known, values, shown, numbers, strict=True))
    ]
    combinations = f"{how_many(len(known), 'combination')} of settings"
    if lead.move is None:
        sentence = said.unclear(answers, lead)
        numbers_shown = shown[least] if shown[least] == shown[most] else f"{shown[least]} to {shown[most]}"
        line = f"{capital(finding.text)}: {numbers_shown} with {combinations}."
    else:
        sentence = said.of_settings(lead.move, answers, finding)
        of = how_many(known[0].trials, known[0].cell.question.trial)
        extremes = f"The least and the most of {combinations}." if len(known) > 2 else f"Of {of} each."
        line = f"{extremes} {said.beside(lead)}".strip()
    return Tale(sentence, line, Picture(capital(finding.text), bars=bars) if len(bars) <= MOST_COLUMNS else None)


def _differences(answers: Sequence[Answer], lead: Lead, finding: Finding) -> Tale:
    here, there = map(plain_label, variants(answers[0].cell))
    line = f"{capital(finding.text)}, with {there} instead of {here}."
    if lead.move is None:
        return Tale(said.unclear(answers, lead), line)
    return Tale(said.of_variants_by_settings(lead.move, answers, finding), line)


def _with_intervals(tale: Tale, answer: Answer) -> Tale:
    """Return the answer with the intervals of its bars' findings, where these aren't exact."""
    if tale.picture is None or not tale.picture.bars:
        return tale
    played = {one.finding.key: one.estimate for one in answer.found if one.exact is None}
    bars = [
        msgspec.structs.replace(bar, low=played[bar.key].low, high=played[bar.key].high) if bar.key in played else bar
        for bar in tale.picture.bars
    ]
    return msgspec.structs.replace(tale, picture=msgspec.structs.replace(tale.picture, bars=bars))
