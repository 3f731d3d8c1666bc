"""The difference between two JSON values (docs/protocol.md, Deltas)."""

from typing import Any

import msgspec
from msgspec import Raw

Delta = list[Any] | dict[str, Any]

_GONE, _CUT, _MORE = "-", "#", "+"
_FEW = 2
"""Up to this many changed fields skip the size comparison with the whole: each adds two bytes at most."""
_encode = msgspec.json.Encoder().encode
_parts = msgspec.json.Decoder(dict[str, Raw] | list[Raw] | str | float | bool | None).decode
"""Decodes an object's fields or a list's items, each left as its own text."""


def delta(old: bytes, new: bytes) -> Raw | None:
    """Return the delta that turns `old` into `new`; None if they are equal.

    Both are JSON as msgspec writes it, so equal values have equal texts, and comparing them takes as long as comparing
    memory. Only differences are decoded. Objects and lists are compared part by part; where the parts would be longer
    than the whole, the delta is the whole.
    """
    if old == new:
        return None
    found = _delta(Raw(old), Raw(new))
    return None if found is None else Raw(_encode(found))


def _delta(old: Raw, new: Raw) -> Delta | None:
    before, after = _parts(old), _parts(new)
    if type(before) is dict and type(after) is dict and _GONE not in before and _GONE not in after:
        found = _object_delta(before, after)
        if len(found) <= _FEW and _GONE not in found:
            return found or None
    elif type(before) is list and type(after) is list:
        found = _list_delta(before, after)
    else:
        return [new]
    if len(found) * 2 > len(after) and len(_encode(found)) > len(bytes(new)) + 2:
        return [new]
    return found or None


def _object_delta(old: dict[str, Raw], new: dict[str, Raw]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, after in new.items():
        before = old.get(key)
        if before is None:
            found[key] = [after]
        elif before != after and (part := _delta(before, after)) is not None:
            found[key] = part
    if gone := [key for key in old if key not in new]:
        found[_GONE] = gone
    return found


def _list_delta(old: list[Raw], new: list[Raw]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for index, (before, after) in enumerate(zip(old, new, strict=False)):
        if before != after and (part := _delta(before, after)) is not None:
            found[str(index)] = part
    if len(new) < len(old):
        found[_CUT] = len(new)
    elif len(new) > len(old):
        found[_MORE] = new[len(old) :]
    return found


def apply(old: Any, change: Delta) -> Any:
    """Apply a delta to `old`, which stays unchanged, and return the result.

    Raises ValueError if the delta doesn't fit.
    """
    if isinstance(change, list):
        if len(change) != 1:
            raise ValueError("A delta that is a list must have one item, the whole value.")
        return change[0]
    if isinstance(old, dict):
        made = {key: value for key, value in old.items() if key not in change.get(_GONE, ())}
        for key, part in change.items():
            if key != _GONE:
                made[key] = apply(old.get(key), part)
        return made
    if isinstance(old, list):
        items = old[: change.get(_CUT, len(old))]
        for key, part in change.items():
            if key not in (_CUT, _MORE):
                if not (key.isdecimal() and int(key) < len(items)):
                    raise ValueError(f"The list has no item {key}.")
                items[int(key)] = apply(items[int(key)], part)
        return items + change.get(_MORE, [])
    raise ValueError("Only an object or a list can change in part.")
