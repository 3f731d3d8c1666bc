"""The plots that fit what was asked, as Vega-Lite specifications without colours: `look.config` has those.

Each is drawn for a width of 380 pixels, so that it can be read on a phone; their data stands inside them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, cast

import altair as alt
import msgspec

from cardhouse.lab.distribution import Bar, bars
from cardhouse.lab.estimate import Estimate
from cardhouse.lab.look import SHAPES
from cardhouse.lab.question import Finding
from cardhouse.lab.study import Answer, Found, Result
from cardhouse.lab.telling import digits_for, value_shown
from cardhouse.lab.wording import axes, clipped, name_of, numbers_of, variants, words_of

MOST_PLOTS: Final = 6
MOST_LINES: Final = len(SHAPES)
MOST_POINTS: Final = 25
"""A line of more points than that is drawn without them."""
MOST_ROWS: Final = 24
MOST_COLUMNS: Final = 9
"""A heat map of more columns than that has no numbers in it."""
WIDTH: Final = 380
HEIGHT: Final = 230
ROW: Final = 44
LETTERS: Final = 56
"""So many letters go side by side in a plot."""

Datum = dict[str, Any]


class Plot(msgspec.Struct, frozen=True):
    """A plot: what it shows, how it is to be read, and its Vega-Lite specification, which names no colours."""

    title: str
    caption: str
    vega_lite_spec: dict[str, Any]


def plots(result: Result) -> list[Plot]:
    """The plots that make sense for what was asked, the most telling first; at most six, none if nothing was played."""
    if not result.answers:
        return []
    drawn = _of_one(result.answers[0]) if len(result.answers) == 1 else _of_many(result)
    return list(islice(drawn, MOST_PLOTS))


def _of_one(answer: Answer) -> Iterator[Plot]:
    """One combination of settings: its lines, how it differs from the other variant, its numbers, its measures."""
    yield from _series([answer])
    yield from _differences(answer)
    for kind, title in (("share", "The chances"), ("mean", "On average")):
        found = [one for one in _alone(answer) if one.finding.kind == kind]
        if len(found) > 1 and (kind == "share" or _comparable(found)):
            yield from _dots(answer, found, title)
    yield from _histograms(answer)


def _of_many(result: Result) -> Iterator[Plot]:
    """Several combinations: the first finding by what tells them apart, then others, then lines."""
    answers = result.answers
    keys = axes(answers)
    first = answers[0].found[0].finding
    findings = [first, *(one.finding for one in _alone(answers[0]) if one.finding.key != first.key)][:3]
    for place, finding in enumerate(findings):
        if len(keys) == 1 and numbers_of(answers, keys[0]):
            yield from _by_number(answers, keys[0], finding)
        elif len(keys) == 2:
            yield from _heat_map(answers, keys, finding)
        elif place == 0:
            yield from _by_cell(answers, finding)
    yield from _series(answers)


# Lines


def _series(answers: Sequence[Answer]) -> Iterator[Plot]:
    """A plot for each line of findings, with a colour for each combination of settings or each variant."""
    versus = answers[0].cell.versus is not None
    shown = _spread(answers, MOST_LINES // 2 if versus else MOST_LINES)
    for series in dict.fromkeys(one.finding.series for one in answers[0].found if one.finding.series):
        rows: list[Datum] = []
        for answer in shown:
            here, there = _who(answer, many=len(shown) > 1)
            for one in answer.found:
                if one.finding.series == series:
                    rows += _row(one.finding.x, here, one.estimate, one.exact)
                    rows += _row(one.finding.x, there, one.versus)
        first = next(one.finding for one in answers[0].found if one.finding.series == series)
        if len({row["x"] for row in rows}) > 1:
            notes = [] if len(shown) == len(answers) else [f"{len(shown)} of {len(answers)} combinations are drawn."]
            yield _lines(first.series_text or first.text, first.x_text, first.kind, rows, notes)


def _by_number(answers: Sequence[Answer], key: str, finding: Finding) -> Iterator[Plot]:
    """A finding against a setting that is a number; then how it differs from the other variant."""
    rows: list[Datum] = []
    differences: list[Datum] = []
    for x, answer in zip(numbers_of(answers, key), answers, strict=True):
        one = _found(answer, finding.key)
        if one is None:
            continue
        here, there = variants(answer.cell) if answer.cell.versus else ("", "")
        rows += _row(x, here, one.estimate, one.exact) + _row(x, there, one.versus)
        differences += _row(x, "", one.more)
    if len(rows) > 1:
        yield _lines(f"{_capital(finding.text)}, by {words_of(key)}", words_of(key), finding.kind, rows, [])
    if len(differences) > 1:
        yield _lines(
            f"{_capital(finding.text)}: the difference, by {words_of(key)}",
            words_of(key),
            finding.kind,
            differences,
            [_which_way(answers[0])],
            zero=True,
        )


def _lines(
    title: str, x_text: str, kind: str, rows: list[Datum], notes: list[str], *, zero: bool = False
) -> Plot:
    """Lines of points with the bands of their intervals, and exact values as short strokes."""
    who = list(dict.fromkeys(row["who"] for row in rows))
    rows = [_in_points(row) if zero and kind == "share" else row for row in rows]
    base = alt.Chart().encode(
        x=alt.X("x:Q", title=x_text or None, scale=alt.Scale(zero=False, nice=False, padding=10), axis=_numbers(rows))
    )
    y = alt.Y("y:Q", title="percentage points" if zero and kind == "share" else None, axis=_values(kind, zero=zero))
    colour: dict[str, Any] = {}
    shape: dict[str, Any] = {}
    if len(who) > 1:
        names = [clipped(name) for name in who]
        rows = [{**row, "who": clipped(row["who"])} for row in rows]
        colour = {"color": alt.Color("who:N", sort=names, title=None, legend=_legend(names))}
        shape = {"shape": alt.Shape("who:N", sort=names, title=None, legend=_legend(names))}
    layers: list[Any] = [
        base.mark_area(style="band").encode(y=alt.Y("low:Q", title=None), y2="high:Q", **colour),
        base.mark_line().encode(y=y, **colour),
    ]
    if len({row["x"] for row in rows}) <= MOST_POINTS:
        layers.append(base.mark_point().encode(y=y, **colour, **shape))
    exact = any(row.get("exact") is not None for row in rows)
    if exact:
        stroke = base.transform_filter("isValid(datum.exact)")
        layers.append(stroke.mark_tick(style="exact", orient="horizontal", size=14).encode(y="exact:Q"))
    if zero:
        layers.insert(0, alt.Chart().mark_rule(style="zero").encode(y=alt.datum(0)))
    notes = ["The band is the interval.", *["The short strokes are exact."] * exact, *notes]
    return Plot(title, " ".join(notes), _spec(alt.layer(*layers), rows, HEIGHT))


# Dots


def _dots(answer: Answer, found: Sequence[Found], title: str) -> Iterator[Plot]:
    """A row for each finding, with a dot and the interval; of both variants, if there are two."""
    here, there = _who(answer, many=False)
    rows: list[Datum] = []
    labels: list[str] = []
    for one in found[:MOST_ROWS]:
        lines = [(here, one.estimate, one.exact), *([(there, one.versus, None)] if one.versus else [])]
        rows += _dot_rows(len(labels), lines)
        labels.append(one.finding.text)
    yield _dot_plot(title, labels, rows, found[0].finding.kind, [])


def _differences(answer: Answer) -> Iterator[Plot]:
    """A row for each finding that differs, around zero; shares and means each for themselves."""
    if answer.cell.versus is None:
        return
    for kind, title in (("share", "Differences of the chances"), ("mean", "Differences on average")):
        found = [one for one in _alone(answer) or answer.found if one.finding.kind == kind and one.more is not None]
        rows: list[Datum] = []
        labels: list[str] = []
        for one in found[:MOST_ROWS]:
            rows += [_in_points(row) if kind == "share" else row for row in _dot_rows(len(labels), [("", one.more, None)])]
            labels.append(one.finding.text)
        if rows:
            yield _dot_plot(title, labels, rows, kind, [_which_way(answer)], zero=True)


def _by_cell(answers: Sequence[Answer], finding: Finding) -> Iterator[Plot]:
    """A row for each combination of settings."""
    rows: list[Datum] = []
    labels: list[str] = []
    shown = _spread(answers, MOST_ROWS)
    for answer in shown:
        one = _found(answer, finding.key)
        if one is not None:
            here, there = variants(answer.cell) if answer.cell.versus else ("", "")
            lines = [(here, one.estimate, one.exact), *([(there, one.versus, None)] if one.versus else [])]
            rows += _dot_rows(len(labels), lines)
            labels.append(name_of(answer))
    notes = [] if len(shown) == len(answers) else [f"{len(shown)} of {len(answers)} combinations are drawn."]
    if rows:
        yield _dot_plot(_capital(finding.text), labels, rows, finding.kind, notes)


def _dot_rows(place: int, lines: Sequence[tuple[str, Estimate | None, float | None]]) -> list[Datum]:
    """The dots of one row, one below the other."""
    found: list[Datum] = []
    for line, (who, number, exact) in enumerate(lines):
        found += [{**row, "at": place, "line": line} for row in _row(0.0, who, number, exact)]
    return found


def _dot_plot(
    title: str, labels: Sequence[str], rows: list[Datum], kind: str, notes: list[str], *, zero: bool = False
) -> Plot:
    """Rows with their words above them, so that these have the whole width."""
    who = list(dict.fromkeys(row["who"] for row in rows))
    tall = max(row["line"] for row in rows) * 14 + ROW
    texts = [textwrap.wrap(label, LETTERS, max_lines=2, placeholder="…") or [""] for label in labels]
    tops = [0]
    for text in texts:
        tops.append(tops[-1] + tall + 15 * (len(text) - 1))
    rows = [
        {**row, "who": clipped(row["who"]), "at": tops[row["at"] + 1] - tall + 34 + 14 * row["line"]} for row in rows
    ]
    rows += [{"text": text, "top": tops[place] + 9 + 15} for place, text in enumerate(texts)]
    scale = alt.Scale(domain=[0, tops[-1]], range=[0, tops[-1]], nice=False, zero=False)
    y = alt.Y("at:Q", scale=scale, axis=None)
    base = alt.Chart().transform_filter("isValid(datum.at)").encode(y=y)
    x = alt.X(
        "y:Q",
        title="percentage points" if zero and kind == "share" else None,
        axis=_values(kind, zero=zero),
        scale=alt.Scale(zero=True),
    )
    colour: dict[str, Any] = {}
    shape: dict[str, Any] = {}
    if len(who) > 1:
        names = [clipped(name) for name in who]
        colour = {"color": alt.Color("who:N", sort=names, title=None, legend=_legend(names))}
        shape = {"shape": alt.Shape("who:N", sort=names, title=None, legend=_legend(names))}
    words = alt.Chart().transform_filter("isValid(datum.top)").mark_text(style="row")
    layers: list[Any] = [
        words.encode(y=alt.Y("top:Q", scale=scale, axis=None), x=alt.value(0), text="text:N"),
        base.mark_rule().encode(x=alt.X("low:Q", title=None), x2="high:Q", **colour),
        base.mark_point().encode(x=x, **colour, **shape),
    ]
    exact = any(row.get("exact") is not None for row in rows)
    if exact:
        stroke = base.transform_filter("isValid(datum.exact)")
        layers.append(stroke.mark_tick(style="exact", orient="vertical", size=14).encode(x="exact:Q"))
    if zero:
        layers.insert(0, alt.Chart().mark_rule(style="zero").encode(x=alt.datum(0)))
    notes = ["The stroke through each dot is the interval.", *["The upright strokes are exact."] * exact, *notes]
    return Plot(title, " ".join(notes), _spec(alt.layer(*layers), rows, tops[-1]))


# Heat maps


def _heat_map(answers: Sequence[Answer], keys: Sequence[str], finding: Finding) -> Iterator[Plot]:
    """A finding by two settings; if there is another variant, how it differs from that too."""
    values = [list(dict.fromkeys(clipped(answer.cell.label[key], 18) for answer in answers)) for key in keys]
    down, across = sorted((0, 1), key=lambda place: len(values[place]), reverse=True)
    if len(values[0]) == len(values[1]):
        down, across = 0, 1
    for difference in (False, True):
        rows: list[Datum] = []
        for answer in answers:
            one = _found(answer, finding.key)
            number = one and (one.more if difference else one.estimate)
            if number is None or number.value is None:
                continue
            digits = min(1, digits_for((number.error or 0.01) * (100 if finding.kind == "share" else 1)))
            shown = value_shown(finding, number.value, digits, signed=difference).removesuffix(" %")
            x, y = (clipped(answer.cell.label[keys[place]], 18) for place in (across, down))
            rows.append({"x": x, "y": y, "value": number.value, "strength": abs(number.value), "text": shown})
        if len(rows) > 1:
            title = f"{_capital(finding.text)}{': the difference' if difference else ''}"
            unit = {False: "percent", True: "percentage points"}[difference] if finding.kind == "share" else ""
            names = words_of(keys[across]), words_of(keys[down])
            yield _heat(title, names, (values[across], values[down]), rows, unit, _which_way(answers[0]) * difference)


def _heat(
    title: str, names: tuple[str, str], values: tuple[list[str], list[str]], rows: list[Datum], unit: str, note: str
) -> Plot:
    across, down = values
    base = alt.Chart().encode(
        x=alt.X("x:O", sort=across, title=names[0], axis=alt.Axis(grid=False, labelAngle=0, orient="top")),
        y=alt.Y("y:O", sort=down, title=names[1], axis=alt.Axis(grid=False)),
    )
    least, most = min(row["strength"] for row in rows), max(row["strength"] for row in rows)
    strength = alt.FillOpacity(
        "strength:Q", legend=None, scale=alt.Scale(domain=[0 if note else least, most or 1], range=[0.05, 1])
    )
    layers: list[Any] = [
        base.transform_filter("datum.value >= 0 ").mark_rect(style="heat").encode(fillOpacity=strength),
        base.transform_filter("datum.value < 0").mark_rect(style="less").encode(fillOpacity=strength),
    ]
    numbered = len(across) <= MOST_COLUMNS
    if numbered:
        layers.append(base.mark_text(style="number").encode(text="text:N"))
    notes = [f"In {unit}." if unit and numbered else "", note, "" if numbered else "The stronger the colour, the more."]
    return Plot(title, " ".join(filter(None, notes)), _spec(alt.layer(*layers), rows, 30 * len(down)))


# Histograms


def _histograms(answer: Answer) -> Iterator[Plot]:
    """How often each value of each measure came up; of measures that are only yes or no there is nothing to see."""
    here, there = _who(answer, many=False)
    wanted = dict.fromkeys(one.finding.measure for one in answer.found)
    measures = {measure.key: measure for measure in answer.cell.question.measures()}
    for measure in (measures[key] for key in wanted):
        counts = answer.counts[measure.key]
        others = (answer.versus_counts or {}).get(measure.key)
        made = bars(counts, others)
        if len(made) < 3:
            continue
        rows = [_bar(bar, here, 0, 2 if others else 1) for bar in made]
        if others is not None:
            rows += [_bar(bar, there, 1, 2) for bar in made]
        yield _histogram(_capital(measure.text), rows, made, answer)


def _bar(bar: Bar, who: str, place: int, of: int) -> Datum:
    left, wide = bar.first - 0.5, bar.last - bar.first + 1
    inner = 0.84 * wide
    start = left + 0.08 * wide + place * inner / of
    return {"x": start, "to": start + inner / of, "y": bar.shares[place], "who": clipped(who)}


def _histogram(title: str, rows: list[Datum], made: Sequence[Bar], answer: Answer) -> Plot:
    names = list(dict.fromkeys(row["who"] for row in rows))
    colour = {"color": alt.Color("who:N", sort=names, title=None, legend=_legend(names))} if len(names) > 1 else {}
    chart = (
        alt.Chart()
        .mark_bar()
        .encode(
            x=alt.X(
                "x:Q",
                title=None,
                scale=alt.Scale(domain=[made[0].first - 0.5, made[-1].last + 0.5], nice=False, zero=False),
                axis=alt.Axis(grid=False, tickMinStep=1),
            ),
            x2="to:Q",
            y=alt.Y("y:Q", title=None, axis=_values("share")),
            **colour,
        )
    )
    notes = [f"How often each value came up, of {answer.trials:,} {answer.cell.question.trial}s."]
    if made[-1].more:
        notes.append("The last bar stands for more, too.")
    return Plot(title, " ".join(notes), _spec(chart, rows, HEIGHT))


# What they share


def _alone(answer: Answer) -> list[Found]:
    """The findings that are no part of a line."""
    return [one for one in answer.found if not one.finding.series]


def _found(answer: Answer, key: str) -> Found | None:
    return next((one for one in answer.found if one.finding.key == key), None)


def _comparable(found: Sequence[Found]) -> bool:
    """Whether these means can be read off one axis."""
    values = [abs(one.estimate.value) for one in found if one.estimate.value]
    return len(values) > 1 and max(values) < 20 * min(values)


def _who(answer: Answer, *, many: bool) -> tuple[str, str]:
    """What a combination of settings is called, and the variant beside it."""
    here, there = variants(answer.cell) if answer.cell.versus else ("", "")
    if not many:
        return here, there
    return ", ".join(filter(None, (name_of(answer), here))), ", ".join(filter(None, (name_of(answer), there)))


def _which_way(answer: Answer) -> str:
    """What a difference above zero means."""
    here, there = variants(answer.cell) if answer.cell.versus else ("", "")
    return f"Above zero it is more with {here} than with {there}."


def _row(x: float | None, who: str, number: Estimate | None, exact: float | None = None) -> list[Datum]:
    """A number as one datum; none, if nothing is known."""
    if number is None or number.value is None:
        return []
    value = number.value
    low, high = value if number.low is None else number.low, value if number.high is None else number.high
    return [{"x": x, "who": who, "y": value, "low": low, "high": high, **({} if exact is None else {"exact": exact})}]


def _in_points(row: Datum) -> Datum:
    """A difference of shares in percentage points."""
    return {**row, **{name: 100 * row[name] for name in ("y", "low", "high")}}


def _spread(answers: Sequence[Answer], most: int) -> Sequence[Answer]:
    """So many of them at most, from the first to the last."""
    if len(answers) <= most:
        return answers
    return [answers[round(place * (len(answers) - 1) / (most - 1))] for place in range(most)]


def _values(kind: str, *, zero: bool = False) -> alt.Axis:
    if zero:
        return alt.Axis(format="+~g", tickCount=6)
    return alt.Axis(format="~%", tickCount=6) if kind == "share" else alt.Axis(format=",.6~g", tickCount=6)


def _numbers(rows: Sequence[Mapping[str, Any]]) -> alt.Axis:
    """The axis below a line; where all is whole numbers, only at those."""
    whole = all(float(row["x"]).is_integer() for row in rows)
    return alt.Axis(grid=False, format=",.12~g", **({"tickMinStep": 1} if whole else {}))


def _legend(names: Sequence[str]) -> alt.Legend:
    """Names side by side as long as there is room."""
    return alt.Legend(columns=max(1, min(len(names), LETTERS // (max(map(len, names)) + 5))))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _spec(chart: alt.Chart | alt.LayerChart, rows: Sequence[Datum], height: int) -> dict[str, Any]:
    """A chart with its data as a specification that needs nothing else."""
    sized = chart.properties(
        data=alt.InlineData(values=cast(Any, list(rows))),
        width=WIDTH,
        height=height,
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
    )
    with alt.data_transformers.enable(consolidate_datasets=False):
        spec: dict[str, Any] = sized.to_dict()
    # The looks that Altair has by itself would stand above those of `look.config`.
    del spec["config"]
    return spec
