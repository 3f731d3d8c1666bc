"""A page that the browser translates stays correct: translated parts still update."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import DESK, Table, come_to_match
from tests.browser.translating import shown, translate

pytestmark = pytest.mark.browser


@pytest.mark.soak
def test_a_translated_page_shows_what_every_other_page_of_the_seat_shows(come: Come, sit_down: Callable[..., Table]):
    gm = come("Mo", DESK)
    gm.makes_table()
    link = gm.link_for("Player 1")
    table = sit_down("Ada", gm=gm)
    plain, translated = come("Ada"), come("Ada")
    for ada in (plain, translated):
        ada.opens_link(link)
        expect(ada.question).to_be_visible()
    translate(translated.page)
    expect(translated.question.locator("font").first).to_be_attached()

    def same() -> None:
        for ada in (plain, translated):
            ada.catches_up(gm.number)
        come_to_match(lambda: shown(plain.page), lambda: shown(translated.page))

    for name, tier in (("Nan", "Elite"), ("Doc", "Leader"), ("Bo", "Leader")):
        gm.adds(name, tier=tier, played_by="Ada", more=name != "Bo")
        same()
    table.chooses(gm, "start")
    while (word := table.now()) != "start":
        same()
        table.chooses(gm, word)
    same()
    gm.undoes()
    same()
    gm.takes_out("Doc")
    same()


def test_names_cards_and_numbers_are_not_translated(come: Come, sit_down: Callable[..., Table]):
    gm = come("Mo", DESK)
    gm.makes_table()
    table = sit_down("Ada", gm=gm)
    gm.adds("Nan", tier="Elite", played_by="Ada")
    table.chooses(gm, "start")
    ada = table.players[0].page
    translate(ada)
    expect(ada.locator("font").first).to_be_attached()
    translated = ada.locator("main").locator("font > font").all_inner_texts()
    assert [text for text in translated if text in ("Nan", "Ada", "Mo") or text.strip().isdigit()] == []
