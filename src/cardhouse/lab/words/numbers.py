"""Numbers for people, with as many digits as their error justifies, and results as JSON."""

from __future__ import annotations

from math import floor, log10
from typing import Any

import msgspec

from cardhouse.lab.questions.optimality import OptimalityGap
from cardhouse.lab.questions.question import Finding
from cardhouse.lab.questions.settings import changes
from cardhouse.lab.running.study import Answer, Result
from cardhouse.lab.statistics.estimate import Estimate

MOST_DIGITS = 6
ALONE = "a single trial: no interval"
"""The note on a mean of one value."""
FEW_DIFFERED = 5
"""Below this many trials that differ, the number is reported, since the interval is wide for want of them."""
MORE_TELL = "more trials help"


def number_shown(finding: Finding, number: Estimate, *, signed: bool = False) -> str:
    """Return a number with its error: `68.23 ±0.09%`, `4.2 ±0.1`; without one, a note; a dash if unknown."""
    if number.value is None:
        return "-"
    error = number.error
    if error is None:
        return f"{value_shown(finding, number.value, 2, signed=signed)} ({ALONE})"
    digits = digits_for(error * _times(finding))
    unit = _unit(finding)
    shown = value_shown(finding, number.value, digits, signed=signed).removesuffix(unit)
    return f"{shown} ±{error * _times(finding):.{digits}f}{unit}"


def hardly(number: Estimate | None) -> str:
    """Return a note if hardly any trial shows a difference: `only 2 of 100 differed`; otherwise ""."""
    if number is None or number.differed is None or number.differed >= FEW_DIFFERED:
        return ""
    few = f"only {number.differed}" if number.differed else "none"
    return f"{few} of {number.trials:,} differed"


def value_shown(finding: Finding, value: float, digits: int, *, signed: bool = False) -> str:
    """Return a number by itself: `68.23%`."""
    sign = "+" if signed else ""
    return f"{value * _times(finding):{sign}.{digits}f}{_unit(finding)}"


def how_many(number: int, noun: str) -> str:
    """Return a count with its noun: `1 fight`, `2,000 fights`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def digits_for(error: float) -> int:
    """Return how many decimals a number with this error deserves: two digits of the error."""
    return 2 if error <= 0 else max(0, min(MOST_DIGITS, 1 - floor(log10(error))))


def _times(finding: Finding) -> float:
    return 100 if finding.kind == "share" else 1


def _unit(finding: Finding) -> str:
    return "%" if finding.kind == "share" else ""


def as_json(result: Result) -> dict[str, Any]:
    """Return a result for programs; shares are from 0 to 1. Equal question, seed and trials give equal text."""
    first = result.study.cells[0].question
    return {
        "game": first.game,
        "question": first.name,
        "seed": result.study.seed,
        "confidence": result.study.confidence,
        "until": result.study.until,
        "stopped": result.stopped,
        "answers": [_answer_as_json(answer) for answer in result.answers],
    }


def _answer_as_json(answer: Answer) -> dict[str, Any]:
    document: dict[str, Any] = {"settings": msgspec.to_builtins(answer.cell.question), "trials": answer.trials}
    if line_up := answer.cell.question.line_up():
        document["line_up"] = line_up
    if answer.cell.versus is not None:
        document["versus"] = changes(answer.cell.question, answer.cell.versus)
    document["findings"] = []
    for one in answer.found:
        found: dict[str, Any] = {"key": one.finding.key, "text": one.finding.text, "kind": one.finding.kind}
        found |= msgspec.to_builtins(one.estimate)
        if one.finding.is_cut_off:
            found["cut_off"] = one.finding.cut_off_by
        for name, more in (("exact", one.exact), ("versus", one.versus), ("difference", one.more)):
            if more is not None:
                found[name] = msgspec.to_builtins(more)
        document["findings"].append(found)
    if answer.beside is not None:
        document["best_play"] = _gap_as_json(answer.beside)
    document["counts"] = answer.counts
    if answer.versus_counts is not None:
        document["versus_counts"] = answer.versus_counts
    return document


def _gap_as_json(gap: OptimalityGap) -> dict[str, Any]:
    """Return the lead of best play over the policy asked for, and over the best rule of thumb."""
    of_thumb = None if gap.thumb_more is None else msgspec.to_builtins(gap.thumb_more)
    return {
        "finding": gap.finding.key,
        "trials": gap.trials,
        "is_best": gap.is_best,
        "more": msgspec.to_builtins(gap.more),
        "rule_of_thumb": gap.thumb,
        "more_than_rule_of_thumb": of_thumb,
    }
