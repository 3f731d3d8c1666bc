"""Results as tables for other programs: Polars frames, and files of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import polars as pl

from cardhouse.lab.running.study import Answer, Result
from cardhouse.lab.statistics.estimate import Estimate

FOUND: Final = {
    "key": pl.String,
    "text": pl.String,
    "kind": pl.String,
    "series": pl.String,
    "x": pl.Float64,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "trials": pl.Int64,
    "exact": pl.Float64,
    "versus": pl.Float64,
    "versus_low": pl.Float64,
    "versus_high": pl.Float64,
    "difference": pl.Float64,
    "difference_low": pl.Float64,
    "difference_high": pl.Float64,
}
"""The columns of `findings`, after those of the settings; shares and their differences are from 0 to 1."""

COUNTED: Final = {
    "measure": pl.String,
    "text": pl.String,
    "value": pl.Int64,
    "count": pl.Int64,
    "versus_count": pl.Int64,
}
"""The columns of `histograms`, after those of the settings; the last value of a measure includes greater ones."""


def findings(result: Result) -> pl.DataFrame:
    """Return a row for each combination of settings and finding: `FOUND`, after a column for each varied setting."""
    rows = [
        (
            one.finding.key,
            one.finding.text,
            one.finding.kind,
            one.finding.series,
            one.finding.x,
            *_ends(one.estimate),
            one.estimate.trials,
            one.exact,
            *_ends(one.versus),
            *_ends(one.more),
        )
        for answer in result.answers
        for one in answer.found
    ]
    settings = _settings(result, [len(answer.found) for answer in result.answers])
    return _join(settings, pl.DataFrame(rows, FOUND, orient="row"))


def histograms(result: Result) -> pl.DataFrame:
    """Return a row for each combination of settings, measure and value that occurred in any variant: `COUNTED`."""
    rows = [list(_counts(answer)) for answer in result.answers]
    settings = _settings(result, list(map(len, rows)))
    return _join(settings, pl.DataFrame([row for some in rows for row in some], COUNTED, orient="row"))


def _counts(answer: Answer) -> Iterator[tuple[Any, ...]]:
    for measure in answer.cell.question.measures():
        counts = answer.counts[measure.key]
        others = (answer.versus_counts or {}).get(measure.key)
        for value in range(max(len(counts), len(others or ()))):
            here, there = _at(counts, value), None if others is None else _at(others, value)
            if here or there:
                yield measure.key, measure.text, value, here, there


def _at(counts: Sequence[int], value: int) -> int:
    return counts[value] if value < len(counts) else 0


def _ends(number: Estimate | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if number is None else (number.value, number.low, number.high)


def _settings(result: Result, rows: Sequence[int]) -> pl.DataFrame:
    """Return the varied settings, repeated for each answer's rows; as numbers, if all of them are."""
    columns = {}
    for name in result.study.cells[0].label:
        texts = [
            answer.cell.label[name] for answer, many in zip(result.answers, rows, strict=True) for _ in range(many)
        ]
        column = pl.Series(texts, dtype=pl.String)
        for kind in (pl.Int64, pl.Float64):
            numbers = column.cast(kind, strict=False)
            if not numbers.has_nulls():
                column = numbers
                break
        columns[name if name not in (*FOUND, *COUNTED) else f"setting_{name}"] = column
    return pl.DataFrame(columns)


def _join(settings: pl.DataFrame, rest: pl.DataFrame) -> pl.DataFrame:
    return pl.concat([settings, rest], how="horizontal")
