"""A progress bar on stderr or in a notebook, with the first number so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from cardhouse.lab.statistics.estimate import Estimate
from cardhouse.lab.words.labels import name_of, variants
from cardhouse.lab.words.numbers import number_shown

if TYPE_CHECKING:
    from cardhouse.lab.running import study


def text_of(progress: study.Progress) -> str:
    """Return what the number in a display of progress is about; with a variant, between what it is the difference."""
    here, there = variants(progress.cell)
    if progress.more is None:
        return progress.headline.text
    points = " (difference in points)" if progress.headline.kind == "share" else ""
    return f"{progress.headline.text}, with {there} instead of {here}{points}"


def number_of(progress: study.Progress) -> Estimate:
    """Return the number in a display of progress: with a variant, the difference."""
    return progress.estimate if progress.more is None else progress.more


@contextmanager
def moving(
    part: str, *, quiet: bool, endless: bool = False, console: Console | None = None
) -> Iterator[Callable[[study.Progress], None]]:
    """Show a progress bar during the block; without a terminal or notebook nothing is shown."""
    terminal = console or Console(stderr=True)
    watched = terminal.is_terminal or terminal.is_jupyter
    so_far = TextColumn("{task.fields[so_far]}")
    columns = (TextColumn("{task.description}"), BarColumn(), so_far, TimeRemainingColumn())
    with Progress(*columns, console=terminal, transient=True, disable=quiet or not watched) as bar:
        task = bar.add_task(part, total=None, so_far="preparing")

        def tell(progress: study.Progress) -> None:
            named = ", ".join(filter(None, (text_of(progress), name_of(progress))))
            line = f"{named}: {number_shown(progress.headline, number_of(progress), signed=progress.more is not None)}"
            if progress.compiling:
                line += " (compiling, first run only)"
            bar.update(task, completed=progress.done, total=None if endless else progress.of, so_far=line)

        yield tell
