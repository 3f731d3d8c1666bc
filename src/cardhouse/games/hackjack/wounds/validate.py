"""Validation of the data of a wounds file: every mistake, with its place (HJ-30)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import inspect

from cardhouse.cards import STANDARD, is_joker
from cardhouse.engine import Roll
from cardhouse.engine.values.schema_errors import Wrong, fits, shown, unfit
from cardhouse.engine.values.toml_lines import Place
from cardhouse.games.hackjack.wounds.chains import FURTHER
from cardhouse.games.hackjack.wounds.schema import MAX_ANOTHER, Dice, Wound, Wounds

ALONE = tuple(special for special, further in FURTHER.items() if not further.own)
"""Specials whose wounds consist only of other cards' wounds (HJ-22, HJ-23, HJ-26)."""

WOUND = inspect.type_info(Wound)
DICE = inspect.type_info(Dice)


def find_mistakes(data: Mapping[str, Any], others: Wounds) -> Iterator[Wrong]:
    """Yield every mistake in the wounds of `data`. The other cards have the wounds in `others`."""
    for card, wound in data.items():
        if card not in STANDARD:
            yield Wrong((card,), _no_card(card))
        elif not isinstance(wound, Mapping):
            yield Wrong((card,), f"must be one table that begins with [{card}], not {shown(wound)}")
        else:
            yield from unfit(wound, WOUND, (card,))
            yield from _conflicts(wound, (card,))
    yield from _too_many(data, others)


def _no_card(name: str) -> str:
    """Return why no wound can have this name."""
    if is_joker(name):
        return "is a joker, and jokers bring no wounds"
    if name in Wound.__struct_fields__:
        return "comes before the first card. Put a wound's fields below their card, such as [C7]"
    near = [card for card in (name.upper(), name[-1:].upper() + name[:-1]) if card in STANDARD]
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"isn't a card. Write the suit (C, D, H or S) and the rank (A, 2 to 10, J, Q or K), such as C7{hint}"


# Consistency between fields.


def _conflicts(wound: Mapping[str, Any], place: Place) -> Iterator[Wrong]:
    """Yield fields that are valid alone but conflict with other fields."""
    ends, special = wound.get("ends"), wound.get("special")
    listed = wound.get("details")
    details = listed if isinstance(listed, list) else []
    if ends == "check" and "check" not in wound:
        yield Wrong((*place, "ends"), 'can be "check" only where there is one, such as check = { failed = "dazed" }')
    if ends == "hours" and not _rolls_hours(details):
        example = 'details = [{ what = "hours", dice = "1d12" }]'
        yield Wrong((*place, "ends"), f'can be "hours" only where the first detail says how many, such as {example}')
    for number, detail in enumerate(details):
        if isinstance(detail, Mapping):
            yield from _wrong_meanings(detail, (*place, "details", number))
    if special in ALONE:
        for name in wound:
            if name in Wound.__struct_fields__ and name not in ("name", "text", "ends", "special"):
                problem = (
                    f'doesn\'t fit special = "{special}": such a wound only has the effects of the wounds it draws'
                )
                yield Wrong((*place, name), problem)


def _rolls_hours(details: Sequence[Any]) -> bool:
    first = details[0] if details else None
    return isinstance(first, Mapping) and first.get("what") == "hours" and not first.get("means")


def _wrong_meanings(detail: Mapping[str, Any], place: Place) -> Iterator[Wrong]:
    """Yield a mistake unless a detail's meanings match the faces of a single die."""
    means, dice = detail.get("means"), detail.get("dice")
    if not isinstance(means, list) or not means or not fits(dice, DICE):
        return
    number, sides = Roll(str(dice)).count_and_sides()
    if number > 1:
        yield Wrong((*place, "dice"), f"must be one die, not {number}, where each face means something")
    elif len(means) != sides:
        yield Wrong((*place, "means"), f"must have an entry for each of the {sides} faces, not {len(means)}")


def _too_many(data: Mapping[str, Any], others: Wounds) -> Iterator[Wrong]:
    """Yield `another` wounds beyond the number that the odds can follow (HJ-24)."""
    unchanged = sum(wound.special == "another" for card, wound in others.items() if card not in data)
    written = [
        card
        for card, wound in data.items()
        if card in STANDARD and isinstance(wound, Mapping) and wound.get("special") == "another"
    ]
    for number, card in enumerate(written, start=unchanged + 1):
        if number > MAX_ANOTHER:
            problem = f'can\'t be "another": {number} of the 52 wounds would be, and at most {MAX_ANOTHER} may'
            yield Wrong((card, "special"), problem)
