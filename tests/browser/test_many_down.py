"""Eight characters who are down, with long and short names: a television shows all, and a phone has room for each."""

import json

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.people import DESK, TELEVISION, House, Person, Resumed
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

LONG = "Wilhelmina Montgomery-Featherstonehaugh"
ARABIC = "نورة بنت عبد الرحمن"
PILES = {
    LONG: ("D10", "H2", "D2", "D4"),
    ARABIC: ("C5", "S10"),
    "Doc": ("H10", "H8"),
    "Silas": ("D8", "S3"),
    "Nan Harlan": ("H3", "H5"),
    "Cousin Jeb": ("C6", "D6"),
    "Bartholomew McGillicuddy": ("D3", "H4"),
    "Mule": ("D9", "S4"),
}
"""What each has drawn; some of these wounds bring a token or another card."""


def eight_down(house: House, game: str) -> Resumed:
    """A fight in which everybody has been hit twice or more, and the last of them drew a card that counts nothing."""
    lines: list[dict[str, object]] = [{"cardhouse": 1, "game": game, "seats": ["gm", "p1", "p2"], "name": "Red Gulch"}]
    for place, name in enumerate(PILES):
        seat = {LONG: "p1", ARABIC: "p2"}.get(name, "gm")
        more: dict[str, object] = {"card": f"{'CH'[place % 2]}{2 + place // 2}", "side": ("Law", "Gang")[place % 2]}
        who = {"name": name, "hp": 3, "max_hp": 3, "controller": seat}
        lines.append({"by": "gm", "do": "add_character", **who, **(more if game == "gunfight" else {})})
    for name, cards in PILES.items():
        for place, card in enumerate(cards):
            lines.append({"by": "gm", "do": "damage", "target": name, "amount": 1 if place else 4})
            lines.append({"draw": "wounds", "card": card})
    lines.append({"by": "gm", "do": "draw_for", "target": "Mule", "value": False})
    lines.append({"draw": "wounds", "card": "S2"})
    return Resumed(house, map(json.dumps, lines))


def left_of(text: Locator) -> float:
    """Where what is written begins, be its box wider or not."""
    return float(
        text.evaluate("""text => {
      const range = document.createRange()
      range.selectNodeContents(text)
      return range.getBoundingClientRect().left
    }""")
    )


@pytest.mark.parametrize("game", ["hackjack", *in_soak("gunfight")])
def test_a_television_shows_all_eight(game: str, house: House, come: Come):
    screen = come("the television", {**TELEVISION, "reduced_motion": "reduce"})
    screen.opens_link(eight_down(house, game).link("screen"))
    for name in PILES:
        expect(screen.table.get_by_text(name, exact=True).first).to_be_in_viewport(ratio=1)
    screen.screenshot(f"many-down-{game}-television")


@pytest.mark.soak
def test_a_name_of_any_length_and_script_stands_where_others_do(house: House, come: Come):
    table = eight_down(house, "hackjack")
    for seat, name in (("p1", LONG), ("p2", ARABIC)):
        player: Person = table.sits(come(name), seat)
        own = player.page.get_by_role("list", name="Yours").get_by_text(name)
        expect(own).to_be_in_viewport(ratio=1)
        player.screenshot(f"many-down-phone-{seat}")
        roster = player.table.get_by_role("list", name="Characters")
        assert left_of(roster.get_by_text(name)) == left_of(roster.get_by_text("Doc"))
    gm = table.sits(come("Mo", DESK), "gm")
    pad = gm.opens_pad("Damage…", ARABIC)
    gm.screenshot("many-down-damage-desk")
    assert left_of(pad.get_by_text(ARABIC, exact=True)) == left_of(pad.get_by_text("15 of 21")), "the name first"
