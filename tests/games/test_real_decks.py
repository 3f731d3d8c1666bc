"""With a real deck, each prompt says whose card is drawn, what for, from which pile, and which of how many."""

from __future__ import annotations

from typing import Any

from cardhouse.engine import GM, Table
from cardhouse.games.dogs.state import worth
from tests.games.dogs.playing import game_of
from tests.games.prompts import prompt, real, turn

ADA: dict[str, Any] = {"do": "create", "name": "Ada", "stats": {"acuity": 2, "body": 1, "heart": 1, "will": 2}}
GUN = {"name": "A Colt", "group": "belonging", "kind": "o", "significant": False, "gun": True}


def fight(**options: object) -> Table:
    """Ada, whom a player plays, is shot at by a bandit: her Stats are drawn, then the bandit's first line."""
    table = real("dogs", "ada", **options)
    table.answer(GM, {**ADA, "things": [GUN], "controller": "ada"})
    table.answer(GM, {"do": "npc", "name": "Bandit", "type": "A"})
    opens = {"do": "open_conflict", "stakes": "Who leaves?", "sides": [["Ada"], ["Bandit"]], "arena": "guns"}
    table.answer(GM, opens)
    return table


def test_cards_for_stats_things_and_fallout_are_asked_for_by_name():
    table = fight()
    assert prompt(table, "ada") == (
        "Ada draws for Acuity: turn over the top card of the deck (1 of 2), then select it."
    )
    turn(table, "S2", "S3")
    assert prompt(table, GM) == "Ada draws for Will: turn over the top card of the deck (1 of 2), then select it."
    turn(table, "S4", "S5")
    lines = turn(table, *(f"H{rank}" for rank in range(2, 2 + table.asks()["prompt"]["with"]["of"])))
    assert lines[0].startswith("Bandit draws line 1 of its type: turn over the top card of the deck (1 of ")
    while table.asks()["kind"] == "draw":
        about = table.asks()["prompt"]["with"]
        assert prompt(table, GM).startswith("Bandit draws for something ")
        turn(table, f"D{about['n'] + 1}")
    table.answer("ada", {"do": "bring", "name": "Ada", "thing": "A Colt"})
    (colt,) = turn(table, "C2")
    assert colt == "Ada draws for A Colt: turn over the top card of the deck (1 of 1), then select it."
    assert [line.partition(":")[0] for line in turn(table, "C3", "C4")] == ["Ada draws for A Colt"] * 2
    ada, bandit = game_of(table).contested.participants
    table.answer("ada", {"do": "raise", "name": "Ada", "card": max(ada.hand, key=worth)})
    table.answer(GM, {"do": "see", "name": "Bandit", "cards": sorted(bandit.hand, key=worth)[:3]})
    table.answer(GM, {"do": "give", "name": "Bandit"})
    says = "Turn over Bandit's next Guns fallout card, which lies face down ({} of 3), then select it."
    assert turn(table, "C9", "C10", "CJ") == [says.format(n) for n in (1, 2, 3)]


def test_a_hidden_hand_is_drawn_by_its_player_or_by_the_game_master_for_an_empty_seat():
    table = fight(hidden_hands=True)
    assert table.asks()["seats"] == ["ada"]
    assert prompt(table, GM) == "Ada draws for Acuity: card 1 of 2."
    (offer,) = table.offers(GM)
    assert offer["for"] == "ada"
    assert "for" not in table.offers("ada")[0]
    turn(table, "S2", "S3", "S4", "S5")
    assert table.asks()["seats"] == [GM], "the game master draws for the bandit"


def test_the_game_master_is_not_offered_cards_that_lie_in_hands_they_see():
    table = fight(hidden_hands=True)
    turn(table, "S2", "S3", "S4", "S5")
    while table.asks()["kind"] == "draw":
        turn(table, table.offers(GM)[0]["fields"]["card"]["enum"][-1])
    table.answer("ada", {"do": "bring", "name": "Ada", "thing": "A Colt"})
    ada, bandit = game_of(table).contested.participants
    may_be = {seat: set(table.offers(seat)[0]["fields"]["card"]["enum"]) for seat in (GM, "ada")}
    assert may_be[GM] == set(game_of(table).deck.loose)
    assert set(bandit.hand) <= may_be["ada"]
    assert not may_be["ada"] & set(ada.hand)


def test_the_card_of_the_next_turn_and_the_one_that_the_black_joker_takes():
    table = real("initiative", "ada")
    for name, card in (("Doc", "HK"), ("Cy", "S4")):
        table.answer(GM, {"do": "add_character", "name": name, "card": card})
    table.answer(GM, {"do": "start_round"})
    assert turn(table, "BJ") == ["Whose turn is next? Turn over the top card of the initiative deck, then select it."]
    assert prompt(table, GM) == (
        "The black joker discards the next card: turn over the top card of the initiative deck, then select it."
    )


def test_a_wound_is_asked_for_by_name_and_of_two_which():
    table = real("hackjack", "ada")
    table.answer(GM, {"do": "add_character", "name": "Ada", "hp": 1, "max_hp": 5, "controller": "ada"})
    table.answer(GM, {"do": "damage", "target": "Ada", "amount": 3})
    assert prompt(table, "ada") == "Ada draws a wound: turn over the top card of the wound deck, then select it."
    turn(table, "C7")
    assert prompt(table, "ada") == (
        "Ada draws 2 wounds: turn over the top card of the wound deck (1 of 2), then select it."
    )


def test_a_look_at_the_next_card_says_for_whom():
    table = real("gunfight", "ada")
    table.answer(GM, {"do": "add_character", "name": "Ada", "hp": 1, "max_hp": 5, "card": "SA", "controller": "ada"})
    table.answer(GM, {"do": "damage", "target": "Ada", "amount": 3})
    turn(table, "HA")
    assert table.asks()["seats"] == ["ada", GM], "both may see it"
    assert prompt(table, "ada") == "Look at the top card of the wound deck for Ada, put it back on top, then select it."
    assert prompt(table, "screen") == "A player looks at the top card of the wound deck for Ada."
