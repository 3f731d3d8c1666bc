"""The number of characters at a table is limited, because the cost of an answer grows with it."""

from typing import Any

import pytest

from cardhouse.engine import GM, Refused, SeededDealer, Table
from cardhouse.engine.values.roster import MOST_CHARACTERS

SOMEBODY: dict[str, dict[str, Any]] = {
    "hackjack": {"do": "add_character", "hp": 5, "max_hp": 5},
    "dogs": {"do": "npc", "type": "A"},
}


@pytest.mark.parametrize("game", SOMEBODY)
def test_a_full_roster_refuses_another_until_one_leaves(game: str) -> None:
    table = Table.new(game, [GM, "ada"], dealer=SeededDealer(1))
    somebody = SOMEBODY[game]
    for number in range(MOST_CHARACTERS):
        table.answer(GM, {**somebody, "name": f"Rider {number}"})
    words = {offer["do"] for offer in table.offers(GM, anytime=True)}
    assert somebody["do"] not in words
    with pytest.raises(
        Refused, match=f"there are {MOST_CHARACTERS} characters, and the most is .* Remove a character first"
    ):
        table.answer(GM, {**somebody, "name": "One more"})
    table.answer(GM, {"do": "remove_character", "name": "Rider 7"})
    table.answer(GM, {**somebody, "name": "One more"})
