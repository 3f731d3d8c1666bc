"""One person alone: the standard bot in every other seat plays each game to a natural end."""

from random import Random

import pytest

from cardhouse.engine import GM, Ask, Over, SeededDealer, Table
from cardhouse.player.monte_carlo import look_ahead

SHORT = {"dogpile": {"rounds": 2}, "magpies": {"deals": 1}}
SEATS = [GM, "ada", "ben"]


def play(game: str, seed: int, playouts: int = 4, most: int = 900) -> Table:
    """The house in all seats, until nobody has anything to say."""
    rng = Random(f"{game} {seed}")
    table = Table.new(game, SEATS, SHORT.get(game, {}), SeededDealer(seed))
    while isinstance(table.question, Ask) and table.number < most:
        asks = table.asks()
        for seat in asks.get("waits_for") or asks["seats"]:
            answer = look_ahead(table, seat, rng, lambda played: played >= playouts)
            if answer is not None:
                table.answer(seat, answer, time=1000)
                break
        else:
            break
    return table


def check_end(table: Table) -> None:
    """What must have come of it, by what the game shows; nothing is known here of any but by its name."""
    match table.header.game:
        case "initiative" | "showdown":
            assert table.view(GM)["round"] == 3
        case "hackjack":
            view = table.view(GM)
            assert view["round"] == 12 or not any(who["alive"] for who in view["characters"])
        case "gunfight":
            order, fight = table.view(GM)["order"], table.view(GM)["fight"]
            sides = {who["name"]: who["side"] for who in order["characters"]}
            able = {sides[who["name"]] for who in fight["characters"] if who["alive"] and who["idle"] is None}
            assert len(able) < 2
            assert order["round"] < 30
        case "dogs":
            assert table.view(GM)["conflict"]["winner"]
            assert table.asks()["key"] == "town"
        case _:
            assert isinstance(table.question, Over)


@pytest.mark.parametrize(
    "game", ["dogpile", "dogs", "gunfight", "hackjack", "initiative", "magpies", "showdown"], ids=str
)
def test_every_game_is_played_to_a_natural_end_with_the_house_in_all_seats(game: str):
    tables = [play(game, seed) for seed in range(2)]
    for table in tables:
        check_end(table)
    assert {entry.by for table in tables for entry in table.entries} == set(SEATS)
