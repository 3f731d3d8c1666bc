"""Each game is learned on a phone by tapping the highlighted controls."""

from __future__ import annotations

import re
from typing import Self

import pytest
from playwright.sync_api import Locator, expect

from cardhouse.engine import find_game, game_names
from cardhouse.engine.table.lessons import lessons_of
from tests.browser.conftest import Come
from tests.browser.hands import Keyboard, Touch
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, House, Person
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

LESSONS = [
    lesson
    for game in game_names()
    for name in lessons_of(find_game(game))
    for lesson in (
        [(game, name)] if game in ("dogpile", "hackjack") and name.startswith("1-") else in_soak((game, name))
    )
]
"""Two show every part of a lesson's page; `make soak` plays the others."""
SOMETHING_ELSE = {
    "hackjack": "Fight on",
    "dogs": "Give",
    "dogpile": "Lay nothing",
    "gunfight": "Wait",
    "initiative": "Wait",
    "2-late-and-dead": "Act",
    "2-alone-and-shuffled": "Start",
}
"""What else than what is meant can be answered to the first question of each game's lessons, by its first words."""
STEPS = 300
"""No lesson takes so many touches."""


class Newcomer:
    """Somebody in a lesson, who touches what is lit, and reads nothing but what is said."""

    def __init__(self, person: Person) -> None:
        self.person, self.page = person, person.page
        self.touched = 0

    def opens(self, house: House, game: str, name: str) -> Self:
        self.page.goto(f"{house.address}learn/{game}/{name}")
        expect(self.says).to_be_visible()
        return self

    @property
    def says(self) -> Locator:
        return self.person.region("The lesson")

    @property
    def lit(self) -> Locator:
        return self.page.locator("[data-lit]")

    @property
    def goes_on(self) -> Locator:
        return self.person.button("Next")

    @property
    def plays_on(self) -> Locator:
        return self.person.button("Play on from here")

    @property
    def is_asked(self) -> bool:
        return self.person.button("Show me").is_visible()

    def touches(self) -> None:
        """What comes next: what is lit, or the button that leads on."""
        expect(self.lit.or_(self.goes_on).or_(self.plays_on).first).to_be_visible()
        self.touched += 1
        if self.is_asked:
            self._presses(self.lit.first)
        elif self.goes_on.is_visible():
            self.person.hand.press(self.goes_on)

    def _presses(self, lit: Locator) -> None:
        """In its middle, wherever that is by then: a board that makes room for a place moves it."""
        if isinstance(self.person.hand, Touch):
            lit.tap()
        else:
            self.person.hand.press(lit)

    def comes_to_a_question(self) -> None:
        for _ in range(STEPS):
            if self.is_asked:
                break
            self.touches()
        expect(self.lit).to_have_count(1)

    def comes_to_the_end(self) -> None:
        for _ in range(STEPS):
            if self.plays_on.is_visible():
                return
            self.touches()
        raise AssertionError(self.says.inner_text())


@pytest.mark.parametrize(("game", "name"), LESSONS)
def test_a_lesson_is_played_by_touching_what_is_lit(come: Come, house: House, game: str, name: str) -> None:
    newcomer = Newcomer(come("Kim")).opens(house, game, name)
    newcomer.comes_to_a_question()
    before = newcomer.says.inner_text()
    expect(newcomer.person.table).to_be_in_viewport()
    assert_accessible(newcomer.page, "asked in a lesson")
    newcomer.person.screenshot(f"lesson-{game}-{name[0]}")
    other = newcomer.person.button(
        re.compile(f"^{SOMETHING_ELSE.get(name, SOMETHING_ELSE[game])}"), newcomer.page.locator(".choices")
    )
    newcomer.person.hand.press(other.first)
    expect(newcomer.says.locator(".otherwise")).not_to_be_empty()
    expect(newcomer.lit).to_have_count(1)
    newcomer.comes_to_the_end()
    assert before not in newcomer.says.inner_text()
    expect(newcomer.page.get_by_role("progressbar")).to_have_attribute("value", re.compile(r"\d\d"))
    assert_accessible(newcomer.page, "the end of a lesson")
    assert_fits(newcomer.page, "the end of a lesson")
    newcomer.person.screenshot(f"lesson-{game}-{name[0]}-end")


@pytest.mark.soak
def test_another_answer_is_met_with_a_word_and_one_plays_on(come: Come, house: House) -> None:
    """By keyboard, on a desk."""
    newcomer = Newcomer(come("Kim", DESK, Keyboard)).opens(house, "initiative", "1-act-or-wait")
    newcomer.comes_to_a_question()
    newcomer.person.hand.press(newcomer.person.button("Wait", newcomer.person.choices))
    expect(newcomer.says.locator(".otherwise")).to_have_text(re.compile("But now, go first: act"))
    expect(newcomer.lit).to_have_text("Act")
    newcomer.person.hand.press(newcomer.person.button(re.compile("^Why. IN-10"), newcomer.says))
    expect(newcomer.person.dialog(re.compile("^IN-10"))).to_be_visible()
    newcomer.page.keyboard.press("Escape")
    newcomer.person.screenshot("lesson-wrong-desk")
    newcomer.person.hand.press(newcomer.person.button("Show me"))
    expect(newcomer.says).to_contain_text("Kit acts")
    newcomer.comes_to_the_end()
    newcomer.person.hand.press(newcomer.plays_on)
    expect(newcomer.person.question).to_contain_text("Snake")
    assert "/t/" in newcomer.page.url
