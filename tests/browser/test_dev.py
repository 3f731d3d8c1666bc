"""A game changes during play: its author sees each change on the page, and the table loses nothing."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from cardhouse.testing.serving import serving_house
from tests.browser.conftest import Come
from tests.browser.people import DESK, GONE, PHONE, House, Person

pytestmark = pytest.mark.browser

NAME = "red_dog"


class DevHouse(House):
    """The house of `cardhouse dev`, over a game that was just begun and has no faces, so that no card ends a turn."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        command = [sys.executable, "-m", "cardhouse", "new", NAME]
        subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True)
        self.folder = folder / NAME
        self.changes("points.py", "HIGHEST = 10", "HIGHEST = 13")
        self.said: Iterator[str] = iter(())
        self.links: dict[str, str] = {}

    def open(self) -> None:
        opened = serving_house(str(self.folder), "--no-browser", command="dev")
        server, said = self._running.enter_context(opened)
        self.address = said.splitlines()[0].split()[-1]
        self.links = {line[2:].split("  ")[0]: line.split()[-1] for line in said.splitlines() if "#" in line}
        assert server.stdout is not None
        self.said = iter(server.stdout)

    def changes(self, file: str, old: str, new: str) -> None:
        """The author saves a file of the package."""
        path = self.folder / NAME / file
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")

    def says(self, text: str) -> None:
        """On the terminal, before long."""
        assert any(text in line for line in self.said)


@pytest.fixture
def dev(tmp_path: Path) -> Iterator[DevHouse]:
    with DevHouse(tmp_path) as house:
        yield house


def sits(dev: DevHouse, person: Person, title: str = "You, the game master") -> None:
    """By the link that was printed; the house goes away and comes back with each change."""
    person.forgiven += GONE
    person.opens_link(dev.links[title])
    expect(person.question).to_be_visible()


def card(person: Person) -> Locator:
    return person.table.locator("ch-hand").get_by_role("listitem")


def points(person: Person) -> int:
    found = re.search(r"with (\d+) points?", person.question.inner_text())
    assert found
    return int(found[1])


def alert(person: Person, text: str) -> Locator:
    return person.page.get_by_role("alert").filter(has_text=text)


@pytest.mark.soak
def test_a_fresh_game_is_changed_while_it_is_played(dev: DevHouse, come: Come):
    author = come("Mo", DESK, house=dev)
    sits(dev, author)
    author.page.evaluate("document.marked = true")
    author.does(author.button("Another card"))
    expect(card(author)).to_have_count(1)
    before = points(author)
    author.screenshot("dev-fresh-desk")

    dev.changes("points.py", "sum(number_of(card)", "sum(2 * number_of(card)")
    expect(author.question).to_contain_text(f"with {2 * before} points:")
    dev.changes("words.toml", 'more = "Another card"', 'more = "One more, please"')
    expect(author.button("One more, please")).to_be_visible()
    dev.changes("page/index.js", "add(place, 'p', 'red_dog-points')", "add(place, 'h2', 'red_dog-points')")
    expect(author.table.get_by_role("heading", name=f"{2 * before} points in this turn")).to_be_visible()
    dev.changes("page/index.css", "color: var(--quiet);", "color: rgb(1, 2, 3);")
    expect(author.table.get_by_role("heading")).to_have_css("color", "rgb(1, 2, 3)")

    dev.changes("__init__.py", "def keep(self)", "def keep(self")
    wrong = alert(author, "red_dog/__init__.py, line 83: invalid syntax")
    expect(wrong).to_be_visible()
    author.screenshot("dev-syntax-desk")
    dev.says("The game red_dog can't be loaded: red_dog/__init__.py, line 83: invalid syntax")
    author.does(author.button("One more, please"))  # by the rules before
    expect(card(author)).to_have_count(2)
    dev.changes("__init__.py", "def keep(self", "def keep(self)")
    expect(wrong).to_have_count(0)
    expect(card(author)).to_have_count(2)

    assert author.page.evaluate("document.marked"), "the page was not loaded anew for any of it"


@pytest.mark.soak
def test_rules_that_no_longer_fit_leave_the_table_to_look_at(dev: DevHouse, come: Come):
    author, ben = come("Mo", DESK, house=dev), come("Ben", PHONE, house=dev)
    sits(dev, author)
    sits(dev, ben, "Ben (careful bot)")
    author.does(author.button("Another card"))
    for person in (author, ben):
        expect(card(person)).to_have_count(1)

    dev.changes("__init__.py", "turns: int = 0", "turns: int = 1")
    sentence = 'no longer fit this table\'s log (entry 1, gm more): "more" is not open to gm now.'
    for person in (author, ben):
        expect(alert(person, sentence)).to_be_visible()
        person.page.reload()
        expect(alert(person, sentence)).to_be_visible()
        expect(card(person)).to_have_count(1)
        expect(person.story).to_have_count(1)
        assert person.may() == []
        person.screenshot(f"dev-misfit-{person.name}")
    dev.says(sentence)

    dev.changes("__init__.py", "Stop)] if self.turned else [])", "Stop] if self.turned else [])")
    expect(alert(author, "invalid syntax").or_(alert(author, "does not match"))).to_be_visible()
    expect(card(author)).to_have_count(1)
    dev.changes("__init__.py", "Stop] if self.turned else [])", "Stop)] if self.turned else [])")
    dev.changes("__init__.py", "turns: int = 1", "turns: int = 0")
    expect(author.page.get_by_role("alert")).to_have_count(0)
    author.does(author.button("Stop"))
    ben.sees_in_story("The game master keeps")
    ben.sees_in_story(re.compile("Ada (.*) turns over"))  # a bot, which plays on by the rules as they are


@pytest.mark.soak
def test_a_view_that_breaks_is_named_and_mended(dev: DevHouse, come: Come):
    author = come("Mo", DESK, house=dev)
    sits(dev, author)
    author.forgiven += ["TypeError", "is not a function"]
    author.does(author.button("Another card"))
    dev.changes("page/index.js", "cards: view.turned,", "cards: view.turned.sorted(),")
    expect(author.page.get_by_text("view.turned.sorted is not a function")).to_be_visible()
    expect(author.table).to_contain_text("Turned over")  # the plain view
    dev.says("view.turned.sorted is not a function")
    dev.changes("page/index.js", "cards: view.turned.sorted(),", "cards: view.turned,")
    expect(card(author)).to_have_count(1)
    expect(author.page.get_by_role("alert")).to_have_count(0)


@contextmanager
def stopped(house: DevHouse) -> Iterator[None]:
    house.kill()
    yield
    house.open()


@pytest.mark.soak
def test_the_table_is_there_the_next_time(dev: DevHouse, come: Come):
    author = come("Mo", DESK, house=dev)
    sits(dev, author)
    author.does(author.button("Another card"))
    author.leaves()
    with stopped(dev):
        pass
    again = come("Mo", DESK, house=dev)
    sits(dev, again)
    expect(card(again)).to_have_count(1)
