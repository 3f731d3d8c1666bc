"""The table doesn't move while a player waits."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import DESK, PHONE, House, Person, Resumed, Table
from tests.browser.test_weights import TILL_LOADED, TILL_SAVED

pytestmark = pytest.mark.browser

MOST = 0.02
"""The highest score of one shift. Several were higher before the rail and the latest event kept their space."""
WATCH = """() => {
  window.shifts = []
  const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ')
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      const moved = sources.map((one) => {
        const from = one.node?.nodeType === 1 ? one.node : one.node?.parentElement
        return `${from?.className}: ${box(one.previousRect)} to ${box(one.currentRect)}`
      })
      window.shifts.push([value, ...moved])
    }
  }).observe({ type: 'layout-shift' })
}"""
"""Notes each shift: how much it counts, and what moved."""

TILL_RESTED = """async () => {
  const moving = () => document.getAnimations().filter(({ playState }) => playState === 'running')
  while (moving().length) await Promise.allSettled(moving().map(({ finished }) => finished))
}"""
"""Until nothing moves."""
TOP = "one => one.getBoundingClientRect().top"
NOTE_GLIDES = """() => {
  window.glides = []
  const animate = Element.prototype.animate
  Element.prototype.animate = function (frames, ...how) {
    if (this.matches('.side')) window.glides.push(new DOMMatrix(frames[0].transform).f)
    return animate.call(this, frames, ...how)
  }
}"""
"""Notes how far below its place the roster begins each movement, in pixels."""

MET = [
    {"cardhouse": 1, "game": "initiative", "seats": ["gm", "p1"], "names": {"gm": "Mo", "p1": "Ada"}},
    {"by": "gm", "do": "add_character", "name": "Nan", "card": "HA"},
    {"by": "gm", "do": "add_character", "name": "Doc", "card": "SK"},
    {"by": "gm", "do": "add_character", "name": "Mule", "card": "D4"},
]


HURT: list[dict[str, object]] = [
    {"cardhouse": 1, "game": "hackjack", "seats": ["gm", "p1"], "names": {"gm": "Mo", "p1": "Ada"}},
    {"by": "gm", "do": "add_character", "name": "Nan", "hp": 5, "max_hp": 5, "controller": "p1"},
    {"by": "gm", "do": "add_character", "name": "Doc", "hp": 5, "max_hp": 5},
    {"by": "gm", "do": "add_character", "name": "Mule", "hp": 9, "max_hp": 9},
    {"by": "gm", "do": "damage", "target": "Nan", "amount": 7},
    {"draw": "wounds", "card": "C4"},
    {"by": "gm", "do": "damage", "target": "Doc", "amount": 7},
    {"draw": "wounds", "card": "C5"},
]


def is_all_there(person: Person) -> None:
    """The typefaces come after the first view, and make some lines longer."""
    for there in (TILL_SAVED, TILL_LOADED):
        person.page.evaluate(there)
    person.page.wait_for_load_state("networkidle")


def watches(person: Person) -> None:
    is_all_there(person)
    person.page.evaluate(WATCH)


def test_nothing_moves_on_the_phone_of_one_who_waits(come: Come, house: House):
    made = Resumed(house, map(json.dumps, MET))
    gm, ada = made.sits(come("Mo", DESK), "gm"), made.sits(come("Ada", PHONE), "p1")
    watches(ada)
    Table(gm, [ada]).plays_round()
    expect(ada.page.locator(".lately")).to_contain_text("is over")
    shifts = ada.page.evaluate("shifts")
    assert max((value for value, *_ in shifts), default=0.0) <= MOST, shifts


def test_nobody_who_is_down_moves_when_a_wound_goes_or_comes(come: Come, house: House):
    made = Resumed(house, map(json.dumps, HURT))
    gm, ada = made.sits(come("Mo", DESK), "gm"), made.sits(come("Ada", PHONE), "p1")
    expect(ada.table).to_contain_text("Doc was hit.")
    watches(ada)
    gm.hits("Mule", 1)
    expect(ada.table).to_contain_text("Mule was hit and drew no card.")
    gm.undoes()
    expect(ada.table).to_contain_text("Doc was hit.")
    shifts = ada.page.evaluate("shifts")
    assert max((value for value, *_ in shifts), default=0.0) <= MOST, shifts


def test_what_makes_room_for_the_fallen_glides_to_its_place(come: Come, house: House):
    hit = [{"by": "gm", "do": "damage", "target": "Nan", "amount": 7}, {"draw": "wounds", "card": "C4"}]
    made = Resumed(house, map(json.dumps, [*HURT[:4], *hit]))
    gm = made.sits(come("Mo", DESK), "gm")
    ada = made.sits(come("Ada", PHONE, reduced_motion="no-preference"), "p1")
    fallen, roster = ada.table.get_by_role("article", name="Nan"), ada.page.locator(".side")
    is_all_there(ada)
    gm.undoes()
    expect(fallen).not_to_be_visible()
    ada.page.evaluate(TILL_RESTED)
    before = roster.evaluate(TOP)
    ada.page.evaluate(NOTE_GLIDES)
    gm.hand.press(gm.button("Redo", gm.page.get_by_role("group", name="Last step")))
    expect(fallen).to_be_visible()
    ada.page.evaluate(TILL_RESTED)
    moved = roster.evaluate(TOP) - before
    assert moved > 20
    assert ada.page.evaluate("glides") == [pytest.approx(-moved, abs=1)]


def test_play_fetches_the_view_while_the_table_is_being_made(come: Come, house: House):
    mo = come("Mo", PHONE)
    mo.comes()
    with mo.page.expect_request("**/api/games/gunfight"), mo.page.expect_request("**/gunfight.view*.js"):
        # The table is made only once the view has been asked for.
        mo.page.route("**/api/games/gunfight/**/tables", lambda route: None)
        mo.hand.press(mo.page.get_by_role("article", name="Gunfight").get_by_role("button", name="Play").first)
