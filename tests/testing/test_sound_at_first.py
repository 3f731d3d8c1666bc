"""A game that was right at first and goes wrong later: cached questions hide nothing."""

from __future__ import annotations

import pytest

from cardhouse.engine import GM, BadGame, SeededDealer, Table
from tests.testing.sound import Change, Install

OFFER = 'Offer(tuple(self.seats), Bid, {"number": Whole(1, 4)})'

LATER: dict[str, tuple[str, str]] = {
    "no such seat": ('Offer((*self.seats, "bob"), Bid, {"number": Whole(1, 4)})', "offers Bid to bob"),
    "no such action": ('Offer(tuple(self.seats), Options, {"number": Whole(1, 4)})', "is not an action"),
    "no such field": (
        'Offer(tuple(self.seats), Bid, {"number": Whole(1, 4), "suit": OneOf("C")})',
        "with a field suit",
    ),
    "a field left out": ("Offer(tuple(self.seats), Bid)", "Bid without its field number"),
    "optional without a default": (
        'Offer(tuple(self.seats), Bid, {"number": Whole(1, 4)}, frozenset({"number"}))',
        "number as optional",
    ),
    "optional, in a set": ('Offer(tuple(self.seats), Bid, {"number": Whole(1, 4)}, {"number"})', "number as optional"),
    "no field": (
        'Offer(tuple(self.seats), Bid, {"number": 4})',
        "number of type int, which is not a Field: write OneOf",
    ),
    "a field's class": (
        'Offer(tuple(self.seats), Bid, {"number": Whole})',
        "number of type StructMeta, which is not a Field: write OneOf",
    ),
    "an empty choice": ('Offer(tuple(self.seats), Bid, {"number": OneOf(())})', "no allowed value for number"),
    "an empty range": ('Offer(tuple(self.seats), Bid, {"number": Whole(4, 1)})', "no allowed value for number"),
    "nobody": ('Offer((), Bid, {"number": Whole(1, 4)})', "nobody to answer it"),
}


def one_round(table: Table) -> None:
    table.answer(GM, {"do": "bid", "number": 3})
    table.answer(GM, {"do": "ring"})


def at_table(install: Install, *changes: Change) -> Table:
    """A table at which one round of three is over."""
    install(("rounds: int = 2", "rounds: int = 3"), *changes)
    table = Table.new("sound", ["gm", "ada", "ben"], dealer=SeededDealer(0))
    one_round(table)
    return table


@pytest.mark.parametrize("name", LATER)
def test_a_second_mistake_is_told(name: str, install: Install) -> None:
    wrong, sentence = LATER[name]
    table = at_table(install, (OFFER, f"{OFFER} if self.round < 2 else {wrong}"))
    with pytest.raises(BadGame, match=sentence):
        one_round(table)
    assert table.number == 3


def test_seats_in_a_list_are_as_good(install: Install) -> None:
    table = at_table(install, (OFFER, OFFER.replace("tuple(self.seats)", "self.seats")))
    one_round(table)
    assert table.number == 4


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (('self.draw("cards")', 'self.draw("cards" if self.round < 1 else "card")'), "no deck card;"),
        (("self.round += 1", 'self.round += 1; self.deck = ["CA"]'), "must be a Deck"),
        (('self.step("tidy"', 'self.step("tidy" if self.round < 1 else "tidily"'), "no step tidily"),
    ],
)
def test_a_deck_or_step_that_is_gone_is_told(change: Change, sentence: str, install: Install) -> None:
    table = at_table(install, change)
    with pytest.raises(BadGame, match=sentence):
        one_round(table)


def test_a_seat_that_rules_take_away_is_noticed(install: Install) -> None:
    gone = "self.round += 1\n            self.seats.remove('ben') if self.round == 2 else None"
    everybody = ("tuple(self.seats), Bid", '("gm", "ada", "ben"), Bid')
    table = at_table(install, ("self.round += 1", gone), everybody)
    with pytest.raises(BadGame, match=r"offers Bid to ben, which is not a seat"):
        one_round(table)
