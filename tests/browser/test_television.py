"""A television with more people than it has room for: long lists scroll by, because no one there can scroll."""

import json

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.people import TELEVISION, House, Person, Resumed
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

SIDES = {"H": "Marshals", "S": "Gang", "D": "Townsfolk", "C": "Riders of the Purple Sage"}
RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7")
RIDERS = [f"{suit}{rank}" for rank in RANKS for suit in SIDES][:30]
SMALLEST = 28
"""In pixels of a screen 1080 high: smaller than that nobody reads from a sofa."""
ROUND_TRIP = 120_000
"""In so many milliseconds of the page's own time it has gone down and come up again."""
SMALL = """(list, least) => [...list.querySelectorAll('li *')]
  .filter((e) => e.childElementCount === 0 && e.textContent.trim())
  .filter((e) => parseFloat(getComputedStyle(e).fontSize) * e.currentCSSZoom < least - 0.1).map((e) => e.textContent)"""


def thirty(house: House, game: str) -> Resumed:
    """A round of thirty riders, of whom one is up."""
    more = {"hp": 5, "max_hp": 5} if game == "gunfight" else {}
    lines: list[dict[str, object]] = [{"cardhouse": 1, "game": game, "seats": ["gm", "p1"], "name": "Red Gulch"}]
    for place, card in enumerate(RIDERS):
        who = {"name": f"Rider {place + 1}", "card": card, "side": SIDES[card[0]]}
        lines.append({"by": "gm", "do": "add_character", **who, **more})
    lines += [{"by": "gm", "do": "start_round"}, {"draw": "initiative", "card": "DQ"}]
    return Resumed(house, map(json.dumps, lines))


def watches(house: House, screen: Person, game: str) -> Locator:
    """At the screen's page, whose time is the test's; gives what goes by."""
    screen.page.clock.install()
    screen.opens_link(thirty(house, game).link("screen"))
    list_ = screen.page.locator(".side .scroll")
    expect(list_.locator(".name")).to_have_count(len(RIDERS))
    return list_


def at(list_: Locator) -> float:
    return float(list_.evaluate("(list) => list.scrollTop"))


def seen_while(screen: Person, list_: Locator, milliseconds: int) -> set[str]:
    """Whose names were wholly to be seen at some time while so much of the page's time went by."""
    seen: set[str] = set()
    for _ in range(milliseconds // 2000):
        screen.page.clock.run_for(2000)
        seen.update(
            list_.evaluate("""(list) => {
      const place = list.getBoundingClientRect()
      return [...list.querySelectorAll('.name')].filter((name) => {
        const { top, bottom } = name.getBoundingClientRect()
        return top >= place.top && bottom <= Math.min(place.bottom, innerHeight)
      }).map((name) => name.textContent)
    }""")
        )
    return seen


@pytest.mark.soak
@pytest.mark.parametrize("game", [*in_soak("initiative"), "gunfight"])
def test_thirty_riders_go_by_large_enough_to_be_read(game: str, house: House, come: Come) -> None:
    screen = come("the television", TELEVISION)
    riders = watches(house, screen, game)
    assert riders.evaluate(SMALL, SMALLEST) == []
    screen.screenshot(f"thirty-{game}-television")
    everybody = {f"Rider {place + 1}" for place in range(len(RIDERS))}
    assert seen_while(screen, riders, ROUND_TRIP) == everybody
    # Whoever touches something has the list to themselves for a while, and then it goes on.
    screen.page.keyboard.press("Shift")
    stands = at(riders)
    assert seen_while(screen, riders, 20_000) != everybody
    assert at(riders) == stands
    assert seen_while(screen, riders, ROUND_TRIP) == everybody


@pytest.mark.soak
def test_where_motion_is_reduced_pages_are_turned(house: House, come: Come) -> None:
    screen = come("the television", {**TELEVISION, "reduced_motion": "reduce"})
    riders = watches(house, screen, "gunfight")
    screen.page.clock.run_for(1000)
    screen.page.evaluate("() => document.fonts.ready.then(() => null)")
    places = []
    for _ in range(12):
        screen.page.clock.run_for(5000)
        places.append(at(riders))
    assert 0 in places
    assert len(set(places)) <= 6, "no place in between"
    assert len(set(places)) > 1, "it does turn"
