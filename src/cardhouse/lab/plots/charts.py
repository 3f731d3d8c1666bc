"""Charts as Vega-Lite specifications: lines with bands, rows of dots, heat maps and histograms.

They name no colours; `look.config` has those. Each is 380 pixels wide, to be readable on a phone, and contains its
data.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

import altair as alt
import msgspec

from cardhouse.lab.statistics.estimate import Estimate
from cardhouse.lab.words.distribution import HistogramBar as Column
from cardhouse.lab.words.labels import short_names
from cardhouse.lab.words.numbers import MORE_TELL, hardly
from cardhouse.lab.words.theme import ROW_LINE, WIDTH

MOST_POINTS: Final = 25
"""Lines with more points than this are drawn without dots."""
MOST_COLUMNS: Final = 9
"""Heat maps with more columns than this have no numbers."""
HEIGHT: Final = 230
LETTERS: Final = 56
"""The number of characters that fit side by side."""
BOLD: Final = 1.2
"""The width of the bold numbers at the end of a row, relative to its text."""
DOTS_APART: Final = 13

Datum = dict[str, Any]


class Plot(msgspec.Struct, frozen=True):
    """A plot: its title, its caption, and its Vega-Lite specification, which names no colours.

    One that is `beside` forms a pair with the one before it.
    """

    title: str
    caption: str
    vega_lite_spec: dict[str, Any]
    beside: bool = False


class Unit(NamedTuple):
    """The kind of values: shares from 0 to 1 or means, or their differences between two variants."""

    kind: str
    differs: bool = False

    @property
    def times(self) -> float:
        """The factor for drawn values: differences of shares are in percentage points."""
        return 100 if self.differs and self.kind == "share" else 1

    @property
    def title(self) -> str | None:
        """The title of an axis."""
        return "percentage points" if self.differs and self.kind == "share" else None

    def axis(self, **more: Any) -> alt.Axis:
        """Return an axis for these values."""
        if self.differs:
            signed = "datum.value == 0 ? '0' : format(datum.value, '+,.6~g')"
            return alt.Axis(labelExpr=signed, tickCount=6, **more)
        return alt.Axis(format="~%" if self.kind == "share" else ",.6~g", tickCount=6, **more)


class Point(NamedTuple):
    """A number with its interval, and the exact value if known, on a line; `who` is the name of its line."""

    x: float
    who: str
    number: Estimate
    exact: float | None = None


class DotRow(NamedTuple):
    """A row of dots, its text, and the number at its end; the points' `x` is ignored."""

    text: str
    number: str
    points: list[Point]


class BarOf(NamedTuple):
    """A number with its interval, and the exact value if known, as a bar of this name.

    `who` is the name of its group.
    """

    name: str
    point: Point


class TornadoBar(NamedTuple):
    """A row of a tornado plot: its text, the number at its end, and the difference that its bar shows."""

    text: str
    number: str
    more: Estimate


class Square(NamedTuple):
    """A cell of a heat map: its number, and the text in it."""

    across: str
    down: str
    value: float
    text: str


def lines(title: str, x_text: str, unit: Unit, points: Sequence[Point], notes: Sequence[str] = ()) -> Plot:
    """Draw lines of points with the bands of their intervals; exact values are short strokes."""
    names = short_names(point.who for point in points)
    data = [_datum(point, unit, names) for point in points]
    colour, shape = _encodings_by_who(names)
    places = sorted({point.x for point in points})
    x_axis = alt.Axis(grid=False, format=",.12~g", values=places if len(places) <= 2 else alt.Undefined)
    if all(place.is_integer() for place in places):
        x_axis["tickMinStep"] = 1
    base = alt.Chart().encode(
        x=alt.X("x:Q", title=x_text or None, scale=alt.Scale(zero=False, nice=False, padding=10), axis=x_axis)
    )
    # Values that differ little are magnified; the axis shows that.
    ends = [datum[end] for datum in data for end in ("low", "high")]
    scale = alt.Scale(zero=unit.differs or max(ends) - min(ends) > 0.3 * max(map(abs, ends)))
    y = alt.Y("y:Q", title=unit.title, axis=unit.axis(), scale=scale)
    exact = any(point.exact is not None for point in points)
    zero = alt.Chart().mark_rule(style="zero", strokeWidth=1).encode(y=alt.datum(0))
    layers: list[alt.Chart] = [zero] if unit.differs else []
    # The legend looks like the first layer.
    if len(places) <= MOST_POINTS:
        layers += _dots(base, data, y=y, **colour, **shape)
    layers.append(base.mark_line().encode(y=y, **colour))
    layers.append(base.mark_area(style="band").encode(y=alt.Y("low:Q", title=unit.title), y2="high:Q", **colour))
    if exact:
        stroke = base.transform_filter("isValid(datum.exact)")
        layers.append(stroke.mark_tick(style="exact", orient="horizontal", size=14).encode(y="exact:Q"))
    hollow = _hollow(data) if len(places) <= MOST_POINTS else []
    caption = ["The band is the interval.", *["The short strokes are exact."] * exact, *notes, *hollow]
    return Plot(title, " ".join(caption), _spec(alt.layer(*layers), data, HEIGHT))


def dots(
    title: str, unit: Unit, rows: Sequence[DotRow], notes: Sequence[str] = (), wanted: Sequence[float] = ()
) -> Plot:
    """Draw rows with their text above them at full width: dots with strokes for intervals.

    Each row has an upright stroke at both ends of a `wanted` range.
    """
    points = [point for row in rows for point in row.points]
    names = short_names(point.who for point in points)
    colour, shape = _encodings_by_who(names)
    data: list[Datum] = []
    bottom = 0
    for row in rows:
        room = LETTERS - round(BOLD * len(row.number)) - 1
        text = textwrap.wrap(row.text, room, max_lines=2, placeholder="…") or [""]
        top = bottom + 10 + ROW_LINE
        data.append({"text": text, "number": row.number, "top": top})
        for place, point in enumerate(row.points):
            bottom = top + ROW_LINE * (len(text) - 1) + 12 + DOTS_APART * place
            data.append({**_datum(point, unit, names), "at": bottom})
        bottom += 10
    scale = alt.Scale(domain=[0, bottom], range=[0, bottom], nice=False, zero=False)
    x = alt.X(
        "y:Q", title=unit.title, axis=unit.axis(grid=False, ticks=True, labelFlush=False), scale=alt.Scale(zero=True)
    )
    base = alt.Chart().transform_filter("isValid(datum.at)").encode(y=alt.Y("at:Q", scale=scale, axis=None))
    words = alt.Chart().transform_filter("isValid(datum.top)").encode(y=alt.Y("top:Q", scale=scale, axis=None))
    layers: list[alt.Chart] = [
        base.mark_rule(style="track", strokeWidth=1).encode(x=alt.value(0), x2=alt.value("width")),
        words.mark_text(style="row").encode(x=alt.value(0), text="text:N"),
        words.mark_text(style="number").encode(x=alt.value("width"), text="number:N"),
        base.mark_rule().encode(x=alt.X("low:Q", title=unit.title), x2="high:Q", **colour),
        *_dots(base, data, x=x, **colour, **shape),
    ]
    upright = base.mark_tick(style="zero", orient="vertical", size=16)
    layers[1:1] = [upright.encode(x=alt.datum(place)) for place in ([0] if unit.differs else []) + [*wanted]]
    exact = any(point.exact is not None for point in points)
    if exact:
        stroke = base.transform_filter("isValid(datum.exact)")
        layers.append(stroke.mark_tick(style="exact", orient="vertical", size=14).encode(x="exact:Q"))
    exactly = ["The upright strokes are exact."] * exact
    caption = ["The stroke through each dot is the interval.", *exactly, *notes, *_hollow(data)]
    return Plot(title, " ".join(caption), _spec(alt.layer(*layers), data, bottom))


def columns(title: str, x_text: str, unit: Unit, bars: Sequence[BarOf], notes: Sequence[str] = ()) -> Plot:
    """Draw bars by name, those of several groups side by side, with strokes for intervals and exact values."""
    names = short_names(bar.point.who for bar in bars)
    data = [{**_datum(bar.point, unit, names), "name": bar.name, "zero": 0} for bar in bars]
    order = list(dict.fromkeys(bar.name for bar in sorted(bars, key=lambda bar: bar.point.x)))
    apart: Mapping[str, Any] = {"xOffset": alt.XOffset("who:N", sort=list(names.values()))} if len(names) > 1 else {}
    base = alt.Chart().encode(
        x=alt.X("name:N", sort=order, title=x_text or None, axis=alt.Axis(grid=False, labelAngle=0)),
        **apart,
    )
    # Bars of shares have one scale, so that those of an answer can be compared.
    scale = alt.Scale(domain=[0, 1]) if unit.kind == "share" and not unit.differs else alt.Scale(zero=True)
    y = alt.Y("y:Q", title=unit.title, axis=unit.axis(), scale=scale)
    layers = [
        base.mark_bar().encode(y=y, y2="zero:Q", **_colour(list(names.values()))),
        base.mark_rule(style="whisker").encode(y=alt.Y("low:Q", title=unit.title), y2="high:Q"),
    ]
    exact = any(bar.point.exact is not None for bar in bars)
    if exact:
        stroke = base.transform_filter("isValid(datum.exact)")
        layers.append(stroke.mark_tick(style="exact", orient="horizontal", size=9).encode(y="exact:Q"))
    caption = ["The stroke on each bar is the interval.", *["The short ones across are exact."] * exact, *notes]
    return Plot(title, " ".join(caption), _spec(alt.layer(*layers), data, HEIGHT))


def bars(title: str, unit: Unit, rows: Sequence[TornadoBar], notes: Sequence[str] = ()) -> Plot:
    """Draw a tornado plot: bars from zero, each below its text, with strokes for intervals."""
    data: list[Datum] = []
    bottom = 0
    for row in rows:
        room = LETTERS - round(BOLD * len(row.number)) - 1
        text = textwrap.wrap(row.text, room, max_lines=2, placeholder="…") or [""]
        top = bottom + 6 + ROW_LINE
        bottom = top + ROW_LINE * (len(text) - 1) + 10
        datum = _datum(Point(0, "", row.more), unit, {"": ""})
        data.append({**datum, "text": text, "number": row.number, "top": top, "at": bottom})
        bottom += 6
    scale = alt.Scale(domain=[0, bottom], range=[0, bottom], nice=False, zero=False)
    axis = unit.axis(grid=False, ticks=True, labelFlush=False)
    x = alt.X("y:Q", title=unit.title, axis=axis, scale=alt.Scale(zero=True))
    at = alt.Y("at:Q", scale=scale, axis=None)
    base = alt.Chart().encode(y=at)
    words = alt.Chart().encode(y=alt.Y("top:Q", scale=scale, axis=None))
    layers = [
        base.transform_filter("datum.y >= 0").mark_bar(style="heat", size=9).encode(x=x, x2=alt.datum(0)),
        base.transform_filter("datum.y < 0").mark_bar(style="less", size=9).encode(x=x, x2=alt.datum(0)),
        base.mark_rule().encode(x=alt.X("low:Q", title=unit.title), x2="high:Q"),
        base.mark_tick(style="zero", orient="vertical", size=14).encode(x=alt.datum(0)),
        words.mark_text(style="row").encode(x=alt.value(0), text="text:N"),
        words.mark_text(style="number").encode(x=alt.value("width"), text="number:N"),
    ]
    caption = ["The stroke at the end of each bar is the interval.", *notes]
    return Plot(title, " ".join(caption), _spec(alt.layer(*layers), data, bottom))


def heat_map(
    title: str, unit: Unit, names: tuple[str, str], squares: Sequence[Square], notes: Sequence[str] = ()
) -> Plot:
    """Draw numbers by two settings, `names` across and down; a stronger colour is a greater absolute value."""
    across, down = list(dict.fromkeys(one.across for one in squares)), list(dict.fromkeys(one.down for one in squares))
    data = [
        {"x": one.across, "y": one.down, "value": one.value, "by": abs(one.value), "text": one.text} for one in squares
    ]
    base = alt.Chart().encode(
        x=alt.X("x:O", sort=across, title=names[0], axis=alt.Axis(grid=False, labelAngle=0, orient="top")),
        y=alt.Y("y:O", sort=down, title=names[1], axis=alt.Axis(grid=False)),
    )
    strengths = [abs(one.value) for one in squares]
    domain = [0 if unit.differs else min(strengths), max(strengths) or 1]
    strength = alt.FillOpacity("by:Q", legend=None, scale=alt.Scale(domain=domain, range=[0.04, 1]))
    layers = [
        base.transform_filter("datum.value >= 0").mark_rect(style="heat").encode(fillOpacity=strength),
        base.transform_filter("datum.value < 0").mark_rect(style="less").encode(fillOpacity=strength),
    ]
    numbered = len(across) <= MOST_COLUMNS
    if numbered:
        layers.append(base.mark_text(style="within").encode(text="text:N"))
    read = (
        {"share": f"In {unit.title or 'percent'}.", "mean": ""}[unit.kind]
        if numbered
        else "Stronger colours mean more."
    )
    return Plot(title, " ".join(filter(None, (read, *notes))), _spec(alt.layer(*layers), data, 30 * len(down)))


def histogram(
    title: str, bars: Sequence[Column], whose: Sequence[str], highest: float, notes: Sequence[str] = ()
) -> Plot:
    """Draw the frequency of each value as bars, those of several variants side by side; the axis ends at `highest`."""
    names = short_names(whose)
    data = []
    for bar in bars:
        wide = 0.84 * (bar.right - bar.left) / len(whose)
        middle = (bar.left + bar.right) / 2
        for place, who in enumerate(whose):
            left = middle + (place - len(whose) / 2) * wide
            data.append({"x": left, "to": left + wide, "y": bar.shares[place], "who": names[who]})
    domain = [bars[0].left, bars[-1].right]
    chart = (
        alt.Chart()
        .mark_rect(style="bar")
        .encode(
            x=alt.X(
                "x:Q",
                title=None,
                scale=alt.Scale(domain=domain, nice=False, zero=False),
                axis=alt.Axis(grid=False, tickMinStep=1),
            ),
            x2="to:Q",
            y=alt.Y("y:Q", title=None, axis=Unit("share").axis(), scale=alt.Scale(domain=[0, highest], nice=True)),
            y2=alt.datum(0),
            **_colour(list(names.values())),
        )
    )
    caption = [*notes, *["The last bar includes all higher values."] * bars[-1].more]
    return Plot(title, " ".join(caption), _spec(chart, data, HEIGHT))


def _datum(point: Point, unit: Unit, names: Mapping[str, str]) -> Datum:
    """Return a point for Vega-Lite. Without an interval, it has one of zero width."""
    value, low, high = point.number.value, point.number.low, point.number.high
    assert value is not None
    ends = {"y": value, "low": value if low is None else low, "high": value if high is None else high}
    datum = {"x": point.x, "who": names[point.who]} | {name: unit.times * end for name, end in ends.items()}
    few: Datum = {"few": True} if hardly(point.number) else {}
    return {**datum, **few} if point.exact is None else {**datum, **few, "exact": point.exact}


def _dots(base: alt.Chart, data: Sequence[Datum], **encoding: Any) -> list[alt.Chart]:
    """Draw a dot for each point; hollow where hardly any trial shows a difference."""
    few = any("few" in datum for datum in data)
    filled = base.transform_filter("!datum.few") if few else base
    hollow = [base.transform_filter("datum.few").mark_point(filled=False, strokeWidth=1.5)] * few
    return [layer.encode(**encoding) for layer in (filled.mark_point(), *hollow)]


def _hollow(data: Sequence[Datum]) -> list[str]:
    """Return a note that explains hollow dots, if there are any."""
    few = any("few" in datum for datum in data)
    return [f"A hollow dot means that hardly any trials differed: {MORE_TELL}."] * few


def _encodings_by_who(names: Mapping[str, str]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return colour and shape encodings by `who`, if there are several."""
    shown = list(names.values())
    if len(shown) < 2:
        return {}, {}
    shape = alt.Shape("who:N", scale=alt.Scale(domain=shown), title=None, legend=_legend(shown))
    return _colour(shown), {"shape": shape}


def _colour(names: Sequence[str]) -> Mapping[str, Any]:
    if len(names) < 2:
        return {}
    return {"color": alt.Color("who:N", scale=alt.Scale(domain=names), title=None, legend=_legend(names))}


def _legend(names: Sequence[str]) -> alt.Legend:
    """Return a legend with names side by side where there is room."""
    return alt.Legend(columns=max(1, min(len(names), LETTERS // (max(map(len, names)) + 5))))


def _spec(
    chart: alt.Chart | alt.LayerChart | alt.FacetChart, data: Sequence[Mapping[str, Any]], height: int
) -> dict[str, Any]:
    """Return a chart with its data as a self-contained specification."""
    sized = chart.properties(
        data=alt.InlineData(values=cast(Any, list(data))),
        width=WIDTH,
        height=height,
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
    )
    with alt.data_transformers.enable(consolidate_datasets=False):
        spec: dict[str, Any] = sized.to_dict()
    # Altair's default look would override that of `look.config`.
    del spec["config"]
    return spec
