"""A progress bar on stderr or in a notebook, with the first number so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from cardhouse.lab.words.labels import name_of
from cardhouse.lab.words.numbers import number_shown

if TYPE_CHECKING:
    from cardhouse.lab.running import study


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
            named = ", ".join(filter(None, (progress.headline.text, name_of(progress))))
            line = f"{named}: {number_shown(progress.headline, progress.estimate)}"
            if progress.compiling:
                line += " (compiling, first run only)"
            bar.update(task, completed=progress.done, total=None if endless else progress.of, so_far=line)

        yield tell
