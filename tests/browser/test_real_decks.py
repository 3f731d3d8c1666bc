"""Real decks with an empty seat: each prompt says whose card it is, and the game master selects for the empty seat."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, House, Person, Resumed

pytestmark = pytest.mark.browser


def table_of(house: House, game: str, deck: str, *lines: dict[str, Any], **options: Any) -> Resumed:
    """A table with a real deck for Mo, Ada and a seat that stays empty."""
    header = {"cardhouse": 1, "game": game, "seats": ["gm", "p1", "p2"], "names": {"gm": "Mo", "p1": "Ada"}}
    first = {**header, "decks": {deck: "physical"}, "options": options}
    return Resumed(house, (json.dumps(line) for line in (first, *lines)))


def reads(person: Person, text: str) -> None:
    expect(person.question).to_contain_text(text)


def test_dogpile_starts_for_those_who_are_there_and_hands_are_drawn_by_their_players(come: Come, house: House):
    table = table_of(house, "dogpile", "draft", hand_size=2, gm_plays=True)
    gm, ada = come("Mo", DESK), come("Ada")
    for person, seat in ((gm, "gm"), (ada, "p1")):
        table.sits(person, seat)
    reads(ada, "The host starts the game.")
    expect(ada.button("Start")).to_have_count(0)
    expect(gm.region("Who begins?").get_by_role("button")).to_have_text([re.compile("Mo"), re.compile("Ada"), "Start"])
    gm.screenshot("dogpile-start-desk")
    gm.hand.press(gm.button("Ada", gm.region("Who begins?")))
    gm.does(gm.button("Start"))
    ada.catches_up(gm.number)
    reads(ada, "Draw the top card of the Draft Deck into your hand (1 of 2), then select it. Only you see it.")
    reads(gm, "Ada draws from the Draft Deck: 1 of 2.")
    expect(gm.button("Ace of spades")).to_be_hidden()
    ada.screenshot("dogpile-real-hand-phone")
    assert_fits(ada.page, "a hand of a real deck")
    for card in ("5 of spades", "6 of spades"):
        ada.turns_over(card)
    gm.catches_up(ada.number)
    reads(gm, "Draw the top card of the Draft Deck into your hand (1 of 2)")
    for card in ("7 of spades", "8 of spades"):
        gm.turns_over(card)
    reads(gm, "it is the Pack Leader of round 1")
    gm.turns_over("9 of spades")
    expect(gm.region("The board")).to_be_visible()


@pytest.mark.soak
def test_dogpile_goes_on_when_the_game_master_selects_the_cards_of_an_empty_seat(come: Come, house: House):
    begins = {"by": "gm", "do": "begin", "first": "p2", "players": ["p2", "p1"]}
    table = table_of(house, "dogpile", "draft", begins, hand_size=1)
    gm = table.sits(come("Mo", DESK), "gm")
    expect(gm.choices).to_contain_text(re.compile("Player 2 isn.t here. Draw the card, then select it for them."))
    gm.screenshot("dogpile-empty-seat-desk")
    gm.turns_over("5 of spades")
    reads(gm, "Ada draws from the Draft Deck: 1 of 1.")
    gm.turns_over("6 of spades")
    reads(gm, "it is the Pack Leader of round 1")


def test_dogs_says_what_each_card_is_for_and_an_empty_seat_is_no_dead_end(come: Come, house: House):
    stats = {"acuity": 2, "body": 1, "heart": 2, "will": 1}
    table = table_of(
        house,
        "dogs",
        "dogs",
        {"by": "gm", "do": "create", "name": "Ruth", "stats": stats, "controller": "p2"},
        {"by": "gm", "do": "create", "name": "Silas", "stats": stats, "npc": True},
        {"by": "gm", "do": "open_conflict", "stakes": "The farm", "sides": [["Ruth"], ["Silas"]], "arena": "talking"},
        hidden_hands=True,
    )
    gm = table.sits(come("Mo", DESK), "gm")
    reads(gm, "Ruth draws for Acuity: card 1 of 2.")
    expect(gm.choices).to_contain_text(re.compile("Player 2 isn.t here."))
    for card in ("5 of spades", "6 of spades", "7 of spades", "8 of spades"):
        gm.turns_over(card)
    reads(gm, "Silas draws for Acuity: turn over the top card of the deck (1 of 2), then select it.")
    gm.screenshot("dogs-real-deck-desk")
    for card in ("5 of hearts", "6 of hearts", "7 of hearts", "8 of hearts"):
        gm.turns_over(card)
    reads(gm, "Ruth")
    expect(gm.question).not_to_contain_text("turn over")


SCREENS = ((390, 844), (375, 667), (320, 568), (844, 390), (768, 1024), (1280, 720), (1440, 900))


def test_all_cards_of_a_deck_stand_on_the_screen_with_what_they_do_and_who_has_them(come: Come, house: House):
    def hit(amount: int) -> dict[str, Any]:
        return {"by": "gm", "do": "damage", "target": "Wen", "amount": amount}

    wen = {"by": "gm", "do": "add_character", "name": "Wen", "hp": 6, "max_hp": 9, "controller": "p1"}
    cards = ({"draw": "wounds", "card": card} for card in ("D6", "S7"))
    table = table_of(house, "hackjack", "wounds", wen, hit(9), next(cards), hit(1), next(cards), hit(1))
    ada = table.sits(come("Ada"), "p1")
    for width, height in SCREENS:
        ada.page.set_viewport_size({"width": width, "height": height})
        keys = ada.picker.get_by_role("button")
        expect(keys).to_have_count(50)
        for key in (keys.first, keys.last, ada.button("king of spades", ada.picker)):
            expect(key).to_be_in_viewport(ratio=0.99)
        ada.screenshot(f"picker-{width}")
    # Wen's death-score is 13, and no Blood is in the pool.
    expect(ada.button("9 of hearts", ada.picker)).to_have_accessible_description("kills")
    expect(ada.button("8 of hearts", ada.picker)).to_have_accessible_description("21: saved")
    expect(ada.button("2 of hearts", ada.picker)).to_have_accessible_description("")
    expect(ada.picker).to_contain_text("7 of spades: Wen")
    assert_accessible(ada.page, "a picker")
    ada.turns_over("8 of hearts")
    expect(ada.question).not_to_contain_text("turn over")
