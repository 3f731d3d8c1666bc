"""Text that its reader made twice as large in the browser: no control is cut, and nothing scrolls sideways."""

import json
from collections.abc import Iterable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Route, expect

from cardhouse.testing.browser.chromium import FLAGS
from tests.browser.conftest import Come
from tests.browser.people import DESK, House, Person
from tests.browser.test_layout import resumed
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
WIDTHS = (320, 390, 1440)
PAGES = (
    "",
    "art",
    "judge/dogpile",
    "lab",
    "lab/hackjack/deadly",
    "print",
    "make/dogpile/deck",
    "minute/dogs",
    "elements",
)
CUT = """() => {
  const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const clips = (e) => ['clip', 'hidden'].includes(getComputedStyle(e).overflowX)
  const said = (e) => (e.innerText || e.ariaLabel || e.name || e.type || '').trim().slice(0, 30)
  const controls = [...document.querySelectorAll('button, a[href], input, select, summary')]
    .filter((e) => shown(e) && e.getBoundingClientRect().width > 2 && !e.closest('.seen-by-readers'))
  const cut = controls.filter((e) => {
    const box = e.getBoundingClientRect()
    for (let around = e.parentElement; around; around = around.parentElement) {
      const { overflowX } = getComputedStyle(around)
      if (!around.getClientRects().length) continue
      if (['auto', 'scroll'].includes(overflowX)) return false
      if (clips(around) && box.right > around.getBoundingClientRect().right + 2) return true
    }
    return box.right > innerWidth + 1 || box.left < -1
  })
  const spills = [...document.querySelectorAll('main *, dialog[open] *')]
    .filter((e) => [...e.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()))
    .filter((e) => e.scrollWidth > e.clientWidth + 2 && e.clientWidth > 2 && shown(e) && !e.closest('svg'))
    .filter((e) => getComputedStyle(e).overflowX === 'visible')
  const sideways = [document.scrollingElement, ...document.querySelectorAll('dialog[open]')]
    .map((e) => e.scrollWidth - e.clientWidth).filter((wide) => wide > 0)
  const found = [...cut.map((e) => `${said(e)} is cut`), ...spills.map((e) => `${said(e)} spills over`)]
  return [...found, ...sideways.map((wide) => `${wide} pixels sideways`)]
}"""


@pytest.fixture
def large(browser: Browser, chromium: str) -> Iterator[Browser]:
    """A browser with twice the usual text size; to be asked for before `come`."""
    large = browser.browser_type.launch(executable_path=chromium, args=[*FLAGS, "--blink-settings=defaultFontSize=32"])
    yield large
    large.close()


def cut(person: Person, moment: str, *widths: int) -> list[str]:
    """Return what is cut at each of these widths."""
    found = []
    for width in widths:
        person.page.set_viewport_size({"width": width, "height": 844})
        person.screenshot(f"large-{moment}-{width}")
        found += [f"{moment} at {width}: {one}" for one in person.page.evaluate(CUT)]
    return found


def test_pages_work_with_text_twice_as_large(large: Browser, come: Come, house: House):
    person = come("Mo", DESK, browser=large)
    assert person.page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    found = []
    for path in PAGES:
        person.page.goto(f"{house.address}{path}")
        person.page.wait_for_load_state("networkidle")
        found += cut(person, path.replace("/", "-") or "home", *WIDTHS)
    assert not found, "\n".join(found)


def cut_in_dialogs(person: Person, moment: str, openers: Iterable[Locator]) -> list[str]:
    """Return what is cut in the dialogs that these buttons open."""
    found = []
    for opener in openers:
        name = opener.inner_text()
        person.hand.press(opener)
        expect(person.page.get_by_role("dialog")).to_be_visible()
        found += cut(person, f"{moment}-{name.removesuffix(ELLIPSIS)}", 320)
        person.page.keyboard.press("Escape")
        expect(person.page.get_by_role("dialog")).to_be_hidden()
    return found


@pytest.mark.parametrize("game", ["dogs", *in_soak("dogpile", "gunfight", "hackjack", "initiative")])
def test_tables_work_with_text_twice_as_large(game: str, large: Browser, come: Come, house: House):
    table = resumed(house, game)
    player = table.sits(come("Ada", browser=large), "p1")
    found = cut(player, f"{game}-p1", *WIDTHS)

    gm = table.sits(come("Mo", browser=large), "gm")
    found += cut(gm, f"{game}-gm", *WIDTHS)
    gm.page.set_viewport_size({"width": 320, "height": 844})
    tools = gm.tools.get_by_role("button").filter(has_text=ELLIPSIS)
    found += cut_in_dialogs(gm, game, [*tools.all(), gm.button("Invite"), gm.button("Menu")])
    assert not found, "\n".join(found)


def test_a_new_table_works_with_text_twice_as_large(large: Browser, come: Come):
    gm = come("Mo", browser=large)
    gm.makes_table()
    expect(gm.dialog("Invite players")).to_be_visible()
    found = cut(gm, "invite", *WIDTHS)
    gm.goes_to_table()
    found += cut(gm, "first", *WIDTHS)
    gm.page.set_viewport_size({"width": 390, "height": 844})
    gm.hand.press(gm.button("Log"))
    expect(gm.page.get_by_role("heading", name="Log")).to_be_in_viewport()
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("games", "width"), [(6, 1024), (9, 1440), (11, 900)])
def test_posters_wrap_when_there_are_many_games(come: Come, house: House, games: int, width: int):
    person = come("Mo", DESK)

    def many(route: Route) -> None:
        response = route.fetch()
        some = json.loads(response.body())
        route.fulfill(json=[{**some[n % len(some)], "name": f"game{n}"} for n in range(games)])

    person.page.route("**/api/games", many)
    person.page.goto(house.address)
    person.page.get_by_role("article").nth(games - 1).wait_for()
    assert cut(person, f"many-{games}", width) == []
