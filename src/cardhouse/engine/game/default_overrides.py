"""Default overrides, for a game that declares none: the bounded numbers that everyone sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import inspect

from cardhouse.engine.game.overrides import Editable, editable_fields
from cardhouse.engine.values.fields import Whole
from cardhouse.engine.values.questions import SCREEN

if TYPE_CHECKING:
    from cardhouse.engine.game.game import Game


def default_editable(game: Game) -> list[Editable]:
    """Return the numbers that a game's types bound on both sides and that every view shows under the same name.

    They are attributes of the game, or held for each seat, or for each person, by their names.
    """
    kinds = _bounded(type(game))
    if not kinds:
        return []
    views = [msgspec.to_builtins(game.view(game.audience(seat))) for seat in (*game.seats, SCREEN)]
    return [one for name, kind in kinds.items() for one in _bounded_in(game, name, kind) if _all_see(views, name, one)]


@cache
def _bounded(kind: type[Game]) -> dict[str, inspect.Type]:
    """Return the attributes of a game that are, or contain, bounded numbers."""
    fields = inspect.type_info(kind).fields  # type: ignore[attr-defined]  # it is a struct
    own = {field.name: _bare(field.type) for field in fields if field.name not in kind.parts}
    return {name: found for name, found in own.items() if any(True for _ in _numbers(found))}


def _bare(kind: inspect.Type) -> inspect.Type:
    return _bare(kind.type) if isinstance(kind, inspect.Metadata) else kind


def _numbers(kind: inspect.Type) -> Iterator[tuple[str, Whole]]:
    """Yield a type's bounded numbers with their names: itself, a table's values, or the fields of a list's people."""
    match _bare(kind):
        case inspect.IntType(ge=int(least), le=int(most)):
            yield "", Whole(least, most)
        case inspect.DictType(value_type=value):
            yield from ((name, bounds) for name, bounds in _numbers(value) if not name)
        case inspect.ListType(item_type=inspect.StructType(fields=fields, cls=person)):
            if any(field.name == "name" for field in fields) and not person.__struct_config__.frozen:
                yield from ((one.name, bounds) for one in fields for name, bounds in _numbers(one.type) if not name)


def _bounded_in(game: Game, attribute: str, kind: inspect.Type) -> Iterator[Editable]:
    held = getattr(game, attribute)
    for name, bounds in _numbers(kind):
        if name:
            yield from (one for person in held for one in editable_fields(person, {name: bounds}, of=person.name))
        elif isinstance(held, dict):
            for seat in held:
                yield Editable(attribute, held[seat], bounds, partial(held.__setitem__, seat), seat)
        else:
            yield from editable_fields(game, {attribute: bounds})


def _all_see(views: Sequence[Mapping[str, Any]], attribute: str, one: Editable) -> bool:
    return all(_shown_in(view.get(attribute), attribute, one) for view in views)


def _shown_in(shown: Any, attribute: str, one: Editable) -> bool:
    """Return whether a view's attribute of this name shows this value."""
    if isinstance(shown, list):
        return any(person.get("name") == one.of and person.get(one.what) == one.now for person in shown)
    return bool((shown.get(one.of) if isinstance(shown, dict) else shown) == one.now) and one.what == attribute
