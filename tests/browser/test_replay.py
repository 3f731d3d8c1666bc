"""A finished game is replayed, as any seat saw it and with nothing hidden."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, PHONE, Device, Person
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

OVER = """\
{"cardhouse":1,"game":"dogpile","seats":["gm","p1","p2"],"name":"The park","options":{"rounds":1,"hand_size":2},\
"names":{"p1":"Ada","p2":"Ben"}}
{"by":"gm","do":"begin","first":"p1"}
{"draw":"draft","card":"C5"}
{"draw":"draft","card":"C6"}
{"draw":"draft","card":"H9"}
{"draw":"draft","card":"SK"}
{"draw":"draft","card":"C7"}
{"by":"p1","do":"lay","cards":[{"card":"C6","x":0,"y":1}]}
{"by":"p2","do":"pass"}
"""


def looks_back(gm: Person) -> None:
    """From a table that is over, by the menu."""
    gm.comes()
    gm.page.get_by_label("Open a saved game").set_input_files(
        {"name": "game.jsonl", "mimeType": "text/plain", "buffer": OVER.encode()}
    )
    expect(gm.question).to_be_visible()
    gm.hand.press(gm.opens_menu().get_by_role("link", name="Replay this table"))
    expect(gm.page.get_by_role("heading", name="Replay of The park")).to_be_visible()


@pytest.mark.parametrize("device", [*in_soak(DESK), PHONE], ids=["desk", "phone"])
def test_step_by_step_from_any_seat(come: Come, device: Device) -> None:
    gm = come("Mo", device)
    looks_back(gm)
    steps = gm.region("Replay this table")
    on, step = gm.button("Forward one step", steps), gm.page.get_by_role("slider")
    expect(step).to_have_accessible_name("Step 0 of 3")
    expect(gm.page.get_by_text("Nothing has happened yet.").first).to_be_attached()
    gm.hand.press(on)
    hands = gm.page.get_by_role("listitem").filter(has=gm.page.get_by_role("heading", name="Ada"))
    expect(hands.last.get_by_role("img")).to_have_count(2)
    gm.hand.press(on)
    expect(step).to_have_accessible_name("Step 2 of 3")
    assert_accessible(gm.page, "looking back")
    assert_fits(gm.page, "looking back")
    gm.screenshot(f"replay-{'phone' if device is PHONE else 'desk'}")

    plays_on_from_here(gm, device)
    gm.hand.select(gm.page.get_by_role("combobox", name="As seen by"), "Ben")
    expect(gm.page.get_by_text("You draw").first).to_be_attached()
    expect(step).to_have_accessible_name("Step 2 of 3")
    gm.hand.press(gm.button("To the end", steps))
    expect(step).to_have_accessible_name("Step 3 of 3")
    expect(gm.page.get_by_text("The game is over").first).to_be_attached()
    gm.hand.press(gm.button("Show recap"))
    expect(gm.region("The end").get_by_role("heading", name="Two dogs came home.")).to_be_visible()
    gm.page.keyboard.press("ArrowLeft")
    expect(step).to_have_accessible_name("Step 2 of 3")
    gm.page.keyboard.press("End")
    expect(step).to_have_accessible_name("Step 3 of 3")
    expect(gm.page.get_by_role("link", name="Replay this game")).to_have_count(0)

    gm.hand.press(gm.button("Play", steps))
    expect(step).to_have_accessible_name("Step 3 of 3")
    expect(gm.button("Play", steps)).to_be_visible()


def plays_on_from_here(gm: Person, device: Device) -> None:
    """At a table of one's own, in Ben's seat, and back to where one looked back; there the lab can be asked, too."""
    step = gm.page.get_by_role("slider")
    gm.hand.press(gm.button("What if?"))
    expect(gm.page.get_by_role("heading", name="What if Ben had chosen differently?")).to_be_visible()
    expect(step).to_have_accessible_name("Step 2 of 3")
    yours = gm.region("From here it is yours: step 2 of 3")
    expect(yours.get_by_role("link", name="What can silence build?")).to_have_attribute(
        "href", "/lab/dogpile/silence?players=2&hand_size=2"
    )
    assert_accessible(gm.page, "what if")
    assert_fits(gm.page, "what if")
    gm.screenshot(f"what-if-{'phone' if device is PHONE else 'desk'}")
    if device is PHONE:
        gm.hand.press(gm.button("What happened"))
        expect(yours).not_to_be_visible()
    expect(gm.region("What happened")).to_contain_text("Two dogs came home.")
    if device is PHONE:
        gm.hand.press(gm.button("What happened"))
    gm.page.keyboard.press("End")
    expect(step).to_have_accessible_name("Step 2 of 3")
    gm.hand.press(yours.get_by_role("group").get_by_text("Ben", exact=True))
    expect(yours.get_by_role("radio", name="Ben")).to_be_checked()
    gm.hand.press(gm.button(re.compile("^Play on from here")))
    expect(gm.page.get_by_role("heading", name="What if: The park")).to_be_visible()
    expect(gm.question).to_be_visible()
    gm.screenshot(f"what-if-table-{'phone' if device is PHONE else 'desk'}")
    gm.page.go_back()
    expect(gm.page.get_by_role("heading", name="What if Ben had chosen differently?")).to_be_visible()
    gm.hand.press(gm.button("Back to the replay"))
    expect(gm.page.get_by_role("heading", name="Replay of The park")).to_be_visible()
    expect(step).to_have_accessible_name("Step 2 of 3")


@pytest.mark.soak
def test_a_game_that_goes_on_is_not_looked_back_at(come: Come) -> None:
    gm = come("Mo", DESK)
    gm.forgiven.append("403")
    gm.makes_table("Dogpile")
    gm.page.goto(gm.page.url.replace("/t/", "/replay/"))
    expect(gm.page.get_by_text("no one may have it until the table has ended")).to_be_visible()


@pytest.mark.soak
def test_bots_for_the_empty_seats(come: Come) -> None:
    gm = come("Mo", DESK)
    gm.makes_table("Dogpile")
    invite = gm.dialog("Invite players")
    bots = invite.get_by_role("listitem").filter(has_text="a bot plays")
    gm.hand.press(gm.button("Let a bot play Player 2", invite))
    expect(bots).to_have_count(1)
    gm.hand.press(gm.button("Fill open seats with bots", invite))
    expect(bots).to_have_count(4)
    expect(gm.button("Fill open seats with bots", invite)).to_have_count(0)
    who = gm.opens_seat("Player 1").get_by_role("combobox", name="Who plays Player 1")
    expect(who).not_to_have_value("")
    gm.hand.select(who, "A person")
    expect(bots).to_have_count(3)
    gm.screenshot("invite-bots")
