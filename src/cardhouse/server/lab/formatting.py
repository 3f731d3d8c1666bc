"""Numbers and plots in the lab's responses, and files in its requests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.question import Finding
from cardhouse.lab.reports.summary import NOTHING
from cardhouse.lab.statistics.estimate import Estimate
from cardhouse.lab.words.labels import minus
from cardhouse.lab.words.numbers import ALONE, hardly, number_shown, value_shown
from cardhouse.lab.words.theme import config
from cardhouse.server.wire.requests import Json

if TYPE_CHECKING:
    from cardhouse.lab.plots.charts import Plot


class LabNumber(Struct, frozen=True):
    """A number with its interval, and formatted: `68.2%` and `±0.1`, or a note that it has no interval."""

    value: float | None
    low: float | None
    high: float | None
    shown: str
    error: str


class LabPlot(Struct, frozen=True):
    """A Vega-Lite plot. `beside` pairs it with the previous one."""

    title: str
    caption: str
    spec: Json
    beside: bool


def looks() -> dict[str, Json]:
    """Return the Vega-Lite settings of the dark and the light theme."""
    return {"dark": config(dark=True), "light": config(dark=False)}


def drawn(plots: Iterable[Plot]) -> list[LabPlot]:
    """Return the plots for a response."""
    return [LabPlot(plot.title, plot.caption, plot.vega_lite_spec, plot.beside) for plot in plots]


def format_number(finding: Finding, number: Estimate, *, signed: bool = False) -> LabNumber:
    """Return a number, formatted."""
    if number.value is None:
        return LabNumber(None, None, None, NOTHING, "")
    if number.error is None:
        return LabNumber(
            number.value, None, None, minus(value_shown(finding, number.value, 2, signed=signed)), f"({ALONE})"
        )
    shown, _, error = minus(number_shown(finding, number, signed=signed)).partition(" ±")
    unit = "%" if error.endswith("%") else ""
    few = f" ({note})" if (note := hardly(number)) else ""
    return LabNumber(number.value, number.low, number.high, f"{shown}{unit}", f"±{error.removesuffix(unit)}{few}")


def among(files: Mapping[str, str]) -> Callable[[str], Iterable[tuple[str, bytes]]]:
    """Return a function that finds files among those in the request."""

    def find(name: str) -> Iterable[tuple[str, bytes]]:
        if name not in files:
            raise CardhouseError(f'"{name[:40]}" is neither a file in this request nor the name of a built-in file.')
        yield name, files[name].encode()

    return find
