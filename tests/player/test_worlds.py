"""The worlds of a seat: everything that it can't know is resampled, and nothing else."""

from random import Random

import pytest

from cardhouse.engine import GM, SeededDealer, Table
from cardhouse.player.determinization import Worlds
from cardhouse.player.information_set import shown_to
from cardhouse.player.monte_carlo import look_ahead
from cardhouse.testing.house import compare_answers, compare_worlds
from cardhouse.testing.twins import twin_of

SEATS = [GM, "ada", "ben"]


def dealt(seed: int = 1) -> Table:
    """A deal of Magpies in which three tricks have been played, and Ada has chosen in the fourth."""
    table = Table.new("magpies", SEATS, dealer=SeededDealer(seed))
    table.answer(GM, {"do": "deal"})
    for _ in range(3):
        for seat in SEATS:
            table.answer(seat, {"do": "choose", "card": table.view(seat)["hand"][0]})
    table.answer("ada", {"do": "choose", "card": table.view("ada")["hand"][-1]})
    return table


def test_others_hands_and_choices_are_resampled_but_nothing_seen():
    table, rng = dealt(), Random(3)
    worlds = Worlds(table, "ben")
    found = [worlds.sample(rng) for _ in range(12)]
    assert all(world is not None and shown_to(world, "ben") == shown_to(table, "ben") for world in found)
    games = [world.game for world in found if world is not None]
    assert all(game.hands["ben"] == table.game.hands["ben"] for game in games)  # type: ignore[attr-defined]
    assert all(game.won == table.game.won for game in games)  # type: ignore[attr-defined]
    assert len({tuple(game.hands["ada"]) for game in games}) == len(games)  # type: ignore[attr-defined]
    assert len({game.in_secret["ada"]["card"] for game in games}) > 6


def test_two_tables_that_differ_in_what_ben_cant_know_are_the_same_to_the_house():
    table = dealt()
    mine, never = table.view("ada")["hand"][0], table.game.deck.cards()[0]  # type: ignore[attr-defined]
    other = twin_of(table, {mine: never, never: mine})
    assert mine not in other.view("ada")["hand"]
    compare_worlds(table, other, "ben")
    compare_answers(table, other, "ben")


def test_they_are_if_another_player_chose_something_else():
    table, other = dealt(), dealt()
    other.answer("ada", {"do": "choose", "card": other.view("ada")["hand"][0]})
    table.answer("ada", {"do": "choose", "card": table.view("ada")["hand"][-1]})
    compare_worlds(table, other, "ben")
    compare_answers(table, other, "ben")


@pytest.mark.parametrize("playouts", [1, 60])
def test_it_answers_the_same_from_the_same_generator(playouts: int):
    answers = [look_ahead(dealt(), "ben", Random(7), lambda played: played >= playouts) for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0] is not None
    assert answers[0]["card"] in dealt().view("ben")["hand"]


GLIMPSES = {"the card drawn before it": ("HA", "S6"), "a card that joins later": ("S2", "S6"), "a wound": ("H4", "S6")}
"""What is like the card that is glimpsed at the one table, and is not at the other."""


@pytest.mark.parametrize("glimpsed", GLIMPSES.values(), ids=GLIMPSES)
def test_a_hidden_card_is_resampled_although_a_seat_saw_its_twin(glimpsed: tuple[str, str]):
    one, other = (glimpse(card) for card in glimpsed)
    compare_worlds(one, other, "ben")
    compare_answers(one, other, "ben")


def glimpse(card: str) -> Table:
    """A gunfight in which Ada's Ike was hit, and drew the ace of hearts (HJ-25): ben doesn't know what was glimpsed."""
    table = Table.new("gunfight", SEATS, options={"return_cards": True}, dealer=SeededDealer(1))
    sheet = {"hp": 3, "max_hp": 9, "controller": "ada"}
    table.answer(GM, {"do": "add_character", "name": "Ike", "card": "CJ", **sheet})
    table.answer(GM, {"do": "add_character", "name": "Doc", "card": "DJ", **sheet})
    table.answer(GM, {"do": "damage", "target": "Doc", "amount": 4}, chance=[{"draw": "wounds", "card": "H4"}])
    drawn = [{"draw": "wounds", "card": each} for each in ("HA", card)]
    table.answer(GM, {"do": "damage", "target": "Ike", "amount": 4}, chance=drawn)
    table.answer(GM, {"do": "start_round"}, chance=[{"draw": "initiative", "card": "CJ"}])
    table.answer(GM, {"do": "add_character", "name": "Kate", "card": "S2", **sheet})
    table.answer(GM, {"do": "check", "name": "Doc", "wound": "H4"}, chance=[{"roll": "1d20", "dice": [9]}])
    return table
