"""Random presses on a page, as authors' own tests use them, find its faults."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from cardhouse.engine import BadGame, CardhouseError, Header
from cardhouse.testing import browser as browser_run
from cardhouse.testing.browser import press_whatever_is_offered
from cardhouse.testing.browser.page import PHONE, Page
from cardhouse.testing.browser.running import Pressed, house, links_to_new_table
from tests.installed import look_anew
from tests.testing.sound import Change, write_game
from tests.thorough import in_soak
from tests.walkthrough import install_highest, write_files

pytestmark = pytest.mark.browser

ANSWERS = 3


def press(*given: Any, **named: Any) -> Pressed:
    """Press in a thread of its own, since other tests' Playwright may run in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(press_whatever_is_offered, *given, **named).result()


OURS = {"dogpile": False, "initiative": True}
"""Some of our games, one of them in the plain view; `make soak` presses all, and for longer."""


@pytest.mark.parametrize("game", OURS)
@pytest.mark.soak
def test_our_games_are_played_by_pressing_what_is_offered(game: str, chromium: str) -> None:
    pressed = press(game, answers=ANSWERS, players=["Ada"], plain=OURS[game])
    assert pressed.answers == ANSWERS or pressed.is_over
    assert pressed.presses >= pressed.answers


Installed = Callable[..., dict[str, str]]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installed]:
    """The sound game with changes, here and for a server; returns the server's environment."""

    def install(*changes: Change) -> dict[str, str]:
        write_game(tmp_path, *changes)
        look_anew()
        return {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}

    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("sound", None)
    yield install
    monkeypatch.undo()
    sys.modules.pop("sound", None)
    look_anew()


@pytest.mark.soak
def test_a_game_is_played_to_its_end(installed: Installed, chromium: str) -> None:
    env = installed(('[Offer(("ada",), Ring)]', "[]"))
    pressed = press("sound", answers=50, players=["Ada"], env=env)
    assert pressed.is_over
    assert pressed.answers == 4, "a bid and a ring in each of two rounds"


@pytest.mark.soak
def test_the_test_that_the_docs_show_passes(tmp_path: Path, chromium: str) -> None:
    env = install_highest(tmp_path)
    write_files("docs/authors.md", tmp_path)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "highest/test_page.py"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.soak
def test_a_seat_that_cannot_go_on_is_told(installed: Installed, chromium: str) -> None:
    closed = "Offer((GM,), Ring)", 'Offer((GM,), Ring, also=lambda ring: "not now")'
    env = installed(closed, ('[Offer(("ada",), Ring)]', "[]"))
    with pytest.raises(BadGame, match=r"^gm is asked, but the page has no control to answer with\.") as told:
        press("sound", answers=50, players=["Ada"], env=env)
    assert "gm presses Bid" in told.value.__notes__[0] or "p1 presses Bid" in told.value.__notes__[0]


# What is wrong with a page.


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with house(None) as address:
        yield address


@pytest.fixture
def page(address: str, browser: Browser) -> Iterator[Page]:
    links = links_to_new_table(address, Header(cardhouse=1, game="initiative", seats=["gm"], names={"gm": "Mo"}))
    page = Page(browser, links["gm"], "gm", PHONE)
    yield page
    page.context.close()


PUT = "document.querySelector('main').insertAdjacentHTML('afterbegin', '{}')"
WRONG = {
    "an error": ("console.error('oh no')", r"has an error on the console: oh no"),
    "nothing caught": (
        "setTimeout(() => { throw new Error('dear me') })",
        r"has an error that nothing catches: .*dear me",
    ),
    "a part that failed": (
        PUT.format('<p class="view-failed">Its hand: x</p>'),
        r"can't show a part of the game's own view: Its hand: x",
    ),
    "too wide": (
        PUT.format('<section><p style="width:500px">wide</p></section>'),
        r"doesn't fit, .*390.*SECTION wide: 500 > ",
    ),
    "too wide for the narrowest": (
        PUT.format('<section><p style="width:380px">wide</p></section>'),
        r"doesn't fit on the narrowest phone, of 320 pixels: .*380 > ",
    ),
}


@pytest.mark.parametrize(
    "name", ["an error", *in_soak("too wide", "nothing caught", "a part that failed", "too wide for the narrowest")]
)
def test_what_is_wrong_with_a_page_is_told(name: str, page: Page) -> None:
    assert page.wrong(narrow=True) is None
    script, sentence = WRONG[name]
    page.page.evaluate(f"() => {{ {script} }}")
    page.settle()
    told = page.wrong(narrow=True)
    assert told is not None
    assert re.match(sentence, told), told


# What it needs.


def test_without_playwright_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    with (
        pytest.raises(CardhouseError, match=r"needs Playwright, .* pip install 'cardhouse\[browser\]'"),
        browser_run.chromium(),
    ):
        pass
