"""Settings of a question as people write them, on the command line and on the page alike.

A comma lists several, `4,6,8`, and integers may be a range, `1-8` or `1..8`: each combination of the listed values is a
cell of the study.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from math import prod
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.cell import MOST_CELLS, Cell
from cardhouse.lab.questions.question import Question, Situation

Kind = Literal["whole", "number", "yes_no", "choice", "text", "file"]
Open = Callable[[str], Iterable[tuple[str, bytes]]]
"""Opens the files that a user names: returns the name and content of each."""

YES_NO = {"yes": True, "no": False}
STANDARD = "standard"
"""The default value of a file setting."""
A_FILE = "a file"
"""The name of a file whose name is unknown."""
WITH = " with "
"""Separates a file from its changed pieces: `standard with HK=harmless; SQ=harmless`."""
LONGEST = 200
"""The default limit on the length of a text setting."""


class NamedFile(dict[str, Any]):
    """The content of a file for a setting, with the file's name."""

    def __init__(self, data: Mapping[str, Any], called: str) -> None:
        super().__init__(data)
        self.called = called

    def __reduce__(self) -> tuple[Any, ...]:
        return NamedFile, (dict(self), self.called)


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """A setting of a question: its name, its description, and its possible values."""

    name: str
    text: str = ""
    kind: Kind
    default: Any = None
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    values: tuple[Any, ...] = ()
    """The values of the choices, in their order, where they aren't the words themselves."""
    longest: int = LONGEST

    def read(self, text: str) -> Any:
        """Read a user's value.

        Raises CardhouseError, with the reason, if it is invalid.
        """
        text = text.strip()
        if self.kind == "choice" and text in self.choices:
            return self.values[self.choices.index(text)] if self.values else text
        if self.kind == "yes_no" and text in YES_NO:
            return YES_NO[text]
        if self.kind == "text" and len(text) <= self.longest:
            return text
        if self.kind in ("whole", "number"):
            number = _number(text, whole=self.kind == "whole")
            if number is not None and self.holds(number):
                return number
        raise self.wrong(text)

    def read_all(self, text: str) -> list[Any]:
        """Read a user's list of values.

        Raises CardhouseError, with the reason, if one is invalid.
        """
        found: list[Any] = []
        for part in text.split(","):
            first, dash, last = part.strip().partition(".." if ".." in part else "-")
            if self.kind == "whole" and dash and first:
                ends = self.read(first), self.read(last)
                if ends[0] > ends[1] or ends[1] - ends[0] >= MOST_CELLS:
                    raise self.wrong(part.strip())
                found += range(ends[0], ends[1] + 1)
            else:
                found.append(self.read(part))
        return list(dict.fromkeys(found))

    def holds(self, number: float) -> bool:
        """Return whether a number is within the limits."""
        return (self.least is None or number >= self.least) and (self.most is None or number <= self.most)

    def nearest(self, value: Any) -> Any:
        """Return the possible value nearest to a number; other kinds of values are unchanged."""
        if self.kind not in ("whole", "number"):
            return value
        value = value if self.least is None else max(self.least, value)
        return value if self.most is None else min(self.most, value)

    def wrong(self, text: str) -> CardhouseError:
        """Return the error for an invalid value."""
        return CardhouseError(f"{self.name} takes {self.takes()}, not {text[:40] or 'nothing'}.")

    def takes(self) -> str:
        """Return what values it takes: `a whole number from 1 to 60`."""
        if self.kind == "choice":
            return f"one of {', '.join(self.choices)}"
        if self.kind == "yes_no":
            return "yes or no"
        if self.kind in ("whole", "number"):
            kind = "a whole number" if self.kind == "whole" else "a number"
            ends = [f"{word} {end:g}" for word, end in (("from", self.least), ("to", self.most)) if end is not None]
            return " ".join((kind, *ends))
        return "a file" if self.kind == "file" else f"a text of at most {self.longest} letters"

    def shown(self, value: Any) -> str:
        """Return a value as users write it."""
        if self.kind == "yes_no":
            return "yes" if value else "no"
        if self.kind == "file":
            return getattr(value, "called", A_FILE) if value else STANDARD
        return f"{value:g}" if isinstance(value, float) else str(value)


@cache
def settings_of(question: type[Question]) -> dict[str, Setting]:
    """Return the settings of a question, by name, in their order."""
    info = msgspec.inspect.type_info(question)
    assert isinstance(info, msgspec.inspect.StructType)
    hints = get_type_hints(question, include_extras=True)
    found = {field.name: _setting(field, hints[field.name]) for field in info.fields if not _is_unasked(field)}
    last = [name for name in question.come_last if name in found]
    return {name: found[name] for name in (*(name for name in found if name not in last), *last)}


def _is_unasked(field: msgspec.inspect.Field) -> bool:
    kind = field.type
    return isinstance(kind, msgspec.inspect.Metadata) and "unasked" in (kind.extra_json_schema or {})


def _setting(field: msgspec.inspect.Field, hint: Any) -> Setting:
    kind: Any = field.type
    schema: Mapping[str, Any] = {}
    if isinstance(kind, msgspec.inspect.Metadata):
        kind, schema = kind.type, kind.extra_json_schema or {}
    default = field.default_factory() if callable(field.default_factory) else field.default
    document: dict[str, Any] = {"name": field.name, "text": schema.get("description", ""), "default": default}
    if isinstance(kind, msgspec.inspect.IntType):
        return Setting(kind="whole", least=kind.ge, most=kind.le, **document)
    if isinstance(kind, msgspec.inspect.FloatType):
        return Setting(kind="number", least=kind.ge, most=kind.le, **document)
    if isinstance(kind, msgspec.inspect.BoolType):
        return Setting(kind="yes_no", **document)
    if isinstance(kind, msgspec.inspect.LiteralType):
        words = get_args(hint.__origin__ if get_origin(hint) is Annotated else hint)  # in source order
        return Setting(kind="choice", choices=tuple(map(str, words)), values=words, **document)
    if isinstance(kind, msgspec.inspect.StrType):
        return Setting(kind="text", longest=kind.max_length or LONGEST, **document)
    return Setting(kind="file", **document)


def cells(
    question: type[Question], texts: Mapping[str, str], versus: Mapping[str, str] = {}, open_files: Open | None = None
) -> tuple[Cell, ...]:
    """Return a cell for every combination of the listed values, each with the changed variant if `versus` has any.

    Raises CardhouseError for an unknown setting, an invalid value, or too many combinations.
    """
    listed = {name: _values(question, name, text, open_files) for name, text in texts.items()}
    many = prod(len(values) for values in listed.values())
    if many > MOST_CELLS:
        raise CardhouseError(f"These are {many:,} combinations of settings; at most {MOST_CELLS:,} are allowed.")
    changed = {}
    for name, text in versus.items():
        values = _values(question, name, text, open_files)
        if len(values) > 1:
            raise CardhouseError(
                f"A variant is compared with one other: {name} takes one value there, not {text[:40]}."
            )
        changed[name] = values[0][1]
    found = []
    for combination in product(*listed.values()):
        chosen = dict(zip(listed, combination, strict=True))
        values_now = {name: value for name, (_, value) in chosen.items()}
        label = {name: shown for name, (shown, _) in chosen.items() if len(listed[name]) > 1}
        asked = question(**question.completed(values_now))
        if not changed:
            found.append(Cell(asked, None, label))
            continue
        here, there = asked.paired_with(question(**question.completed({**values_now, **changed})))
        found.append(Cell(here, there, label))
    return tuple(found)


def _values(question: type[Question], name: str, text: str, open_files: Open | None) -> Sequence[tuple[str, Any]]:
    """Return the values listed for a setting, each with its text."""
    settings = settings_of(question)
    if name not in settings:
        known = ", ".join(settings)
        raise CardhouseError(f'{question.name} has no setting "{name[:40]}"; it has {known}.')
    setting = settings[name]
    if setting.kind != "file":
        return [(setting.shown(value), value) for value in setting.read_all(text)]
    return [one for part in text.split(",") for one in _in_file(question, setting, part.strip(), open_files)]


def _in_file(
    question: type[Question], setting: Setting, text: str, open_files: Open | None
) -> Iterable[tuple[str, Any]]:
    """Return the values of a word for a file setting: a bundled file of that name, or the user's files.

    The default's own word means the default, unless the question has another file of that name.
    """
    if (value := question.named_file(setting.name, text)) is not None:
        return [(text, _named(value, text))]
    if text == setting.shown(setting.default):
        return [(text, setting.default)]
    base, becomes = _split_name(text)
    if becomes:
        found = _in_file(question, setting, base, open_files)
        return [(text, _with_known(question(**{setting.name: value}), setting.name, becomes)) for _, value in found]
    if open_files is None:
        raise setting.wrong(text)
    return [(called, _named(question.read_file(setting.name, content), called)) for called, content in open_files(text)]


def _split_name(text: str) -> tuple[str, dict[str, str]]:
    """Split a file's name from the changes to its pieces, by key."""
    *before, last = text.split(WITH)
    becomes: dict[str, str] = {}
    while before and all("=" in one for one in last.split(";")):
        pairs = (one.partition("=") for one in last.split(";"))
        becomes = {key.strip(): word.strip() for key, _, word in pairs} | becomes
        *before, last = before
    return WITH.join((*before, last)).strip(), becomes


def _with_known(question: Question, name: str, becomes: Mapping[str, str]) -> Any:
    """Return a question's file with these pieces changed. Raises CardhouseError if one doesn't exist."""
    known = {piece.key: piece for piece in question.pieces(name)}
    for key, word in becomes.items():
        if key not in known:
            raise CardhouseError(f'{name} has no piece "{key[:40]}" that can be changed here.')
        if word not in known[key].becomes:
            raise CardhouseError(f"{known[key].text} can become {' or '.join(known[key].becomes)}, not {word[:40]}.")
    return with_pieces(question, name, becomes)


def with_pieces(question: Question, name: str, becomes: Mapping[str, str]) -> Any:
    """Return a file setting's value with these pieces changed, by key. Its name has the file and the changes."""
    base, before = _split_name(settings_of(type(question))[name].shown(getattr(question, name)))
    pieces = "; ".join(f"{key}={word}" for key, word in {**before, **becomes}.items())
    value = question.with_pieces(name, becomes)
    return _named(value, f"{base}{WITH}{pieces}") if base != A_FILE else value


def _named(value: Any, called: str) -> Any:
    return NamedFile(value, called) if isinstance(value, dict) and value else value


def changes(question: Question, versus: Question) -> dict[str, str]:
    """Return the settings in which another variant differs, with its values as users write them."""
    settings = settings_of(type(question)).values()
    return {
        setting.name: setting.shown(getattr(versus, setting.name))
        for setting in settings
        if getattr(versus, setting.name) != getattr(question, setting.name)
    }


def _number(text: str, *, whole: bool) -> float | int | None:
    try:
        number = int(text) if whole else float(text)
    except ValueError:
        return None
    return number if abs(number) < 1e15 else None


def situation(question: type[Question], text: str, values: Mapping[str, Any]) -> Situation:
    """Return a situation with these values of settings, numbers clipped to the limits; defaults are omitted.

    Unknown settings, and file settings, are left out.
    """
    settings = settings_of(question).values()
    known = [setting for setting in settings if setting.name in values and setting.kind != "file"]
    shown = {setting.name: setting.shown(setting.nearest(values[setting.name])) for setting in known}
    usual = {setting.name: setting.shown(setting.default) for setting in known}
    return Situation(text, {name: it for name, it in shown.items() if it != usual[name]})
