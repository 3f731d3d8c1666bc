"""The decision and your own cards are in view at every size, and nothing is cut off."""

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.lying import DRAWN
from tests.browser.people import Device, House, Resumed
from tests.walkthrough import ROOT

pytestmark = pytest.mark.browser

HANDS = {"dogpile": "[aria-label='Your hand'] li", "dogs": "[aria-label$=': hand'] li"}
"""Where a hand of cards lies, in the games that have one."""
GAMES = ROOT / "src" / "cardhouse" / "games"
SIZES = {"phone": (390, 844), "small": (320, 568), "tablet": (768, 1024), "laptop": (1366, 768), "desk": (1440, 900)}
SIZES |= {"landscape": (844, 390), "zoomed": (720, 450)}  # a phone on its side, and a desk at 200%
HIDDEN = """() => {
  const seen = (e) => {
    const box = e.getBoundingClientRect()
    if (!box.width || !box.height) return true
    const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
    return at !== null && (e.contains(at) || at.contains(e))
  }
  const own = '.now .ask, .choices .button, .hand [data-card], .hand button > .card, .spot [data-card]'
  return [...document.querySelectorAll(own)].filter((e) => !seen(e)).map((e) => e.outerHTML.slice(0, 120))
}"""
"""What is asked, what may be answered, and the cards that it is about, as far as they lie outside the screen or under
something else."""


def lines_of(game: str) -> list[dict[str, Any]]:
    """A transcript up to the middle of a good moment, whose characters are player 1's."""
    lines = [json.loads(line) for line in (GAMES / game / "lessons" / "now.jsonl").read_text("utf-8").splitlines()]
    played = [line for line in lines if "lesson" not in line]
    for line in played:
        if line.get("do") == "add_character" and game in ("gunfight", "initiative", "hackjack"):
            line.setdefault("controller", "p1")
    return played


def resumed(house: House, game: str) -> Resumed:
    """A table in the middle of a good moment."""
    return Resumed(house, map(json.dumps, lines_of(game)))


@pytest.mark.parametrize(
    ("game", "sizes"),
    [
        ("gunfight", ("small", "landscape")),
        ("dogpile", ("tablet",)),
        *(
            pytest.param(game, tuple(SIZES), marks=pytest.mark.soak)
            for game in ("initiative", "hackjack", "gunfight", "dogs", "dogpile")
        ),
    ],
)
def test_what_is_asked_and_ones_own_cards_are_in_view(come: Come, house: House, game: str, sizes: tuple[str, ...]):
    table = resumed(house, game)
    phone: Device = {"viewport": {"width": 320, "height": 568}}
    ada = table.sits(come("Ada", phone), "p1")
    for size in sizes:
        width, height = SIZES[size]
        ada.page.set_viewport_size({"width": width, "height": height})
        ada.page.evaluate(DRAWN)
        assert ada.page.evaluate(HIDDEN) == [], size
        own = HANDS.get(game)
        if own is not None:
            expect(ada.page.locator(f"{own}:visible"), size).not_to_have_count(0)  # a desk has it in the rail
        ada.screenshot(f"layout-{game}-{size}")


def test_a_host_with_a_phone_sees_what_to_do_first(come: Come):
    host = come("Mo")
    host.makes_table()
    host.goes_to_table()
    add = host.button("Add character\N{HORIZONTAL ELLIPSIS}")
    expect(add).to_be_in_viewport(ratio=1)
    host.hand.press(add)
    host.closes("Who joins the fight?")
    expect(host.button("GM tools")).to_have_attribute("aria-expanded", "true")
