"""Dogs Play Cards, Too: long sheets on small phones, the words of a Raise, a real deck, and the price of a conflict."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from cardhouse.engine import GM, Draw, SeededDealer, Table
from tests.browser.conftest import Come
from tests.browser.people import PHONE, TELEVISION, Device, House, Person, Resumed
from tests.browser.test_told import END

pytestmark = [pytest.mark.browser, pytest.mark.soak]

SMALL: Device = {**PHONE, "viewport": {"width": 320, "height": 568}}
STATS = {"acuity": 3, "body": 2, "heart": 2, "will": 2}
THINGS = [{"name": f"I have a trait with quite a long name, number {n}", "kind": "+"} for n in range(12)]
WORDS = "Then I break the door."


def of_two(**header: Any) -> Table:
    """Ruth, with twelve traits, raises first against Silas, in a Town with notes that are shown."""
    head = {"cardhouse": 1, "game": "dogs", "seats": [GM, "p1"], "names": {"gm": "Maud", "p1": "Ann"}, **header}
    table = Table.read([json.dumps(head)], SeededDealer(7))
    table.answer(GM, {"do": "describe_town", "town": "Bridal Falls", "notes": "Who sold the well?", "shown": True})
    table.answer("p1", {"do": "create", "name": "Ruth", "stats": STATS, "things": THINGS})
    table.answer(GM, {"do": "create", "name": "Silas", "stats": STATS})
    sides = [["Ruth"], ["Silas"]]
    table.answer(GM, {"do": "open_conflict", "stakes": "Does Silas open it?", "arena": "talking", "sides": sides})
    return table


def comes_to(come: Come, house: House, table: Table, device: Device, seat: str = "p1") -> Person:
    return Resumed(house, table.transcript().splitlines()).sits(come(seat, device), seat)


@pytest.mark.parametrize("device", [PHONE, SMALL], ids=["phone", "small phone"])
def test_a_long_list_of_traits_leaves_the_gold_button_on_the_screen(come: Come, house: House, device: Device) -> None:
    ann = comes_to(come, house, of_two(), device)
    move = ann.region("Your move")
    ann.hand.press(ann.page.get_by_role("group", name="Ruth: hand").get_by_role("button").first)
    ann.hand.press(ann.button("Bring into play", move))
    expect(ann.button(re.compile("^Improvise"), move)).to_be_attached()
    gold = ann.page.locator(".move .button.bright")
    ann.screenshot(f"dogs-bring-{device['viewport']['width']}")
    expect(gold).to_be_in_viewport(ratio=1)
    ann.hand.write(ann.page.get_by_role("textbox", name="Words"), WORDS)
    expect(gold).to_be_in_viewport(ratio=1)
    ann.does(gold)
    ann.sees_in_story(f"Ruth: “{WORDS}”")
    expect(ann.region("The Raise")).to_contain_text(WORDS)
    ann.screenshot(f"dogs-words-{device['viewport']['width']}")


def test_a_real_deck_is_told_to_deal_face_down_after_a_blow(come: Come, house: House) -> None:
    table = of_two(decks={"dogs": "physical"})
    while isinstance(table.question, Draw):
        table.answer(GM, {"draw": "dogs", "card": min(table.question.cards)})
    asks = table.asks()
    table.answer("p1", {"do": "raise", "name": "Ruth", "card": table.view("p1")["conflict"]["hands"]["Ruth"][-1]})
    assert asks["key"] == "raise"
    cards = table.view(GM)["conflict"]["hands"]["Silas"][-2:]
    table.answer(GM, {"do": "see", "name": "Silas", "cards": cards})
    ann = comes_to(come, house, table, PHONE)
    expect(ann.page.get_by_role("status").filter(has_text="Deal 2 cards face down")).to_contain_text("Silas")
    ann.screenshot("dogs-deal-face-down")


def test_a_drawn_gun_changes_the_face(come: Come, house: House) -> None:
    at = Resumed(house, of_two().transcript().splitlines())
    tv, ann = at.sits(come("tv", TELEVISION), "screen"), at.sits(come("Ann", PHONE), "p1")
    move = ann.region("Your move")
    ann.hand.press(ann.button("Escalate to", move))
    ann.does(ann.button(re.compile("Guns"), move))
    expect(tv.page.get_by_text("Ruth draws a gun.")).to_be_visible()
    tv.screenshot("dogs-gun")


def ended(table: Table) -> Table:
    """The conflict is over after a blow, and so is the evening."""
    table.answer("p1", {"do": "raise", "name": "Ruth", "card": table.view("p1")["conflict"]["hands"]["Ruth"][-1]})
    table.answer(GM, {"do": "see", "name": "Silas", "cards": table.view(GM)["conflict"]["hands"]["Silas"][-2:]})
    table.answer(GM, {"do": "give", "name": "Silas"})
    return table


def test_the_price_of_a_conflict_is_shown_in_cards(come: Come, house: House) -> None:
    lines = [*ended(of_two()).transcript().splitlines(), END]
    ann = Resumed(house, lines).sits(come("Ann", PHONE), "p1")
    expect(ann.page.get_by_role("list", name="The price")).to_contain_text("Silas")
    ann.screenshot("dogs-price")
