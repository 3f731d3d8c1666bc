"""What is dealt anew for one seat: everything that it can't know, and nothing else."""

from random import Random

import pytest

from cardhouse.engine import GM, SeededDealer, Table
from cardhouse.player.knowing import shown_to
from cardhouse.player.looking_ahead import look_ahead
from cardhouse.player.worlds import Worlds
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


def test_others_hands_and_choices_are_dealt_anew_and_nothing_that_was_seen():
    table, rng = dealt(), Random(3)
    worlds = Worlds(table, "ben")
    found = [worlds.another(rng) for _ in range(12)]
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


def test_so_they_are_if_somebody_chose_otherwise():
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
