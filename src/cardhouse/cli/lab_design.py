"""Designs on the terminal: the requirements, the result, and the file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from cardhouse.cli import words
from cardhouse.cli.transcripts import print_json
from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.design import Design, DesignedFile, SoFar, order
from cardhouse.lab.running.study import require_lab_extra


def make(design: type[Design], texts: Mapping[str, str], output: str, json: bool, cores: int | None) -> None:
    """Make the design, write its file and print its properties.

    Raises CardhouseError, before the search, for invalid requirements or a file that can't be written.
    """
    require_lab_extra()
    wanted = order(design, texts)
    if output != "-" and not Path(output).resolve().parent.is_dir():
        raise CardhouseError(f"{output} can't be written: there is no folder {Path(output).parent}.")
    terminal = Console(stderr=True)
    columns = (TextColumn(f"{wanted.trial}s"), BarColumn(), TextColumn("{task.fields[so_far]}"))
    with Progress(*columns, console=terminal, transient=True, disable=json or not terminal.is_terminal) as bar:
        task = bar.add_task("", total=wanted.steps, so_far="preparing")

        def tell(far: SoFar) -> None:
            bar.update(task, completed=far.done, so_far=f"{far.number} {far.text}")

        made = wanted.make(workers=cores, tell=tell)
    if made is None:
        raise CardhouseError("Stopped before a deck was found.")
    if output == "-":
        typer.echo(made.file, nl=False)
        return
    try:
        Path(output).write_text(made.file, "utf-8")
    except OSError as error:
        raise CardhouseError(f"{output} can't be written: {error.strerror or error}.") from None
    if json:
        print_json(_as_json(made, output))
    else:
        _print(made, output)


def _as_json(made: DesignedFile, output: str) -> dict[str, Any]:
    return {
        "met": made.met,
        "file": output,
        "title": made.title,
        "about": made.about,
        "claims": made.claims,
        "tables": made.tables,
        "remarks": made.remarks,
        "stopped": made.stopped,
    }


def _print(made: DesignedFile, output: str) -> None:
    out = words.console()
    out.print(Text(made.title, "bold"))
    out.print(f"{made.about}\n")
    if made.claims:
        grid = words.grid(None, None, None, None)
        grid.add_row("", "Asked", "It does", "")
        for claim in made.claims:
            grid.add_row(claim.text, claim.asked, claim.found, claim.how if claim.met else f"{claim.how}; not met")
        out.print(grid)
    for table in made.tables:
        out.print(f"\n{table.title}:")
        grid = words.grid(*(None for _ in table.columns))
        grid.add_row(*table.columns)
        for row in table.rows:
            grid.add_row(*row)
        out.print(grid)
    for sentence in made.remarks:
        out.print(f"\n{sentence}")
    if made.stopped:
        out.print("\nStopped. This is the best so far.")
    out.print(f"\nWritten: {output}", soft_wrap=True)
