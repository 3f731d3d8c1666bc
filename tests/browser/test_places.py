"""The places of cards in an initiative: none covers another, and the deck stays put."""

import json
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.people import DESK, PHONE, UPRIGHT, House, Resumed
from tests.browser.test_layout_shift import is_all_there
from tests.thorough import in_soak
from tests.walkthrough import ROOT

pytestmark = pytest.mark.browser

TRANSCRIPTS = ROOT / "tests" / "transcripts" / "initiative"
PLACES = ("Deck", "Drawn", "Acting", "Waiting")
WIDTHS = (1440, 1360, 390)
STILL = 4
"""So many pixels nobody notices."""
Box = dict[str, float]

FIGHT: list[dict[str, Any]] = [
    {"cardhouse": 1, "game": "initiative", "seats": ["gm", "p1"], "names": {"p1": "Ada"}},
    {"by": "gm", "do": "add_character", "name": "Nan", "card": "HA", "controller": "p1"},
    {"by": "gm", "do": "add_character", "name": "Doc Holliday of Griffin", "card": "S10", "controller": "p1"},
    {"by": "gm", "do": "add_character", "name": "Mule", "card": "C4"},
    {"by": "gm", "do": "start_round"},
    {"draw": "initiative", "card": "HA"},
    {"by": "p1", "do": "act", "name": "Nan"},
    {"by": "p1", "do": "done", "name": "Nan"},
    {"draw": "initiative", "card": "S10"},
    {"by": "p1", "do": "wait", "name": "Doc Holliday of Griffin"},
    {"draw": "initiative", "card": "C4"},
    {"by": "p1", "do": "wait", "name": "Doc Holliday of Griffin"},
]
STEPS_BACK = 4
"""Mule acts early; before, two of whom one waits; an ace under the deck; the ace acts; it may act or wait."""


def box(place: Locator) -> Box:
    found = place.bounding_box()
    assert found
    return {"x": found["x"], "y": found["y"], "width": found["width"], "height": found["height"]}


@pytest.mark.soak
@pytest.mark.parametrize("game", [*in_soak("IN-10-new-card-higher-waits"), "IN-14-ace-to-the-bottom"])
def test_looking_back_no_place_lies_upon_another(game: str, come: Come, house: House):
    lines = (TRANSCRIPTS / f"{game}.jsonl").read_text("utf-8").splitlines()
    table = Resumed(house, [*lines, json.dumps({"by": "gm", "end": True})])
    gm = come("Mo", DESK)
    gm.opens_link(table.link("gm").replace("/t/", "/replay/"))
    step = gm.page.get_by_role("slider")
    for _ in range(int(step.get_attribute("max") or 0)):
        gm.hand.press(gm.button("Forward one step"))
        for width in WIDTHS:
            gm.page.set_viewport_size({"width": width, "height": 850})
            spots = sorted((box(spot) for spot in gm.page.locator(".stack, .spot").all()), key=lambda one: one["x"])
            for left, right in pairwise(spots):
                assert left["x"] + left["width"] < right["x"], (step.input_value(), spots)
            assert spots[-1]["x"] + spots[-1]["width"] <= width


@pytest.mark.soak
def test_no_empty_place_lies_across_an_ace_under_an_empty_deck(come: Come, house: House):
    lines = (TRANSCRIPTS / "IN-14-ace-to-the-bottom.jsonl").read_text("utf-8").splitlines()
    gm = Resumed(house, lines[:-2]).sits(come("Mo", UPRIGHT), "gm")
    ace = gm.button("The ace of spades (Deuce) at the bottom of the deck")
    expect(ace).to_be_visible()
    gm.screenshot("ace-under-nothing")
    gm.hand.press(ace)
    expect(gm.page.get_by_role("dialog", name="Deuce")).to_be_visible()


@pytest.mark.soak
def test_the_deck_stays_where_it_is(come: Come, house: House):
    table = Resumed(house, (json.dumps(line) for line in FIGHT))
    gm = table.sits(come("Mo", UPRIGHT), "gm")
    people = [gm, table.sits(come("Ada", PHONE), "p1")]
    for person in people:
        is_all_there(person)
    seen: list[list[Box]] = [[] for _ in people]
    for step in range(STEPS_BACK + 1):
        for person, boxes in zip(people, seen, strict=True):
            person.catches_up(gm.number)
            boxes.append(box(person.table.locator("[data-deck]")))
            person.screenshot(f"deck-{people.index(person)}-{step}")
        if step < STEPS_BACK:
            gm.undoes()
    for boxes in seen:
        for side in ("x", "y"):
            assert max(one[side] for one in boxes) - min(one[side] for one in boxes) <= STILL, boxes
