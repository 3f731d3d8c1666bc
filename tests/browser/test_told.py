"""The recap: its text, a picture to share, and a link with which anyone can watch the replay."""

from struct import unpack

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, SHOTS, TELEVISION, House, Person, Resumed
from tests.thorough import in_soak
from tests.walkthrough import ROOT

pytestmark = pytest.mark.browser

PICTURE = (1080, 1350)
END = '{"by":"gm","end":true}'


def hit(name: str, amount: int, card: str) -> list[str]:
    return [
        f'{{"by":"gm","do":"damage","target":"{name}","amount":{amount}}}',
        f'{{"draw":"wounds","card":"{card}"}}',
    ]


def joins(name: str, hp: int, seat: str) -> str:
    return f'{{"by":"gm","do":"add_character","name":"{name}","hp":{hp},"max_hp":{hp},"controller":"{seat}"}}'


FIGHT = [
    '{"cardhouse":1,"game":"hackjack","name":"Red Gulch","seats":["gm","p1","p2"],"names":{"gm":"Mo","p1":"Ada"}}',
    *(joins("Nan", 7, "p1"), joins("Doc", 9, "p2")),
    *(*hit("Nan", 8, "S10"), *hit("Doc", 10, "C3")),
    *(*hit("Nan", 1, "H9"), *hit("Nan", 1, "DK"), END),
]


def looks(person: Person, moment: str) -> None:
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(f"told-{moment}")


def test_a_recap_can_be_shared_and_replayed_by_anyone(come: Come, house: House):
    table = Resumed(house, FIGHT)
    gm, ada, screen = come("Mo", DESK), come("Ada"), come("the television", TELEVISION)
    for person, seat in ((gm, "gm"), (ada, "p1"), (screen, "screen")):
        table.sits(person, seat)
        moments = person.region("The end").get_by_role("list", name="Highlights")
        expect(moments.get_by_role("listitem").first).to_contain_text("Died with 29 of 21")
        expect(person.region("The end").get_by_role("heading", name="One survived.")).to_be_visible()
        expect(person.region("The end").get_by_role("list", name="Totals")).to_contain_text("1 death")
    looks(gm, "desk")
    looks(ada, "phone")
    screen.screenshot("told-television")
    expect(screen.button("Share picture")).to_have_count(0)
    with ada.page.expect_download() as download:
        ada.hand.press(ada.button("Share picture"))
    assert download.value.suggested_filename == "Red Gulch.png"
    SHOTS.mkdir(exist_ok=True)
    download.value.save_as(SHOTS / "told-picture.png")
    assert unpack(">II", (SHOTS / "told-picture.png").read_bytes()[16:24]) == PICTURE
    expect(ada.region("Where next?").get_by_role("status")).to_contain_text("Saved")
    ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.hand.press(ada.button("All totals"))
    expect(ada.dialog("All totals")).to_contain_text("Expected deaths among the downed")
    looks(ada, "totals-phone")
    ada.closes("All totals")
    ada.hand.press(ada.button("More\N{HORIZONTAL ELLIPSIS}"))
    more = ada.dialog("Red Gulch")
    ada.hand.press(ada.button("Copy replay link", more))
    expect(more.get_by_role("status")).to_contain_text("Copied")
    link = ada.page.evaluate("navigator.clipboard.readText()")
    assert not [token for token in table.tokens.values() if token in link], "nobody's seat is given away"
    stranger = come("a stranger")
    stranger.opens_link(link)
    stranger.hand.press(stranger.button("Next highlight"))
    expect(stranger.page.get_by_role("slider")).to_have_accessible_name("Step 3 of 7")
    stranger.hand.press(stranger.button("To the end"))
    stranger.hand.press(stranger.button("Show recap"))
    expect(stranger.region("The end")).to_contain_text("Died with 29 of 21")


@pytest.mark.soak
@pytest.mark.parametrize(
    "game", [*in_soak("initiative/IN-9-burns-the-last-while-one-waits"), "dogs/DV-18-as-many-as-played"]
)
def test_every_game_has_an_end_when_it_is_ended_by_hand(come: Come, house: House, game: str):
    lines = (ROOT / f"tests/transcripts/{game}.jsonl").read_text().splitlines()
    gm = come("Mo")
    Resumed(house, [*lines, END]).sits(gm, "gm")
    expect(gm.region("The end").get_by_role("list", name="Totals")).to_be_visible()
    looks(gm, game.partition("/")[0])
