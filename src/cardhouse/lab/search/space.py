"""The search space: settings with their values, pieces with their alternatives, and all combinations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import prod
from typing import Any

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.question import Question
from cardhouse.lab.questions.settings import Setting, settings_of, with_pieces
from cardhouse.lab.search.variations import changed, how_else, read_vary, values_near
from cardhouse.lab.words.labels import words_of

MOST_VALUES = 200
"""The most values of a setting that is named without any."""
STEPS = 20
"""The number of steps in a range of fractional numbers."""

Choice = tuple[int, ...]
"""The index of the chosen value in each dimension."""


class Dimension(msgspec.Struct, frozen=True):
    """A dimension: a setting, or a piece of one by its `key`.

    Each value has its text. `is_ordered` says that neighbours are alike. `start` is the index of the present value, or
    of the nearest one if `holds_now` is False.
    """

    setting: str
    key: str
    text: str
    values: tuple[tuple[str, Any], ...]
    start: int
    is_ordered: bool
    holds_now: bool = True

    def differs(self, place: int) -> bool:
        """Return whether a value is different from the present one."""
        return place != self.start or not self.holds_now

    def cost(self, place: int) -> float:
        """Return the size of a change: 0 for none, 0.5 to 1 by distance for ordered values, otherwise 1."""
        if not self.differs(place):
            return 0.0
        return 0.5 + 0.5 * abs(place - self.start) / len(self.values) if self.is_ordered else 1.0


class Space(msgspec.Struct, frozen=True):
    """All choices around the present question."""

    question: Question
    dimensions: tuple[Dimension, ...]

    @property
    def size(self) -> int:
        """The number of choices."""
        return prod(len(one.values) for one in self.dimensions)

    @property
    def start(self) -> Choice:
        """The choice nearest to the present question."""
        return tuple(one.start for one in self.dimensions)

    def every(self) -> Iterator[Choice]:
        """Return all choices."""
        return product(*(range(len(one.values)) for one in self.dimensions))

    def single(self) -> Iterator[Choice]:
        """Yield the start, and all single changes of it; for ordered values up to five of each."""
        start = self.start
        yield start
        for place, one in enumerate(self.dimensions):
            many = len(one.values)
            picked = {round(part * (many - 1) / 4) for part in range(5)} if one.is_ordered else set(range(many))
            for value in sorted(picked - {start[place]}):
                yield (*start[:place], value, *start[place + 1 :])

    def near(self, choice: Choice) -> list[Choice]:
        """Return the choices one step away: a neighbouring value if ordered, otherwise any other.

        Or the present one.
        """
        steps: list[Choice] = []
        for place, one in enumerate(self.dimensions):
            now, every = choice[place], set(range(len(one.values)))
            beside = {one.start} | ({now - 1, now + 1} & every if one.is_ordered else every)
            steps += [(*choice[:place], value, *choice[place + 1 :]) for value in sorted(beside - {now})]
        return steps

    def chosen(self, choice: Choice) -> Question | None:
        """Return the question with a choice applied; None for incompatible settings."""
        values: dict[str, Any] = {}
        pieces: dict[str, dict[str, str]] = {}
        for one, place in zip(self.dimensions, choice, strict=True):
            shown, value = one.values[place]
            if not one.key:
                values[one.setting] = value
            elif place != one.start:
                pieces.setdefault(one.setting, {})[one.key] = shown
        values |= {name: with_pieces(self.question, name, becomes) for name, becomes in pieces.items()}
        return changed(self.question, values)

    def differs(self, choice: Choice) -> dict[str, str]:
        """Return the changed values of a choice, by their labels."""
        both = zip(self.dimensions, choice, strict=True)
        return {one.text: one.values[place][0] for one, place in both if one.differs(place)}

    def cost(self, choice: Choice) -> float:
        """Return the size of all changes, about the number of changed things."""
        return sum(one.cost(place) for one, place in zip(self.dimensions, choice, strict=True))


def space_of(question: Question, vary: Iterable[str]) -> Space:
    """Return the space of the settings to vary: `limit=15..30`, `prevent=never,always`, `wounds`.

    A setting named without values takes all possible ones, if there aren't too many; one with pieces is varied piece by
    piece. Raises CardhouseError for an unknown setting, or one that can't be varied.
    """
    wanted = read_vary(question, vary)
    if not wanted:
        raise CardhouseError("Name at least one setting that may change; on the command line, --vary SETTING=1..9.")
    dimensions: list[Dimension] = []
    for name, text in wanted.items():
        setting = settings_of(type(question))[name]
        pieces = [] if text else _pieces(question, setting)
        found = pieces or ([] if setting.kind == "file" else [_values(question, setting, text)])
        if not found or any(len(one.values) < 2 and one.holds_now for one in found):
            raise CardhouseError(
                f"{question.name} doesn't know which other values {name} can have; {how_else(setting)}."
            )
        dimensions += found
    return Space(question, tuple(dimensions))


def _pieces(question: Question, setting: Setting) -> list[Dimension]:
    return [
        Dimension(
            setting.name,
            piece.key,
            piece.text,
            (("as it is", None), *((word, word) for word in piece.becomes)),
            0,
            is_ordered=False,
        )
        for piece in question.pieces(setting.name)
    ]


def _values(question: Question, setting: Setting, text: str) -> Dimension:
    """Return a setting with the values listed, or with all possible ones."""
    now = getattr(question, setting.name)
    values = _listed(setting, text) if text else _all(question, setting)
    start = values.index(now) if now in values else 0
    is_ordered = setting.kind in ("whole", "number")
    if is_ordered:
        values = sorted(values)
        start = min(range(len(values)), key=lambda place: abs(values[place] - now))
    shown = tuple((setting.shown(value), value) for value in values)
    return Dimension(setting.name, "", words_of(setting.name), shown, start, is_ordered, now in values)


def _listed(setting: Setting, text: str) -> list[Any]:
    """Return the values of a list; a range of fractional numbers is divided into even steps."""
    first, dots, last = text.partition("..")
    if setting.kind != "number" or not dots:
        return setting.read_all(text)
    return _steps(setting.read(first), setting.read(last))


def _all(question: Question, setting: Setting) -> list[Any]:
    """Return all possible values of a setting; for texts those worth trying."""
    if setting.kind in ("whole", "number"):
        if setting.least is None or setting.most is None:
            return [getattr(question, setting.name)]
        if setting.kind == "number":
            return _steps(setting.least, setting.most)
        every = range(int(setting.least), int(setting.most) + 1)
        return list(every) if len(every) <= MOST_VALUES else [getattr(question, setting.name)]
    return [getattr(question, setting.name), *values_near(question, setting)]


def _steps(first: float, last: float) -> list[float]:
    return [first + (last - first) * step / STEPS for step in range(STEPS + 1)]
