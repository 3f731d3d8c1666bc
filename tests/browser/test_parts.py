"""Parts of the page that don't arrive, as after an upgrade of the server, and browsers in which it can't start."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import House, Person, Resumed
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

LINES = ('{"cardhouse":1,"game":"initiative","seats":["gm","p1"],"names":{"gm":"Mo","p1":"Ada"}}',)
PARTS = re.compile(r"/assets/")
GONE = "status of 404", "dynamically imported"
PLACES: dict[str, Callable[[Person], None]] = {
    "the lab": lambda mo: mo.hand.press(mo.page.get_by_role("link", name="The lab")),
    "the menu": lambda mo: mo.hand.press(mo.button("Menu")),
    "a tool": lambda mo: mo.hand.press(mo.button("Add character…")),
    "a minute": lambda mo: mo.hand.press(mo.page.get_by_role("link", name="In a minute").first),
    "printing": lambda mo: mo.hand.press(mo.page.get_by_role("link", name="Print")),
}
"""Where a part is fetched only when somebody goes there."""
AT_TABLE = {"the menu", "a tool"}


def loses_parts(person: Person) -> None:
    """From now on, only the files that the page has fetched are there."""
    person.forgiven += GONE
    fetched = set(person.loads)

    def answer(route: Route) -> None:
        if "/assets/" + route.request.url.rpartition("/assets/")[2] in fetched:
            route.continue_()
        else:
            route.fulfill(status=404, body="gone")

    person.page.route(PARTS, answer)


@pytest.mark.parametrize("place", ["the lab", "the menu", *in_soak("a tool", "a minute", "printing")])
def test_a_part_that_is_gone_is_told_with_a_way_on(come: Come, house: House, place: str):
    mo = come("Mo", house=house, service_workers="block")
    if place in AT_TABLE:
        Resumed(house, LINES).sits(mo, "gm")
    else:
        mo.comes()
        expect(mo.region("Games")).to_be_visible()
    mo.page.wait_for_load_state("networkidle")
    loses_parts(mo)
    PLACES[place](mo)
    told = mo.dialog("A part of this page is missing")
    expect(told).to_be_visible()
    assert_accessible(mo.page, place)
    assert_fits(mo.page, place)
    mo.screenshot(f"part-missing-{place.replace(' ', '-')}")
    mo.page.unroute(PARTS)
    mo.hand.press(mo.button("Reload", told))
    expect(told).to_have_count(0)
    if place not in AT_TABLE:
        expect(mo.page.get_by_role("heading", level=1)).to_be_visible()
    else:
        expect(mo.question).to_be_visible()
        PLACES[place](mo)
        expect(mo.page.get_by_role("dialog")).to_be_visible()


FAILS: dict[str, Callable[[Route], None]] = {
    "missing": lambda route: route.fulfill(status=404, body="gone"),
    "not understood": lambda route: route.fulfill(content_type="text/javascript", body="let a = ;"),
    "aborted": lambda route: route.abort(),
    "broken": lambda route: route.fulfill(content_type="text/javascript", body="null.at"),
}


@pytest.mark.parametrize("how", ["not understood", *in_soak("missing", "aborted", "broken")])
def test_a_page_that_cannot_start_says_so(come: Come, house: House, how: str):
    ada = come("Ada", house=house, service_workers="block")
    ada.forgiven += ["status of 404", "net::ERR_FAILED"]
    table = Resumed(house, LINES)
    entry = re.compile(r"/assets/index-.*\.js")
    ada.page.route(entry, FAILS[how])
    ada.opens_link(table.link("p1"))
    told = ada.page.get_by_role("alert")
    expect(told).to_contain_text("Cardhouse couldn\N{RIGHT SINGLE QUOTATION MARK}t start")
    assert_fits(ada.page, how)
    ada.screenshot(f"stuck-{how.replace(' ', '-')}")
    ada.page.unroute(entry)
    ada.complaints.clear()  # of a script that isn't one
    ada.hand.press(ada.button("Reload"))
    expect(ada.question).to_be_visible()
    expect(told).to_have_count(0)


OLD = (
    "(() => { const of = CSS.supports; CSS.supports = (...what) => !/light-dark/.test(what) && of.apply(CSS, what) })()"
)


def test_a_browser_that_is_too_old_is_told_so_above_what_it_can_show(come: Come, house: House):
    ada = come("Ada", house=house)
    ada.page.add_init_script(OLD)
    Resumed(house, LINES).sits(ada, "p1")
    told = ada.page.get_by_role("alert").filter(has_text="This browser is too old for Cardhouse")
    expect(told).to_contain_text("Firefox 120")
    assert_accessible(ada.page, "old")
    ada.screenshot("old-browser")
