"""A hidden character on the players' devices (IN-21)."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.people import Table

pytestmark = pytest.mark.browser

SECRETS = re.compile(r"Mole|Order of the Owl|(?<![\w-])S5(?![\w-])|5 of spades")


def test_a_hidden_character_is_nowhere_on_a_players_device_until_it_is_turned_up(sit_down: Callable[..., Table]):
    table = sit_down("Ada", screen=True)
    gm, ada, screen = table.everybody
    gm.adds("Nan", card="ace of hearts", side="The Law", played_by="Ada", more=True)
    gm.adds("Doc", card="king of hearts", side="The Law", more=True)
    gm.adds("Mole", card="5 of spades", side="Order of the Owl", hidden=True)
    expect(gm.table).to_contain_text("Mole")
    expect(gm.table).to_contain_text("Order of the Owl")
    for person in (ada, screen):
        person.sees_in_story("A character is hiding.")
    expect(ada.region("Hidden")).to_contain_text("one character is hidden")
    gm.screenshot("hidden-desk")
    ada.screenshot("hidden-phone")

    gm.chooses("start")
    while not gm.story.filter(has_text="Mole steps out of hiding").count():
        for person in (ada, screen):
            expect(person.story).to_have_count(gm.story.count())
            assert not SECRETS.search(person.page.locator("body").aria_snapshot())
            assert [frame for frame in person.heard if SECRETS.search(frame)] == []
        gm.chooses(table.now())
    for person in (ada, screen):
        person.sees_in_story("Mole steps out of hiding with")
        expect(person.table).to_contain_text("Order of the Owl")
        told = [place for place, frame in enumerate(person.heard) if SECRETS.search(frame)]
        assert told, "the socket was listened to"
        assert "revealed" in person.heard[told[0]]
