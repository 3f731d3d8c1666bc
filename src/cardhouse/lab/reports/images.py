"""Plots as pictures: single ones for the report, or all of them in one."""

from __future__ import annotations

import textwrap
from typing import Any, Final, NamedTuple

import msgspec
import vl_convert

from cardhouse.lab.plots.charts import Plot
from cardhouse.lab.plots.plots import plots, rows_of
from cardhouse.lab.reports.answers import tale_of
from cardhouse.lab.reports.summary import Headline, asked, game_of, headline, stopped, title_of
from cardhouse.lab.running.study import Result
from cardhouse.lab.words.fonts import SANS, SERIF, make_known, style_of
from cardhouse.lab.words.theme import LIGHT, WIDTH, Palette, config_of

SHARP: Final = 2
"""Pixels of a PNG for each pixel of the plots."""
TITLE_LETTERS: Final = 46
CAPTION_LETTERS: Final = 66
COLUMNS: Final = 2
APART: Final = {"resolve": {"scale": dict.fromkeys(("x", "y", "color", "shape", "fillOpacity"), "independent")}}
"""Plots side by side are independent."""

EMPTY: Final = {"data": {"values": []}, "mark": "point", "width": WIDTH - 40, "height": 1, "view": {"stroke": None}}
"""Fills the place next to a plot that is alone in its row."""

_NAMES = {name: f"var(--{name})" for name in Palette.__struct_fields__}
VARIABLES: Final = msgspec.convert(
    {**_NAMES, "lines": [f"var(--line-{place})" for place in range(len(LIGHT.lines))]}, Palette
)
"""The colours as CSS variables of a page, so that one drawing serves both light and dark."""


def variables(palette: Palette) -> str:
    """Return the values of `VARIABLES` in these colours, for a style sheet."""
    values: dict[str, str] = {}
    for name, value in msgspec.structs.asdict(palette).items():
        values |= {f"line-{place}": one for place, one in enumerate(value)} if name == "lines" else {name: value}
    return "".join(f"--{name}:{value};" for name, value in values.items())


def drawing(plot: Plot) -> str:
    """Return a plot as SVG for a page that defines `VARIABLES`."""
    make_known()
    return vl_convert.vegalite_to_svg(plot.vega_lite_spec, config=config_of(VARIABLES, SANS), allowed_base_urls=[])


class Poster(NamedTuple):
    """The content of a picture: the question, its answer, and plots."""

    game: str
    title: str
    headline: Headline | None
    stopped: str
    asked: str
    plots: list[Plot]


def poster(result: Result) -> Poster:
    """Return the content of a study's picture."""
    head, tale = headline(result), tale_of(result)
    if head is not None and tale is not None and len(result.answers) > 1:
        head = head._replace(text=tale.sentence.removesuffix("."))
    return Poster(game_of(result), title_of(result), head, stopped(result), asked(result), plots(result))


def svg(shown: Poster) -> str:
    """Draw all plots in one SVG in light colours, with fonts embedded."""
    make_known()
    drawn = vl_convert.vegalite_to_svg(_all(shown), config=_daylight(), allowed_base_urls=[])
    head, end, rest = drawn.partition(">")
    return f"{head}{end}<style>{style_of(drawn)}</style>{rest}"


def png(shown: Poster) -> bytes:
    """Draw all plots in one PNG in light colours."""
    make_known()
    return vl_convert.vegalite_to_png(_all(shown), config=_daylight(), scale=SHARP, allowed_base_urls=[])


def _daylight() -> dict[str, Any]:
    return {**config_of(LIGHT, SANS), "background": LIGHT.ground, "padding": 24, "concat": {"spacing": 36}}


def _all(shown: Poster) -> dict[str, Any]:
    """Return the question, its answer, and the plots below, in one or two columns; pairs are side by side."""
    drawn = shown.plots
    columns = COLUMNS if len(drawn) > COLUMNS or any(plot.beside for plot in drawn) else 1
    rows = rows_of(drawn) if columns > 1 else [[plot] for plot in drawn]
    places = [place for row in rows for place in (*map(_titled, row), *[EMPTY] * (columns - len(row)))]
    beside = [{"concat": places, "columns": columns, **APART}] if places else []
    return {"vconcat": [_heading(shown, columns), *beside], **APART}


def _titled(plot: Plot) -> dict[str, Any]:
    """Return a plot with its title and caption, to be placed next to others."""
    spec = {key: value for key, value in plot.vega_lite_spec.items() if key not in ("$schema", "autosize")}
    # `fit-x` doesn't work in a concatenation; the axis takes about this much room.
    title = {"text": _lines(plot.title, TITLE_LETTERS), "subtitle": _lines(plot.caption, CAPTION_LETTERS)}
    return {**spec, "width": WIDTH - 40, "title": title}


def _heading(shown: Poster, columns: int) -> dict[str, Any]:
    """Return the question, the number, and the conditions, as lines of text."""
    head = shown.headline
    texts = [(f"Cardhouse, the lab: {shown.game}", 12, "quiet"), (shown.title, 26, "title")]
    if head is not None:
        texts += [(head.number, 40, "big"), (head.text, 15, "text"), (head.sure, 12, "quiet")]
    texts += [(shown.stopped, 12, "text"), (shown.asked, 12, "quiet")]
    layers, bottom = [], 0
    for text, size, style in texts:
        bottom += 6 * bool(text)
        for line in _lines(text, int(columns * (WIDTH + 20) / (0.5 * size))):
            bottom += round(1.4 * size)
            layers.append(_text(line, bottom, size, style))
    return {"layer": layers, "width": WIDTH - 40, "height": bottom + 10, "view": {"stroke": None}}


def _text(line: str, bottom: int, size: int, style: str) -> dict[str, Any]:
    looks: dict[str, Any] = {"quiet": {"color": LIGHT.quiet}, "text": {"color": LIGHT.ink}}.get(
        style, {"color": LIGHT.brass if style == "big" else LIGHT.ink, "font": SERIF, "fontWeight": 600}
    )
    mark = {"type": "text", "align": "left", "baseline": "bottom", "fontSize": size, "x": 0, "y": bottom, **looks}
    return {"data": {"values": [{"text": line}]}, "mark": mark, "encoding": {"text": {"field": "text"}}}


def _lines(text: str, letters: int) -> list[str]:
    return textwrap.wrap(text, letters)
