"""Answers for players: a question's own text, or a general one for comparisons and sweeps."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from cardhouse.lab.questions.answer import MOST_COLUMNS, Bar, Picture, Tale, or_else, percent, two_digits
from cardhouse.lab.questions.question import Finding
from cardhouse.lab.reports.summary import found, main_finding, within
from cardhouse.lab.reports.text_optimality import QUOTED
from cardhouse.lab.running.study import Answer, Found
from cardhouse.lab.words.labels import capital, findings_of, name_of, variants
from cardhouse.lab.words.numbers import how_many


def tale_of(answers: Sequence[Answer]) -> Tale | None:
    """Return the answer as a sentence and a picture; None if nothing was played, or nothing is known."""
    key = main_finding(answers)
    known = [answer for answer in answers if _value(found(answer, key)) is not None]
    if not known:
        return None
    if len(answers) > 1:
        return _of_several(known, key)
    (answer,) = answers
    one = found(answer, key)
    if answer.cell.versus is not None:
        return _of_two(answer, one)
    values = {each.finding.key: value for each in answer.found if (value := _value(each)) is not None}
    tale = answer.cell.question.tale(values) or _plainly(answer, one)
    return _with_intervals(tale, answer)


def shown_value(finding: Finding, value: float) -> str:
    """Return a finding's value as players read it."""
    return percent(value) if finding.kind == "share" else two_digits(value)


def _plain_label(name: str) -> str:
    """Return the label of settings as players read it."""
    return re.sub(r"\bhp\b", "HP", name)


def _value(one: Found) -> float | None:
    return one.estimate.value if one.exact is None else one.exact


def _plainly(answer: Answer, one: Found) -> Tale:
    """Return the most informative finding, for a question without its own text."""
    finding, value = one.finding, _value(one)
    assert value is not None
    trial = answer.cell.question.trial
    sentence = f"{capital(finding.text)}: {shown_value(finding, value)}."
    if finding.kind == "mean":
        return Tale(sentence, f"The mean of {how_many(answer.trials, trial)}.")
    picture = or_else(f"A hundred {trial}s", finding.text, "the others", value)
    return Tale(sentence, f"Of {how_many(answer.trials, trial)}.", picture)


def _of_two(answer: Answer, one: Found) -> Tale | None:
    """Return the comparison of two variants on the same deals."""
    finding, here, there = one.finding, one.estimate, one.versus
    if there is None or there.value is None or here.value is None or one.more is None or one.more.low is None:
        return None
    names = [_plain_label(name) for name in variants(answer.cell)]
    numbers = [shown_value(finding, number.value or 0.0) for number in (here, there)]
    unit = " points" if finding.kind == "share" else ""
    if not one.more.is_clear:
        sentence = f"No clear difference between {names[0]} and {names[1]}."
        line = f"{capital(finding.text)}: {numbers[0]} with {names[0]}, {numbers[1]} with {names[1]}."
    else:
        verb = "rises" if there.value > here.value else "falls"
        sentence = f"With {names[1]}, {QUOTED.format(finding.text)} {verb} from {numbers[0]} to {numbers[1]}."
        line = f"With {names[0]} it is {numbers[0]}."
    line += f" The true difference lies {within(finding, one.more)}{unit}."
    bars = [
        Bar(name, number.value or 0.0, shown, low=number.low, high=number.high, bright=name == names[1])
        for name, number, shown in zip(names, (here, there), numbers, strict=True)
    ]
    return Tale(sentence, line, Picture(capital(finding.text), "Both played on the same deals.", bars=bars))


def _of_several(answers: Sequence[Answer], key: str) -> Tale:
    """Return the range over combinations of settings; with a variant, their differences."""
    finding = next(one for one in findings_of(answers) if one.key == key)
    if answers[0].cell.versus is not None:
        return _differences(answers, key, finding)
    values = [value for answer in answers if (value := _value(found(answer, key))) is not None]
    shown = [shown_value(finding, value) for value in values]
    names = [_plain_label(name_of(answer)) for answer in answers]
    least, most = values.index(min(values)), values.index(max(values))
    text = capital(finding.text)
    if shown[least] == shown[most]:
        sentence = f"{text}: {shown[least]} with all of them."
    else:
        sentence = f"{text}: {shown[least]} with {names[least]}, {shown[most]} with {names[most]}."
    bars = [
        Bar(name, value, number, place == most, low=played.low, high=played.high)
        for place, (name, value, number, played) in enumerate(
            zip(names, values, shown, (found(answer, key).estimate for answer in answers), strict=True)
        )
    ]
    line = f"The least and the most of {how_many(len(answers), 'combination')} of settings."
    return Tale(sentence, line, Picture(text, bars=bars) if len(bars) <= MOST_COLUMNS else None)


def _differences(answers: Sequence[Answer], key: str, finding: Finding) -> Tale:
    here, there = map(_plain_label, variants(answers[0].cell))
    more = [(number, answer) for answer in answers if (number := found(answer, key).more) and number.value is not None]
    clear = sum(number.is_clear for number, _ in more)
    sentence = f"{capital(there)} makes a clear difference in {clear} of {how_many(len(answers), 'combination')}."
    return Tale(sentence, f"{capital(finding.text)}, with {there} instead of {here}.")


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
