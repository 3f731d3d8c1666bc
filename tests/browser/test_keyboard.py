"""A session by keyboard alone, from Home to the recap: nothing is out of reach, and the focus is never nowhere.

And by ear: each step is spoken once, in one message.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from cardhouse.engine import catalogue_of, find_game
from tests.browser.conftest import Come
from tests.browser.hands import Keyboard
from tests.browser.hearing import RECORDER, heard, spoken_differently
from tests.browser.people import DESK, Person
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

FRAMES = 30
"""The most frames without a focus. The page needs 1 to 3, and 6 on a busy machine; a bot's turn has hundreds."""
NOWHERE = """async () => {
  const frame = () => new Promise(requestAnimationFrame)
  await frame()
  const more = () => !document.title.startsWith('●') && !document.querySelector('[aria-label="Where next?"]')
  let [most, now] = [0, 0]
  do {
    await frame()
    now = document.activeElement === document.body ? now + 1 : 0
    most = Math.max(most, now)
  } while (more() || now)
  return most
}"""
"""Waits until somebody is asked or the session is over; returns for how many frames the focus was nowhere."""


def presses_what_has_the_focus(kim: Person) -> None:
    kim.does(kim.page.locator(":focus"))


def gives(kim: Person) -> None:
    kim.does(kim.button(re.compile("^Give")))


def lays_a_card(kim: Person) -> None:
    if kim.button(re.compile("^Lay nothing")).count():
        for key in ("1", "ArrowRight", "Enter"):
            kim.page.keyboard.press(key)
        kim.does(kim.button(re.compile("^Lay (one card|nothing)")))
    else:
        presses_what_has_the_focus(kim)


ANSWERS: dict[str, Callable[[Person], None]] = {
    "initiative": presses_what_has_the_focus,
    "hackjack": presses_what_has_the_focus,
    "gunfight": presses_what_has_the_focus,
    "dogs": gives,
    "dogpile": lays_a_card,
}


VERDICTS = dict.fromkeys(ANSWERS, r"^(You (won|lost)\.|Nobody won\.|It is undecided\.)$")
VERDICTS["dogpile"] = r"^(You beat par\.|Below par\.|.* came home\.)$"
"""The verdicts on someone who plays alone."""


@pytest.mark.parametrize(
    ("game", "motion"),
    [
        ("dogs", "no-preference"),
        *in_soak(
            ("initiative", "no-preference"),
            ("hackjack", "no-preference"),
            ("gunfight", "no-preference"),
            ("dogpile", "no-preference"),
            *((game, "reduce") for game in ANSWERS),
        ),
    ],
)
def test_by_keyboard_alone_from_home_to_the_recap(come: Come, game: str, motion: str):
    kim = come("Kim", DESK, Keyboard, reduced_motion=motion)
    kim.page.add_init_script(f"({RECORDER})()")
    kim.comes()
    kim.hand.press(kim.region("Games").get_by_title(f"Play {catalogue_of(find_game(game)).words.title}", exact=True))
    expect(kim.question).to_be_visible()
    next_steps = kim.region("Where next?")
    asked, begun = 0, kim.number
    while kim.page.evaluate(NOWHERE) <= FRAMES and not next_steps.count():
        number = kim.number
        ANSWERS[game](kim)
        kim.catches_up(number + 1)
        asked += 1
    expect(next_steps, f"after {asked} answers").to_be_visible()
    verdict = kim.region("The end").get_by_role("heading", level=2)
    expect(verdict).to_have_text(re.compile(VERDICTS[game]))
    expect(kim.button("Same scene", next_steps)).to_be_visible()
    expect(kim.region("The end")).to_be_focused()
    messages = heard(kim.page)
    assert spoken_differently(kim.page, messages, begun) == {}
    assert [m for m in messages if m.urgent != ("Your turn: " in m.text)] == [], "only one's own turn interrupts"
    assert verdict.inner_text() in messages[-1].text
    menu = kim.opens_menu()
    kim.page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(kim.button("Menu")).to_be_focused()
    kim.hand.press(kim.button("All totals", next_steps))
    expect(kim.dialog("All totals")).to_be_visible()
    kim.page.keyboard.press("Escape")
    kim.hand.press(kim.button("Again", next_steps))
    expect(next_steps).to_have_count(0)
    assert kim.page.evaluate(NOWHERE) <= FRAMES
