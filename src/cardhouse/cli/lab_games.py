"""Studies on the terminal: what was asked, the progress, the numbers with their intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import typer
from rich.console import Console
from rich.progress import Progress

from cardhouse.engine import CardhouseError
from cardhouse.lab.sampling import Mean

Kind = TypeVar("Kind")
Played = TypeVar("Played")
Found = TypeVar("Found")


def gathered(
    settings: Sequence[Kind],
    each: int,
    play: Callable[[Kind], Iterable[Played]],
    sum_up: Callable[[Kind, Sequence[Played]], Found],
    what: str,
    *,
    json: bool,
) -> list[Found]:
    """What came of each setting, of which so many games (or `what` they are) are played; the progress is shown.

    Stopped with Ctrl-C, it is what came of those that were played.
    """
    found: list[Found] = []
    terminal = Console(stderr=True)
    with Progress(console=terminal, transient=True, disable=json or not terminal.is_terminal) as progress:
        task = progress.add_task(what, total=len(settings) * each)
        for setting in settings:
            played: list[Played] = []
            try:
                for one in play(setting):
                    played.append(one)
                    progress.advance(task)
            except KeyboardInterrupt:
                typer.echo(f"Stopped: these are the {what} that were played.", err=True)
                if played:
                    found.append(sum_up(setting, played))
                break
            found.append(sum_up(setting, played))
    return found


def numbers(option: str, text: str, least: int, most: int) -> list[int]:
    """The numbers of a list such as `1-3,5`.

    Raises CardhouseError if it is none, or one is too low or too high.
    """
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise CardhouseError(f"{option} takes numbers such as 2 or 1-{most} or {least},{most}, not {text[:40]}.")
        ends = int(first), int(last or first)
        if not least <= ends[0] <= ends[1] <= most:
            raise CardhouseError(
                f"{option} takes numbers from {least} to {most}, the lower one first, not {part[:40]}."
            )
        found += range(ends[0], ends[1] + 1)
    return found


def shown(found: Mean, *, percent: bool = False) -> str:
    """A mean with its error: `4.25 ±0.08`."""
    times, form = (100, ".1f") if percent else (1, ".2f")
    error = "" if found.error is None else f" ±{found.error * times:{form}}"
    return f"{found.mean * times:{form}}{error}{' %' if percent else ''}"
