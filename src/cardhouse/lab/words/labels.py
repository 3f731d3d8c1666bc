"""Labels for combinations of settings, and for the variants compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import starmap

import msgspec

from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.question import Finding, Question
from cardhouse.lab.questions.settings import changes
from cardhouse.lab.running.study import Answer, Progress

LONGEST_NAME = 44
"""The longest name in a plot, in characters."""


def words_of(setting: str) -> str:
    """Return the name of a setting as words: `hand_size` is `hand size`."""
    return setting.replace("_", " ")


def name_of(answer: Answer | Progress) -> str:
    """Return what distinguishes a combination of settings: `hp 5, damage 2`."""
    return name_of_cell(answer.cell)


def name_of_cell(cell: Cell) -> str:
    """Return what distinguishes a cell's settings."""
    return ", ".join(f"{words_of(key)} {value}" for key, value in cell.label.items())


def variants(cell: Cell) -> tuple[str, str]:
    """Return the names of a cell's two variants, by the settings that differ: `limit 21` and `limit 25`.

    A setting that the question always compares needs no name: `dice` and `cards`. Both names are empty if there is
    just one variant.
    """
    if cell.versus is None:
        return "", ""
    named = [changes(other, one) for one, other in ((cell.question, cell.versus), (cell.versus, cell.question))]
    here, there = (", ".join(starmap(partial(_named, cell.question), each.items())) for each in named)
    return (here, there) if here != there else (f"this {here}".strip(), f"the other {there}".strip())


def _named(question: Question, setting: str, value: str) -> str:
    return value if setting in question.compared else f"{words_of(setting)} {value}"


def axes(answers: Sequence[Answer]) -> list[str]:
    """Return the settings in which these answers differ, in their order."""
    keys = answers[0].cell.label
    return [key for key in keys if len({answer.cell.label[key] for answer in answers}) > 1]


def numbers_of(answers: Sequence[Answer], key: str) -> list[float]:
    """Return the values of a setting in all answers; empty if they aren't numbers."""
    try:
        return [float(answer.cell.label[key]) for answer in answers]
    except ValueError:
        return []


def findings_of(answers: Sequence[Answer]) -> list[Finding]:
    """Return all findings of these answers; those with different texts get one that fits all.

    A finding that is cut off in one of them is marked.
    """
    found: dict[str, list[Finding]] = {}
    for answer in answers:
        for one in answer.found:
            found.setdefault(one.finding.key, []).append(one.finding)
    for key, same in found.items():
        if any(one.is_cut_off for one in same):
            found[key] = [one if one.is_cut_off else one.cut_off() for one in same]
    return [
        msgspec.structs.replace(
            same[0],
            text=common_text([one.text for one in same]),
            series_text=common_text([one.series_text for one in same]),
        )
        for same in found.values()
    ]


def common_text(texts: Sequence[str]) -> str:
    """Return a text for all of these: `dead within 2 hits` and `dead within 3 hits` become `dead within n hits`.

    Other words that differ are all named: `sure/bold leads at the end`.
    """
    words = [text.split(" ") for text in dict.fromkeys(texts)]
    if len(set(map(len, words))) > 1:
        return texts[0]
    return " ".join(
        "n" if len(set(same)) > 1 and all(word[:1].isdigit() for word in same) else "/".join(dict.fromkeys(same))
        for same in zip(*words, strict=True)
    )


def short_names(names: Iterable[str], longest: int = LONGEST_NAME) -> dict[str, str]:
    """Return unique names short enough for a plot, by the long ones."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        short = name if len(name) <= longest else f"{name[: longest - 1].rstrip()}…"
        taken = list(found.values())
        found[name] = short if short not in taken else f"{short} ({len(taken) + 1})"
    return found


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def minus(number: str) -> str:
    """Return a number's text with a true minus sign, as wide as a plus."""
    return number.replace("-", "\N{MINUS SIGN}")
