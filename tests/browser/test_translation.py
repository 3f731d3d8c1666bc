"""A page that the browser translates, or whose texts extensions rewrite, stays correct: those parts still update."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import DESK, House, Resumed, Table, come_to_match
from tests.browser.translating import rewrite, shown, translate
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

FIGHTERS = (("Nan", "H9"), ("Doc", "S4"), ("Bo", "CK"))


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


@pytest.mark.parametrize("how", ["mark", "part", *in_soak("wrap", "put around", "words")])
def test_a_page_with_rewritten_texts_shows_what_another_shows(come: Come, house: House, how: str):
    lines = (
        '{"cardhouse":1,"game":"initiative","seats":["gm","p1"],"names":{"gm":"Mo","p1":"Ada"}}',
        *(f'{{"by":"gm","do":"add_character","name":"{name}","card":"{card}"}}' for name, card in FIGHTERS),
    )
    table = Resumed(house, lines)
    gm, plain, rewritten = (come(name, DESK) for name in ("Mo", "Ada", "Ada"))
    for person, seat in ((gm, "gm"), (plain, "p1"), (rewritten, "p1")):
        table.sits(person, seat)
    rewrite(rewritten.page, how)
    expect(rewritten.question.locator(".theirs").first).to_be_attached()

    def same() -> None:
        for ada in (plain, rewritten):
            ada.catches_up(gm.number)
        come_to_match(*(lambda page=ada.page: "".join(shown(page).split()) for ada in (plain, rewritten)))

    for _ in range(5):  # the cards decide who is asked to act
        gm.chooses(next(word for word in ("start", "act", "done") if gm.choice(word).count()))
        same()
    gm.undoes()
    same()
