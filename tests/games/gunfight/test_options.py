"""The gunfight has both games' options, and each game plays by its own."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from cardhouse.engine import Table
from cardhouse.games.gunfight.rules import Gunfight
from cardhouse.games.gunfight.state import GunfightOptions

WOUNDS = {"DA": {"name": "Scratch", "text": "It is nothing.", "ends": "healed"}}


def fields(options: Any) -> dict[str, tuple[Any, Any]]:
    return {field.name: (field.type, field.default) for field in msgspec.structs.fields(options)}


def another(kind: Any, default: Any) -> Any:
    """A value that an option doesn't have by default."""
    if isinstance(default, bool):
        return not default
    if isinstance(default, int):
        return default + 1
    return next(word for word in get_args(kind) if word != default) if isinstance(default, str) else WOUNDS


def kind_of(part: str) -> Any:
    return type(Gunfight.parts[part](seats=[]).options)


@pytest.mark.parametrize("part", Gunfight.parts)
def test_no_switch_of_a_part_is_forgotten(part):
    theirs = fields(kind_of(part))
    assert theirs
    assert theirs.items() <= fields(GunfightOptions).items()
    assert kind_of(part).once_yes_no.items() <= GunfightOptions.once_yes_no.items()


def test_there_are_no_others():
    assert list(fields(GunfightOptions)) == [*fields(kind_of("fight")), *fields(kind_of("order"))]


def test_each_part_plays_by_its_own():
    said = {name: another(*about) for name, about in fields(GunfightOptions).items()}
    game: Any = Table.new("gunfight", options=said).game
    for part in Gunfight.parts:
        played = msgspec.structs.asdict(getattr(game, part).options)
        assert played == {name: said[name] for name in fields(kind_of(part))}
    assert game.fight.wounds["DA"].name == "Scratch"
    again = msgspec.json.decode(msgspec.json.encode(game), type=Gunfight)
    assert (again.order.options, again.fight.options) == (game.order.options, game.fight.options)
    assert again.fight.wounds == game.fight.wounds
