"""What each choice leads to stands under its button, for those whom the table tells the odds, and for nobody else."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, PHONE, House, Person, Resumed

pytestmark = pytest.mark.browser

FIGHT = [
    ("Ada Quill", "HK", "Posse", "p1"),
    ("Ben", "H9", "Posse", "p2"),
    ("Silas Harlan", "SA", "Gang", "gm"),
    ("Nan Harlan", "S5", "Gang", "gm"),
    ("Two-Tooth", "S4", "Gang", "gm"),
]


def up_to_act(house: House, game: str, **more: Any) -> Resumed:
    """A round in which Nan has acted and Ada is to act or wait."""
    lines: list[dict[str, Any]] = [{"cardhouse": 1, "game": game, "seats": ["gm", "p1", "p2"], "name": "Red Gulch"}]
    for name, card, side, seat in FIGHT:
        who = {"name": name, "card": card, "side": side, "controller": seat}
        lines.append({"by": "gm", "do": "add_character", **who, **more})
    lines += [
        {"by": "gm", "do": "start_round"},
        {"draw": "initiative", "card": "S5"},
        {"by": "gm", "do": "act", "name": "Nan Harlan"},
        {"by": "gm", "do": "done", "name": "Nan Harlan"},
        {"draw": "initiative", "card": "HK"},
    ]
    return Resumed(house, map(json.dumps, lines))


def looks(person: Person, moment: str) -> None:
    assert_fits(person.page, moment)
    assert_accessible(person.page, moment)
    person.screenshot(moment)


def tells_everybody(gm: Person) -> None:
    """The game master lets all see the odds."""
    menu = gm.opens_menu()
    gm.hand.tick(menu.get_by_role("radio", name="everybody"))
    gm.page.keyboard.press("Escape")


@pytest.mark.parametrize("game", ["initiative", "gunfight"])
def test_acting_and_waiting_say_what_comes_of_them(game: str, house: House, come: Come) -> None:
    table = up_to_act(house, game, **({"hp": 8, "max_hp": 8} if game == "gunfight" else {}))
    gm, ada = table.sits(come("Mo", DESK), "gm"), table.sits(come("Ada", PHONE), "p1")
    waits = gm.button("Wait", gm.choices)
    expect(waits).to_contain_text(re.compile(r"\d+% before any foe.*\d+% right after a foe.*\d+% last of all"))
    expect(gm.button("Act", gm.choices)).to_have_accessible_description(
        re.compile("100% before any foe 100% right after a foe")
    )
    looks(gm, f"chances-{game}-desk")
    expect(ada.button("Wait", ada.choices)).to_be_visible()
    expect(ada.choices).not_to_contain_text("%")
    tells_everybody(gm)
    expect(ada.button("Wait", ada.choices)).to_contain_text(re.compile(r"\d+% right after a foe"))
    expect(ada.choices).to_contain_text("If everybody else acts at once")
    looks(ada, f"chances-{game}-phone")
