"""The size of what Home and a table load the first time, compressed, with headers."""

import json
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import DESK, House, Person
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

KB = 1000
HOME = 112 * KB
TABLES = {"initiative": 167.0, "hackjack": 176.5, "dogpile": 164.5, "dogs": 204.5, "gunfight": 203.0}
"""Among it the parts of portraits and courts, and each game's world: its horizon, its texture and its typeface.

A host begins with the invitations, which nobody else fetches.
"""

TILL_SAVED = "async () => { while (!localStorage['cardhouse.faces']) await new Promise(requestAnimationFrame) }"
TILL_LOADED = """async () => {
  const loaded = () => [...document.fonts].filter(({ status }) => status === 'loaded').length
  while (!loaded()) await new Promise(requestAnimationFrame)
  await document.fonts.ready
  return loaded()
}"""


def fetched(person: Person, address: str) -> int:
    """How many bytes come over the wire until the page at this address rests."""
    session = person.context.new_cdp_session(person.page)
    session.send("Network.enable")
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda told: sizes.append(told["encodedDataLength"]))
    person.page.goto(address, wait_until="networkidle")
    return int(sum(sizes))


def test_the_first_view_of_the_house_is_light(come: Come, house: House):
    mo = come("Mo", DESK)
    weight = fetched(mo, house.address)
    assert mo.region("Games").get_by_role("listitem").count() > 4
    assert 30 * KB < weight <= HOME
    # Its typefaces come later, and are there from the beginning the next time.
    mo.page.evaluate(TILL_SAVED)
    mo.page.reload()
    assert mo.page.evaluate(TILL_LOADED) >= 2


@pytest.mark.parametrize("game", ["gunfight", *in_soak("initiative", "hackjack", "dogpile", "dogs")])
def test_the_first_view_of_a_table_is_light(come: Come, house: House, game: str):
    body = json.dumps({"game": game, "seats": ["p1", "p2"]}).encode()
    made = json.load(urlopen(Request(f"{house.address}api/tables", body, {"content-type": "application/json"})))
    mo = come("Mo", DESK)
    weight = fetched(mo, f"{house.address}t/{made['table']}#{made['links']['gm']}")
    expect(mo.question).to_be_visible()
    assert 50 * KB < weight <= TABLES[game] * KB
