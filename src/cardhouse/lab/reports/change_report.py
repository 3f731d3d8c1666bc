"""Reports of sensitivity and tuning, in the same kinds of files as a study's."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any, Final

import msgspec
import polars as pl

from cardhouse import __version__
from cardhouse.engine import catalogue_of, find_game
from cardhouse.lab.plots.charts import DotRow, Plot, Point, TornadoBar, Unit, bars, dots
from cardhouse.lab.questions.question import Question
from cardhouse.lab.questions.settings import settings_of
from cardhouse.lab.reports import text_sensitivity, text_tuning
from cardhouse.lab.reports.html import Grid, SettingChange, Sheet, drawn
from cardhouse.lab.reports.images import Poster, png, svg
from cardhouse.lab.reports.summary import Headline, interval
from cardhouse.lab.reports.text_commands import as_json, command_of, link_of, python_of
from cardhouse.lab.search.requests import Found, asked_of
from cardhouse.lab.search.sensitivity import Sensitivity
from cardhouse.lab.search.tuning import Candidate, Tuned
from cardhouse.lab.words.labels import capital, minus, words_of
from cardhouse.lab.words.numbers import number_shown

MOST_BARS: Final = 24
"""The most changes that are drawn; the table has all."""

EFFECTS: Final = {
    "setting": pl.String,
    "piece": pl.String,
    "what": pl.String,
    "was": pl.String,
    "becomes": pl.String,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "difference": pl.Float64,
    "difference_low": pl.Float64,
    "difference_high": pl.Float64,
    "seen": pl.Boolean,
}
"""The columns of `effects`; shares and their differences are from 0 to 1."""


def render(found: Found, suffix: str, command: str = "") -> bytes:
    """Return a report as the content of a file with this suffix, one of those for studies."""
    sheet = sheet_of(found)
    return KINDS[suffix.lower()](found, msgspec.structs.replace(sheet, command=command or sheet.command))


def sheet_of(found: Found) -> Sheet:
    """Return the content of a report."""
    return _of_sensitivity(found) if isinstance(found, Sensitivity) else _of_tuned(found)


def effects(found: Sensitivity) -> pl.DataFrame:
    """Return a row for each change, the strongest first: `EFFECTS`."""
    rows = []
    for one in found.effects:
        change, there, more = one.variation, one.estimate, one.more
        columns = (change.setting, change.key or None, change.what, change.was, change.becomes)
        rows.append((*columns, there.value, there.low, there.high, more.value, more.low, more.high, one.is_seen))
    return pl.DataFrame(rows, EFFECTS, orient="row")


def candidates(found: Tuned) -> pl.DataFrame:
    """Return a row for each confirmed choice: its changes, whether it meets all targets, and each target's number."""
    rows: list[dict[str, Any]] = []
    for name, some in (("now", [found.now] if found.now else []), ("best", found.best), ("rest", found.rest)):
        for one in some:
            row: dict[str, Any] = {"as": name, "changes": text_tuning.describe_changes(one), "meets": one.meets}
            for target, number in zip(found.targets, one.estimates, strict=True):
                key = target.finding.key
                row |= {key: number.value, f"{key}_low": number.low, f"{key}_high": number.high}
            rows.append(row)
    return pl.DataFrame(rows)


# Content.


def _of_sensitivity(found: Sensitivity) -> Sheet:
    unit = Unit(found.finding.kind, differs=True)
    shown = [one for one in found.effects if one.is_seen][:MOST_BARS] or list(found.effects[:3])
    bar = [TornadoBar(one.variation.text, _more(found.finding, one.more), one.more) for one in shown]
    notes = [f"The strongest {len(bar)} of {len(found.effects)} changes."] if len(bar) < len(found.effects) else []
    plots = [bars(f"{capital(found.finding.text)}: by how much each change moves it", unit, bar, notes)] if bar else []
    rows: list[list[tuple[str, ...]]] = [
        [
            (one.variation.text,),
            (one.variation.was,),
            (_more(found.finding, one.more),),
            (minus(number_shown(found.finding, one.estimate)),),
        ]
        for one in found.effects
    ]
    headings = ["Changed to", "It was", "Difference in points" if unit.title else "Difference", "Then"]
    table = Grid("Every change, the strongest first", 1, True, headings, rows)
    first, *sentences = list(text_sensitivity.sentences(found)) or [""]
    headline = None
    if found.effects:
        strongest = found.effects[0]
        most = "nothing else that was changed moves it as much" if strongest.is_seen else "no change has a clear effect"
        caption = f"{found.finding.text}, with {strongest.variation.text}: {most}"
        headline = Headline(text_sensitivity.more_shown(found, strongest.more), caption, first)
    return Sheet(
        game=_game(found.question),
        title=text_sensitivity.title_of(found),
        about=f"{found.question.title} The lab changes one thing at a time, and replays the same deals.",
        headline=headline,
        asked=text_sensitivity.conditions(found),
        stopped="",
        plots=plots,
        tables=[table] if found.effects else [],
        settings=_settings(found.question),
        facts=[
            ("Finding", found.finding.text),
            ("As it is", minus(number_shown(found.finding, found.estimate))),
            ("Changes", f"{len(found.effects):,}"),
            ("Trials of each", f"{found.trials:,}"),
            ("Seed", str(found.seed)),
            ("Confidence", f"{100 * found.confidence:g}% for all at once, {100 * found.each:.4g}% for each"),
        ],
        command=command_of(asked_of(found)),
        link=link_of(asked_of(found)),
        python=python_of(asked_of(found)),
        notes=[
            *sentences,
            "The intervals of all differences hold at once, so the strongest changes aren't just the luckiest.",
        ],
    )


def _of_tuned(found: Tuned) -> Sheet:
    shown = [*([found.now] if found.now else []), *found.best]
    plots: list[Plot] = []
    for place, target in enumerate(found.targets):
        rows = [
            DotRow(
                capital(text_tuning.describe_changes(one)),
                text_tuning.numbers_of(found, one)[place],
                [Point(0, "", one.estimates[place])],
            )
            for one in shown
            if one.estimates[place].value is not None
        ]
        if rows:
            aim = target.text.removeprefix(target.finding.text).removeprefix(" =").strip()
            where = "between the upright strokes" if len(target.edges) > 1 else "from the upright stroke on"
            note = f"Wanted, {where}: {aim}."
            plots.append(dots(capital(target.finding.text), Unit(target.finding.kind), rows, [note], target.edges))
    headings = ["Choice", *(one.text for one in found.targets), "Meets all"]
    named = [(one, "") for one in shown] + [(one, "no better") for one in found.rest]
    table = Grid("The choices", 1, True, headings, [_choice(found, one, word) for one, word in named])
    sentences = list(text_tuning.sentences(found))
    number = f"{sum(one.meets for one in found.best)} of {found.tried:,}"
    headline = Headline(number, sentences[0].removesuffix("."), sentences[1]) if shown else None
    return Sheet(
        game=_game(found.wanted.question),
        title=text_tuning.TITLE,
        about=f"{found.wanted.question.title} " + "; ".join(one.text for one in found.targets) + ".",
        headline=headline,
        asked=text_tuning.conditions(found),
        stopped="",
        plots=plots,
        tables=[table] if shown else [],
        settings=_settings(found.wanted.question),
        facts=[
            ("Varied", ", ".join(found.wanted.vary)),
            ("Choices", f"{found.size:.6g}"),
            ("Tried", f"{found.tried:,}"),
            ("Played", f"{found.played:,}"),
            ("Seed", str(found.wanted.seed)),
            ("Confidence", f"{100 * found.wanted.confidence:g}% for all at once, {100 * found.each:.4g}% for each"),
        ],
        command=command_of(asked_of(found)),
        link=link_of(asked_of(found)),
        python=python_of(asked_of(found)),
        notes=sentences[2:],
    )


def _choice(found: Tuned, one: Candidate, word: str) -> list[tuple[str, ...]]:
    numbers: list[tuple[str, ...]] = [
        (shown, interval(target.finding, number))
        for shown, target, number in zip(text_tuning.numbers_of(found, one), found.targets, one.estimates, strict=True)
    ]
    grade = {"met": "yes", "missed": "no", "perhaps": "perhaps"}[one.grade]
    return [(capital(text_tuning.describe_changes(one)),), *numbers, (grade, word) if word else (grade,)]


def _more(finding: Any, number: Any) -> str:
    return minus(number_shown(finding, number, signed=True)).removesuffix("%")


def _game(question: Question) -> str:
    return catalogue_of(find_game(question.game)).words.title


def _settings(question: Question) -> list[SettingChange]:
    return [
        SettingChange(words_of(name), setting.shown(getattr(question, name)), "", capital(setting.text))
        for name, setting in settings_of(type(question)).items()
    ]


# Files.


def poster_of(sheet: Sheet) -> Poster:
    """Return the content of its picture."""
    return Poster(sheet.game, sheet.title, sheet.headline, sheet.stopped, sheet.asked, sheet.plots)


def frame_of(found: Found) -> pl.DataFrame:
    """Return a row for each change, or for each reported choice."""
    return effects(found) if isinstance(found, Sensitivity) else candidates(found)


def _json(found: Found, sheet: Sheet) -> bytes:
    whole = {"cardhouse": __version__, "command": sheet.command, **as_json(found)}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n"


def _parquet(found: Found, sheet: Sheet) -> bytes:
    made = BytesIO()
    frame_of(found).write_parquet(made)
    return made.getvalue()


KINDS: Final[dict[str, Callable[[Any, Sheet], bytes]]] = {
    ".html": lambda found, sheet: drawn(sheet).encode(),
    ".png": lambda found, sheet: png(poster_of(sheet)),
    ".svg": lambda found, sheet: svg(poster_of(sheet)).encode(),
    ".csv": lambda found, sheet: frame_of(found).write_csv().encode(),
    ".parquet": _parquet,
    ".json": _json,
}
"""The kinds of reports, by the suffix of their files."""
