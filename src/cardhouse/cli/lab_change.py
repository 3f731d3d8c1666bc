"""Sensitivity and tuning on the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import typer
from rich.text import Text

from cardhouse.cli import words
from cardhouse.cli.lab import files
from cardhouse.cli.transcripts import print_json
from cardhouse.lab.questions.question import Question
from cardhouse.lab.reports import text_sensitivity as said
from cardhouse.lab.reports import text_tuning
from cardhouse.lab.reports.answers_search import tale_of_effects
from cardhouse.lab.reports.text_commands import as_json
from cardhouse.lab.running.checkpoint import default_store
from cardhouse.lab.search.ranking import Effect
from cardhouse.lab.search.requests import ChangeRequest, find, one_question, size_of
from cardhouse.lab.search.sensitivity import Sensitivity
from cardhouse.lab.search.tuning import Tuned
from cardhouse.lab.words.labels import capital
from cardhouse.lab.words.numbers import number_shown
from cardhouse.lab.words.progress import moving

MOST_ROWS = 24
"""Most changes printed; --json and --report have all."""
ARM = 14
"""Length of a bar to each side, in characters."""
EIGHTHS = " ▏▎▍▌▋▊▉█"
GRADES = {"met": "all met", "missed": "", "perhaps": "perhaps"}


class How(msgspec.Struct, frozen=True, kw_only=True):
    """The output options of a request."""

    report: list[str]
    cores: int | None
    on: str | None
    json: bool
    afresh: bool


def ask(question: type[Question], texts: Mapping[str, str], given: Mapping[str, Any]) -> None:
    """Rank the changes or, with targets, search for settings, and print the result; `given` are the options.

    Raises CardhouseError for invalid options, before anything is played.
    """
    how = msgspec.convert(given, How)
    params = {name: given[name] for name in ChangeRequest.__struct_fields__ if name in given}
    params |= {name: tuple(params[name]) for name in ("targets", "vary") if name in params}
    start = one_question(question, texts, files)
    asked = ChangeRequest(question=start, **params | {"confidence": given["confidence"] / 100})
    size_of(asked)  # reports invalid requests before anything else
    check_reports(how.report)
    with moving(f"{start.trial}s" if asked.targets is None else "choices", quiet=how.json) as tell:
        found = find(asked, workers=how.cores, cluster=how.on, kept=None if how.afresh else default_store(), tell=tell)
    write_reports(found, how.report)
    if how.json:
        print_json(as_json(found))
    elif isinstance(found, Sensitivity):
        _print_sensitivity(found)
    else:
        _print_tune(found)


def check_reports(reports: Sequence[str]) -> None:
    """Raises CardhouseError, before anything is played, for a report that can't be written."""
    if reports:
        from cardhouse.lab.reports.report import check_target

        for file in reports:
            check_target(Path(file))


def write_reports(found: Any, reports: Sequence[str]) -> None:
    """Write the reports and print their paths."""
    for file in reports:
        from cardhouse.lab.reports.report import write

        for written in write(found, Path(file)):
            typer.echo(f"Written: {written}", err=True)


# Printing.


def _print_sensitivity(found: Sensitivity) -> None:
    out = words.console()
    if tale := tale_of_effects(found):
        out.print(f"{tale.sentence}\n")
    out.print(f"{said.title_of(found)} ({said.conditions(found)})\n")
    if not found.effects:
        out.print("No trials were played.")
        return
    out.print(f"{found.finding.text}: {number_shown(found.finding, found.estimate)}\n")
    shown = [one for one in found.effects if one.is_seen][:MOST_ROWS] or found.effects[:3]
    strongest = max(abs(one.more.value or 0) for one in shown)
    grid = words.grid(None, 2 * ARM + 1, None, None)
    grid.add_row("Changed to", "", "Difference", "Then")
    for one in shown:
        more = number_shown(found.finding, one.more, signed=True).removesuffix("%")
        then = number_shown(found.finding, one.estimate)
        grid.add_row(one.variation.text, _bar(one, strongest), more, then)
    out.print(grid)
    out.print()
    for sentence in said.sentences(found):
        out.print(sentence)


def _bar(effect: Effect, strongest: float) -> Text:
    """Return a bar to the left or right of an axis, with a length proportional to the effect."""
    value = effect.more.value or 0
    many = round(8 * ARM * abs(value) / strongest) if strongest else 0
    whole, rest = divmod(many, 8)
    if value >= 0:
        return Text(" " * ARM + "│" + "█" * whole + EIGHTHS[rest].strip())
    # There are no right-aligned eighth blocks, so bars to the left end in whole or half characters.
    left = ("▐" if rest >= 4 else "") + "█" * whole
    return Text(left.rjust(ARM) + "│")


def _print_tune(found: Tuned) -> None:
    out = words.console()
    out.print(f"{text_tuning.TITLE} ({text_tuning.conditions(found)})\n")
    grid = words.grid(None, *(None for _ in found.targets), None)
    grid.add_row("", *(one.text for one in found.targets), "")
    shown = [found.now] if found.now is not None else []
    doubtful = [one for one in found.rest if one.grade == "perhaps"]
    for one in [*shown, *found.best, *doubtful]:
        grid.add_row(capital(text_tuning.describe_changes(one)), *text_tuning.numbers_of(found, one), GRADES[one.grade])
    out.print(grid)
    out.print()
    for sentence in text_tuning.sentences(found):
        out.print(sentence)
