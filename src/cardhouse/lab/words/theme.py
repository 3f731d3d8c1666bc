"""The look of plots, like the table's: a green cloth under a lamp, brass for emphasis; in light and dark.

Plots name no colours, only styles of marks such as `band`, `exact` and `zero`; `config` defines their look.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

SYSTEM_FONTS: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif"

SHAPES: Final = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
"""Each colour has its own shape too, for readers who can't distinguish the colours."""


WIDTH: Final = 380
"""The width of plots in pixels, which fits a phone."""
ROW_LINE: Final = 15
"""The height of a line of text above a row of dots, in pixels."""


class Palette(msgspec.Struct, frozen=True):
    """Colours, as in CSS. `lines` are for what is compared; `heat` is the strongest of a heat map."""

    ground: str
    raised: str
    line: str
    ink: str
    quiet: str
    brass: str
    lines: tuple[str, ...]
    heat: str
    less: str


LIGHT: Final = Palette(
    ground="#f0e8d8",
    raised="#f8f3e8",
    line="#d3c5a9",
    ink="#211c14",
    quiet="#5b4f3c",
    brass="#75500a",
    lines=("#8a5c00", "#0f6674", "#84336f", "#2f57a4", "#4c6a12", "#55605a"),
    heat="#dba544",
    less="#6fb3bb",
)
DARK: Final = Palette(
    ground="#0c1713",
    raised="#15271f",
    line="#2a4337",
    ink="#eef0e8",
    quiet="#9db0a5",
    brass="#dfaa4a",
    lines=("#dfaa4a", "#62c3cf", "#d990c4", "#8db4f2", "#a8c95e", "#c3cbc6"),
    heat="#8a6520",
    less="#23727d",
)


def config(dark: bool, fonts: str = SYSTEM_FONTS) -> dict[str, Any]:
    """Return the Vega-Lite configuration for plots on a light or a dark background."""
    return config_of(DARK if dark else LIGHT, fonts)


def config_of(palette: Palette, fonts: str) -> dict[str, Any]:
    """Return the Vega-Lite configuration for these colours."""
    quiet = {"labelColor": palette.quiet, "titleColor": palette.ink}
    return {
        "background": None,
        "font": fonts,
        "aria": False,
        "padding": 4,
        "view": {"stroke": None},
        "axis": {
            **quiet,
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "titlePadding": 8,
            "labelPadding": 6,
            "labelLimit": 150,
            "domain": False,
            "ticks": False,
            "domainColor": palette.quiet,
            "tickColor": palette.quiet,
            "gridColor": palette.line,
            "gridWidth": 1,
            "labelOverlap": True,
        },
        "legend": {
            "labelColor": palette.ink,
            "labelFontSize": 12,
            "labelLimit": 320,
            "symbolSize": 70,
            "symbolStrokeWidth": 2,
            "orient": "top",
            "offset": 10,
            "rowPadding": 4,
            "columnPadding": 14,
        },
        "title": {
            "color": palette.ink,
            "subtitleColor": palette.quiet,
            "fontSize": 16,
            "fontWeight": 600,
            "subtitleFontSize": 12,
            "subtitleLineHeight": 16,
            "subtitlePadding": 5,
            "anchor": "start",
            "frame": "group",
            "offset": 12,
        },
        "range": {"category": list(palette.lines), "symbol": list(SHAPES)},
        "mark": {"color": palette.lines[0]},
        "line": {"strokeWidth": 2, "color": palette.lines[0]},
        "bar": {"color": palette.lines[0], "opacity": 0.85},
        "rule": {"strokeWidth": 2, "color": palette.lines[0]},
        "point": {"filled": True, "size": 44, "opacity": 1, "color": palette.lines[0]},
        "text": {"fontSize": 12, "color": palette.ink},
        "style": {
            "band": {"fillOpacity": 0.22, "strokeOpacity": 0},
            "whisker": {"color": palette.ink, "strokeWidth": 1.5, "opacity": 0.75},
            "exact": {"color": palette.ink, "thickness": 2, "opacity": 1},
            "zero": {"color": palette.quiet, "thickness": 1, "opacity": 1},
            "track": {"color": palette.line},
            "row": {"color": palette.ink, "align": "left", "baseline": "bottom", "lineHeight": ROW_LINE},
            "number": {"color": palette.ink, "align": "right", "baseline": "bottom", "fontWeight": 600},
            "heat": {"color": palette.heat, "stroke": palette.line, "strokeWidth": 1},
            "less": {"color": palette.less, "stroke": palette.line, "strokeWidth": 1},
            "within": {"color": palette.ink, "align": "center", "baseline": "middle"},
        },
    }
