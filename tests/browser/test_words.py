"""Single sentences that confused first-time players, and marks in the wrong place."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import House, Resumed
from tests.browser.test_places import FIGHT, TRANSCRIPTS

pytestmark = pytest.mark.browser

NOW = re.compile(r"\bnow\b")
DOGS = TRANSCRIPTS.parent / "dogs"


def test_whoever_waits_and_chooses_is_marked(come: Come, house: House):
    """Doc waits and outranks Mule, so that it is Doc who chooses (IN-10)."""
    gm = Resumed(house, map(json.dumps, FIGHT[:-1])).sits(come("Mo"), "gm")
    row = gm.page.get_by_role("listitem").filter(has_text="Doc Holliday of Griffin").filter(has_text="Leader")
    expect(row).to_contain_text("is choosing")
    card = gm.region("Waiting place").get_by_role("button", name=re.compile("^Doc Holliday of Griffin waits with"))
    expect(card).to_be_visible()


def test_the_one_who_is_asked_is_marked_and_only_what_ails_is_red(come: Come, house: House):
    """Ada has raised, and Ben is to see (DV-16)."""
    lines = (DOGS / "DV-29-injured-and-all-right.jsonl").read_text("utf-8").splitlines()
    raised = next(place for place, line in enumerate(lines) if '"raise"' in line)
    gm = Resumed(house, lines[: raised + 1]).sits(come("Mo"), "gm")
    people = gm.page.locator(".roster button.row")
    expect(people.filter(has_text="Ben")).to_have_class(NOW)
    expect(people.filter(has_text="Ada")).not_to_have_class(NOW)
