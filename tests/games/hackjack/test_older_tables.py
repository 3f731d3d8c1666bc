"""Tables made before readings became options, and before a ruling changed."""

from __future__ import annotations

import json

import msgspec
import pytest

from cardhouse.engine import GM, CardhouseError, SeededDealer, Snapshot, Table
from cardhouse.games.hackjack.rules import Hackjack
from tests.games.hackjack.playing import fallen, game_of


@pytest.mark.parametrize(("said", "meant"), [(True, "trauma"), (False, "off"), ("death_score", "death_score")])
@pytest.mark.parametrize("game", ["hackjack", "gunfight"])
def test_pain_was_yes_or_no_once(game, said, meant):
    table = Table.new(game, (GM,), {"pain": said})
    assert table.game.options.pain == meant  # type: ignore[attr-defined]
    assert Table.read(table.transcript().splitlines()).header.options == {"pain": said}


@pytest.mark.parametrize("game", ["hackjack", "gunfight"])
def test_a_table_that_was_kept_at_rest_is_opened(game):
    table = Table.new(game, (GM,), dealer=SeededDealer(1))
    kept = json.loads(bytes(table.last_snapshot.game))
    del kept["edition"]
    for part in (kept, kept.get("fight", {})):
        if "options" in part:
            part["options"]["pain"] = True
            for reading in ("judged", "standing_blood", "jack_of_clubs"):
                del part["options"][reading]
    again = Table(table.header, table.dealer, Snapshot(0, 0, msgspec.Raw(json.dumps(kept).encode())))
    assert again.game.options.pain == "trauma"  # type: ignore[attr-defined]
    assert again.game.edition == 1


def test_a_new_table_says_by_which_rules_it_is_played():
    table = Table.new("hackjack", (GM,))
    assert json.loads(table.transcript().splitlines()[0])["version"] == Hackjack.version == game_of(table).edition == 2
    by_hand = Table.read(['{"cardhouse": 1, "game": "hackjack", "seats": ["gm"]}'])
    assert by_hand.game.edition == 2
    with pytest.raises(CardhouseError, match=r"version 3 of the rules of hackjack.*A newer one can read it"):
        Table.read(['{"cardhouse": 1, "game": "hackjack", "version": 3, "seats": ["gm"]}'])


def test_an_option_out_of_range_is_refused_in_words():
    for options, said in (
        ({"massive_damage": 5}, "massive_damage must be a whole number from 10 to 1000, not 5"),
        ({"massive_damage": 5000}, "massive_damage must be a whole number from 10 to 1000, not 5000"),
        ({"judged": "each_stp"}, 'judged must be one of at_end, each_step, not "each_stp"; did you mean each_step?'),
        ({"jokers": 1}, "jokers must be true or false, not 1"),
        ({"wonders": True}, "wonders is an unknown field"),
    ):
        with pytest.raises(CardhouseError) as refused:
            Table.new("hackjack", (GM,), options)
        assert refused.value.message.startswith(f"options: {said}; the options of hackjack are "), refused.value.message


def test_each_step_by_hand():
    """With 20 and a pool of 1 the blood makes 21: then only the queen of spades with a ten behind her kills nobody."""
    table = Table.new("hackjack", (GM,), {"judged": "each_step"}, SeededDealer(1))
    table.answer(GM, {"do": "add_character", "name": "Ada", "hp": 0, "max_hp": 9})
    table.game.characters[0] = fallen("Ada", 20, 1)  # type: ignore[attr-defined]
    odds = table.odds(GM)["Ada"]
    assert (odds["not_preventing"]["dies"], odds["not_preventing"]["exactly_21"]) == (0, 1)
    assert odds["preventing"]["dies"] == pytest.approx(48 / 52)
    assert odds["preventing"]["exactly_21"] == pytest.approx(4 / 52)
