"""The game master edits values by hand, without code of the game: bounded by their types and seen by everyone."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import pytest
from msgspec import Meta

from cardhouse.engine import GM, BadGame, Game, Whole, editable_fields, fill
from cardhouse.engine.game.overrides import Override, apply_override, editable_of

Points = Annotated[int, Meta(ge=0, le=9)]


class Sailor(msgspec.Struct):
    name: str
    rum: Points = 1
    rank: int = 3
    """Nobody says what this may be."""


class Ship(Game):
    name = "ship"

    knots: Points = 4
    gold: Points = 7
    points: dict[str, Points] = {}
    crew: list[Sailor] = []

    def view(self, audience: str) -> Any:
        """Only the game master sees the gold, and what rum the cook has."""
        seen = [sailor for sailor in self.crew if audience == GM or sailor.name != "Cook"]
        return Seen(self.knots, self.gold if audience == GM else None, dict(self.points), list(seen))


class Seen(msgspec.Struct):
    knots: int
    gold: int | None
    points: dict[str, int]
    crew: list[Sailor]


@pytest.fixture
def ship() -> Ship:
    return Ship(seats=[GM, "ada"], points={"ada": 2}, crew=[Sailor("Ann"), Sailor("Cook")])


def test_bounded_values_that_all_see_are_editable(ship):
    found = {(one.of, one.what): one.as_json() for one in editable_of(ship)}
    bounds = {"type": "integer", "minimum": 0, "maximum": 9}
    assert found == {
        ("", "knots"): {"what": "knots", "now": 4, "schema": bounds},
        ("ada", "points"): {"of": "ada", "what": "points", "now": 2, "schema": bounds},
        ("Ann", "rum"): {"of": "Ann", "what": "rum", "now": 1, "schema": bounds},
    }


def test_an_edit_is_applied_and_reported(ship):
    ship.by = GM
    for action in (Override("knots", 5), Override("points", 9, "ada"), Override("rum", 0, "Ann")):
        apply_override(ship, action)
    assert (ship.knots, ship.points, ship.crew[0].rum) == (5, {"ada": 9}, 0)
    assert [event.about for event in ship.out] == [
        {"by": GM, "what": "knots", "was": 4, "now": 5},
        {"by": GM, "name": "ada", "what": "points", "was": 2, "now": 9},
        {"by": GM, "name": "Ann", "what": "rum", "was": 1, "now": 0},
    ]


def test_others_learn_only_that_something_was_edited(ship, monkeypatch):
    ship.by = GM
    hidden = editable_fields(ship, {"gold": Whole(0, 9)}, to=(GM,))
    monkeypatch.setattr(Ship, "editable", lambda self: hidden)
    apply_override(ship, Override("gold", 8))
    assert [(event.key, event.to, event.but) for event in ship.out] == [
        ("put_right", (GM,), ()),
        ("put_right_hidden", (), (GM,)),
    ]


def test_a_value_named_twice_is_an_error(ship, monkeypatch):
    twice = [*editable_fields(ship, {"knots": Whole(0, 9)}), *editable_fields(ship, {"knots": Whole(0, 5)})]
    monkeypatch.setattr(Ship, "editable", lambda self: twice)
    with pytest.raises(BadGame, match="names knots of the table twice"):
        editable_of(ship)


@pytest.mark.parametrize(
    ("now", "says"),
    [
        (3, "Rank: 3"),
        (True, "Rank: yes"),
        (None, "Rank: nobody"),
        ("mate", "Rank: first mate"),
        (["mate", "cook"], "Rank: first mate, cook"),
        ([], "Rank: nobody"),
    ],
)
def test_a_value_is_shown_as_that_of_its_field(now, says):
    values = {"rank.none": "nobody", "rank.mate": "first mate", "put_right.true": "yes"}
    about = {"what": "rank", "now": now}
    assert fill("{what:field}: {now:as:what}", about, values=values, fields={"rank": "Rank"}) == says
