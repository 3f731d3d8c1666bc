"""A television, filled with people and cards, with 2 to 20 characters, and with open seats or without."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser import scenes
from tests.browser.conftest import Come
from tests.browser.people import TELEVISION, Device, House, Resumed
from tests.browser.television import assert_television, watches
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

STILL: Device = {**TELEVISION, "reduced_motion": "reduce"}
SIZES = (2, 4, 8, 16, 20)
PLACES = [(people, full) for people in SIZES for full in (True, False)]


PLAYERS = [(people, full) for people in (2, 4, 8) for full in (True, False)]
Scene = Callable[..., list[scenes.Line]]


def fills(come: Come, house: House, scene: Scene, drawing: str, people: int, *, full: bool) -> None:
    screen = come("the television", STILL)
    watches(house, screen, scene(people, full=full), inviting=not full)
    expect(screen.region("Join code")).to_have_count(0 if full else 1)
    assert_television(screen, drawing, f"{scene.__name__}-{people}-{'full' if full else 'open'}")


@pytest.mark.parametrize(("people", "full"), [(8, True), *in_soak(*(one for one in PLACES if one != (8, True)))])
def test_a_gunfight_fills_a_television(people: int, full: bool, come: Come, house: House) -> None:
    fills(come, house, scenes.gunfight, "gunfight" if full else "gunfight, open", people, full=full)


@pytest.mark.soak
@pytest.mark.parametrize(("people", "full"), PLACES)
def test_hackjack_fills_a_television(people: int, full: bool, come: Come, house: House) -> None:
    fills(come, house, scenes.hackjack, "hackjack", people, full=full)


@pytest.mark.soak
@pytest.mark.parametrize(("people", "full"), PLACES)
def test_card_initiative_fills_a_television(people: int, full: bool, come: Come, house: House) -> None:
    fills(come, house, scenes.initiative, "initiative" if people > 2 else "initiative, two", people, full=full)


@pytest.mark.parametrize(("people", "full"), [(8, False), *in_soak(*(one for one in PLAYERS if one != (8, False)))])
def test_dogs_fills_a_television(people: int, full: bool, come: Come, house: House) -> None:
    fills(come, house, scenes.dogs, "dogs", people, full=full)


@pytest.mark.soak
@pytest.mark.parametrize(("people", "full"), PLAYERS)
def test_dogpile_fills_a_television(people: int, full: bool, come: Come, house: House) -> None:
    fills(come, house, scenes.dogpile, "dogpile", people, full=full)


def test_the_code_is_large_until_play_begins(come: Come, house: House) -> None:
    screen = come("the television", STILL)
    lines = scenes.gunfight(8, full=False)
    watches(house, screen, lines[:9], inviting=True)
    expect(screen.question).to_contain_text("Noon in Red Gulch")
    expect(screen.table).to_contain_text("Room for 7")
    assert_television(screen, "lobby", "lobby")
    assert "restart" not in screen.page.inner_text("main")


@pytest.mark.soak
def test_of_many_those_who_act_next_are_shown(come: Come, house: House) -> None:
    cards = [f"{suit}{rank}" for rank in ("A", "K", "Q", "J", "10", "9", "8", "7") for suit in "CD"]
    lines = [{"cardhouse": 1, "game": "initiative", "seats": ["gm"], "name": "Red Gulch"}]
    for place, card in enumerate(cards):
        side = "Marshals" if place % 2 else "Riders of the Purple Sage"
        lines.append({"by": "gm", "do": "add_character", "name": f"Rider {place + 1}", "card": card, "side": side})
    lines += [{"by": "gm", "do": "add_character", "name": "Late", "card": "D2", "side": "Marshals"}]
    lines += [{"by": "gm", "do": "start_round"}, {"draw": "initiative", "card": "D2"}]
    screen = come("the television", STILL)
    screen.opens_link(Resumed(house, map(json.dumps, lines)).link("screen"))
    expect(screen.table).to_contain_text("1 more")
    expect(screen.region("Marshals").get_by_text("Late", exact=True)).to_be_in_viewport(ratio=1)
