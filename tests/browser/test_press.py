"""A press counts for the control that was there when the finger went down, not for a new one.

The clock of the page stands still while the table changes, so that a control stays as new as it is.
"""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.people import DESK, House, Person, Resumed, Table
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

SETTLED_MS = 400


LINES = [
    '{"cardhouse": 1, "game": "initiative", "seats": ["gm", "p1"], "names": {"gm": "Mo", "p1": "Ada"}}',
    '{"by": "gm", "do": "add_character", "name": "Nan", "card": "HA", "controller": "p1"}',
    '{"by": "gm", "do": "add_character", "name": "Doc", "card": "S10", "controller": "p1"}',
    '{"by": "gm", "do": "start_round"}',
    '{"draw": "initiative", "card": "HA"}',
]
"""Nan is asked whether she acts; Ada plays her."""


@pytest.fixture
def table(come: Come, house: House) -> Table:
    """The clocks of their pages can be stopped."""
    resumed = Resumed(house, LINES)
    gm, ada = come("Mo", DESK), come("Ada")
    for person in (gm, ada):
        person.page.clock.install()
    return Table(resumed.sits(gm, "gm"), [resumed.sits(ada, "p1")])


def acts(person: Person, sees: Person) -> None:
    person.chooses("act")
    sees.catches_up(person.number)
    expect(sees.choice("done")).to_be_visible()


def acts_at_standstill(person: Person, sees: Person) -> None:
    """For the one who sees it, no time goes by from before on."""
    sees.page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    acts(person, sees)


def corner_of(control: Locator) -> tuple[float, float]:
    """Above at the left, where on a player's phone the next button lies, too."""
    box = control.bounding_box()
    assert box
    return box["x"] + 12, box["y"] + 12


def is_told(person: Person) -> None:
    expect(person.page.get_by_text("nothing was sent. Try again.")).to_be_visible()


@pytest.mark.soak
def test_a_press_that_began_on_another_button_is_ignored(table: Table):
    gm, (ada,) = table.gm, table.players
    ada.page.mouse.move(*corner_of(ada.choice("act")))
    ada.page.mouse.down()
    acts(gm, ada)
    ada.page.mouse.up()
    is_told(ada)
    assert table.now() == "done"


@pytest.mark.parametrize("by", ["finger", *in_soak("keyboard")])
def test_a_press_on_a_button_that_has_just_changed_is_ignored(table: Table, by: str):
    gm, (ada,) = table.gm, table.players
    place = corner_of(ada.choice("act"))
    ada.choice("act").focus()
    acts_at_standstill(gm, ada)
    press = (lambda: ada.page.mouse.click(*place)) if by == "finger" else (lambda: ada.page.keyboard.press("Enter"))
    press()
    is_told(ada)
    assert table.now() == "done"
    ada.page.clock.run_for(SETTLED_MS)
    ada.answers(press)
    expect(ada.page.get_by_text("Nothing was sent")).to_have_count(0)


@pytest.mark.soak
def test_a_control_that_means_what_it_meant_can_be_pressed_while_others_change(table: Table):
    gm, (ada,) = table.gm, table.players
    menu = corner_of(ada.button("Menu"))
    acts_at_standstill(gm, ada)
    ada.page.mouse.click(*menu)
    expect(ada.page.get_by_role("dialog")).to_be_visible()


def test_an_undo_takes_back_what_could_be_seen_when_it_was_pressed(table: Table):
    gm, (ada,) = table.gm, table.players
    place = corner_of(gm.button("Undo"))
    acts_at_standstill(ada, gm)
    gm.page.mouse.click(*place)
    is_told(gm)
    assert table.now() == "done"
    gm.page.clock.resume()
    gm.undoes()
    expect(gm.choice("act")).to_be_visible()


def test_a_press_counts_if_others_answered_meanwhile_and_its_button_is_the_same(come: Come, house: House):
    lines: list[dict[str, object]] = [
        {"cardhouse": 1, "game": "hackjack", "seats": ["gm", "p1", "p2"], "names": {"p1": "Ada", "p2": "Ben"}}
    ]
    for who, seat in ("Nan", "p1"), ("Doc", "p2"):
        joins = {"name": who, "hp": 1, "max_hp": 1, "controller": seat}
        lines += [
            {"by": "gm", "do": "add_character", **joins},
            {"by": "gm", "do": "damage", "target": who, "amount": 2},
        ]
        lines += [{"draw": "wounds", "card": "D3" if who == "Nan" else "H8"}]
    lines += [{"by": "gm", "do": "begin_round"}]
    resumed = Resumed(house, map(json.dumps, lines))
    ada, ben = come("Ada"), come("Ben")
    ada.page.clock.install()
    resumed.sits(ada, "p1"), resumed.sits(ben, "p2")
    place = corner_of(ada.button("Fight on", ada.choices.or_(ada.page.get_by_role("group", name="Nan"))))
    ada.page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    ada.page.mouse.move(*place)
    ada.page.mouse.down()
    ben.does(ben.button(re.compile("^Fight on")))
    ada.catches_up(ben.number)
    ada.answers(ada.page.mouse.up)
    expect(ada.page.get_by_text("Nothing was sent")).to_have_count(0)
