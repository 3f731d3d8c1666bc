"""A server under a path of a shared site: all that its page requests, links to and stores is below it."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from scripts.services import free_port
from tests.browser.conftest import Come
from tests.browser.people import DESK, House, Person
from tests.browser.test_app import AWAY, KEPT, is_kept

pytestmark = pytest.mark.browser

LINKS = "() => [...document.querySelectorAll('a[href^=\"/\"]')].map((link) => link.getAttribute('href'))"
KEPT_HERE = "() => Object.keys(localStorage)"
ELSEWHERE = "() => caches.open('shell /wiki/ 1').then(() => caches.keys())"
KEPT_NAMES = "() => caches.keys()"


def is_below(person: Person) -> None:
    """Whatever it asked for, and wherever it leads to."""
    named = [*person.loads, *person.page.evaluate(LINKS)]
    assert named
    assert [path for path in named if not path.startswith("/cards/")] == []


@pytest.mark.soak
def test_all_of_the_page_is_below_its_path(tmp_path: Path, come: Come):
    address = f"http://127.0.0.1:{free_port()}/cards/"
    house = House(tmp_path, None, "--address", address)
    house.address = address
    with house:
        gm, ada = come("Mo", DESK, house=house), come("Ada", house=house)
        gm.page.goto(address)
        gm.page.evaluate(ELSEWHERE)
        gm.makes_table()
        link = gm.link_for("Player 1")
        assert link.startswith(f"{address}t/")
        assert gm.link_for_all().startswith(f"{address}j/")
        gm.goes_to_table()
        ada.opens_link(link)
        ada.sits_down()
        assert ada.socket
        assert urlsplit(ada.socket.url).path == "/cards/ws"
        gm.opens_menu()
        gm.page.keyboard.press("Escape")
        gm.comes()
        gm.hand.press(gm.page.get_by_role("link", name=re.compile("^The lab")))
        expect(gm.page).to_have_url(f"{address}lab")
        gm.page.go_back()
        expect(gm.region("Games")).to_be_visible()
        for person in (gm, ada):
            is_below(person)
            assert all(key.endswith(" /cards") for key in person.page.evaluate(KEPT_HERE))
        gm.page.goto(address)  # a page that one went back to may be as old as before there was a service worker
        is_kept(gm)
        assert "shell /wiki/ 1" in gm.page.evaluate(KEPT_NAMES), "another's on the same site"
        assert all(re.match(re.escape(address), url) for url in gm.page.evaluate(KEPT))

        house.kill()
        gm.page.goto(address)
        expect(gm.page.get_by_text(AWAY)).to_be_visible()
