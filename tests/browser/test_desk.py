"""A desk: everyone is on the cloth once, and a tap on a face chooses whom to hit, heal, shoot or read about."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser import scenes
from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible
from tests.browser.lying import DRAWN
from tests.browser.people import Device, House, Person, Resumed
from tests.browser.television import READY, WRONG
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

SIZES = {"desk": (1440, 900), "laptop": (1280, 720), "tablet": (1024, 768)}
SMALLEST = 13
"""The smallest letters of a desk, in pixels."""
SCENES = {
    "hackjack": scenes.hackjack,
    "gunfight": scenes.gunfight,
    "initiative": scenes.initiative,
    "dogs": scenes.dogs,
}
SHOWN = [
    ("hackjack", 8, "laptop"),
    *in_soak(
        *(
            (game, people, size)
            for game in ("hackjack", "gunfight", "initiative")
            for people in (2, 4, 8, 16)
            for size in SIZES
        ),
        *(("dogs", people, "desk") for people in (2, 4, 8)),
    ),
]


def sits(house: House, come: Come, lines: list[scenes.Line], seat: str = "gm", size: str = "desk") -> Person:
    width, height = SIZES[size]
    device: Device = {"viewport": {"width": width, "height": height}}
    person = Resumed(house, map(json.dumps, lines)).sits(come("Maud", device), seat)
    expect(person.table.locator(".tile").first).to_be_visible()
    return person


@pytest.mark.parametrize(("game", "people", "size"), SHOWN)
def test_everyone_is_on_the_cloth_once_and_nothing_is_cut(house: House, come: Come, game: str, people: int, size: str):
    gm = sits(house, come, SCENES[game](people), size=size)
    for name, _, _ in scenes.sides(people):
        expect(gm.face(name)).to_have_count(1)
    gm.page.evaluate(READY)
    gm.page.evaluate(DRAWN)
    gm.screenshot(f"desk-{game}-{people}-{size}")
    for part in (".sky > .now", "div.desk"):
        assert gm.page.evaluate(WRONG, [SMALLEST, part]) == []
    assert gm.page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]


def test_a_face_a_number_and_one_button_hit(house: House, come: Come):
    gm = sits(house, come, scenes.hackjack(4))
    gm.hand.press(gm.face("Kit"))
    pad = gm.region("Kit")
    assert_accessible(gm.page, "desk")
    gm.hand.press(gm.button("4", pad))
    gm.does(gm.button("Damage Kit: 4", pad))
    gm.sees_in_story("Kit takes 4")
    expect(gm.face("Kit")).to_contain_text("2 of 9 HP")
    expect(gm.face("Kit")).to_have_attribute("aria-pressed", "false")
    gm.hand.press(gm.face("Kit"))
    gm.hand.press(gm.button("3", pad))
    gm.does(gm.button("Heal 3", pad))
    expect(gm.face("Kit")).to_contain_text("5 of 9 HP")
    gm.hand.press(gm.face("Kit"))
    gm.hand.press(gm.button("Sheet…", pad))
    expect(gm.dialog("Kit")).to_be_visible()
    gm.closes("Kit")
    gm.hand.press(gm.button("Back", pad))
    expect(pad).to_have_count(0)


@pytest.mark.soak
def test_a_shot_is_a_tap_on_a_face_and_one_button(house: House, come: Come):
    gm = sits(house, come, scenes.gunfight(4))
    expect(gm.region("Targets")).to_contain_text("Tap the target on the table.")
    expect(gm.region("Targets").get_by_role("button")).to_have_count(0)
    gm.hand.press(gm.face("Snake"))
    gm.screenshot("desk-shot")
    gm.does(gm.button("Shoot Snake"))
    gm.sees_in_story(re.compile("Kit shoots Snake"))


@pytest.mark.soak
@pytest.mark.parametrize("game", SCENES)
def test_a_player_reads_about_whoever_is_tapped(house: House, come: Come, game: str):
    ada = sits(house, come, SCENES[game](4), "p2")
    name = scenes.sides(4)[0][0]
    ada.hand.press(ada.face(name))
    expect(ada.dialog(name)).to_be_visible()
    ada.closes(name)
    expect(ada.face(name)).to_have_attribute("aria-pressed", "false")


@pytest.mark.soak
def test_below_1360_pixels_the_log_is_behind_its_button(house: House, come: Come):
    gm = sits(house, come, scenes.hackjack(4), size="laptop")
    expect(gm.story.first).to_be_hidden()
    gm.hand.press(gm.button("Log"))
    expect(gm.story.first).to_be_visible()
    gm.screenshot("desk-log")
    gm.hand.press(gm.button("Log"))
    expect(gm.story.first).to_be_hidden()
