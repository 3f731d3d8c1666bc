"""A television at the end of a game, and with eight at the table: nothing is cut off."""

import json

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.people import TELEVISION, House, Resumed
from tests.browser.test_told import FIGHT

pytestmark = pytest.mark.browser

SEATS = ["gm", *(f"p{number}" for number in range(1, 8))]


def played(house: House) -> Resumed:
    """A game of eight players that is over after one round."""
    names = dict(zip(SEATS, ("Mo", "Ada", "Ben", "Cy", "Dot", "Eve", "Fay", "Gus"), strict=True))
    options = {"hand_size": 1, "rounds": 1, "gm_plays": True}
    cards = ["S5", "S6", "H7", "D8", "C9", "C2", "C3", "C4"]
    lines = [
        {"cardhouse": 1, "game": "dogpile", "name": "Friday dogs", "seats": SEATS, "names": names, "options": options},
        {"by": "gm", "do": "begin", "first": "p1"},
        *({"draw": "draft", "card": card} for card in [*cards, "S7"]),
        {"by": "p1", "do": "lay", "cards": [{"card": "S5", "x": 0, "y": 1}]},
        {"by": "p2", "do": "pass"},
    ]
    return Resumed(house, map(json.dumps, lines))


def bottom(of: Locator) -> float:
    box = of.bounding_box()
    assert box
    return box["y"] + box["height"]


def test_the_end_and_all_eight_seats_are_wholly_to_be_seen(come: Come, house: House) -> None:
    screen = come("the television", TELEVISION)
    screen.opens_link(played(house).link("screen"))
    expect(screen.question).to_contain_text("The game is over.")
    moments = screen.page.get_by_role("list", name="Highlights")
    expect(moments).to_be_visible()
    screen.screenshot("dogpile-end-eight-television")
    for seat in screen.page.get_by_role("list", name="At the table").get_by_role("listitem").all():
        expect(seat).to_be_in_viewport(ratio=1)
    verdict = screen.region("The verdict")
    expect(verdict).to_be_in_viewport(ratio=1)
    box = verdict.bounding_box()
    assert box
    assert bottom(screen.page.locator("div.end")) <= box["y"] + 1, "what there is to tell doesn't cover the last round"
    board = screen.region("The board")
    assert bottom(board) <= TELEVISION["viewport"]["height"], "the board ends above the screen's edge"


def test_the_end_of_a_gunfight_is_wholly_to_be_seen(come: Come, house: House) -> None:
    screen = come("the television", TELEVISION)
    screen.opens_link(Resumed(house, FIGHT).link("screen"))
    figures = screen.page.get_by_role("list", name="Totals")
    expect(figures).to_be_visible()
    screen.screenshot("gunfight-end-television")
    for part in (figures, screen.page.get_by_role("list", name="Highlights")):
        expect(part.get_by_role("listitem").last).to_be_in_viewport(ratio=1)
    assert bottom(screen.page.locator("div.end")) <= TELEVISION["viewport"]["height"]
