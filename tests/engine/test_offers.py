"""The schema of an offer: its fields, and the defaults of those left out."""

from __future__ import annotations

import pytest

from cardhouse.engine import GM, Action, Ask, Game, Offer, OneOf, Refused, Table, Whole, YesNo
from cardhouse.engine.table.visibility import answers


class Bet(Action, frozen=True):
    """A bet with something left out of every kind."""

    amount: int
    wild: bool = True
    blind: bool = False
    raises: int = 0
    for_: str = GM
    against: str | None = None
    note: str = ""


FIELDS = {
    "amount": Whole(1, 5),
    "wild": YesNo(),
    "blind": YesNo(),
    "raises": Whole(0, 3),
    "for_": OneOf(("ada", "ben"), "seat"),
    "against": OneOf(("ada", "ben"), "seat"),
}


def defaults(*optional: str) -> dict[str, object]:
    said = Offer((GM,), Bet, FIELDS, frozenset(optional)).as_json()["fields"]
    return {name: schema["default"] for name, schema in said.items() if "default" in schema}


def test_an_offer_says_what_is_meant_by_what_is_left_out():
    assert defaults("wild", "blind", "raises", "for_", "against") == {"wild": True, "raises": 0, "for_": GM}


def test_a_default_that_fits_may_be_left_out_whatever_the_offer_says():
    assert defaults() == {"wild": True, "raises": 0}


@pytest.mark.parametrize("optional", [(), ("wild", "raises", "for_")])
def test_the_default_in_a_schema_is_accepted(optional):
    offer = Offer((GM,), Bet, FIELDS, frozenset(optional))
    assert ("for_" in defaults(*optional)) == (not any("for_" in said for said in offer.problems(Bet(amount=1))))


def test_a_schema_is_otherwise_as_its_field_says():
    said = Offer((GM,), Bet, FIELDS).as_json()["fields"]
    assert {name: {k: v for k, v in schema.items() if k != "default"} for name, schema in said.items()} == {
        name: field.schema() for name, field in FIELDS.items()
    }


class Shot(Game):
    """Ada or Ben shoots, and whoever comes first slaps."""

    name = "shot"
    actions = (Bet,)

    def offers(self) -> Ask:
        fields = {"amount": Whole(1, 5)}
        return Ask("shoot", "S-1", [Offer(by, Bet, fields) for by in (("ada", GM), (GM, "ada"), ("ben",))])


@pytest.mark.parametrize(("seat", "whose"), [(GM, ["ada", None]), ("ada", [None, None]), ("ben", [None])])
def test_only_the_game_master_is_told_for_whom(seat, whose):
    offers = answers(Shot(seats=[GM, "ada", "ben"]).offers(), [], seat)
    assert [offer.get("for") for offer in offers] == whose


def test_a_refusal_says_which_field_is_wrong() -> None:
    table = Table.new("initiative")
    said = [({"do": "add_character", "name": "x" * 41, "card": "HA"}, "name"), ({"do": "fly"}, "")]
    for answer, field in said:
        with pytest.raises(Refused) as refused:
            table.answer("gm", answer)
        assert refused.value.field == field
        assert refused.value.fault.startswith("may have 40 characters at most" if field else "")
    table = Table.new("hackjack")
    table.answer("gm", {"do": "add_character", "name": "Ada", "hp": 7, "max_hp": 7})
    with pytest.raises(Refused) as refused:
        table.answer("gm", {"put_right": "max_hp", "of": "Ada", "to": 0})
    assert (refused.value.field, refused.value.fault[:22]) == ("max_hp", "must be a whole number")
