"""A first-time visitor alone, with only the page to read: the touches from Home to the first move.

With `-s` it tells the touches, the seconds this machine took, and how many words stood where one looks.
"""

import re
from time import monotonic

import pytest
from playwright.sync_api import expect

from cardhouse.engine import catalogue_of, find_game, game_names
from cardhouse.engine.table.lessons import lessons_of
from tests.browser.conftest import Come
from tests.browser.people import House, Person
from tests.browser.test_lessons import Newcomer

pytestmark = pytest.mark.browser

GOAL = 2
MOST = {"dogpile": 4, "dogs": 3}
"""Where a card is chosen, and a place for it, that is a touch each before the answer."""
FIRST = {
    "dogpile": [r"\w+ of \w+", r"Put the \w+ of \w+ 1 to the", "Lay one card"],
    "dogs": [r"\w+ of \w+, worth", "Raise"],
    "gunfight": ["(Act|Shoot)"],
    "hackjack": ["(Prevent blood loss|Strike)"],
    "initiative": ["(Act|Strike|Hit)"],
}
"""The first touches in each game's scenes: the controls that look most like the next step."""


def words_in(*texts: str) -> int:
    return sum(len(text.split()) for text in texts)


def plays(kim: Person, game: str) -> tuple[int, int]:
    """Alone, by *Play*: how many touches until something was decided, and how many words stand where one looks.

    Bots have all the other seats, and the next answer is one of theirs.
    """
    kind = find_game(game)
    kim.hand.press(kim.region("Games").get_by_title(f"Play {catalogue_of(kind).words.title}", exact=True))
    expect(kim.question).to_be_visible()
    assert kim.is_asked
    goal = kim.page.get_by_role("main").get_by_text(re.compile("^You are [A-Z]"))
    expect(goal).to_be_visible()
    others = kim.page.get_by_role("list", name="At the table").get_by_role("listitem").filter(has_not_text="(you)")
    expect(others).not_to_have_count(0)
    expect(others.filter(has_not_text="played by a bot")).to_have_count(0)
    kim.screenshot(f"play-{game}")
    words = words_in(goal.inner_text(), kim.question.inner_text(), *FIRST[game])
    for name in FIRST[game][:-1]:
        kim.hand.press(kim.button(re.compile(f"^{name}", re.IGNORECASE)).first)
    kim.does(kim.button(re.compile(f"^{FIRST[game][-1]}")).first)
    return 1 + len(FIRST[game]), words


def learns(kim: Person, game: str) -> tuple[int, int]:
    """By the first lesson, the same."""
    first = next(iter(lessons_of(find_game(game)).values()))
    kim.hand.press(kim.button(f"Learn {catalogue_of(find_game(game)).words.title}"))
    kim.hand.press(kim.region("Games").get_by_role("link", name=first.about.lesson))
    newcomer = Newcomer(kim)
    expect(newcomer.says).to_be_visible()
    assert newcomer.is_asked, "a lesson begins with something to do"
    asked = newcomer.says.inner_text()
    while newcomer.is_asked:
        newcomer.touches()
    return 2 + newcomer.touched, words_in(asked)


@pytest.mark.parametrize("game", game_names())
def test_the_first_answer_is_two_touches_away(come: Come, house: House, game: str) -> None:
    kim = come("Kim")
    for way, goes, more in ("play", plays, 0), ("the lesson", learns, 1):
        since = monotonic()
        kim.comes()
        touches, words = goes(kim, game)
        print(f"\n{game:12} {way:12} {touches} touches, {monotonic() - since:4.1f} s here, {words:3} words to read")
        assert touches <= MOST.get(game, GOAL) + more, way
