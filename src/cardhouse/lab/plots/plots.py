"""The plots that fit a result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

import msgspec

from cardhouse.lab.plots.charts import BarOf, DotRow, Point, Square, Unit, columns, dots, heat_map, histogram, lines
from cardhouse.lab.plots.charts import Plot as Plot
from cardhouse.lab.questions.question import Finding
from cardhouse.lab.running.leaders import lead_of
from cardhouse.lab.running.study import Answer, Found, Result
from cardhouse.lab.statistics.estimate import Estimate
from cardhouse.lab.words.distribution import HistogramBar, bars
from cardhouse.lab.words.labels import (
    axes,
    capital,
    findings_of,
    minus,
    name_of,
    numbers_of,
    short_names,
    variants,
    words_of,
)
from cardhouse.lab.words.numbers import digits_for, how_many, number_shown, value_shown
from cardhouse.lab.words.theme import SHAPES
from cardhouse.lab.words.theme import config as config

MOST_PLOTS: Final = 6
MOST_LINES: Final = len(SHAPES)
MOST_ROWS: Final = 24
TICK_LETTERS: Final = 18
"""The most characters of a heat map's row label."""
MOST_DIGITS: Final = 2
"""The most decimals in a heat map, where there is little room."""


def plots(result: Result) -> list[Plot]:
    """Return the plots that make sense for a result, the most informative first: up to six, none without trials."""
    if not result.answers:
        return []
    confidence = result.study.confidence
    drawn = _of_one(result.answers[0]) if len(result.answers) == 1 else _of_many(result.answers, confidence)
    return list(islice(drawn, MOST_PLOTS))


def rows_of(drawn: Iterable[Plot]) -> list[list[Plot]]:
    """Arrange plots in rows of up to two: a pair has its own row, single ones share rows."""
    pairs: list[list[Plot]] = []
    for plot in drawn:
        if plot.beside:
            pairs[-1].append(plot)
        else:
            pairs.append([plot])
    found: list[list[Plot]] = []
    open_row: list[Plot] | None = None
    for pair in pairs:
        if len(pair) == 1 and open_row is not None:
            open_row += pair
            open_row = None
        else:
            found.append(pair)
            open_row = pair if len(pair) == 1 else open_row
    return found


def _of_one(answer: Answer) -> Iterator[Plot]:
    """Yield plots of one combination of settings: its lines, its difference from the variant, its other numbers."""
    yield from _series([answer])
    for kind, title, differing in (
        ("share", "The chances", "Differences between chances"),
        ("mean", "On average", "Differences on average"),
    ):
        differences = list(_differences(answer, kind, differing))
        yield from differences
        found = [one for one in _singles(answer) if one.finding.kind == kind]
        if len(found) > 1 and (kind == "share" or _comparable(found)):
            rows = [_row(one.finding.text, answer, one) for one in found[:MOST_ROWS]]
            numbers = dots(title, Unit(kind), rows, _first_of(rows, found))
            yield _beside(numbers) if differences else numbers
    yield from _histograms(answer)


def _beside(plot: Plot) -> Plot:
    return msgspec.structs.replace(plot, beside=True)


def _of_many(answers: Sequence[Answer], confidence: float) -> Iterator[Plot]:
    """Yield plots of several combinations: the leading finding by the settings that vary, then others, then lines."""
    keys = axes(answers)
    lead = lead_of(answers, confidence).finding.key
    first, *rest = sorted(findings_of(answers), key=lambda one: one.key != lead)
    others = (finding for finding in rest if not finding.series and _varies(answers, finding))
    for place, finding in enumerate([first, *islice(others, 2)]):
        if len(keys) == 1 and numbers_of(answers, keys[0]):
            yield from _by_number(answers, keys[0], finding)
        elif len(keys) == 2:
            yield from _by_two(answers, keys, finding)
        elif place == 0:
            yield from _by_cell(answers, finding)
    yield from _series(answers)


def _series(answers: Sequence[Answer]) -> Iterator[Plot]:
    """Yield a plot for each line of findings, or row of bars, with a colour for each combination or variant."""
    most = MOST_LINES if answers[0].cell.versus is None else MOST_LINES // 2
    shown = _spread(answers, most)
    findings = findings_of(shown)
    for series in dict.fromkeys(finding.series for finding in findings if finding.series):
        those = [finding for finding in findings if finding.series == series]
        first, several = those[0], len({finding.of for finding in those})
        drawn = shown if several == 1 else _spread(shown, max(1, most // several))
        points: list[BarOf] = []
        for answer in drawn:
            labels_of = _labels(answer, named=len(drawn) > 1)
            for one in answer.found:
                if one.finding.series == series and one.finding.x is not None:
                    named = _join(one.finding.of, labels_of[0]), _join(one.finding.of, labels_of[1])
                    points += [BarOf(one.finding.bar, point) for point in _points(one, named, one.finding.x)]
        if len({bar.point.x for bar in points}) > 1:
            labels = capital(first.series_text or first.text), first.x_text, Unit(first.kind)
            notes = _omitted_note(drawn, answers)
            if first.bar:
                yield columns(*labels, points, notes)
            else:
                yield lines(*labels, [bar.point for bar in points], notes)


def _by_number(answers: Sequence[Answer], key: str, finding: Finding) -> Iterator[Plot]:
    """Yield a finding against a numeric setting, then its difference from the variant."""
    points: list[Point] = []
    differences: list[Point] = []
    for x, answer in zip(numbers_of(answers, key), answers, strict=True):
        if one := _found(answer, finding):
            points += _points(one, variants(answer.cell), x)
            differences += _known(x, "", one.more)
    by = f"by {words_of(key)}"
    if len(points) > 1:
        yield lines(f"{capital(finding.text)}, {by}", words_of(key), Unit(finding.kind), points)
    if len(differences) > 1:
        title, unit = f"{capital(finding.text)}: the difference, {by}", Unit(finding.kind, differs=True)
        yield _beside(lines(title, words_of(key), unit, differences, [_sign_note(answers[0])]))


def _by_two(answers: Sequence[Answer], keys: Sequence[str], finding: Finding) -> Iterator[Plot]:
    """Yield a finding by two settings, then its difference from the variant, if there is one."""
    # The setting with fewer values goes across: there is more room down than across.
    fewer = sorted(keys, key=lambda key: len({answer.cell.label[key] for answer in answers}))
    across, down = fewer
    x_names, y_names = (short_names((one.cell.label[key] for one in answers), TICK_LETTERS) for key in (across, down))
    for differs in (False, True):
        numbers: list[tuple[str, str, Estimate]] = []
        for answer in answers:
            one = _found(answer, finding)
            number = None if one is None else one.more if differs else one.estimate
            if number is not None and number.value is not None:
                label = answer.cell.label
                numbers.append((x_names[label[across]], y_names[label[down]], number))
        if len(numbers) > 1:
            title = f"{capital(finding.text)}{': the difference' if differs else ''}, by {words_of(down)} and "
            squares = _squares(finding, numbers, signed=differs)
            notes = [_sign_note(answers[0])] if differs else []
            names = words_of(across), words_of(down)
            drawn = heat_map(title + words_of(across), Unit(finding.kind, differs), names, squares, notes)
            yield _beside(drawn) if differs else drawn


def _squares(finding: Finding, numbers: Sequence[tuple[str, str, Estimate]], *, signed: bool) -> list[Square]:
    """Format numbers for small places: all with the same number of decimals, without units."""
    errors = [100 * error if finding.kind == "share" else error for _, _, number in numbers if (error := number.error)]
    digits = min(MOST_DIGITS, digits_for(max(errors, default=1)))
    squares = []
    for x, y, number in numbers:
        assert number.value is not None
        shown = value_shown(finding, number.value, digits, signed=signed).removesuffix("%")
        squares.append(Square(x, y, number.value, minus(shown)))
    return squares


def _by_cell(answers: Sequence[Answer], finding: Finding) -> Iterator[Plot]:
    """Yield a row for each combination of settings, then the differences from the variant."""
    shown = _spread(answers, MOST_ROWS)
    found = [(answer, one) for answer in shown if (one := _found(answer, finding)) and _points(one, ("", ""))]
    notes = _omitted_note(shown, answers)
    if found:
        rows = [_row(name_of(answer), answer, one) for answer, one in found]
        yield dots(capital(finding.text), Unit(finding.kind), rows, notes)
    rows = [_difference(name_of(answer), one) for answer, one in found if one.more]
    if rows:
        title, unit = f"{capital(finding.text)}: the difference", Unit(finding.kind, differs=True)
        yield _beside(dots(title, unit, rows, [_sign_note(answers[0]), *notes]))


def _differences(answer: Answer, kind: str, title: str) -> Iterator[Plot]:
    """Yield a plot of the findings of a kind that differ, around zero."""
    found = [one for one in _singles(answer) or answer.found if one.finding.kind == kind and one.more is not None]
    rows = [_difference(one.finding.text, one) for one in found[:MOST_ROWS] if _known(0, "", one.more)]
    if rows:
        yield dots(title, Unit(kind, differs=True), rows, [_sign_note(answer), *_first_of(rows, found)])


def _histograms(answer: Answer) -> Iterator[Plot]:
    """Yield a histogram of the values behind each mean, except for means of differences; all have one scale."""
    drawn = set()
    found: list[tuple[Found, list[HistogramBar], bool]] = []
    for one in answer.found:
        finding = one.finding
        about = (finding.measure, finding.given_least, finding.given_most)
        if finding.kind != "mean" or finding.zero or about in drawn:
            continue
        drawn.add(about)
        others = (answer.versus_counts or {}).get(finding.measure)
        made = bars(*about[1:], finding.scale, answer.counts[finding.measure], others, finding.zero)
        if len(made) > 2:
            found.append((one, made, others is not None))
    highest = max((share for _, made, _ in found for bar in made for share in bar.shares), default=0.0)
    for one, made, compares in found:
        compared = variants(answer.cell)[: 2 if compares else 1]
        played = f"Frequency of each value in {how_many(one.estimate.trials, answer.cell.question.trial)}."
        yield histogram(capital(one.finding.text), made, compared, highest, [played])


# Shared helpers.


def _singles(answer: Answer) -> list[Found]:
    """Return the findings with a known number that aren't part of a line."""
    return [one for one in answer.found if not one.finding.series and one.estimate.value is not None]


def _found(answer: Answer, finding: Finding) -> Found | None:
    return next((one for one in answer.found if one.finding.key == finding.key), None)


def _varies(answers: Sequence[Answer], finding: Finding) -> bool:
    """Return whether a finding seems to differ between settings or variants."""
    found = [one for answer in answers if (one := _found(answer, finding))]
    lows = [one.estimate.low for one in found if one.estimate.low is not None]
    highs = [one.estimate.high for one in found if one.estimate.high is not None]
    differ = any(one.more and one.more.value and abs(one.more.value) > (one.more.error or 0) for one in found)
    return differ or (len(found) > 1 and max(lows, default=0.0) > min(highs, default=0.0))


def _comparable(found: Sequence[Found]) -> bool:
    """Return whether these means fit on one axis."""
    values = [abs(one.estimate.value) for one in found if one.estimate.value]
    return len(values) > 1 and max(values) < 20 * min(values)


def _labels(answer: Answer, *, named: bool) -> tuple[str, str]:
    """Return the labels of a combination of settings and of its variant."""
    here, there = variants(answer.cell)
    if not named:
        return here, there
    name = name_of(answer)
    return _join(name, here), _join(name, there)


def _join(*names: str) -> str:
    return ", ".join(filter(None, names))


def _sign_note(answer: Answer) -> str:
    """Return a note that explains the sign of a difference."""
    here, there = variants(answer.cell)
    return f"Above zero: more with {there} than with {here}."


def _omitted_note(shown: Sequence[Answer], answers: Sequence[Answer]) -> list[str]:
    """Return a note if not all combinations are drawn."""
    return [] if len(shown) == len(answers) else [f"{len(shown)} of {len(answers)} combinations are drawn."]


def _first_of(rows: Sequence[DotRow], found: Sequence[Found]) -> list[str]:
    """Return a note if there are more findings than rows."""
    return [f"The first {len(rows)} of {len(found)}."] if len(found) > MOST_ROWS else []


def _known(x: float, who: str, number: Estimate | None, exact: float | None = None) -> list[Point]:
    """Return a number as one point; nothing if it is unknown."""
    return [] if number is None or number.value is None else [Point(x, who, number, exact)]


def _points(one: Found, names: tuple[str, str], x: float = 0.0) -> list[Point]:
    """Return the points of a finding for both variants."""
    here, there = names
    return _known(x, here, one.estimate, one.exact) + _known(x, there, one.versus)


def _row(text: str, answer: Answer, one: Found) -> DotRow:
    """Return a finding as a row; with two variants there is no room for numbers."""
    number = number_shown(one.finding, one.estimate) if one.versus is None else ""
    return DotRow(text, minus(number), _points(one, variants(answer.cell)))


def _difference(text: str, one: Found) -> DotRow:
    assert one.more is not None
    number = number_shown(one.finding, one.more, signed=True).removesuffix("%")
    return DotRow(text, minus(number), _known(0, "", one.more))


def _spread(answers: Sequence[Answer], most: int) -> Sequence[Answer]:
    """Return up to `most` of them, evenly spaced from the first to the last."""
    if len(answers) <= most:
        return answers
    return [answers[round(place * (len(answers) - 1) / max(1, most - 1))] for place in range(most)]
