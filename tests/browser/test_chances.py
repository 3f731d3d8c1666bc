"""The chances of each choice are under its button, only for players who may see the odds."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, PHONE, House, Person, Resumed
from tests.thorough import in_soak

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
    gm.hand.tick(menu.get_by_role("radio", name="everyone"))
    gm.page.keyboard.press("Escape")


@pytest.mark.parametrize("game", ["initiative", *in_soak("gunfight")])
def test_acting_and_waiting_say_what_comes_of_them(game: str, house: House, come: Come) -> None:
    table = up_to_act(house, game, **({"hp": 8, "max_hp": 8} if game == "gunfight" else {}))
    gm, ada = table.sits(come("Mo", DESK), "gm"), table.sits(come("Ada", PHONE), "p1")
    waits = gm.button("Wait", gm.choices)
    expect(waits).to_contain_text(
        re.compile(r"\d+% before any opponent.*\d+% right after an opponent.*\d+% last of all")
    )
    expect(gm.button("Act", gm.choices)).to_have_accessible_description(
        re.compile("100% before any opponent 100% right after an opponent")
    )
    looks(gm, f"chances-{game}-desk")
    expect(ada.button("Wait", ada.choices)).to_be_visible()
    expect(ada.choices).not_to_contain_text("%")
    tells_everybody(gm)
    expect(ada.button("Wait", ada.choices)).to_contain_text(re.compile(r"\d+% right after an opponent"))
    expect(ada.choices).to_contain_text("Assumes everyone else acts immediately.")
    looks(ada, f"chances-{game}-phone")


@pytest.mark.soak
def test_a_turn_of_a_gunfight_says_whom_to_shoot(house: House, come: Come) -> None:
    lines: list[dict[str, Any]] = [
        {"cardhouse": 1, "game": "gunfight", "seats": ["gm", "p1", "p2"], "name": "Red Gulch"}
    ]
    for name, card, side, seat in FIGHT:
        who = {"name": name, "card": card, "side": side, "controller": seat, "hp": 8, "max_hp": 8}
        lines.append({"by": "gm", "do": "add_character", **who})
    lines += [
        {"by": "gm", "do": "damage", "target": "Two-Tooth", "amount": 10},
        {"draw": "wounds", "card": "D3"},
        {"by": "gm", "do": "start_round"},
        {"by": "gm", "do": "prevent", "name": "Two-Tooth", "yes": False},
        {"draw": "initiative", "card": "HK"},
        {"by": "p1", "do": "act", "name": "Ada Quill"},
    ]
    table = Resumed(house, map(json.dumps, lines))
    gm, ada = table.sits(come("Mo", DESK), "gm"), table.sits(come("Ada", PHONE), "p1")
    aim = re.compile(r"Shoot first: Two-Tooth \(a hit kills: \d+%\), then Silas Harlan, then Nan Harlan\.")
    expect(gm.choices).to_contain_text(aim)
    looks(gm, "chances-aim-desk")
    expect(ada.choices).not_to_contain_text("Shoot first")
    tells_everybody(gm)
    expect(ada.choices).to_contain_text(aim)
    looks(ada, "chances-aim-phone")


DOGS = {"Ada": ["CK", "C10", "D4", "H2"], "Ben": ["D10", "D6", "CQ", "S9"]}


@pytest.mark.soak
def test_raises_and_sees_say_what_comes_of_them(house: House, come: Come) -> None:
    stats = dict.fromkeys(("acuity", "body", "heart", "will"), 2)
    sides = {"stakes": "Who leaves town?", "sides": [["Ada"], ["Ben"]], "arena": "guns"}
    lines = [
        {"cardhouse": 1, "game": "dogs", "seats": ["gm", "p1", "p2"], "name": "Tower Creek"},
        {
            "by": "p1",
            "do": "create",
            "name": "Ada",
            "stats": stats,
            "things": [{"name": "I shoot straight", "kind": "+"}],
        },
        {"by": "p2", "do": "create", "name": "Ben", "stats": stats},
        {"by": "gm", "do": "open_conflict", **sides},
        *({"draw": "dogs", "card": card} for hand in DOGS.values() for card in hand),
        {"by": "p1", "do": "raise", "name": "Ada", "card": "CK"},
        {"by": "p2", "do": "see", "name": "Ben", "cards": ["D10", "D6"]},
        {"draw": "dogs", "card": None},
        {"draw": "dogs", "card": None},
    ]
    table = Resumed(house, map(json.dumps, lines))
    gm, ada, ben = (
        table.sits(come(*who), seat)
        for who, seat in ((("Mo", DESK), "gm"), (("Ada", PHONE), "p1"), (("Ben", DESK), "p2"))
    )
    tells_everybody(gm)
    bar = ben.region("Chance to win (if bots play on)")
    expect(bar).to_contain_text("if bots play on")
    told = [int(chance) for chance in re.findall(r"(\d+)%\s+±\d+", bar.inner_text())]
    assert len(told) == 2, bar.inner_text()
    assert sum(told) == 100
    picks(ben, "9 of spades")
    raise_it = ben.button(re.compile("^Raise 9"))
    expect(raise_it).to_contain_text(re.compile(r"\d+% to win"))
    expect(ben.region("Your move")).to_contain_text("If both play best and bring what they can")
    expect(ben.region("Your move")).to_contain_text("The bar shows how bots")
    looks(ben, "chances-raise-desk")
    ben.does(raise_it)
    picks(ada, "10 of clubs")
    expect(ada.button("Block")).to_have_accessible_description(re.compile("wins|to win"))
    ada.hand.press(ada.button("Bring into play"))
    expect(ada.page.get_by_role("button", name=re.compile("^Bring .* into play"))).to_contain_text(
        re.compile("wins|to win")
    )
    looks(ada, "chances-see-phone")


def picks(person: Person, card: str) -> None:
    hand = person.page.get_by_role("group", name=re.compile(": hand$"))
    person.hand.press(person.button(re.compile(f"^{card}, worth"), hand))
