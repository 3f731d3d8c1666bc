"""Lab questions on the terminal: progress, then the findings with their intervals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import typer
from rich.console import Console, Group
from rich.text import Text

from cardhouse.cli import words
from cardhouse.cli.transcripts import print_json, read_whole, source_of
from cardhouse.engine import CardhouseError, find_game
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.question import Finding, Question
from cardhouse.lab.questions.settings import cells, changes, settings_of
from cardhouse.lab.reports.answers import tale_of
from cardhouse.lab.reports.summary import line_ups, short
from cardhouse.lab.reports.text_optimality import best_lines
from cardhouse.lab.running import study
from cardhouse.lab.running.checkpoint import CheckpointStore, default_store
from cardhouse.lab.running.leaders import is_known
from cardhouse.lab.running.study import Answer, Found, Result, Study
from cardhouse.lab.statistics.estimate import Estimate
from cardhouse.lab.words.labels import findings_of
from cardhouse.lab.words.numbers import MORE_TELL, as_json, hardly, how_many, number_shown, value_shown
from cardhouse.lab.words.progress import moving

RULES, OWN = "rules", "own"
MOST_COLUMNS = 5
"""Most findings of a sweep shown as columns; --json and --report have all."""


class LabOptions(NamedTuple):
    """The options of every question, as typed; `confidence` in percent."""

    trials: int | None
    until: str
    confidence: float
    seed: int
    versus: list[str]
    report: list[str]
    transcript: int | None
    cores: int | None
    on: str | None
    afresh: bool
    columns: str
    json: bool
    rules: str = ""


def ask(question: type[Question], texts: Mapping[str, str], wanted: LabOptions) -> None:
    """Run a study and print the answer.

    Raises CardhouseError for invalid options, before anything is played.
    """
    chosen = _cells(question, texts, wanted)
    until = _percent(wanted.until) if wanted.until else None
    asked = Study(
        cells=chosen,
        trials=study.trials_for(chosen, wanted.trials, until),
        seed=wanted.seed,
        confidence=wanted.confidence / 100,
        until=until,
    )
    asked.check()
    columns = _wanted_columns(asked, wanted.columns)
    if wanted.transcript is not None:
        only = _only(asked)
        study.check_trial(wanted.transcript)
        typer.echo(only.played(wanted.seed, wanted.transcript).transcript(), nl=False)
        return
    if wanted.report:
        from cardhouse.lab.reports.report import check_target

        for file in wanted.report:
            check_target(Path(file))
    kept = default_store()
    if wanted.afresh:
        kept.forget(asked)
    result = _played(asked, wanted, kept)
    for file in wanted.report:
        from cardhouse.lab.reports.report import write

        for written in write(result, Path(file)):
            typer.echo(f"Written: {written}", err=True)
    if wanted.json:
        print_json(as_json(result))
    else:
        _print(question, result, columns)


def _cells(question: type[Question], texts: Mapping[str, str], wanted: LabOptions) -> tuple[Cell, ...]:
    """Return the cells to play, with the author's own rules if a file is given, or comparing them with the game's."""
    changed = dict(map(_change, wanted.versus)) or _usually_compared(question, texts)
    beside = changed.pop(RULES, None)
    if beside not in (None, OWN) or (beside and not wanted.rules):
        raise CardhouseError(f"--vs {RULES}={OWN} compares rules of your own, from --rules FILE, with the game's.")
    chosen = cells(question, texts, changed, files)
    if not wanted.rules:
        return chosen
    if wanted.report:
        raise CardhouseError("A report can't include your rules file yet. Leave out --report or --rules.")
    from cardhouse.lab.questions.variants import rules_of, with_rules

    game, mine = find_game(question.game), rules_of(Path(wanted.rules), question.game)
    return tuple(
        Cell(
            with_rules(cell.question, mine),
            with_rules(cell.versus or cell.question, game if beside else mine) if cell.versus or beside else None,
            cell.label,
        )
        for cell in chosen
    )


def _usually_compared(question: type[Question], texts: Mapping[str, str]) -> dict[str, str]:
    """Return the other variant of a question that compares two; nothing if its settings are given."""
    return {} if question.compared.keys() & texts.keys() else dict(question.compared)


def _played(asked: Study, wanted: LabOptions, kept: CheckpointStore) -> Result:
    """Run the study; everything but the findings goes to stderr."""
    with moving(f"{asked.cells[0].question.trial}s", quiet=wanted.json, endless=asked.until is not None) as tell:
        result = study.ask(asked, workers=wanted.cores, cluster=wanted.on, kept=kept, exact=kept.exact, tell=tell)
    if result.stopped:
        typer.echo("Stopped. These are the results so far. The same command continues from there.", err=True)
    if not wanted.json and Console(stderr=True).is_terminal:
        typer.echo(_pace(result), err=True)
    return result


def _pace(result: Result) -> str:
    played = sum(answer.trials for answer in result.answers)
    trial = result.study.cells[0].question.trial
    return (
        f"{how_many(played, trial)} in {result.seconds:.2f} s on {result.workers} at a time, "
        f"after {result.ready:.2f} s of preparation."
    )


def _only(asked: Study) -> Question:
    if len(asked.cells) != 1:
        raise CardhouseError("--transcript needs a single combination of settings.")
    return asked.cells[0].question


def files(text: str) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each file in a comma-separated list."""
    for file in text.split(","):
        yield source_of(file.strip()), read_whole(file.strip())


def _change(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise CardhouseError(f"--vs takes a setting and its other value, such as limit=25, not {text[:40]}.")
    return name.strip().replace("-", "_"), value


def _percent(text: str) -> float:
    try:
        return float(text.strip().removeprefix("±").removesuffix("%")) / 100
    except ValueError:
        raise CardhouseError(f"until takes a percentage such as 0.1%, not {text[:40]}.") from None


# Printing.


def _print(question: type[Question], result: Result, columns: Sequence[str]) -> None:
    out = words.console()
    if tale := tale_of(result):
        out.print(f"{tale.sentence}\n{tale.line}\n")
    out.print(f"{result.study.cells[0].question.title} ({_conditions(result)})\n")
    if not result.answers:
        out.print("No trials were played.")
    elif len(result.study.cells) == 1:
        out.print(_findings(result.answers[0]))
    else:
        out.print(_sweep(result, columns))
    if lines := line_ups(result):
        out.print("\n" + "\n".join(lines))
    for line in best_lines(result):
        out.print(f"\n{line}")
    if any(hardly(one.more) for answer in result.answers for one in answer.found if not one.finding.bar):
        out.print(f"\nFor numbers on which hardly any {result.study.cells[0].question.trial} differed, {MORE_TELL}.")


def _conditions(result: Result) -> str:
    """Return what the numbers rest on: changed settings, trials, and the confidence of the intervals."""
    first = result.study.cells[0]
    usual = type(first.question)()
    given = changes(usual, first.question)
    conditions = ["played by the rules"] if first.question.rules else []
    conditions += [f"{name} {value}" for name, value in given.items() if name not in first.label]
    if first.versus is not None:
        against = changes(first.question, first.versus)
        if first.versus.rules is not first.question.rules:
            against[RULES] = OWN
        shown = [f"{name} {value}" for name, value in against.items() if name not in first.question.compared]
        conditions += ["against " + ", ".join(shown)] if shown else []
    played = [answer.trials for answer in result.answers] or [0]
    least, most = min(played), how_many(max(played), first.question.trial)
    conditions.append(most if least == max(played) else f"{least:,} to {most}")
    conditions.append(f"{100 * result.study.confidence:g}% intervals")
    return "; ".join(conditions)


def _findings(answer: Answer) -> Any:
    """Return a table with a row for each finding."""
    exact, versus = (any(getattr(one, part) is not None for one in answer.found) for part in ("exact", "versus"))
    headings = ["", *["Exact"] * exact, "Played" if exact else "", *["There", "Difference"] * versus]
    grid = words.grid(*(None for _ in headings))
    if exact or versus:
        grid.add_row(*headings)
    for one in answer.found:
        if one.finding.bar or not is_known(one):
            continue
        shown = [one.finding.text]
        if exact:
            shown.append(words.NOTHING if one.exact is None else value_shown(one.finding, one.exact, 4))
        shown.append(number_shown(one.finding, one.estimate))
        if versus:
            shown += [_or_nothing(one.finding, one.versus), _or_nothing(one.finding, one.more, signed=True)]
        grid.add_row(*shown)
    barred = list(_bars([one for one in answer.found if one.finding.bar]))
    return Group(grid, *barred)


def _bars(found: Sequence[Found]) -> Iterator[Text]:
    """Yield each series of bars as a paragraph, with each bar's name and number."""
    for _, series in groupby(found, key=lambda one: (one.finding.series, one.finding.of)):
        those = list(series)
        heading = ", ".join(filter(None, (those[0].finding.series_text, those[0].finding.of)))
        known = all(one.exact is not None for one in those)
        legend = "exact" if known else "played; there" if those[0].versus is not None else "played"
        bars = (f"{one.finding.bar} {_bar(one, known)}".replace(" ", "\N{NO-BREAK SPACE}") for one in those)
        yield Text(f"\n{heading} ({legend}): {', '.join(bars)}")


def _bar(one: Found, known: bool) -> str:
    """Return the number of a bar: exact or simulated, with that of the other variant if there is one."""
    if one.exact is not None and known and one.versus is None:
        return value_shown(one.finding, one.exact, 2)
    numbers = [short(one.finding, number) for number in (one.estimate, one.versus) if number is not None]
    return "; ".join(numbers)


def _or_nothing(finding: Finding, number: Estimate | None, *, signed: bool = False) -> str:
    if number is None:
        return words.NOTHING
    few = hardly(number)
    return number_shown(finding, number, signed=signed) + (f" ({few})" if few else "")


def _sweep(result: Result, columns: Sequence[str]) -> Any:
    """Return a table with a row for each cell, with these findings, or by default those of `_columns`."""
    labels = list(result.answers[0].cell.label)
    named = {one.key: one for one in findings_of(result.answers)}
    shown = [named[key] for key in columns if key in named] or list(_columns(result.answers))
    versus = result.answers[0].cell.versus is not None
    headings = [settings_of(type(result.study.cells[0].question))[name].name for name in labels]
    for finding in shown:
        headings += [finding.text, *["Difference"] * versus]
    grid = words.grid(*(None for _ in headings))
    grid.add_row(*headings)
    for answer in result.answers:
        found = {one.finding.key: one for one in answer.found}
        row = [answer.cell.label[name] for name in labels]
        for finding in shown:
            one = found.get(finding.key)
            row.append(words.NOTHING if one is None else number_shown(one.finding, one.estimate))
            if versus:
                row.append(words.NOTHING if one is None else _or_nothing(one.finding, one.more, signed=True))
        grid.add_row(*row)
    return grid


def _wanted_columns(asked: Study, text: str) -> list[str]:
    """Return the keys of the findings requested as columns.

    Raises CardhouseError for one that no combination of settings has.
    """
    there_are = list(dict.fromkeys(one.key for cell in asked.cells for one in cell.question.findings()))
    wanted = [key.strip() for key in text.split(",") if key.strip()]
    for key in wanted:
        if key not in there_are:
            raise CardhouseError(f'There is no finding "{key[:40]}" for a column; there are {", ".join(there_are)}.')
    return wanted


def _columns(answers: Sequence[Answer]) -> Iterable[Finding]:
    """Return the default columns: the first findings outside a series, and the last one of each series."""
    keys = {one.finding.key for one in answers[0].found}
    findings = [one for one in findings_of(answers) if one.key in keys]
    alone = [one for one in findings if not one.series]
    ends = {one.series: one for one in findings if one.series}
    most = MOST_COLUMNS if answers[0].cell.versus is None else 2
    chosen = [findings[0], *alone, *ends.values()]
    return list({one.key: one for one in chosen}.values())[:most]
