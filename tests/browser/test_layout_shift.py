"""The table doesn't move while a player waits."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import DESK, PHONE, House, Resumed, Table

pytestmark = pytest.mark.browser

MOST = 0.03
"""What one shift may count. When the rail and the latest event had no room of their own, several counted more."""
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

MET = [
    {"cardhouse": 1, "game": "initiative", "seats": ["gm", "p1"], "names": {"gm": "Mo", "p1": "Ada"}},
    {"by": "gm", "do": "add_character", "name": "Nan", "card": "HA"},
    {"by": "gm", "do": "add_character", "name": "Doc", "card": "SK"},
    {"by": "gm", "do": "add_character", "name": "Mule", "card": "D4"},
]


def test_nothing_moves_on_the_phone_of_one_who_waits(come: Come, house: House):
    made = Resumed(house, map(json.dumps, MET))
    gm, ada = made.sits(come("Mo", DESK), "gm"), made.sits(come("Ada", PHONE), "p1")
    ada.page.wait_for_load_state("networkidle")
    ada.page.evaluate(WATCH)
    Table(gm, [ada]).plays_round()
    expect(ada.page.locator(".lately")).to_contain_text("is over")
    shifts = ada.page.evaluate("shifts")
    assert max((value for value, *_ in shifts), default=0.0) <= MOST, shifts
