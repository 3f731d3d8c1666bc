"""The server goes away and comes back."""

import json
import re
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.people import DESK, House, Person, Resumed, Table
from tests.server.wires import Wire
from tests.thorough import in_soak

pytestmark = pytest.mark.browser


@pytest.mark.soak
def test_a_house_killed_in_the_middle_of_a_round_is_opened_again_and_everybody_goes_on(
    tmp_path: Path, come: Come, sit_down: Callable[..., Table]
):
    with House(tmp_path) as house:
        gm = come("Mo", DESK, house=house)
        gm.makes_table()
        table = sit_down("Ada", "Ben", screen=True, gm=gm)
        gm.adds("Nan", tier="Elite", played_by="Ada", more=True)
        gm.adds("Doc", tier="Leader", played_by="Ben")
        table.chooses(gm, "start")
        seen, count = gm.sees(), gm.story.count()

        house.kill()
        for person in table.everybody:
            person.sees_connection_lost()
        word = table.now()
        asked = table.asked()
        asked.hand.press(asked.choice(word))
        gm.screenshot("house-away-desk")
        assert (gm.sees(), gm.story.count()) == (seen, count)

        house.open()
        for person in table.everybody:
            person.sees_connection_back()
            expect(person.story).to_have_count(count + 1)
        table.sees_with(gm)
        while (word := table.now()) != "start":
            table.chooses(table.asked(), word)
        for person in table.everybody:
            person.sees_in_story("Round 1 is over.")


@pytest.mark.soak
def test_through_a_proxy_that_hides_its_name_the_page_says_what_to_set(tmp_path: Path, come: Come):
    with House(tmp_path) as house:
        gm = come("Mo", DESK, house=house)
        gm.makes_table()
        _, _, link = gm.link_for("Player 1").rpartition("/t/")
        gm.leaves()  # or their page would go on fetching its typefaces from where the house was
        with Wire(house.address, 80, lambda data: data.replace(ports[0], ports[1])) as proxy:
            ports = [f"\r\nHost: 127.0.0.1:{urlsplit(url).port}".encode() for url in (proxy.url, house.address)]
            ada = come("Ada", house=house)
            house.address = proxy.url
            ada.opens_link(f"{proxy.url.rstrip('/')}/t/{link}")
            heading = ada.page.get_by_role("heading", name="This server has another address")
            expect(heading).to_be_visible()
            expect(ada.page.get_by_text(f"--address {proxy.url.rstrip('/')}")).to_be_visible()
            assert [json.loads(frame)["code"] for frame in ada.heard] == ["wrong_origin"]
            ada.leaves()  # while the proxy still stands


NOTICED_MS = 5000
"""A line that died without a word is noticed within that, once anything makes the page look at it."""
WAKES = {
    "visible": "document.dispatchEvent(new Event('visibilitychange'))",
    "shown": "dispatchEvent(new PageTransitionEvent('pageshow'))",
    "focused": "dispatchEvent(new Event('focus'))",
    "online": "dispatchEvent(new Event('online'))",
}


@pytest.fixture
def line(house: House) -> Iterator[Wire]:
    with Wire(house.address, 80) as line:
        yield line


@pytest.fixture
def gm_by_line(house: House, come: Come, line: Wire) -> Person:
    """A game master who comes by a line that can die, and whose page's clock can be set."""
    by_line = House.at(line.url)
    by_line.was_killed = True  # while the line is dead the browser complains as if the house were gone
    gm = come("Mo", DESK, house=by_line)
    gm.page.clock.install()
    gm.makes_table()
    gm.goes_to_table()
    return gm


def test_a_dead_line_that_looks_open_is_noticed_when_the_device_wakes(gm_by_line: Person, line: Wire):
    gm = gm_by_line
    for wakes in WAKES.values():
        line.lose()
        assert gm.socket
        with gm.socket.expect_event("framesent"):
            gm.page.evaluate(wakes)
        gm.page.clock.fast_forward(NOTICED_MS)
        gm.sees_connection_lost()
        line.mend()
        gm.sees_connection_back()


def test_what_is_pressed_on_a_dead_line_is_noticed_and_done_once_when_it_is_back(gm_by_line: Person, line: Wire):
    gm = gm_by_line
    gm.adds("Nan", tier="Elite")
    count = gm.story.count()
    gm.opens_menu()  # which is fetched when it is first opened
    gm.closes(re.compile(""))
    line.lose()
    gm.hand.press(gm.choice("start"))
    menu = gm.opens_menu()
    gm.hand.write(menu.get_by_role("textbox", name="Your name"), "Moe")
    gm.hand.press(gm.button("Save", menu))
    gm.closes(re.compile(""))
    gm.page.clock.fast_forward(NOTICED_MS)
    gm.sees_connection_lost()
    line.mend()
    gm.sees_connection_back()
    expect(gm.story).to_have_count(count + 1)
    gm.sees_in_story("Round 1")
    expect(gm.page.get_by_role("list", name="At the table").get_by_text("Moe")).to_be_visible()


@pytest.mark.soak
def test_a_line_that_answers_is_kept_however_often_the_page_asks(gm_by_line: Person):
    gm = gm_by_line
    before = gm.socket
    assert before
    asked: list[str | bytes] = []

    def answered(frame: str | bytes) -> None:
        if '"pong"' in str(frame):
            asked.pop()

    before.on("framesent", lambda frame: asked.append(frame))
    before.on("framereceived", answered)
    gm.page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))  # or the page's own pings would come between
    for wakes in WAKES.values():
        gm.page.evaluate(wakes)
        assert asked
        while asked:
            before.wait_for_event("framereceived")
        gm.page.clock.fast_forward(NOTICED_MS)
        while asked:
            before.wait_for_event("framereceived")
    gm.page.clock.resume()
    gm.adds("Nan", tier="Elite")
    assert gm.socket is before


SLEEPS = (
    "(() => { const now = performance.now.bind(performance); performance.now = () => now() - (window.slept ?? 0) })()"
)
"""A page's clock stands still while its device sleeps: it is `slept` milliseconds behind."""
NIGHT = 40 * 60_000


@pytest.mark.parametrize("wakes", ["visible", *in_soak("shown", "focused")])
def test_a_device_that_slept_shows_the_right_time(come: Come, house: House, wakes: str):
    seats = ["gm", "p1", "p2"]
    lines = [
        {
            "cardhouse": 1,
            "game": "dogpile",
            "seats": seats,
            "names": dict(zip(seats, ("Mo", "Ada", "Ben"), strict=True)),
        },
        {"by": "gm", "do": "begin", "first": "p1"},
        {"time": int(time.time())},
    ]
    table = Resumed(house, map(json.dumps, lines))
    gm, ada = come("Mo", DESK), come("Ada")
    ada.page.add_init_script(SLEEPS)
    for person, seat in ((gm, "gm"), (ada, "p1")):
        table.sits(person, seat)
    timer = ada.page.get_by_role("timer", name="Time left")
    left = minutes(timer)
    assert ada.socket
    with ada.socket.expect_event("framereceived", lambda frame: '"pong"' in str(frame)):
        ada.page.evaluate(f"window.slept = {NIGHT}; {WAKES[wakes]}")
    shown = timer.inner_text()
    expect(timer).not_to_have_text(shown)
    assert left - 2 < minutes(timer) <= left
    gm.hand.press(gm.button("End table", gm.opens_menu()))
    expect(ada.page.get_by_text(re.compile(r"The table ends in (10|[1-9]) seconds"))).to_be_visible()
    gm.hand.press(gm.button("Cancel"))


def minutes(timer: Locator) -> float:
    whole, seconds = timer.inner_text().split(":")
    return int(whole) + int(seconds) / 60
