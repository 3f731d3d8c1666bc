"""The next session: after one tap by the game master, every page moves to its seat at the new table."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.links import link_of
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, TELEVISION, House, Person, Resumed
from tests.server.test_campaign import CROWDS

pytestmark = pytest.mark.browser

NAMES = {"p1": "Ada", "p2": "Ben"}
HEADER = {"cardhouse": 1, "game": "dogpile", "name": "Red Gulch", "seats": ["gm", "p1", "p2", "p3"], "names": NAMES}
OVER = (json.dumps({**HEADER, "options": {"rounds": 2}}), '{"by":"gm","end":true}')


GROUP = {"ada": "Ada", "ben": "Ben", "cat": "Cat"}
OTHERS = sorted({*CROWDS, "dogpile"} - {"hackjack"})


def evening_of(game: str) -> list[str]:
    """A session of four people that is over: with characters, NPCs and dead, where the game has any."""
    header = {"cardhouse": 1, "game": game, "name": "Red Gulch", "seats": ["gm", *GROUP], "names": GROUP}
    answers = [*CROWDS.get(game, []), {"end": True}]
    return [json.dumps(header), *(json.dumps({"by": "gm", **answer}) for answer in answers)]


def goes_along(person: Person, before: str) -> str:
    """Somebody's page is at another table, in the seat it had; the table's id."""
    expect(person.page).not_to_have_url(re.compile(f"/t/{before}(#|$)"))
    expect(person.question).not_to_contain_text("has ended")
    return person.page.url.partition("/t/")[2].partition("#")[0]


@pytest.mark.parametrize("game", ["hackjack", *(pytest.param(game, marks=pytest.mark.soak) for game in OTHERS)])
def test_two_sessions_in_a_row_lose_nobody(come: Come, house: House, game: str):
    table = Resumed(house, evening_of(game))
    people = {seat: come(name) for seat, name in GROUP.items()}
    people |= {"gm": come("Mo", DESK), "screen": come("the television", TELEVISION)}
    for seat, person in people.items():
        table.sits(person, seat)
    gm, place = people["gm"], table.id
    for session in ("first", "second"):
        gm.screenshot(f"again-{session}-{game}")
        gm.hand.press(gm.button(re.compile("^(Next session|Play again)"), gm.region("Where next?")))
        places = {goes_along(person, place) for person in people.values()}
        assert len(places) == 1
        (place,) = places
        assert all(link_of(person).endswith(table.tokens[seat]) for seat, person in people.items() if seat != "screen")
        for name in GROUP.values():
            expect(gm.page.get_by_text(name, exact=True).first).to_be_visible()
        for line in CROWDS.get(game, []):
            expect(gm.table.get_by_text(str(line.get("name", line.get("of"))), exact=True).first).to_be_visible()
        if session == "first":
            gm.hand.press(gm.button("End table", gm.opens_menu()))


def looks(person: Person, moment: str) -> None:
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(f"again-{moment}")


@pytest.mark.soak
def test_everyone_plays_again_with_one_tap_and_latecomers_follow(come: Come, tmp_path: Path):
    with House(tmp_path) as house:
        table = Resumed(house, OVER)
        gm, ada, ben = come("Mo", DESK, house=house), come("Ada", house=house), come("Ben", house=house)
        screen = come("the television", TELEVISION, house=house)
        for person, seat in ((gm, "gm"), (ada, "p1"), (screen, "screen")):
            table.sits(person, seat)
        looks(gm, "desk")
        looks(ada, "phone")
        expect(ada.region("Where next?")).to_contain_text("move to the next game automatically")
        expect(ada.button("Play again")).to_have_count(0)
        gm.hand.press(gm.button(re.compile("^Play again")))
        places = [goes_along(person, table.id) for person in (gm, ada, screen)]
        assert len(set(places)) == 1
        expect(ada.region("Table")).to_be_visible()
        for person in (gm, ada):
            assert link_of(person).endswith(table.tokens["gm" if person is gm else "p1"]), "the same secret, no other"
        house.kill()
        house.open()
        ben.opens_link(table.link("p2"))
        assert goes_along(ben, table.id) == places[0]
        ben.hand.press(ben.button("Menu"))
        last = ben.page.get_by_role("link", name="Replay the last game")
        expect(last).to_have_attribute("href", f"/replay/{table.id}#{table.tokens['p2']}")
        heard = [text for person in (gm, ada, ben, screen) for text in person.heard]
        assert not [text for text in heard if any(secret in text for secret in table.tokens.values())]


@pytest.mark.soak
def test_the_game_master_may_change_how_it_is_played_first(come: Come, house: House):
    table = Resumed(house, OVER)
    gm, ada = come("Mo"), come("Ada")
    table.sits(gm, "gm")
    table.sits(ada, "p1")
    gm.hand.press(gm.button("More\N{HORIZONTAL ELLIPSIS}"))
    gm.hand.press(gm.button("Change rules and play again\N{HORIZONTAL ELLIPSIS}"))
    sheet = gm.dialog(re.compile("House rules"))
    rounds = sheet.get_by_role("spinbutton", name="Rounds")
    expect(rounds).to_have_value("2")
    expect(sheet.get_by_role("spinbutton", name="Players")).to_have_count(0)
    gm.hand.write(rounds, "99")
    looks(gm, "otherwise-phone")
    gm.hand.write(rounds, "3")
    gm.hand.press(gm.button("Play again", sheet))
    assert goes_along(ada, table.id) == goes_along(gm, table.id)
    told = [text for text in gm.heard if '"rounds":3' in text]
    assert told, "the new table's options are told to those at it"
