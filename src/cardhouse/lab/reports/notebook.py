"""Results in a notebook: the answer with its plots, all numbers, and equivalents of the question."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import altair as alt

from cardhouse.lab.plots.plots import plots
from cardhouse.lab.reports.change_report import poster_of, sheet_of
from cardhouse.lab.reports.html import Cell, Grid, tables
from cardhouse.lab.reports.images import Poster, poster, svg
from cardhouse.lab.reports.summary import command_of, link_of
from cardhouse.lab.running.study import Result
from cardhouse.lab.search.sensitivity import Sensitivity
from cardhouse.lab.search.tuning import Tuned


def html(result: Result) -> str:
    """Return a self-contained piece of HTML."""
    asked = [("The same on the command line", command_of(result.study)), ("On a server's page", link_of(result.study))]
    return _piece(poster(result), tables(result), asked)


def html_of_changes(found: Sensitivity | Tuned) -> str:
    """Return the same for the result of changes."""
    sheet = sheet_of(found)
    asked = [("The same on the command line", sheet.command), ("On a server's page", sheet.link)]
    return _piece(poster_of(sheet), sheet.tables, asked)


def _piece(shown: Poster, grids: Iterable[Grid], asked: Iterable[tuple[str, str]]) -> str:
    again = "<br>".join(f"{where}: <code>{escape(code)}</code>" for where, code in asked)
    return "\n".join([svg(shown), *map(_table, grids), f"<p>{again}</p>"])


def _table(grid: Grid) -> str:
    head = "".join(f"<th>{escape(heading)}</th>" for heading in grid.headings)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in grid.rows)
    return (
        f"<details><summary>{escape(grid.caption)}</summary>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></details>"
    )


def _cell(lines: Cell) -> str:
    return f"<td>{'<br>'.join(map(escape, lines))}</td>"


def charts(result: Result) -> list[alt.TopLevelMixin]:
    """Return the plots, in the order of the report, in Altair's colours."""
    return [alt.Chart.from_dict({**plot.vega_lite_spec, "title": plot.title}) for plot in plots(result)]
