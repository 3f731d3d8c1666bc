"""The report as a web page: one file to send to a friend and read without a network, in light and dark."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import jinja2
import msgspec

from cardhouse import __version__
from cardhouse.lab.plots.charts import Plot
from cardhouse.lab.plots.plots import plots, rows_of
from cardhouse.lab.questions.answer import Tale
from cardhouse.lab.questions.question import Finding
from cardhouse.lab.questions.settings import settings_of
from cardhouse.lab.reports import summary
from cardhouse.lab.reports.answers import tale_of
from cardhouse.lab.reports.images import drawing, variables
from cardhouse.lab.reports.text_optimality import best_lines
from cardhouse.lab.running.leaders import is_known
from cardhouse.lab.running.study import Answer, Found, Result
from cardhouse.lab.words.fonts import SANS, SERIF, style_of
from cardhouse.lab.words.labels import capital, findings_of, variants, words_of
from cardhouse.lab.words.numbers import hardly, how_many
from cardhouse.lab.words.theme import DARK, LIGHT

BESIDE: Final = 6
"""The most findings side by side in a table, to fit on a sheet of paper."""

Cell = tuple[str, ...]
"""The content of a table cell, followed by small lines below it."""


class PlotFigure(NamedTuple):
    """A plot in the page: its texts, and its SVG's view box and content."""

    title: str
    caption: str
    box: str
    strokes: str


class Grid(NamedTuple):
    """A table; the first `names` columns label each row, as `long` texts if so."""

    caption: str
    names: int
    long: bool
    headings: list[str]
    rows: list[list[Cell]]


class SettingChange(NamedTuple):
    """A setting with its value, and its value in the variant."""

    name: str
    value: str
    versus: str
    text: str


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a report: the question, the answer in a sentence, plots, tables, and how to ask again."""

    game: str
    title: str
    about: str
    headline: summary.Headline | None
    asked: str
    stopped: str
    plots: list[Plot]
    tables: list[Grid]
    settings: list[SettingChange]
    facts: list[tuple[str, str]]
    command: str
    notes: list[str]
    link: str = ""
    python: str = ""
    best: list[str] = []
    tale: Tale | None = None


def page(result: Result, command: str) -> str:
    """Return the whole file."""
    return drawn(
        Sheet(
            game=summary.game_of(result),
            title=summary.title_of(result),
            about=summary.question_of(result).about,
            headline=summary.headline(result),
            asked=" ".join([summary.asked(result), *summary.line_ups(result)]),
            stopped=summary.stopped(result),
            plots=plots(result),
            tables=list(tables(result)),
            settings=list(_settings(result)),
            facts=_facts(result),
            command=command,
            link=summary.link_of(result.study),
            python=summary.python_of(result.study),
            notes=_notes(result),
            best=best_lines(result),
            tale=tale_of(result),
        )
    )


def drawn(sheet: Sheet) -> str:
    """Return a report as a page, the whole file."""
    data: dict[str, Any] = {
        **msgspec.structs.asdict(sheet),
        "version": __version__,
        "figures": [list(map(_figure, row)) for row in rows_of(sheet.plots)],
        "against": any(setting.versus for setting in sheet.settings),
        "date": f"{datetime.now(UTC):%d %B %Y}".lstrip("0"),
        "sans": SANS,
        "serif": SERIF,
        "light": variables(LIGHT),
        "dark": variables(DARK),
    }
    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("cardhouse.lab.reports", ""),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made = templates.get_template("report.html").render(data)
    # The letters to embed are only known now.
    return made.replace("<style>", f"<style>{style_of(made)}", 1)


def _figure(plot: Plot) -> PlotFigure:
    """Return a plot whose size and accessible name are set by the page."""
    head, _, rest = drawing(plot).partition(">")
    box = head.partition('viewBox="')[2].partition('"')[0]
    plain = re.sub(r"<g [^<>]*>", lambda tag: re.sub(r' (role|aria-\w+)="[^"]*"', "", tag[0]), rest)
    return PlotFigure(plot.title, plot.caption, box, plain)


# Tables.


def tables(result: Result) -> Iterator[Grid]:
    """Yield a table of the single findings, and one for each line."""
    if not result.answers:
        return
    every = sorted(findings_of(result.answers), key=lambda finding: (finding.series, finding.x or 0))
    for series in dict.fromkeys(finding.series for finding in every):
        findings = [finding for finding in every if finding.series == series]
        heading = capital(findings[0].series_text or findings[0].text) if series else "All in all"
        if len(result.study.cells) == 1:
            answer = result.answers[0]
            known = [one for one in answer.found if one.finding.series == series and is_known(one)]
            if known:
                yield _of_one(heading, answer, known)
        else:
            for place in range(0, len(findings), BESIDE):
                some = findings[place : place + BESIDE]
                yield _of_many(f"{heading}, continued" if place else heading, result.answers, some)


def _of_one(caption: str, answer: Answer, found: Sequence[Found]) -> Grid:
    """Return a table with a row for each finding."""
    counted = any(one.exact is not None for one in found)
    here, there = variants(answer.cell)
    headings = ["Finding", *["Exact"] * counted]
    if here:
        headings += [capital(here), capital(there), "Difference"]
    else:
        headings.append("Played, with the interval")
    rows: list[list[Cell]] = []
    for one in found:
        row: list[Cell] = [(capital(one.finding.text),), *[(summary.exact(one),)] * counted]
        if here:
            row += [(summary.shown(one.finding, number),) for number in (one.estimate, one.versus)]
            row.append((_difference(one), *filter(None, [hardly(one.more)])))
        else:
            row.append((summary.short(one.finding, one.estimate), summary.interval(one.finding, one.estimate)))
        rows.append(row)
    return Grid(caption, 1, True, headings, rows)


def _of_many(caption: str, answers: Sequence[Answer], findings: Sequence[Finding]) -> Grid:
    """Return a table with a row for each combination of settings, and a column for each finding."""
    names = list(answers[0].cell.label)
    # With a stop rule, or after a stop, the numbers of trials differ.
    uneven = len({answer.trials for answer in answers}) > 1
    rows: list[list[Cell]] = []
    for answer in answers:
        found = {one.finding.key: one for one in answer.found}
        row: list[Cell] = [(answer.cell.label[name],) for name in names]
        row += [(f"{answer.trials:,}",)] * uneven
        row += [_number(found.get(finding.key)) for finding in findings]
        rows.append(row)
    trials = [capital(answers[0].cell.question.trial) + "s"] * uneven
    headings = [*map(words_of, names), *trials, *(capital(finding.text) for finding in findings)]
    here, there = variants(answers[0].cell)
    caption = f"{caption}, with {here}; there: with {there}" if here else caption
    return Grid(caption, len(names), False, headings, rows)


def _number(one: Found | None) -> Cell:
    """Return a finding with its exact number, and with its number in the variant."""
    if one is None:
        return (summary.NOTHING,)
    cell = [summary.shown(one.finding, one.estimate)]
    if one.exact is not None:
        cell.append(f"exact {summary.exact(one)}")
    if one.versus is not None:
        cell += [
            f"there {summary.shown(one.finding, one.versus)}",
            f"difference {summary.shown(one.finding, one.more, signed=True)}",
            *filter(None, [hardly(one.more)]),
        ]
    return tuple(cell)


def _difference(one: Found) -> str:
    text = summary.shown(one.finding, one.more, signed=True)
    return f"{text} points" if one.finding.kind == "share" and text != summary.NOTHING else text


# Conditions.


def _settings(result: Result) -> Iterator[SettingChange]:
    """Yield all settings of the question."""
    first = result.study.cells[0]
    for name, setting in settings_of(type(first.question)).items():
        swept = name in first.label
        value = summary.listed(result.study, name) if swept else setting.shown(getattr(first.question, name))
        here, there = getattr(first.question, name), getattr(first.versus or first.question, name)
        differs = any(
            cell.versus is not None and getattr(cell.versus, name) != getattr(cell.question, name)
            for cell in result.study.cells
        )
        versus = setting.shown(there) if differs or here != there else ""
        yield SettingChange(words_of(name), value.replace(",", ", "), versus, capital(setting.text))


def _facts(result: Result) -> list[tuple[str, str]]:
    study, trial = result.study, summary.question_of(result).trial
    many = how_many(study.trials, trial)
    if study.until is not None:
        many = f"as many {trial}s as needed for ±{100 * study.until:g}%, at most {study.trials:,}"
    played = sum(answer.trials for answer in result.answers)
    facts = [("Combinations", f"{len(study.cells):,}")] if len(study.cells) > 1 else []
    return [
        *facts,
        ("Asked for", many + (" each" if len(study.cells) > 1 else "")),
        ("Played", f"{played:,}"),
        ("Seed", str(study.seed)),
        ("Confidence", f"{100 * study.confidence:g}%"),
    ]


def _notes(result: Result) -> list[str]:
    """Return notes on how to read the numbers, and on how well exact and simulated ones agree."""
    if not result.answers:
        return []
    sure = f"{100 * result.study.confidence:g}"
    notes = [
        f"Each simulated number has an interval, which contains the true number in {sure} of 100 such runs.",
        "The same settings, trials and seed give the same numbers, on any machine.",
    ]
    if any(one.versus is not None for answer in result.answers for one in answer.found):
        notes.append(
            "Both variants were played with the same cards and dice, so their difference is more precise than either "
            "number."
        )
    known = [one for answer in result.answers for one in answer.found if one.exact is not None]
    if known:
        agree = sum(_agrees(one) for one in known)
        notes.append(
            f"“Exact” is calculated; “Played” is simulated. {agree:,} of {len(known):,} exact numbers are in the "
            "interval of the played one."
        )
    return notes


def _agrees(one: Found) -> bool:
    number = one.estimate
    if one.exact is None or number.low is None or number.high is None:
        return False
    return number.low - 1e-12 <= one.exact <= number.high + 1e-12
