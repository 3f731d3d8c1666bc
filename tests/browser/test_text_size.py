"""Text that its reader made twice as large in the browser: no control is cut, and nothing scrolls sideways."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route

from cardhouse.testing.browser.chromium import FLAGS
from tests.browser.conftest import Come
from tests.browser.people import DESK, House, Person

pytestmark = pytest.mark.browser

WIDTHS = (320, 390, 1440)
PAGES = ("", "art", "judge/dogpile", "lab", "lab/hackjack/deadly", "print", "make/dogpile/deck", "minute/hackjack")
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
      if (['auto', 'scroll'].includes(overflowX)) return false
      if (clips(around) && box.right > around.getBoundingClientRect().right + 2) return true
    }
    return box.right > innerWidth + 1 || box.left < -1
  })
  const sideways = document.scrollingElement.scrollWidth - innerWidth
  return [...cut.map((e) => `${said(e)} is cut`), ...(sideways > 0 ? [`${sideways} pixels sideways`] : [])]
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
