"""Seats: their players, in every game, and bots."""

import re
from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Locator, expect

from cardhouse.server.files.recoding import SIDE
from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, Person, Table
from tests.browser.test_places import box
from tests.thorough import in_soak

pytestmark = pytest.mark.browser


def at_the_table(person: Person) -> Locator:
    return person.page.get_by_role("list", name="At the table").get_by_role("listitem")


@pytest.mark.soak
@pytest.mark.parametrize(
    "game", [*in_soak("Card initiative", "Hackjack", "Gunfight"), "Dogpile", *in_soak("Dogs Play Cards, Too")]
)
def test_everybody_sees_who_is_at_the_table(game: str, come: Come, sit_down: Callable[..., Table]):
    gm = come("Mo", DESK)
    gm.makes_table(game)
    table = sit_down("Ada", "Ben", screen=True, gm=gm)
    gm, ada, ben, screen = table.everybody
    # Nothing has happened yet: what to do next stands there, and how those come who are still to come.
    if game != "Dogpile":
        for person in (gm, ada):
            expect(person.question).to_contain_text(
                re.compile("^(Nobody is here|No characters) yet"), use_inner_text=True
            )
        assert ada.is_asked is (game == "Dogs Play Cards, Too"), "there everybody makes a character"
    expect(gm.page.get_by_text("To fill an open seat")).to_contain_text("from Invite")
    expect(screen.region("Join code")).to_contain_text(re.compile("seats? (is|are) open"))
    ben.page.goto("about:blank")
    for person in (gm, ada):
        seats = at_the_table(person)
        expect(seats.filter(has_text="The game master")).to_contain_text("is here")
        expect(seats.filter(has_text="Ada")).to_contain_text("is here")
        expect(seats.filter(has_text="Ben")).to_contain_text("away")
        expect(seats.filter(has_text="Player 3")).to_contain_text("open")
        person.screenshot(f"seats-{game}-{person.name}")
    here = screen.region("At the table")
    expect(here).to_contain_text("Ada")
    expect(here.get_by_role("listitem").filter(has_text="Ben")).to_contain_text("away")
    expect(screen.region(re.compile("^Room for "))).to_contain_text("Player 3")
    screen.screenshot(f"seats-{game}-screen")


def bots_everywhere(gm: Person) -> Locator:
    gm.makes_table("Dogpile")
    invite = gm.dialog("Invite players")
    gm.hand.press(gm.button("Fill open seats with bots", invite))
    expect(gm.button("Fill open seats with bots", invite)).to_have_count(0)
    return invite


def test_who_sits_down_on_a_bots_seat_takes_over(come: Come):
    gm, ada = come("Mo", DESK), come("Ada")
    bots_everywhere(gm)
    ada.opens_link(gm.link_for("Player 1"))
    expect(ada.page.get_by_text("bot is playing this seat")).to_be_visible()
    ada.screenshot("bot-seat")
    ada.sits_down()
    expect(at_the_table(ada).filter(has_text="Ada")).to_contain_text("is here")
    expect(ada.button("Play myself")).to_have_count(0)

    # She chooses a portrait, and everybody sees it.
    gm.goes_to_table()
    shown = at_the_table(gm).filter(has_text="Ada").locator(".portrait > svg").first
    before = shown.inner_html()
    ada.hand.press(ada.button("Change portrait: Ada"))
    choices = ada.page.get_by_role("group", name="Portraits for Ada")
    expect(choices.get_by_role("button")).to_have_count(12)
    assert_accessible(ada.page, "portraits")
    assert_fits(ada.page, "portraits")
    ada.screenshot("portraits")
    ada.hand.press(ada.button("Portrait 7", choices))
    expect(ada.button("Portrait 7", choices)).to_have_attribute("aria-pressed", "true")
    seen = [shown.element_handle(), before]
    gm.page.wait_for_function("([portrait, before]) => portrait.innerHTML !== before", arg=seen)

    # She brings a picture of her own.
    brings = ada.page.get_by_label("Choose a picture")
    brings.set_input_files({"name": "ada.txt", "mimeType": "text/plain", "buffer": b"no picture"})
    expect(ada.page.get_by_role("alert")).to_contain_text("isn't a picture")
    assert "400" in ada.complaints.pop()
    picture = BytesIO()
    Image.new("RGB", (900, 600), "#c03020").save(picture, "JPEG")
    brings.set_input_files({"name": "ada.jpg", "mimeType": "image/jpeg", "buffer": picture.getvalue()})
    expect(ada.button("The picture of Ada", choices)).to_have_attribute("aria-pressed", "true")
    expect(choices.get_by_role("button")).to_have_count(13)
    drawn = at_the_table(gm).filter(has_text="Ada").locator(".portrait > img")
    expect(drawn).to_have_js_property("naturalWidth", SIDE)
    assert_accessible(ada.page, "picture")
    assert_fits(ada.page, "picture")
    ada.screenshot("picture")
    ada.hand.press(ada.button("Portrait 2", choices))
    expect(drawn).to_have_count(0)


@pytest.mark.soak
def test_who_lets_the_bot_play_on_may_still_take_over(come: Come):
    gm, ada = come("Mo", DESK), come("Ada")
    bots_everywhere(gm)
    ada.opens_link(gm.link_for("Player 1"))
    ada.hand.tick(ada.page.get_by_role("checkbox", name="Let the bot play"))
    ada.sits_down()
    expect(ada.page.get_by_text("bot plays for you")).to_be_visible()
    ada.screenshot("bot-plays-on")
    label = ada.opens_menu().get_by_text("Your seat is played by")
    assert box(label)["height"] > 10, "it can be read"
    ada.page.keyboard.press("Escape")
    ada.hand.press(ada.button("Play myself"))
    expect(ada.page.get_by_text("bot plays for you")).to_have_count(0)
    expect(at_the_table(gm).filter(has_text="Ada")).to_contain_text("is here")


@pytest.mark.soak
def test_a_bot_is_never_away(come: Come):
    gm, ada = come("Mo", DESK), come("Ada")
    invite = bots_everywhere(gm)
    gm.hand.select(gm.opens_seat("Player 2").get_by_role("combobox", name="Who plays Player 2"), "A person")
    ada.opens_link(gm.link_for("Player 1"))
    ada.hand.tick(ada.page.get_by_role("checkbox", name="Let the bot play"))
    ada.sits_down()
    ada.page.goto("about:blank")
    expect(invite.get_by_role("listitem", name="Player 1")).to_contain_text("Ada, a bot plays")
    expect(invite.get_by_text("away")).to_have_count(0)
    gm.goes_to_table()
    expect(at_the_table(gm).filter(has_text="Ada")).to_contain_text("bot")
    expect(at_the_table(gm).filter(has_text="away")).to_have_count(0)


@pytest.mark.soak
def test_the_host_of_dogpile_plays_and_sees_how_long_the_cards_last(come: Come):
    gm = come("Mo", DESK)
    bots_everywhere(gm)
    gm.goes_to_table()
    expect(gm.table).to_contain_text("With 5 players the cards last for at least 2 rounds")
    gm.screenshot("lasting")
    expect(gm.table).not_to_contain_text("hands last longer")
    gm.does(gm.button("Start"))
    expect(gm.page.get_by_role("list", name="Your hand").get_by_role("button")).to_have_count(5)
    waits_for_nobody(gm)


def waits_for_nobody(gm: Person) -> None:
    """It is up to a seat that nobody has taken: a tap lets a bot go on."""
    gm.hand.press(gm.button("Invite"))
    invite = gm.opens_seat("Player 1")
    gm.hand.select(invite.get_by_role("combobox", name="Who plays Player 1"), "A person")
    gm.goes_to_table()
    gm.does(gm.button(re.compile("^Lay nothing")))
    gm.does(gm.button("Next round"))
    expect(gm.question).to_contain_text("Waiting for Player 1: the seat is open.")
    gm.screenshot("nobody-there")
    gm.hand.press(gm.button("Use a bot", gm.question))
    gm.sees_in_story(re.compile("Player 1 .*bot.* lays"))


@pytest.mark.soak
def test_before_a_table_is_made_it_is_said_how_long_the_cards_last_and_two_decks_are_there(come: Come):
    gm = come("Mo", DESK)
    gm.comes()
    here = gm.opens_more("Dogpile")
    gm.hand.press(here.get_by_text("House rules"))
    expect(here.get_by_role("checkbox", name="The host plays")).to_be_checked()
    gm.hand.write(here.get_by_role("spinbutton", name="Players"), "7")
    expect(here.get_by_role("status")).to_contain_text("With 8 players the cards last for at least one round")
    gm.hand.tick(here.get_by_role("radio", name="Two standard decks"))
    expect(here.get_by_role("status")).to_contain_text("With 8 players the cards last for at least 2 rounds")
    expect(here.get_by_role("status")).to_contain_text("A larger deck or smaller hands last longer.")
    gm.screenshot("two-decks")


@pytest.mark.parametrize("game", [*in_soak("Card initiative", "Hackjack"), "Gunfight"])
def test_a_host_fills_the_table_with_a_starter_cast_in_one_tap(come: Come, game: str):
    gm = come("Mo")
    gm.makes_table(game)
    gm.goes_to_table()
    gm.hand.press(gm.button("Add a starter cast"))
    expect(gm.button(re.compile("(Start|Begin) the"), gm.choices)).to_be_visible()
    expect(gm.button("Add a starter cast")).to_have_count(0)
    for player in range(1, 5):
        expect(gm.table).to_contain_text(f"Player {player}")
