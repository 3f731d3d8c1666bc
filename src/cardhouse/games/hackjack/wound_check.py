"""What may stand in the data of a wounds file: all that is wrong, each thing with its place (HJ-30).

The vocabulary says what may stand there; here it is only said in words.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import inspect

from cardhouse.cards import STANDARD, is_joker
from cardhouse.engine import Roll, Text
from cardhouse.games.hackjack.toml_lines import Place
from cardhouse.games.hackjack.wound import MAX_ANOTHER, Dice, Special, Wound, Wounds

ALONE: tuple[Special, ...] = ("choose", "both", "again")
"""Wounds that are nothing but the wounds of other cards (HJ-22, HJ-23, HJ-26)."""

WOUND = inspect.type_info(Wound)
DICE = inspect.type_info(Dice)


class Wrong(NamedTuple):
    """Something wrong in the data: where it stands, and the end of a sentence that begins with its field."""

    place: Place
    problem: str

    @property
    def field(self) -> str:
        """The field's name for people: `C4.details[1].dice`."""
        steps = (f"[{step + 1}]" if isinstance(step, int) else f".{_bare(step)}" for step in self.place)
        return "".join(steps).removeprefix(".")

    @property
    def sentence(self) -> str:
        """The whole sentence."""
        said = f"{self.field} {self.problem}"
        return said if said.endswith("?") else f"{said}."


def _bare(name: str) -> str:
    """A name as a key is written, if it is a plain one, else in quotation marks."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name) else _shown(name)


def wrong_with(data: Mapping[str, Any], others: Wounds) -> Iterator[Wrong]:
    """All that is wrong with the wounds that data hold, where the other cards have those `others`."""
    for card, wound in data.items():
        if card not in STANDARD:
            yield Wrong((card,), _no_card(card))
        elif not isinstance(wound, Mapping):
            yield Wrong((card,), f"must be one table that begins with [{card}], not {_shown(wound)}")
        else:
            yield from _unfit(wound, WOUND, (card,))
            yield from _at_odds(wound, (card,))
    yield from _too_many(data, others)


def _no_card(name: str) -> str:
    """Why no wound can be written under this name."""
    if is_joker(name):
        return "is a joker, and jokers bring no wounds"
    if name in Wound.__struct_fields__:
        return "stands before the first card; a wound's fields stand below their card, such as [C7]"
    meant = [card for card in (name.upper(), name[-1:].upper() + name[:-1]) if card in STANDARD]
    hint = f"; did you mean {meant[0]}?" if meant else ""
    return f"is no card: a card is a suit letter, C, D, H or S, and a rank, A, 2 to 10, J, Q or K, such as C7{hint}"


def _unfit(value: Any, kind: inspect.Type, place: Place) -> Iterator[Wrong]:
    """All that keeps a value from being of this kind."""
    options = _options(kind)
    match options[0]:
        case inspect.StructType():
            yield from _unfit_struct(value, options[0], place)
        case inspect.VarTupleType():
            yield from _unfit_list(value, options[0], place)
        case inspect.DictType():
            yield from _unfit_table(value, options[0], place)
        case inspect.StrType(max_length=int(most)):
            if problem := _unfit_text(value, most):
                yield Wrong(place, problem)
        case _:
            if not any(_fits(value, option) for option in options):
                yield Wrong(
                    place, f"must be {' or '.join(map(_said, options))}, not {_shown(value)}{_near(value, options)}"
                )


def _options(kind: inspect.Type) -> list[inspect.Type]:
    """The kinds that a value may be of; none at all, which is to leave it out, is none of them."""
    if not isinstance(kind, inspect.UnionType):
        return [kind]
    return [option for option in kind.types if not isinstance(option, inspect.NoneType)]


def _unfit_struct(value: Any, kind: inspect.StructType, place: Place) -> Iterator[Wrong]:
    if not isinstance(value, Mapping):
        yield Wrong(place, f"must be a table, in braces, not {_shown(value)}")
        return
    fields = {field.encode_name: field for field in kind.fields}
    for name, item in value.items():
        if name in fields:
            yield from _unfit(item, fields[name].type, (*place, name))
        else:
            near = _nearest(name, fields)
            meant = f"did you mean {near}?" if near else f"there are {', '.join(fields)}"
            yield Wrong((*place, name), f"is an unknown field; {meant}")
    for name, field in fields.items():
        if field.required and name not in value:
            yield Wrong((*place, name), "is missing")


def _unfit_list(value: Any, kind: inspect.VarTupleType, place: Place) -> Iterator[Wrong]:
    if not isinstance(value, list):
        yield Wrong(place, f"must be a list, in brackets, not {_shown(value)}")
        return
    if kind.max_length is not None and len(value) > kind.max_length:
        yield Wrong(place, f"may have {kind.max_length} entries at most; this has {len(value)}")
    words: set[str] = set()
    for number, item in enumerate(value):
        yield from _unfit(item, kind.item_type, (*place, number))
        if isinstance(kind.item_type, inspect.LiteralType) and isinstance(item, str):
            if item in words:
                yield Wrong((*place, number), f"is {_shown(item)} a second time; each may stand there once")
            words.add(item)


def _unfit_table(value: Any, kind: inspect.DictType, place: Place) -> Iterator[Wrong]:
    if not isinstance(value, Mapping):
        yield Wrong(place, f"must be a table, in braces, not {_shown(value)}")
        return
    for name, item in value.items():
        if _fits(name, kind.key_type):
            yield from _unfit(item, kind.value_type, (*place, name))
        else:
            near = _near(name, [kind.key_type])
            yield Wrong((*place, name), f"is unknown; it must be {_said(kind.key_type)}{near}")


def _unfit_text(value: Any, most: int) -> str | None:
    """What is wrong with a text of one line, so many characters at most."""
    if not isinstance(value, str):
        return f"must be a text, in quotation marks, not {_shown(value)}"
    return Text(most).wrong(value) if value.strip() else "is empty; it must say something"


def _fits(value: Any, kind: inspect.Type) -> bool:
    """Whether a single value is of this kind."""
    match kind:
        case inspect.Metadata(type=inner):
            return _fits(value, inner)
        case inspect.IntType(ge=int(least), le=int(most)):
            return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        case inspect.StrType(pattern=str(pattern)):
            return isinstance(value, str) and re.fullmatch(pattern, value) is not None
        case inspect.LiteralType(values=values):
            return isinstance(value, str) and value in values
        case inspect.BoolType():
            return isinstance(value, bool)
    raise TypeError(f"the vocabulary of wounds has grown a {kind}")


def _said(kind: inspect.Type) -> str:
    """A kind of single value in words."""
    match kind:
        case inspect.Metadata(extra_json_schema={"description": str(description)}):
            return description
        case inspect.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case inspect.LiteralType(values=[only]):
            return f'"{only}"'
        case inspect.LiteralType(values=values):
            return f"one of {', '.join(map(str, values))}"
    return "true or false"


def _near(value: Any, options: Iterable[inspect.Type]) -> str:
    """The word that was meant, as the end of a sentence; nothing if there is none like it."""
    words = [str(word) for option in options if isinstance(option, inspect.LiteralType) for word in option.values]
    near = _nearest(value, words) if isinstance(value, str) else None
    return f"; did you mean {near}?" if near else ""


def _nearest(name: str, names: Iterable[str]) -> str | None:
    """Of some names the one most like this, if any is."""
    known = {known.lower(): known for known in names}
    near = difflib.get_close_matches(name[:40].lower(), known, 1)
    return known[near[0]] if near else None


def _shown(value: Any) -> str:
    """A value in few words."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            shown = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in value[:40])
            return f'"{shown}{"…" * (len(value) > 40)}"'
        case int() if abs(value) >= 10**12:
            return "a number as long as that"
        case int() | float():
            return str(value)
        case None:
            return "null"
        case Mapping():
            return "a table"
        case list():
            return "a list"
    return "a date or time"


# What must agree.


def _at_odds(wound: Mapping[str, Any], place: Place) -> Iterator[Wrong]:
    """What each field may be for itself, but not beside the others."""
    ends, special = wound.get("ends"), wound.get("special")
    listed = wound.get("details")
    details = listed if isinstance(listed, list) else []
    if ends == "check" and "check" not in wound:
        yield Wrong((*place, "ends"), 'can be "check" only where there is one, such as check = { failed = "dazed" }')
    if ends == "hours" and not _tells_hours(details):
        example = 'details = [{ what = "hours", dice = "1d12" }]'
        yield Wrong((*place, "ends"), f'can be "hours" only where the first detail says how many, such as {example}')
    for number, detail in enumerate(details):
        if isinstance(detail, Mapping):
            yield from _ill_explained(detail, (*place, "details", number))
    if special in ALONE:
        for name in wound:
            if name in Wound.__struct_fields__ and name not in ("name", "text", "ends", "special"):
                problem = f'can\'t stand beside special = "{special}": such a wound is no more than those it draws'
                yield Wrong((*place, name), problem)


def _tells_hours(details: Sequence[Any]) -> bool:
    first = details[0] if details else None
    return isinstance(first, Mapping) and first.get("what") == "hours" and not first.get("means")


def _ill_explained(detail: Mapping[str, Any], place: Place) -> Iterator[Wrong]:
    """A detail's meanings: one for each face of one die."""
    means, dice = detail.get("means"), detail.get("dice")
    if not isinstance(means, list) or not means or not _fits(dice, DICE):
        return
    number, sides = Roll(str(dice)).count_and_sides()
    if number > 1:
        yield Wrong((*place, "dice"), f"must be one die, not {number}, where each face means something")
    elif len(means) != sides:
        yield Wrong((*place, "means"), f"must have an entry for each of the {sides} faces, not {len(means)}")


def _too_many(data: Mapping[str, Any], others: Wounds) -> Iterator[Wrong]:
    """Wounds that draw another card at once: no more than the odds can follow (HJ-24)."""
    kept = sum(wound.special == "another" for card, wound in others.items() if card not in data)
    written = [
        card
        for card, wound in data.items()
        if card in STANDARD and isinstance(wound, Mapping) and wound.get("special") == "another"
    ]
    for number, card in enumerate(written, start=kept + 1):
        if number > MAX_ANOTHER:
            problem = f'can\'t be "another": {number} of the 52 wounds would be, and at most {MAX_ANOTHER} may'
            yield Wrong((card, "special"), problem)
