"""A table that the installed rules can't replay: all see its last state, and the game master continues in a copy."""

import os
import re
import sqlite3
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import House, Resumed

pytestmark = pytest.mark.browser

LINES = (
    '{"cardhouse":1,"game":"initiative","name":"Red Gulch","seats":["gm","p1"],"names":{"gm":"Mo","p1":"Ada"}}',
    '{"by":"gm","do":"add_character","name":"Nan","card":"HA"}',
    '{"by":"gm","do":"add_character","name":"Doc","card":"SQ"}',
    '{"by":"gm","do":"add_character","name":"Bea","card":"HK"}',
)


@pytest.mark.soak
def test_it_is_shown_as_it_stood_and_goes_on_in_a_copy(come: Come, tmp_path: Path):
    with House(tmp_path) as house:
        table = Resumed(house, LINES)
        house.stop()
        with sqlite3.connect(house.database.removeprefix("sqlite:///")) as connection:
            connection.execute("UPDATE entries SET text = replace(text, 'HK', 'HA') WHERE number = 3")
        connection.close()
        house.open()
        gm, ada = come("Mo", house=house), come("Ada", house=house)
        for person, seat in ((gm, "gm"), (ada, "p1")):
            person.opens_link(table.link(seat))
            expect(person.page.get_by_role("alert")).to_contain_text(
                re.compile("^Entry 3 of this table.s log doesn.t fit")
            )
            expect(person.table).to_contain_text("Doc")
            expect(person.table).not_to_contain_text("Bea")
            expect(person.region("Where next?")).to_have_count(0)
            assert_accessible(person.page, "read-only")
            assert_fits(person.page, "read-only")
            person.screenshot(f"read-only-{person.name}")
        expect(ada.page.get_by_role("link", name="Play on in a copy")).to_have_count(0)
        with gm.page.expect_download() as download:
            gm.hand.press(gm.button("Save the log up to entry 2"))
        assert Path(download.value.path()).read_text("utf-8").count("add_character") == 2
        gm.hand.press(gm.page.get_by_role("link", name="Play on in a copy"))
        expect(gm.button("What if?")).to_be_visible()
        gm.screenshot("read-only-copy")


UNOPENED = {
    "gone": ("There is no game called gone.", "install the version of gone"),
    "twice": ("one 1.0 (one:Theirs) and other 1.0 (other:Theirs) both claim the game twice.", "uninstall the other"),
}
"""Why the table of a game can't be opened, and what to do about it."""


def test_a_game_that_is_gone_or_claimed_twice_says_so(come: Come, tmp_path: Path):
    with House(tmp_path, with_packages(tmp_path, "one", "other")) as house:
        tables = {game: Resumed(house, LINES) for game in UNOPENED}
        house.stop()
        with sqlite3.connect(house.database.removeprefix("sqlite:///")) as connection:
            for game, table in tables.items():
                connection.execute(
                    "UPDATE tables SET header = replace(header, 'initiative', ?) WHERE id = ?", (game, table.id)
                )
        connection.close()
        house.open()
        ada = come("Ada", house=house)
        ada.forgiven.append("status of 400")
        for game, (why, remedy) in UNOPENED.items():
            ada.opens_link(tables[game].link("p1"))
            said = ada.page.get_by_role("main")
            for text in ("be opened now", why, remedy, "Nothing is lost."):
                expect(said).to_contain_text(text)
            expect(said).not_to_contain_text("reach the server")
            assert_accessible(ada.page, game)
            assert_fits(ada.page, game)
            ada.screenshot(f"unopened-{game}")


def with_packages(folder: Path, *names: str) -> dict[str, str]:
    """Return an environment in which these packages claim the game `twice`."""
    for name in names:
        info = folder / "site" / f"{name}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[cardhouse.games]\ntwice = {name}:Theirs\n")
    return {**os.environ, "PYTHONPATH": str(folder / "site")}
