"""A session by keyboard alone, from Home to the recap: nothing is out of reach, and the focus is never nowhere.

And by ear: each step is spoken once, in one message.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from cardhouse.engine import catalogue_of, find_game
from tests.browser.conftest import Come
from tests.browser.hands import Keyboard
from tests.browser.hearing import RECORDER, heard, spoken_differently
from tests.browser.people import DESK, UPRIGHT, Person
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

COUNTER = """() => {
  window.presses = 0
  const modifiers = ['Alt', 'Control', 'Meta', 'Shift']
  addEventListener('keydown', ({ key }) => (presses += !modifiers.includes(key)), { capture: true })
}"""
"""An initial script: counts the keys pressed, each with its modifiers as one."""

FIRST_ANSWER = 8
"""The most presses from Home to the first answer of any game."""
ANSWER = {"dogpile": 10}
"""The most presses for an answer."""
ANSWER_USUALLY = 3
HIT = 10
"""The most presses for a hit by the game master."""
WORDS = 15
"""The most words that are said of a step, on average: at 180 a minute, a bot at a slow pace isn't faster."""


def opens(kim: Person, game: str) -> None:
    """By the way past what stands before the games, and by the arrow keys among them."""
    expect(kim.region("Games")).to_be_visible()
    for key in ("Tab", "Enter"):
        kim.page.keyboard.press(key)
    plays = kim.region("Games").get_by_role("button", name=re.compile("^Play "))
    names: list[str] = plays.evaluate_all("(buttons) => buttons.map((button) => button.ariaLabel)")
    place = names.index(f"Play {game}")
    for _ in range(min(place, len(names) - place)):
        kim.page.keyboard.press("ArrowRight" if place <= len(names) / 2 else "ArrowLeft")
    expect(plays.nth(place)).to_be_focused()
    kim.page.keyboard.press("Enter")


def plays_on_behind_a_dialog(kim: Person, next_steps: Locator) -> None:
    """The others play while a dialog is open, in which their moves are heard."""
    kim.page.keyboard.press("?")
    expect(kim.dialog("Keys").or_(next_steps).first).to_be_visible()
    kim.page.evaluate(NOWHERE)
    kim.page.keyboard.press("Escape")
    expect(kim.dialog("Keys")).to_be_hidden()


def sees_the_news(kim: Person) -> None:
    """Wait as long as a person needs: a press on what has just changed counts for nothing."""
    expect(kim.page.locator("[data-news]")).to_have_count(0)


def presses_what_has_the_focus(kim: Person) -> None:
    kim.does(kim.page.locator(":focus"))


def strikes(kim: Person) -> None:
    """By a target's face, where the focus is, and then the answer that is offered for it."""
    if kim.region("Targets").count():
        kim.hand.press(kim.page.locator(":focus"))
        goes_to_answer(kim, "^(Strike|Shoot) ")
    else:
        presses_what_has_the_focus(kim)


def goes_to_answer(kim: Person, name: str) -> None:
    """By its key; the first time, what the keys do is still to come."""
    kim.page.keyboard.press("Alt+J")
    expect(kim.button(re.compile(name))).to_be_focused()
    presses_what_has_the_focus(kim)


def gives(kim: Person) -> None:
    """Without a card chosen, the key stops at what can't be sent yet, not at giving up."""
    kim.page.keyboard.press("Alt+J")
    waits = kim.button(re.compile("^(Raise|See)$"))
    if waits.count():
        expect(waits).to_be_focused()
    kim.does(kim.button(re.compile("^Give")))


def lays_a_card(kim: Person) -> None:
    if kim.button(re.compile("^Lay nothing")).count():
        for key in ("1", "ArrowRight"):
            kim.page.keyboard.press(key)
        kim.hand.press(kim.page.locator(":focus"))
        goes_to_answer(kim, "^Lay (one card|nothing)")
    else:
        presses_what_has_the_focus(kim)


ANSWERS: dict[str, Callable[[Person], None]] = {
    "initiative": strikes,
    "hackjack": strikes,
    "gunfight": strikes,
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
        ("initiative", "no-preference"),
        *in_soak(
            ("hackjack", "no-preference"),
            ("gunfight", "no-preference"),
            ("dogpile", "no-preference"),
            *((game, "reduce") for game in ANSWERS),
        ),
    ],
)
def test_by_keyboard_alone_from_home_to_the_recap(come: Come, game: str, motion: str):
    kim = come("Kim", DESK, Keyboard, reduced_motion=motion)
    for script in (RECORDER, COUNTER):
        kim.page.add_init_script(f"({script})()")
    kim.comes()
    opens(kim, catalogue_of(find_game(game)).words.title)
    expect(kim.question).to_be_visible()
    goal = kim.page.locator(".coach").inner_text()
    before, most = 0, FIRST_ANSWER
    next_steps = kim.region("Where next?")
    asked, begun = 0, kim.number
    while kim.page.evaluate(NOWHERE) <= FRAMES and not next_steps.count():
        number = kim.number
        sees_the_news(kim)
        expect(kim.page.locator("main :is(button, input):focus")).to_be_visible()  # the first control, without a press
        ANSWERS[game](kim)
        kim.catches_up(number + 1)
        asked += 1
        presses = kim.page.evaluate("presses")
        assert presses - before <= most, f"answer {asked}"
        if asked == 1:
            plays_on_behind_a_dialog(kim, next_steps)
        before, most = kim.page.evaluate("presses"), ANSWER.get(game, ANSWER_USUALLY)
    expect(next_steps, f"after {asked} answers").to_be_visible()
    verdict = kim.region("The end").get_by_role("heading", level=2)
    expect(verdict).to_have_text(re.compile(VERDICTS[game]))
    expect(kim.button("Same scene", next_steps)).to_be_visible()
    expect(kim.region("The end")).to_be_focused()
    messages = heard(kim.page)
    assert spoken_differently(kim.page, messages, begun) == {}
    assert [m for m in messages if m.urgent != ("Your turn: " in m.text)] == [], "only one's own turn interrupts"
    assert sum(message.text.startswith("Your turn: ") for message in messages) <= 1, "a step and its question are one"
    assert sum(goal in message.text for message in messages) == 1, "who one is, and what to do"
    assert verdict.inner_text() in messages[-1].text
    others = [len(message.text.split()) for message in messages[:-1] if not message.urgent]  # nothing follows the end
    assert sum(others) / len(others) <= WORDS, "bots at a slow pace don't outrun what is said of them"
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


def test_the_keys_of_a_table_go_and_read_and_a_hit_takes_few_presses(come: Come):
    gm = come("Mo", UPRIGHT, Keyboard)
    for script in (RECORDER, COUNTER):
        gm.page.add_init_script(f"({script})()")
    gm.makes_table("Hackjack")
    gm.goes_to_table()
    gm.does(gm.button("Add a starter cast"))
    key = gm.page.keyboard.press

    key("Alt+N")
    asked = gm.question.locator(".ask").inner_text().partition("Why?")[0].strip()
    expect(gm.page.locator("[aria-live]").filter(has_text=asked)).to_be_attached()
    key("Alt+G")
    expect(gm.table).to_be_focused()
    key("Alt+J")
    expect(gm.choices.locator(":focus")).to_be_visible()

    sees_the_news(gm)
    before = gm.page.evaluate("presses")
    for pressed in ("Alt+K", "Enter"):
        key(pressed)
    expect(gm.page.get_by_role("dialog").get_by_role("radio")).not_to_have_count(0)
    for pressed in ("Tab", "ArrowDown", "ArrowDown", "ArrowDown", "8"):
        key(pressed)
    gm.answers(lambda: key("Enter"))
    assert gm.page.evaluate("presses") - before <= HIT
    key("Alt+R")
    expect(gm.page.locator("[aria-live=polite][aria-atomic]")).to_contain_text(" takes 8 ")

    key("?")
    keys = gm.dialog("Keys")
    expect(keys).to_contain_text("Alt + R")
    gm.page.keyboard.press("Escape")
    gm.hand.press(gm.button("Keys of the table", gm.opens_menu()))
    box = keys.get_by_role("checkbox", name="Use these keys")
    gm.hand.reach(box)
    key("Space")
    expect(box).not_to_be_checked()
    key("Escape")
    key("Alt+G")
    expect(gm.table).not_to_be_focused()
    key("?")
    expect(keys).to_be_hidden()


SOMEONE_IS_ASKED = "() => document.title.startsWith('●') || document.querySelector('.now > .go')"


def is_asked_at_last(person: Person) -> bool:
    """Once anybody is asked, return whether it is this person and not a bot."""
    person.page.wait_for_function(SOMEONE_IS_ASKED)
    return person.is_asked


@pytest.mark.soak
def test_the_board_of_dogpile_says_what_its_keys_do_and_bots_wait(come: Come):
    kim = come("Kim", DESK, Keyboard)
    kim.page.add_init_script("""localStorage['cardhouse.likes'] = '{"pace": "wait"}'""")
    kim.comes()
    opens(kim, "Dogpile")
    go_on = kim.button("Next move")
    while not is_asked_at_last(kim):
        number = kim.number
        kim.hand.press(go_on)
        kim.catches_up(number + 1)
    key = kim.page.keyboard.press
    spoken = kim.page.locator("[aria-live=polite][aria-atomic]")
    focused = kim.page.locator(":focus")
    expect(focused).to_contain_text("The Pack Leader")
    key("Alt+G")
    expect(kim.page.locator(".desk[tabindex]")).to_be_focused()
    key("Alt+J")
    expect(focused).to_contain_text("The Pack Leader")
    key("1")
    expect(spoken).to_contain_text("The Pack Leader")
    below = 1
    while kim.page.locator(f"[data-cell='0,{-below}'].laid").count():  # bots have laid there
        below += 1
    for _ in range(below):
        key("ArrowDown")
    expect(focused).to_contain_text(re.compile(f"^Put .* {below} down"))
    expect(focused).to_have_accessible_description(re.compile("^Beside it: .* above"))
    key("Enter")
    expect(focused).to_contain_text("not laid yet")
    key("1")
    for pressed in ("ArrowLeft", "ArrowDown"):
        key(pressed)
    expect(focused).to_have_accessible_description(re.compile("connected yet"))
    for pressed in ("ArrowUp", "ArrowRight"):
        key(pressed)
    key("Delete")
    expect(spoken).to_contain_text("is back in your hand")
    key("1")
    key("Enter")
    expect(focused).to_contain_text("not laid yet")
    lay = kim.button(re.compile("^Lay one card"))
    key("Alt+J")
    expect(lay).to_be_focused()
    kim.does(lay)
    expect(lay).to_have_count(0)
    if not is_asked_at_last(kim):  # else the cards were turned over at once
        expect(go_on).to_be_focused()
        kim.hand.reach(kim.region("The board").locator("[data-cell][tabindex='0']"))
        sees_the_news(kim)
        kim.answers(lambda: key("Delete"))
        expect(lay).to_be_visible()
