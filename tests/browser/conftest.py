"""Fixtures: a browser, a server, and people who visit it."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from cardhouse.testing.browser.chromium import FLAGS

pytest.register_assert_rewrite("tests.browser.people")

from tests.browser.hands import Mouse, Touch  # noqa: E402 (what they assert is to be explained)
from tests.browser.people import DESK, PHONE, TELEVISION, Device, House, Person, Table  # noqa: E402


class Come(Protocol):
    """Somebody comes to the house."""

    def __call__(
        self,
        name: str,
        device: Device = ...,
        hand: Callable[[Page], Mouse] | None = None,
        house: House | None = None,
        browser: Browser = ...,
        **more: Any,
    ) -> Person: ...


@pytest.fixture(scope="session")
def _launched(chromium: str) -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """One Chromium for each worker, and the event loop that Playwright runs in this thread."""
    with sync_playwright() as playwright:
        loop = asyncio.get_running_loop()
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        asyncio._set_running_loop(None)
        yield browser, loop
        asyncio._set_running_loop(loop)
        browser.close()


# Between two modules Playwright's loop doesn't count as running, so that other tests can run loops of their own.
@pytest.fixture(scope="module")
def browser(_launched: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    browser, loop = _launched
    asyncio._set_running_loop(loop)
    yield browser
    asyncio._set_running_loop(None)


@pytest.fixture
def whole_browser(browser: Browser, whole_chromium: str) -> Iterator[Browser]:
    """Chromium with what it has only where it has windows, such as notices; to be asked for before `come`."""
    whole = browser.browser_type.launch(executable_path=whole_chromium, args=FLAGS)
    yield whole
    whole.close()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture
def come(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Come]:
    """People come, on a phone with a finger, else with a mouse; when they go, they must have nothing to complain of.

    If the test fails, a picture and a trace of each person's page are saved in `shots`.
    """
    people: list[Person] = []
    failed = request.session.testsfailed

    def come(
        name: str,
        device: Device = PHONE,
        hand: Callable[[Page], Mouse] | None = None,
        house: House | None = None,
        browser: Browser = browser,
        **more: Any,
    ) -> Person:
        hand = hand or (Touch if device.get("has_touch") else Mouse)
        person = Person(browser, house or request.getfixturevalue("house"), name, device, hand, **more)
        people.append(person)
        return person

    yield come
    if request.session.testsfailed > failed:
        for place, person in enumerate(people):
            person.keeps_picture(f"failed-{request.node.name[:60]}-{place}")
            person.keeps_trace(f"failed-{request.node.name[:60]}-{place}")
    for person in people:
        person.leaves()
    assert [complaint for person in people for complaint in person.complaints] == []


@pytest.fixture
def sit_down(come: Come) -> Callable[..., Table]:
    """A table as usual: a game master at a desk, players with phones, a television if there is one."""

    def sit_down(*names: str, screen: bool = False, gm: Person | None = None) -> Table:
        if gm is None:
            gm = come("Mo", DESK)
            gm.makes_table()
        players = [come(name, house=gm.house) for name in names]
        for number, player in enumerate(players, start=1):
            player.opens_link(gm.link_for(f"Player {number}"))
            player.sits_down()
        television = come("the television", TELEVISION, house=gm.house) if screen else None
        if television:
            television.opens_link(gm.link_for("Table screen"))
        gm.goes_to_table()
        return Table(gm, players, television)

    return sit_down
