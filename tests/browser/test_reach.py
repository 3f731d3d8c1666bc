"""Reach: by keyboard in few stops, by finger, and on a television that no one scrolls."""

import json

import pytest
from playwright.sync_api import expect

from cardhouse.testing.browser.controls import press_until_it_counts
from tests.browser.conftest import Come
from tests.browser.people import DESK, PHONE, UPRIGHT, House, Resumed
from tests.browser.test_dogpile import HANDS, Kennel, begins, board
from tests.browser.test_places import FIGHT
from tests.thorough import in_soak
from tests.walkthrough import ROOT

pytestmark = pytest.mark.browser

LESSONS = ROOT / "src" / "cardhouse" / "games"
TARGET = 24
"""Pixels that a mouse needs."""
FINGER = 44
"""Pixels that a finger needs."""
TOO_SMALL = """(finger) => [...document.querySelectorAll('main button, main a, main summary')]
  .filter((e) => e.getClientRects().length && !e.closest('.board, .story'))
  .filter((e) => {
    const [box, reach] = [e.getBoundingClientRect(), getComputedStyle(e, '::after')]
    return ['width', 'height'].some((side) => Math.max(box[side], parseFloat(reach[side]) || 0) < finger)
  })
  .map((e) => e.outerHTML.slice(0, 120))"""


@pytest.mark.soak
def test_rule_marks_are_quiet_large_enough_and_the_story_is_one_stop(come: Come, house: House):
    gm = Resumed(house, map(json.dumps, FIGHT)).sits(come("Mo", UPRIGHT), "gm")
    entries = gm.story
    assert entries.locator("button:not([tabindex='-1'])").count() == 1
    mark = gm.question.get_by_role("button", name="Why")
    sizes = mark.evaluate("e => { const s = getComputedStyle(e, '::after'); return [s.width, s.height] }")
    assert all(float(size.removesuffix("px")) >= TARGET for size in sizes), sizes
    beside = gm.region("Log").get_by_role("heading")
    colours = [part.evaluate("e => getComputedStyle(e).color") for part in (mark, beside)]
    assert colours[0] == colours[1], "as quiet as what stands beside the table"
    entries.first.get_by_role("button").first.focus()
    gm.page.keyboard.press("ArrowDown")
    gm.page.keyboard.press("ArrowRight")
    expect(entries.nth(1).get_by_role("button").nth(1)).to_be_focused()
    assert entries.locator("button:not([tabindex='-1'])").count() == 1


@pytest.mark.soak
@pytest.mark.parametrize("game", [*in_soak("initiative", "hackjack"), "gunfight", *in_soak("dogs"), "dogpile"])
def test_a_finger_finds_all_that_can_be_pressed(come: Come, house: House, game: str):
    (path,) = LESSONS.glob(f"{game}/lessons/now.jsonl")
    lines = [line for line in path.read_text("utf-8").splitlines() if '"lesson"' not in line]
    gm = Resumed(house, lines).sits(come("Mo", PHONE), "gm")
    assert gm.page.evaluate(TOO_SMALL, FINGER) == []
    story = gm.page.get_by_role("region", name="Log").get_by_role("paragraph")
    assert all(height >= FINGER for height in story.evaluate_all("all => all.map((e) => e.offsetHeight)"))


def test_the_focus_is_at_the_question_after_the_invitations_close(come: Come):
    gm = come("Mo", DESK)
    gm.makes_table()
    gm.goes_to_table()
    expect(gm.question).to_be_focused()


@pytest.mark.soak
def test_with_many_seats_the_buttons_of_the_invitations_stay_in_reach(come: Come):
    gm = come("Mo", DESK)
    gm.makes_table_with(Players=8)
    invite = gm.dialog("Invite players")
    expect(gm.button("Start", invite)).to_be_in_viewport(ratio=1)
    expect(invite).to_contain_text("make play LAN=1")
    expect(invite.get_by_role("img")).to_have_count(0)  # no code is shown that no phone can open
    gm.screenshot("invite-eight")


def test_a_card_is_laid_by_three_keys(come: Come, house: House):
    kennel = Kennel(house, ("Ada", "Ben"), begins("p1", "D8", HANDS))
    ada = kennel.sits(come("Ada", DESK), "p1")
    expect(board(ada).get_by_role("button", name="The Pack Leader")).to_be_focused()
    for key in ("1", "ArrowRight"):
        ada.page.keyboard.press(key)
    # The place is new. If news came in the same frame, the page ignores a press on it for a moment.
    press_until_it_counts(ada.page.locator("[data-cell='1,0']"), lambda: ada.page.keyboard.press("Enter"))
    expect(board(ada).get_by_role("button", name="not laid yet")).to_have_count(1)
