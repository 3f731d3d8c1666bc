"""Another package's game is played with its own view, on a page built with it."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import DESK, PHONE, House, Resumed
from tests.outside import NAME, OWN_WORDS, install_outside, page_with
from tests.print.reading import read

pytestmark = [pytest.mark.browser, pytest.mark.soak]

ROUND = [
    {"cardhouse": 1, "game": NAME, "seats": ["gm", "p1"], "names": {"p1": "Ada"}},
    {"by": "gm", "do": "add_character", "name": "Nan", "card": "H7", "controller": "p1"},
    {"by": "gm", "do": "add_character", "name": "Doc", "card": "S10", "controller": "p1"},
    {"by": "gm", "do": "start_round"},
    {"draw": NAME, "card": "H7"},
]


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("outside")
    env = install_outside(folder)
    page_with(env, folder)
    with House(folder, env) as house:
        yield house


def test_a_strangers_game_is_played_by_its_own_view(come: Come, outside: House):
    table = Resumed(outside, map(json.dumps, ROUND))
    gm = table.sits(come("Mo", DESK, house=outside), "gm")
    ada = table.sits(come("Ada", PHONE, house=outside), "p1")
    for person in (gm, ada):
        expect(person.page.get_by_text(OWN_WORDS)).to_be_visible()
        expect(person.page.locator(".tile" if person.at_desk else ".stack, .spot").first).to_be_visible()
    ada.chooses("act")
    ada.chooses("done")
    for person in (gm, ada):
        person.sees_in_story("Nan")
        person.screenshot(f"skirmish-{person.name}")


def test_it_is_among_the_games_with_its_own_poster(come: Come, outside: House):
    mo = come("Mo", PHONE, house=outside)
    mo.comes()
    card = mo.region("Games").get_by_role("listitem").filter(has=mo.page.get_by_role("article", name="Card skirmish"))
    poster = card.locator("img")
    expect(poster).to_be_visible()
    expect(poster).to_have_attribute("src", re.compile(NAME))


def test_what_it_prints_is_printed_from_the_page(come: Come, outside: House):
    mo = come("Mo", DESK, house=outside)
    mo.page.goto(f"{outside.address}print/{NAME}")
    tiers = mo.region("Tiers of a skirmish, to hang up")
    mo.hand.press(tiers.get_by_role("radio", name="Letter"))
    with mo.page.expect_download() as saved:
        mo.hand.press(mo.button("Create PDF", tiers))
    (page,) = read(saved.value.path().read_bytes())
    assert page.size == pytest.approx((215.9, 279.4), abs=0.01)
    expect(tiers.get_by_role("status")).to_contain_text("Saved tiers.pdf.")
