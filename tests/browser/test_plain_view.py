"""The basic view, which any game gets."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, PHONE, House, Person, Resumed, Table, come_to_match
from tests.thorough import in_soak
from tests.walkthrough import TRANSCRIPTS, install_highest

pytestmark = pytest.mark.browser

TOYS = Path(__file__).with_name("toys")
OURS = [
    "dogs/DV-10-once-a-conflict",
    *in_soak(
        "initiative/IN-10-new-card-higher-acts",
        "hackjack/HJ-17-by-trauma",
        "dogpile/DG-16-hands-are-filled-again",
        "gunfight/GF-2-kept-from-round-to-round",
    ),
]
"""Evenings with much to be seen at two thirds of them."""


@pytest.fixture
def highest_house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, env=install_highest(tmp_path)) as house:
        yield house


@pytest.fixture(scope="module")
def toy_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Where two small games of strangers are installed, which have no view of their own."""
    path = os.pathsep.join(filter(None, (str(TOYS), os.environ.get("PYTHONPATH", ""))))
    with House(tmp_path_factory.mktemp("toys"), env={**os.environ, "PYTHONPATH": path}) as house:
        yield house


def sit_down_to(game: str, house: House, come: Come) -> tuple[Person, Person]:
    """The game master at a desk, and Ada with a phone."""
    gm, ada = come("Mo", {"viewport": {"width": 1440, "height": 900}}, house=house), come("Ada", PHONE, house=house)
    gm.makes_table_with(game=game, Players=1)
    ada.opens_link(gm.link_for("Player 1"))
    ada.sits_down()
    gm.goes_to_table()
    return gm, ada


def looks_right(person: Person, moment: str) -> None:
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(moment)


def row(person: Person, name: str) -> Locator:
    """Of the table, the one that begins with this name."""
    return person.table.get_by_role("listitem").filter(has=person.page.get_by_text(name, exact=True)).last


def hand(person: Person) -> Locator:
    return person.region("Your hand").filter(visible=True)


def held(person: Person) -> list[str]:
    return [card.get_attribute("aria-label") or "" for card in hand(person).get_by_role("button").all()]


@pytest.mark.soak
def test_a_game_of_hidden_hands_is_played_from_the_hand(toy_house: House, come: Come):
    gm, ada = sit_down_to("Hush", toy_house, come)
    gm.hand.press(gm.button("Menu"))
    gm.hand.tick(gm.page.get_by_role("radio", name="everyone"))
    gm.closes(re.compile("."))
    assert ada.may() == ["Win 0", "Win one", "Win 2", "Win 3"], "few choices are buttons, in the words of the action"
    for person in (ada, gm):
        expect(person.choices).not_to_contain_text("You can choose for them")
        person.does(person.button("Win 2", person.choices))
    expect(gm.question).to_contain_text("Lay cards away")

    before = held(gm)
    for card in before[:2]:
        gm.hand.press(gm.button(card, hand(gm)))
    looks_right(gm, "plain-hush-swap-desk")
    gm.does(gm.button(f"Lay away {', '.join(f'the {card}' for card in before[:2])}", gm.choices))
    expect(hand(gm).get_by_role("img")).to_have_count(5)
    expect(row(gm, "The game master")).to_contain_text(re.compile(r"Cards in hand\s*5"))
    ada.catches_up(gm.number)
    ada.does(ada.button("Keep them all", ada.choices))

    expect(ada.question).to_contain_text("Round 1: play a card.")
    expect(ada.page.get_by_role("main")).to_contain_text("Round 1 · 40 cards in the deck")
    expect(row(ada, "The game master")).to_contain_text(re.compile(r"Wins next\s*50%.*Still to play\s*5 cards"))
    expect(ada.region("Odds")).to_contain_text(re.compile(r"Nobody wins\s*13%"))
    expect(ada.button("Play …", ada.choices)).to_be_disabled()
    cards = held(ada)
    for card in cards[:2]:
        ada.hand.press(ada.button(card, hand(ada)))
        expect(ada.button(card, hand(ada))).to_have_attribute("aria-pressed", "true")
    expect(ada.button(cards[0], hand(ada))).to_have_attribute("aria-pressed", "false")
    looks_right(ada, "plain-hush-play-phone")
    ada.does(ada.button(f"Play the {cards[1]}", ada.choices))
    gm.catches_up(ada.number)
    expect(row(gm, "Ada").get_by_role("img", name=cards[1])).to_be_visible()
    looks_right(gm, "plain-hush-play-desk")
    for card in [card for card in cards if card != cards[1]]:
        expect(gm.page.get_by_role("img", name=card)).to_have_count(0)


@pytest.mark.soak
def test_forms_begin_with_what_is_meant_and_empty_things_are_left_out(toy_house: House, come: Come):
    gm, ada = sit_down_to("Posse", toy_house, come)
    form = gm.choices.get_by_role("form", name="Hire")
    played_by, rival = (form.get_by_role("combobox", name=name) for name in ("Played by", "Rival"))
    for name, whose in (("Nan", "the game master"), ("Rosie", "Ada")):
        expect(form.get_by_role("checkbox", name="Wild")).to_be_checked()
        expect(form.get_by_role("spinbutton", name="Pay")).to_have_value("5")
        expect(played_by.locator("option:checked")).to_have_text("the game master")
        expect(rival.locator("option:checked")).to_have_text("nobody")
        gm.hand.write(form.get_by_role("textbox", name="Name"), name)
        gm.hand.select(played_by, whose)
        if name == "Rosie":
            gm.hand.press(form.get_by_role("checkbox", name="Wild"))
            looks_right(gm, "plain-posse-form-desk")
        gm.does(gm.button("Hire", form))
    gm.does(gm.button("Ride out", gm.choices))
    expect(row(gm, "Nan")).to_contain_text("Wild")
    expect(row(gm, "Rosie")).not_to_contain_text("Wild")
    for nothing in ("Sheriff", "Night", "Trail", "Horse", "Wounds", "none"):
        expect(gm.table).not_to_contain_text(nothing)

    assert gm.may() == ["Shoot twice", "Shoot once", "Duck with Nan"]
    expect(gm.choices).not_to_contain_text("You can choose for them")
    gm.does(gm.button("Shoot twice", gm.choices))
    ada.catches_up(gm.number)
    expect(row(ada, "Nan")).to_contain_text(re.compile(r"Hurt.*Wounds\s*Burnt hand", re.DOTALL))
    expect(gm.choices).to_contain_text("You can choose for them")
    expect(ada.choices).not_to_contain_text("You can choose for them")
    assert ada.may() == ["Shoot twice", "Shoot once", "Duck with Rosie"]
    looks_right(ada, "plain-posse-phone")
    looks_right(gm, "plain-posse-desk")
    ada.does(ada.button("Duck with Rosie", ada.choices))
    expect(ada.question).to_contain_text("The game is over.")


@pytest.mark.soak
@pytest.mark.parametrize("name", OURS)
def test_our_own_games_fit_into_the_plain_view(house: House, come: Come, name: str):
    lines = (TRANSCRIPTS / f"{name}.jsonl").read_text("utf-8").splitlines()
    table = Resumed(house, lines[: max(6, len(lines) * 2 // 3)])
    player = next(seat for seat in reversed(table.tokens) if seat not in ("screen", "door"))
    for seat, device in (("gm", DESK), (player, PHONE)):
        person = table.sits(come("Mo" if seat == "gm" else "Ada", device), seat)
        menu = person.opens_menu()
        person.hand.tick(menu.get_by_role("checkbox", name="Basic view"))
        person.closes(re.compile("."))
        expect(person.table.get_by_role("listitem").filter(has_text="Ada").first).to_be_visible()
        looks_right(person, f"plain-{name.split('/')[0]}-{'phone' if device is PHONE else 'desk'}")


@pytest.mark.soak
def test_the_walk_throughs_game_is_played_by_two_with_no_edit_anywhere(highest_house: House, come: Come):
    gm, ada = come("Mo", DESK, house=highest_house), come("Ada", house=highest_house)
    gm.comes()
    expect(gm.region("Games").get_by_role("article", name="Card initiative")).to_be_visible()
    expect(gm.region("Games").get_by_role("article", name="Highest card wins")).to_contain_text("One card each.")
    gm.makes_table_with(game="Highest card wins", Players=1, Rounds=1)
    ada.opens_link(gm.link_for("Player 1"))
    ada.sits_down()
    gm.goes_to_table()

    expect(ada.question).to_contain_text("Round 1: take a card.")
    for person, other, left in ((ada, gm, 51), (gm, ada, 52)):
        assert person.may() == ["Take a card"]
        person.does(person.button("Take a card", person.choices))
        other.catches_up(person.number)
        for either in (gm, ada):
            expect(either.page.get_by_role("main")).to_contain_text(re.compile(rf"Cards in the deck\s*{left}"))
            either.sees_in_story(re.compile(f"{seat_of(person)} takes", re.IGNORECASE))
        come_to_match(gm.sees, ada.sees)
        assert person.may() == [], "a card has been turned up: nothing to take back"
        gm.screenshot(f"highest-{left}-desk")
        ada.screenshot(f"highest-{left}-phone")
    for person in (gm, ada):
        expect(person.question).to_contain_text("The game is over.")
        person.sees_in_story("That was the last round.")


def seat_of(person: Person) -> str:
    return "the game master" if person.name == "Mo" else person.name


@pytest.mark.soak
def test_card_initiative_can_be_played_in_the_plain_view_too(sit_down: Callable[..., Table]):
    table = sit_down("Ada")
    gm, ada = table.everybody
    for person in table.everybody:
        menu = person.opens_menu()
        person.hand.tick(menu.get_by_role("checkbox", name="Basic view"))
        person.closes(re.compile("."))
        expect(person.region("Deck")).to_have_count(0)
    adding = gm.region("At any time").get_by_role("group").filter(has=gm.page.get_by_text("Card", exact=True)).first
    gm.hand.press(adding.locator("summary"))
    form = adding.get_by_role("form")
    gm.hand.write(form.get_by_role("textbox", name="Name"), "Nan")
    gm.hand.press(gm.button("ace of spades", form))
    gm.hand.select(form.get_by_role("combobox", name="Played by"), "Ada")
    gm.screenshot("plain-form-desk")
    gm.does(form.get_by_role("button", name=re.compile("^Add character")))
    ada.catches_up(gm.number)
    ada.sees_in_story("Nan joins the fight with")
    gm.chooses("start")
    ada.catches_up(gm.number)
    for _ in range(6):
        if gm.choice("start").count():
            break
        ada.chooses(table.now())
        gm.catches_up(ada.number)
    ada.screenshot("plain-phone")
    ada.sees_in_story("Round 1 is over.")
    expect(ada.table).to_contain_text("Nan")
