"""Single changes: the other values of each setting of a question, and of each piece of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.question import Question
from cardhouse.lab.questions.settings import Setting, settings_of, with_pieces
from cardhouse.lab.words.labels import words_of

PART = 0.1
"""The relative change of a fractional setting."""


class Variation(msgspec.Struct, frozen=True):
    """A question with one change: of a setting, or of a piece of it, named by `key`.

    `what` is changed from `was` to `becomes`, all as the user writes them.
    """

    setting: str
    what: str
    was: str
    becomes: str
    question: Question
    key: str = ""

    @property
    def text(self) -> str:
        """The change in brief: `limit 22`, `SQ, Cut artery: harmless`."""
        return f"{self.what}: {self.becomes}" if self.key else f"{self.what} {self.becomes}"


def variations(question: Question, vary: Iterable[str] = ()) -> list[Variation]:
    """Return every change of one thing: of all settings, or of those that `vary` names, `limit` or `limit=18..24`.

    An integer becomes one less and one more, another number a tenth less and more, a choice each of the others. For
    texts, the question names values worth trying; for files, and texts that list things, it names their pieces.
    Incompatible settings are left out. Raises CardhouseError for an unknown setting, or one that can't be changed.
    """
    wanted = read_vary(question, vary) or dict.fromkeys(settings_of(type(question)), "")
    found: list[Variation] = []
    for name, text in wanted.items():
        setting = settings_of(type(question))[name]
        some = [] if setting.kind == "file" else list(_of_values(question, setting, text))
        some += [] if text else _of_pieces(question, setting)
        if not some and vary:
            raise CardhouseError(
                f"{question.name} doesn't know which other values {name} can have; {how_else(setting)}."
            )
        found += some
    return found


def read_vary(question: Question, vary: Iterable[str]) -> dict[str, str]:
    """Return what to vary: setting name -> the values given, or "".

    Raises CardhouseError for an unknown setting.
    """
    settings = settings_of(type(question))
    wanted: dict[str, str] = {}
    for one in vary:
        name, _, text = one.partition("=")
        name = name.strip().replace("-", "_")
        if name not in settings:
            known = ", ".join(settings)
            raise CardhouseError(f'{question.name} has no setting "{name[:40]}"; it has {known}.')
        wanted[name] = text.strip()
    return wanted


def how_else(setting: Setting) -> str:
    """Return how to list values of a setting, for a user who listed none."""
    if setting.kind == "file":
        return "it can only be varied as a whole"
    return f"list its values: {setting.name}={'15..30' if setting.kind == 'whole' else 'ONE,ANOTHER'}"


def values_near(question: Question, setting: Setting) -> list[Any]:
    """Return values near the present one of a setting."""
    now = getattr(question, setting.name)
    if setting.kind == "whole":
        return [value for value in (now - 1, now + 1) if setting.holds(value)]
    if setting.kind == "number":
        near = (now * (1 - PART), now * (1 + PART)) if now else (PART,)
        return [value for value in near if setting.holds(value)]
    if setting.kind == "yes_no":
        return [not now]
    values: Sequence[Any] = (
        (setting.values or setting.choices) if setting.kind == "choice" else question.worth_trying(setting.name)
    )
    return [value for value in values if value != now]


def changed(question: Question, values: Mapping[str, Any]) -> Question | None:
    """Return a question with these values of settings; None if they are incompatible."""
    other: Question = msgspec.structs.replace(question, **values)
    try:
        other.check_settings()
    except CardhouseError:
        return None
    return other


def _of_values(question: Question, setting: Setting, text: str) -> Iterator[Variation]:
    """Yield a variation for each listed or nearby value."""
    now = getattr(question, setting.name)
    values = setting.read_all(text) if text else values_near(question, setting)
    for value in values:
        other = None if value == now else changed(question, {setting.name: value})
        if other is not None:
            shown = setting.shown(now), setting.shown(value)
            yield Variation(setting.name, words_of(setting.name), *shown, other)


def _of_pieces(question: Question, setting: Setting) -> Iterator[Variation]:
    """Yield a variation for each alternative of each piece."""
    for piece in question.pieces(setting.name):
        for word in piece.becomes:
            other = changed(question, {setting.name: with_pieces(question, setting.name, {piece.key: word})})
            if other is not None:
                yield Variation(setting.name, piece.text, "as it is", word, other, piece.key)
