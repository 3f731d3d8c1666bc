"""Characters, players, sides, traits and tables with the names of what every object of JavaScript has."""

import json
import re
from itertools import chain
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import DESK, PHONE, TELEVISION, House, Person, Resumed
from tests.browser.test_layout import lines_of
from tests.browser.test_told import END
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

NAMES = (
    *("constructor", "toString", "__proto__", "hasOwnProperty", "valueOf", "isPrototypeOf", "toLocaleString"),
    *("propertyIsEnumerable", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"),
)
TYPED = ("name", "names", "side")
"""The fields of a transcript that hold what people typed."""
SHOWN = re.compile("constructor|toString|__proto__|hasOwnProperty")


def typed(line: Any) -> list[str]:
    """The names in a line, in order."""
    if isinstance(line, list):
        return list(chain.from_iterable(map(typed, line)))
    if not isinstance(line, dict):
        return []
    own = [line[field] for field in TYPED if field in line]
    found = [text for value in own for text in (value.values() if isinstance(value, dict) else [value])]
    return [*found, *chain.from_iterable(typed(value) for value in line.values() if isinstance(value, list))]


def renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: renamed(one, names) for key, one in value.items()}
    if isinstance(value, list):
        return [renamed(one, names) for one in value]
    return names.get(value, value) if isinstance(value, str) else value


def oddly_named(game: str) -> list[str]:
    """A good moment of a game, in which every name that people typed is one of these."""
    header, *lines = lines_of(game)
    characters = [line["name"] for line in lines if "name" in line]
    found = list(dict.fromkeys([*header["names"].values(), *characters, *typed(lines), header["name"]]))
    assert len(found) <= len(NAMES)
    return [json.dumps(renamed(line, dict(zip(found, NAMES, strict=False)))) for line in (header, *lines)]


def all_come(come: Come, table: Resumed) -> tuple[Person, Person, Person]:
    gm, ada, screen = come("Mo", DESK), come("Ada", PHONE), come("the television", TELEVISION)
    for person, seat in ((gm, "gm"), (ada, "p1"), (screen, "screen")):
        table.sits(person, seat)
    return gm, ada, screen


def plays(game: str, gm: Person, ada: Person) -> None:
    """A few steps: a move of player 1, damage, and back."""
    if game in ("initiative", "gunfight"):
        ada.chooses("act")
        gm.catches_up(ada.number)
        ada.chooses("done")
        gm.catches_up(ada.number)
    if game in ("hackjack", "gunfight"):
        for name in ("toString", "__proto__"):
            gm.hits(name, 9)
            gm.undoes()  # some wounds ask for a choice first
        gm.heals("constructor", 1)
    gm.undoes()
    gm.does(gm.button("Redo", gm.page.get_by_role("group", name="Last step")))


@pytest.mark.parametrize("game", ["gunfight", *in_soak("hackjack", "initiative", "dogs", "dogpile")])
def test_every_page_shows_them(come: Come, house: House, game: str):
    """A page's errors, and failed views, are complaints of its person."""
    everybody = gm, ada, _ = all_come(come, Resumed(house, oddly_named(game)))
    plays(game, gm, ada)
    for person in everybody:
        person.catches_up(gm.number)
        expect(person.page.get_by_role("main")).to_contain_text(SHOWN)
        person.screenshot(f"typed-{game}-{person.name}")
    for person in (gm, ada):
        person.hand.tick(person.opens_menu().get_by_role("checkbox", name="Basic view"))
        person.closes(re.compile("."))
        expect(person.table).to_contain_text(SHOWN)
        person.screenshot(f"typed-{game}-plain-{person.name}")


@pytest.mark.parametrize("game", ["hackjack", *in_soak("gunfight", "initiative", "dogs", "dogpile")])
def test_the_recap_the_replay_and_the_campaign_show_them(come: Come, house: House, game: str):
    everybody = gm, *_ = all_come(come, Resumed(house, [*oddly_named(game), END]))
    for person in everybody:
        expect(person.region("The end").get_by_role("list", name="Totals")).to_be_visible()
        person.screenshot(f"typed-{game}-end-{person.name}")
    gm.saves_campaign()
    expect(gm.page).to_have_url(re.compile("/c/[a-z0-9]+$"))
    expect(gm.page.get_by_role("main")).to_contain_text(SHOWN)
    gm.screenshot(f"typed-{game}-campaign")
    gm.page.go_back()
    gm.hand.press(gm.opens_menu().get_by_role("link", name="Replay this table"))
    step = gm.page.get_by_role("slider")
    expect(step).to_have_accessible_name(re.compile("^Step 0 of"))
    for seat in ("constructor", "everyone, all cards open"):
        gm.hand.select(gm.page.get_by_role("combobox", name="As seen by"), seat)
        for _ in range(4):
            gm.hand.press(gm.button("Forward one step"))
        gm.page.keyboard.press("End")
        expect(gm.page.get_by_role("main")).to_contain_text(SHOWN)
        gm.screenshot(f"typed-{game}-replay-{seat[:8]}")
        gm.page.keyboard.press("Home")
