"""What may be varied: settings and what they may be, pieces and what they may become, and every choice among them."""

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
"""So many values of a setting are tried if it is named without any."""
STEPS = 20
"""A range of numbers that are not whole has so many steps."""

Choice = tuple[int, ...]
"""Which of its values each dimension has."""


class Dimension(msgspec.Struct, frozen=True):
    """Something that is varied: a setting, or a piece of one by its `key`.

    Values are as one writes them, and as they are; `is_ordered` says that neighbours are alike. `start` is the place of
    what it is now; where that is none of them, as `holds_now` says, of what is nearest.
    """

    setting: str
    key: str
    text: str
    values: tuple[tuple[str, Any], ...]
    start: int
    is_ordered: bool
    holds_now: bool = True

    def differs(self, place: int) -> bool:
        """Whether a value is another than now."""
        return place != self.start or not self.holds_now

    def cost(self, place: int) -> float:
        """How much a value is changed: 0 if it isn't, 0.5 to 1 by how far, where values have an order."""
        if not self.differs(place):
            return 0.0
        return 0.5 + 0.5 * abs(place - self.start) / len(self.values) if self.is_ordered else 1.0


class Space(msgspec.Struct, frozen=True):
    """All that may be chosen, around the question as it is."""

    question: Question
    dimensions: tuple[Dimension, ...]

    @property
    def size(self) -> int:
        """How many choices there are."""
        return prod(len(one.values) for one in self.dimensions)

    @property
    def start(self) -> Choice:
        """The choice that is nearest to the question as it is."""
        return tuple(one.start for one in self.dimensions)

    def every(self) -> Iterator[Choice]:
        """All choices."""
        return product(*(range(len(one.values)) for one in self.dimensions))

    def single(self) -> Iterator[Choice]:
        """The start, and it with one thing changed: to each other value, of those with an order to five of them."""
        start = self.start
        yield start
        for place, one in enumerate(self.dimensions):
            many = len(one.values)
            picked = {round(part * (many - 1) / 4) for part in range(5)} if one.is_ordered else set(range(many))
            for value in sorted(picked - {start[place]}):
                yield (*start[:place], value, *start[place + 1 :])

    def near(self, choice: Choice) -> list[Choice]:
        """What is one step from a choice: a value next to it, where they have an order, else another one, or none."""
        steps: list[Choice] = []
        for place, one in enumerate(self.dimensions):
            now, every = choice[place], set(range(len(one.values)))
            beside = {one.start} | ({now - 1, now + 1} & every if one.is_ordered else every)
            steps += [(*choice[:place], value, *choice[place + 1 :]) for value in sorted(beside - {now})]
        return steps

    def chosen(self, choice: Choice) -> Question | None:
        """The question with what is chosen; None if that doesn't go together."""
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
        """What is chosen otherwise than it is, by what it is called."""
        both = zip(self.dimensions, choice, strict=True)
        return {one.text: one.values[place][0] for one, place in both if one.differs(place)}

    def cost(self, choice: Choice) -> float:
        """How much is changed, about as many things as that."""
        return sum(one.cost(place) for one, place in zip(self.dimensions, choice, strict=True))


def space_of(question: Question, vary: Iterable[str]) -> Space:
    """The space that is spanned by what is to be varied: `limit=15..30`, `prevent=never,always`, `wounds`.

    A setting named without values takes all that it may be, if these are not too many; what has pieces is varied piece
    by piece.
    Raises CardhouseError, in words, for a setting that there isn't, or can't be varied so.
    """
    wanted = read_vary(question, vary)
    if not wanted:
        raise CardhouseError(
            "Say what may be changed, one setting at least; on the command line as --vary SETTING=1..9."
        )
    dimensions: list[Dimension] = []
    for name, text in wanted.items():
        setting = settings_of(type(question))[name]
        pieces = [] if text else _pieces(question, setting)
        found = pieces or ([] if setting.kind == "file" else [_values(question, setting, text)])
        if not found or any(len(one.values) < 2 and one.holds_now for one in found):
            raise CardhouseError(f"{question.name} doesn't know what else {name} might be; {how_else(setting)}.")
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
    """A setting with the values listed, or with all that it may be."""
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
    """The values of a list; a range of numbers that are not whole is taken in even steps."""
    first, dots, last = text.partition("..")
    if setting.kind != "number" or not dots:
        return setting.read_all(text)
    return _steps(setting.read(first), setting.read(last))


def _all(question: Question, setting: Setting) -> list[Any]:
    """All that a setting may be; of texts what is worth trying."""
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
