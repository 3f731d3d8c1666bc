"""The house goes away and comes back."""

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import DESK, House, Table
from tests.server.wires import Wire

pytestmark = pytest.mark.browser


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
            heading = ada.page.get_by_role("heading", name="This house has another address")
            expect(heading).to_be_visible()
            expect(ada.page.get_by_text(f"--address {proxy.url.rstrip('/')}")).to_be_visible()
            assert [json.loads(frame)["code"] for frame in ada.heard] == ["wrong_origin"]
            ada.leaves()  # while the proxy still stands
