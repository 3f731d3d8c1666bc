"""Dogpile with a real deck: who selects cards, which ones are offered, and refusals of wrong ones."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cardhouse.engine import CLOCK, GM, PHYSICAL, SCREEN, Refused, SeededDealer, Table
from cardhouse.testing import shown
from tests.games.dogpile.playing import cards_there, deck_file, game_of
from tests.games.prompts import prompt

CARDS = deck_file({f"c{number}": {"number": number, "suit": "s"} for number in range(1, 10)})


ALL = [f"c{number}" for number in range(1, 10)]


def paper(*people: str, **options: Any) -> Table:
    """A table with a deck of nine cards of paper, before its first round."""
    options = {"hand_size": 2, "deck": CARDS, **options}
    return Table.new("dogpile", [GM, *people], options, SeededDealer(0), decks={"draft": PHYSICAL})


def name(table: Table, by: str, *cards: str) -> None:
    """Somebody turns over these cards."""
    for card in cards:
        table.answer(by, {"draw": "draft", "card": card})


def offered(table: Table, seat: str) -> list[str]:
    """The cards that a seat may name."""
    (offer,) = table.offers(seat) or [{"fields": {"card": {"enum": []}}}]
    field = offer["fields"]["card"]
    return list(field.get("enum", [field.get("const")]))


def begun(*people: str, **options: Any) -> Table:
    """A table at which Ada has c1 and c2, Ben c3 and c4, and the Pack Leader is to be turned up."""
    table = paper(*(people or ("ada", "ben")), **options)
    table.answer(GM, {"do": "begin", "first": "ada"}, time=1000)
    name(table, "ada", "c1", "c2")
    name(table, "ben", "c3", "c4")
    return table


def test_each_draws_its_own_hand_and_is_offered_all_it_hasnt_seen():
    table = paper("ada", "ben")
    table.answer(GM, {"do": "begin", "first": "ben"})
    assert table.asks()["seats"] == ["ben"]
    assert offered(table, "ben") == ALL
    name(table, "ben", "c3")
    assert offered(table, "ben") == [card for card in ALL if card != "c3"]
    name(table, "ben", "c4")
    assert table.asks()["seats"] == ["ada"]
    assert offered(table, "ada") == ALL, "what ben has, ada doesn't know"
    assert [offered(table, seat) for seat in ("ben", SCREEN, CLOCK)] == [[], [], []]


def test_the_game_master_names_cards_for_an_empty_seat_and_is_told_no_hand_by_it():
    table = paper("ada", "ben")
    table.answer(GM, {"do": "begin", "first": "ada"}, time=1000)
    name(table, "ada", "c1")
    (offer,) = table.offers(GM)
    assert (offer["for"], offered(table, GM)) == ("ada", ALL), "the game master doesn't know that ada has c1"
    name(table, GM, "c2")
    name(table, GM, "c3", "c4")
    assert table.view("ben")["hands"]["ben"] == ["c3", "c4"]
    assert table.view("ada")["hands"] == {"ada": ["c1", "c2"], "ben": 2}
    assert table.asks()["seats"] == ["ada", "ben", GM], "anybody may turn up the Pack Leader"
    assert table.view(GM)["hands"] == {"ada": 2, "ben": 2}


def test_each_prompt_says_whose_card_it_is_and_which_of_how_many():
    table = paper("ada")
    table.answer(GM, {"do": "begin"}, time=1000)
    assert prompt(table, "ada") == (
        "Draw the top card of the Draft Deck into your hand (1 of 2), then select it. Only you see it."
    )
    name(table, "ada", "c1")
    assert prompt(table, GM) == "ada draws from the Draft Deck: 2 of 2."
    name(table, "ada", "c2")
    assert prompt(table, "ada") == (
        "Turn over the top card of the Draft Deck: it is the Pack Leader of round 1. Then select it."
    )


def test_anybody_turns_up_the_pack_leader_and_is_offered_all_that_it_hasnt_seen():
    table = begun()
    assert table.asks()["seats"] == ["ada", "ben", "gm"]
    for seat in table.seats:
        assert offered(table, seat) == [card for card in ALL if card not in game_of(table).hands.get(seat, [])]
    name(table, "ben", "c9")
    assert table.view(GM)["leader"] == "c9"


def test_a_card_that_lies_open_is_offered_no_more():
    table = begun()
    name(table, GM, "c9")
    table.answer("ada", {"do": "pass"})
    table.answer(GM, {"do": "next_round"})
    assert "c9" not in offered(table, GM)


@pytest.mark.parametrize(
    ("by", "card", "says"),
    [
        ("ada", "c1", "c1 can't be the next card: it is in your hand."),
        ("ben", "c1", "c1 can't be the next card: it is not in the draft deck any more."),
        (GM, "c1", "c1 can't be the next card: it is not in the draft deck any more."),
        (GM, "C7", "C7 can't be the next card: it is no card of the deck Small."),
    ],
)
def test_a_card_that_cant_be_is_refused_and_no_hand_is_told_by_it(by, card, says):
    table = begun()
    before = [shown(table, seat) for seat in (*table.seats, SCREEN)]
    with pytest.raises(Refused) as refused:
        name(table, by, card)
    assert refused.value.problem == says
    assert [shown(table, seat) for seat in (*table.seats, SCREEN)] == before


def test_cards_in_the_piles_are_refused_with_where_they_are():
    table = begun(rounds=9)
    name(table, GM, "c5")
    table.answer("ada", {"do": "pass"})
    table.answer(GM, {"do": "next_round"})
    with pytest.raises(Refused, match="c5 can't be the next card: it is among the Strays"):
        name(table, GM, "c5")
    name(table, GM, "c6")
    table.answer("ben", {"do": "lay", "cards": [{"card": "c4", "x": 0, "y": 1}]})
    table.answer("ada", {"do": "pass"})
    with pytest.raises(Refused, match="c6 can't be the next card: it is in the Dogpile"):
        name(table, "ben", "c6")
    with pytest.raises(Refused, match="c4 can't be the next card: it is in the Dogpile"):
        name(table, "ben", "c4")


def test_a_card_named_by_one_is_seen_by_no_other():
    tables = [begun(), paper("ada", "ben")]
    tables[1].answer(GM, {"do": "begin", "first": "ada"}, time=1000)
    name(tables[1], "ada", "c1", "c2")
    name(tables[1], "ben", "c7", "c8")
    for seat in (GM, "ada", SCREEN):
        assert shown(tables[0], seat) == shown(tables[1], seat)
    assert shown(tables[0], "ben") != shown(tables[1], "ben")


def test_the_timer_may_ring_from_the_first_pack_leader_on_and_is_not_forgotten():
    table = begun()
    game = game_of(table)
    assert game.alarm() == 1900, "round 1 is being dealt"
    early = paper("ada")
    early.answer(GM, {"do": "begin"}, time=1000)
    assert game_of(early).alarm() is None, "hands are being dealt: the clock has nothing to say yet"
    with pytest.raises(Refused):
        early.answer(CLOCK, {"do": "ring"})
    name(early, "ada", "c1", "c2")
    assert game_of(early).alarm() == 1900


def test_when_the_timer_rings_no_more_cards_are_drawn_for_hands():
    table = begun("ada", "ben", minutes=1)
    name(table, GM, "c5")
    table.answer("ada", {"do": "lay", "cards": [{"card": "c1", "x": 0, "y": 1}, {"card": "c2", "x": 0, "y": 2}]})
    table.answer("ben", {"do": "pass"})
    assert table.asks()["seats"] == ["ada"]
    table.answer(CLOCK, {"do": "ring"})
    assert table.asks()["kind"] == "draw", "the card in somebody's fingers"
    name(table, "ada", "c6")
    assert (table.asks()["key"], table.view("ada")["hands"]["ada"]) == ("over", ["c6"])


def test_random_play_with_paper():
    """Whoever is asked names cards it is offered until one is right; no card is lost, and the log leads there again."""
    for seed in range(15):
        rng = Random(seed)
        table = paper(*("ada", "ben", "cy")[: rng.randint(1, 3)], hand_size=rng.randint(1, 2))
        table.answer(GM, {"do": "begin"})
        for _ in range(60):
            asks = table.asks()
            if asks["key"] == "over":
                break
            by = rng.choice(asks["seats"])
            if asks["kind"] == "draw":
                draw(table, by, rng)
            elif asks["key"] == "turn":
                table.answer(by, lay(table, by, rng))
            else:
                table.answer(by, {"do": "next_round"})
            assert sorted(cards_there(game_of(table))) == sorted(CARDS["cards"])
        again = Table.read(table.transcript().splitlines())
        for seat in (*table.seats, SCREEN):
            assert shown(again, seat) == shown(table, seat)


def draw(table: Table, by: str, rng: Random) -> None:
    """Name one of the cards offered; those that can't be are in hands that this seat doesn't see."""
    unseen = {card for seat, hand in game_of(table).hands.items() for card in hand if seat != by}
    cards = offered(table, by)
    for card in rng.sample(cards, len(cards)):
        try:
            name(table, by, card)
        except Refused:
            assert card in unseen or card in game_of(table).hands.get(by, [])
        else:
            return
    raise AssertionError("none of the cards offered is right")


def lay(table: Table, by: str, rng: Random) -> dict[str, Any]:
    """Some cards in a row above the Pack Leader, or none."""
    hand = table.view(by)["hands"][by]
    cards = rng.sample(hand, rng.randint(0, len(hand)))
    x = table.view(by)["players"].index(by)
    return {"do": "lay", "cards": [{"card": card, "x": x, "y": y} for y, card in enumerate(cards, start=1)]}
