"""A television, filled with people and cards, with 2 to 20 characters, and with open seats or without."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser import scenes
from tests.browser.conftest import Come
from tests.browser.people import TELEVISION, Device, House
from tests.browser.television import assert_television, watches
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

STILL: Device = {**TELEVISION, "reduced_motion": "reduce"}
SIZES = (2, 4, 8, 16, 20)
PLACES = [(people, full) for people in SIZES for full in (True, False)]


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


def test_the_code_is_large_until_play_begins(come: Come, house: House) -> None:
    screen = come("the television", STILL)
    lines = scenes.gunfight(8, full=False)
    watches(house, screen, lines[:9], inviting=True)
    expect(screen.question).to_contain_text("Noon in Red Gulch")
    expect(screen.table).to_contain_text("Room for 7")
    assert_television(screen, "lobby", "lobby")
    assert "restart" not in screen.page.inner_text("main")
