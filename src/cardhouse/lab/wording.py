"""What combinations of settings, and the variants compared, are called for people."""

from __future__ import annotations

from collections.abc import Sequence

from cardhouse.lab.settings import changes
from cardhouse.lab.study import Answer, Cell

LONGEST_NAME = 44
"""So many letters of a name go into a plot."""


def words_of(setting: str) -> str:
    """The name of a setting as words: `hand_size` is `hand size`."""
    return setting.replace("_", " ")


def name_of(answer: Answer) -> str:
    """What tells a combination of settings from the others: `hp 5, damage 2`."""
    return ", ".join(f"{words_of(key)} {value}" for key, value in answer.cell.label.items())


def variants(cell: Cell) -> tuple[str, str]:
    """The two variants of a cell, each by the settings in which they differ: `limit 21` and `limit 25`.

    If they differ in nothing, they are the same.
    """
    if cell.versus is None:
        return "", ""
    named = [changes(other, one) for one, other in ((cell.question, cell.versus), (cell.versus, cell.question))]
    here, there = (", ".join(f"{words_of(name)} {value}" for name, value in each.items()) for each in named)
    return (here, there) if here != there else (f"this {here}".strip(), f"the other {there}".strip())


def axes(answers: Sequence[Answer]) -> list[str]:
    """The settings in which these answers differ, in their order."""
    keys = answers[0].cell.label
    return [key for key in keys if len({answer.cell.label[key] for answer in answers}) > 1]


def numbers_of(answers: Sequence[Answer], key: str) -> list[float]:
    """The values of a setting in all answers; nothing if they are no numbers."""
    try:
        return [float(answer.cell.label[key]) for answer in answers]
    except ValueError:
        return []


def clipped(name: str, longest: int = LONGEST_NAME) -> str:
    """A name short enough for a plot."""
    return name if len(name) <= longest else f"{name[: longest - 1].rstrip()}…"
