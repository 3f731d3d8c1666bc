"""The house goes away and comes back."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import DESK, House, Table

pytestmark = pytest.mark.browser


def test_a_house_killed_in_the_middle_of_a_round_is_opened_again_and_everybody_goes_on(
    tmp_path: Path, come: Come, sit_down: Callable[..., Table]
):
    with House(tmp_path) as house:
        gm = come("Mo", DESK, house=house)
        gm.makes_table()
        table = sit_down("Ada", "Ben", screen=True, gm=gm)
        for person in table.everybody:
            person.forgiven += ["ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET"]
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
