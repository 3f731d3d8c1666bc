"""What a notebook shows of a result: the answer with its plots, all numbers, and what asks the same elsewhere."""

from __future__ import annotations

from html import escape

import altair as alt

from cardhouse.lab.picture import poster, svg
from cardhouse.lab.plots import plots
from cardhouse.lab.sheet import Cell, Grid, tables
from cardhouse.lab.study import Result
from cardhouse.lab.summary import command_of, link_of


def html(result: Result) -> str:
    """A piece of a page, with everything in it."""
    parts = [svg(poster(result)), *map(_table, tables(result))]
    parts.append(
        f"<p>The same on the command line: <code>{escape(command_of(result.study))}</code><br>"
        f"On a house's page: <code>{escape(link_of(result.study))}</code></p>"
    )
    return "\n".join(parts)


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
    """Its plots, in the order of the report, with the colours that Altair gives them."""
    return [alt.Chart.from_dict({**plot.vega_lite_spec, "title": plot.title}) for plot in plots(result)]
