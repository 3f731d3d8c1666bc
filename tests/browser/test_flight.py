"""Several events at once are shown one after another, and the player who loses by them reads them first."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import TELEVISION, House, Resumed

pytestmark = pytest.mark.browser

BLACK_JOKER = [
    {"cardhouse": 1, "game": "initiative", "seats": ["gm", "p1"], "names": {"p1": "Ada"}},
    {"by": "gm", "do": "add_character", "name": "Nan", "card": "HK", "controller": "p1"},
    {"by": "gm", "do": "add_character", "name": "Doc", "card": "H9"},
    {"by": "gm", "do": "start_round"},
    {"draw": "initiative", "card": "BJ"},
    {"draw": "initiative", "card": "HK"},
    {"draw": "initiative", "card": "H9"},
]
FLOWN = """
window.flown = []
const animate = Element.prototype.animate
Element.prototype.animate = function (frames, options) {
  const card = this.closest('[data-card]')?.dataset.card
  if (card && 'delay' in options) window.flown.push([card, options.delay])
  return animate.call(this, frames, options)
}
"""


@pytest.mark.soak
def test_cards_come_one_after_the_other(come: Come, house: House):
    table = Resumed(house, map(json.dumps, [*BLACK_JOKER, {"by": "gm", "end": True}]))
    gm = come("Mo", TELEVISION)
    gm.page.add_init_script(FLOWN)
    gm.opens_link(table.link("gm").replace("/t/", "/replay/"))
    for _ in range(3):
        gm.page.evaluate("window.flown = []")
        gm.hand.press(gm.button("Forward one step"))
    gm.page.wait_for_function("new Set(window.flown.map(([card]) => card)).size >= 3")
    begins = dict(gm.page.evaluate("window.flown"))
    assert begins.keys() == {"BJ", "HK", "H9"}
    assert begins["BJ"] == 0
    assert 0 < begins["HK"] < begins["H9"]


@pytest.mark.soak
def test_whoever_loses_an_action_reads_it_first(come: Come, house: House):
    table = Resumed(house, map(json.dumps, BLACK_JOKER))
    ada = table.sits(come("Ada"), "p1")
    loss = ada.page.get_by_text("Nan loses an action to the black joker.", exact=True)
    expect(loss).to_be_visible()
    above, question = loss.bounding_box(), ada.question.bounding_box()
    assert above
    assert question
    assert above["y"] < question["y"]
    ada.screenshot("loses-phone")
    gm = table.sits(come("Mo"), "gm")
    expect(gm.page.get_by_text("Nan loses an action to the black joker.", exact=True)).to_have_count(0)
