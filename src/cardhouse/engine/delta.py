"""How one JSON value became another, in little (docs/protocol.md, Deltas)."""

from typing import Any

import msgspec

Delta = list[Any] | dict[str, Any]

_GONE, _CUT, _MORE = "-", "#", "+"
_NOTHING = object()
_FEW = 2
"""So many fields of an object are told without a look at what the whole would take: each adds two bytes at most."""
_encode = msgspec.json.Encoder().encode


def delta(old: Any, new: Any) -> Delta | None:
    """What turns `old` into `new`; None if they are the same JSON.

    Objects and lists are compared part by part; where telling the parts would take more than telling the whole, the
    whole is told. The objects in a list must keep the kind of each field: 1 and True are told apart elsewhere only.
    """
    if type(old) is dict and type(new) is dict and _GONE not in old and _GONE not in new:
        found = _object_delta(old, new)
        if len(found) <= _FEW and _GONE not in found:
            return found or None
    elif type(old) is list and type(new) is list:
        found = _list_delta(old, new)
    else:
        return None if type(old) is type(new) and old == new else [new]
    if len(found) * 2 > len(new) and len(_encode(found)) > len(_encode(new)) + 2:
        return [new]
    return found or None


def _object_delta(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    added = 0
    for key, after in new.items():
        before = old.get(key, _NOTHING)
        if before is after:
            continue
        kind = type(after)
        if before is _NOTHING:
            found[key] = [after]
            added += 1
        elif kind is not dict and kind is not list:  # as `delta` would, but without a call for each of many
            if type(before) is not kind or before != after:
                found[key] = [after]
        elif (part := delta(before, after)) is not None:
            found[key] = part
    if len(old) + added > len(new):
        found[_GONE] = [key for key in old if key not in new]
    return found


def _list_delta(old: list[Any], new: list[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for index, (before, after) in enumerate(zip(old, new, strict=False)):
        if before is after or (type(before) is dict and before == after):  # the second is for speed
            continue
        if (part := delta(before, after)) is not None:
            found[str(index)] = part
    if len(new) < len(old):
        found[_CUT] = len(new)
    elif len(new) > len(old):
        found[_MORE] = new[len(old) :]
    return found


def apply(old: Any, change: Delta) -> Any:
    """What `old` becomes by a delta; `old` stays as it is.

    Raises ValueError if the delta doesn't fit.
    """
    if isinstance(change, list):
        if len(change) != 1:
            raise ValueError("A delta that tells the whole is a list of one.")
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
    raise ValueError("Only objects and lists can change in part.")
