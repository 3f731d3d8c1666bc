"""Magpies, a third-party package, played by three on its own page: secret choices, revealed together."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import PHONE, TELEVISION, Device, House, Person, Resumed
from tests.outside import install_published
from tests.walkthrough import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.soak]

DESK: Device = {"viewport": {"width": 1440, "height": 900}}
NAMES = {"gm": "Mo", "p1": "Ada", "p2": "Benedikta"}
HANDS = {"gm": ("S2", "H9", "DA"), "p1": ("C2", "D9", "CK"), "p2": ("D3", "C9", "HK")}
BEGUN = [
    {
        "cardhouse": 1,
        "game": "magpies",
        "seats": list(NAMES),
        "names": NAMES,
        "options": {"hand": 3, "deals": 1},
    },
    {"by": "gm", "do": "deal"},
    *({"draw": "cards", "card": card} for hand in HANDS.values() for card in hand),
    {"draw": "cards", "card": "HQ"},
]
CALLED = {"A": "ace", "K": "king"}
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("magpies")
    install_published(folder / "site", ROOT / "examples" / "magpies")
    with House(folder, {"PYTHONPATH": str(folder / "site")}) as house:
        yield house


def in_hand(person: Person, card: str) -> Locator:
    """A card of one's own, as a button."""
    return person.page.get_by_role("button", name=re.compile(f"^{CALLED.get(card[1:], card[1:])} of {SUITS[card[0]]}$"))


def place_of(person: Person, name: str) -> Locator:
    return person.page.locator(".magpies-places > li").filter(has_text=name)


def all_choose(people: dict[str, Person], cards: dict[str, str]) -> None:
    for seat, card in cards.items():
        people[seat].does(in_hand(people[seat], card))
        for person in people.values():
            person.catches_up(people[seat].number)


def looks(person: Person, moment: str) -> None:
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(f"magpies-{moment}")


def test_three_people_play_it(come: Come, outside: House) -> None:
    table = Resumed(outside, map(json.dumps, BEGUN))
    devices = {"gm": DESK, "p1": PHONE, "p2": PHONE}
    people = {seat: table.sits(come(NAMES[seat], devices[seat], house=outside), seat) for seat in NAMES}
    screen = come("the television", TELEVISION, house=outside)
    screen.opens_link(table.link("screen"))
    mo, ada, benedikta = people.values()
    for card in HANDS["p1"]:
        expect(in_hand(ada, card)).to_be_visible()
    looks(ada, "begun-phone")

    # Chosen in secret: the others see that, and nothing else; thinking again is a tap.
    ada.does(in_hand(ada, "CK"))
    ada.does(in_hand(ada, "D9"))
    expect(in_hand(ada, "D9")).to_have_attribute("aria-pressed", "true")
    expect(in_hand(ada, "CK")).to_have_attribute("aria-pressed", "false")
    for person in (mo, benedikta):
        person.catches_up(ada.number)
        expect(place_of(person, "Ada")).to_contain_text("has chosen")
        assert not any(f'"{card}"' in frame for frame in person.heard for card in HANDS["p1"])
    looks(ada, "chosen-phone")
    looks(mo, "chosen-desk")

    # A moment of its own, and then the next prize.
    all_choose(people, {"p2": "C9", "gm": "S2"})
    for person in (*people.values(), screen):
        expect(person.page.locator(".magpies-said")).to_have_text("Mo takes 12 points")
        expect(person.page.locator(".magpies-cancelled")).to_have_count(2)
    looks(benedikta, "revealed-phone")
    looks(mo, "revealed-desk")
    screen.screenshot("magpies-revealed-tv")
    benedikta.hand.press(benedikta.button("The next prize"))
    expect(benedikta.page.locator(".magpies-said")).to_have_count(0)
    expect(place_of(benedikta, "Mo").locator(".magpies-won ch-card")).to_have_count(1)

    all_choose(people, {"gm": "H9", "p1": "C2", "p2": "D3"})
    all_choose(people, {"gm": "DA", "p1": "CK", "p2": "HK"})
    for person in people.values():
        expect(person.page.get_by_text("Mo wins.", exact=True)).to_be_visible()
        expect(person.page.get_by_role("row", name=re.compile("^Mo ")).get_by_role("cell").last).to_have_text(
            re.compile(r"^\d+$")
        )
    looks(ada, "over-phone")
    looks(mo, "over-desk")

    # Looked back at, with nothing hidden.
    for person, where in ((mo, "desk"), (ada, "phone")):
        person.hand.press(person.opens_menu().get_by_role("link", name="Replay this table"))
        steps = person.region("Replay this table")
        person.hand.press(person.button("Forward one step", steps))
        expect(person.page.get_by_role("heading", name="Hand of Ada")).to_be_visible()
        expect(person.page.locator(".magpies-open ch-card")).to_have_count(9)
        looks(person, f"replay-{where}")


def test_six_find_room(come: Come, outside: House) -> None:
    seats = ["gm", *(f"p{number}" for number in range(1, 6))]
    header = {"cardhouse": 1, "game": "magpies", "seats": seats, "names": {seat: f"Player {seat}" for seat in seats}}
    table = Resumed(outside, map(json.dumps, [header, {"by": "gm", "do": "deal"}]))
    for name, device in (("phone", PHONE), ("desk", DESK)):
        person = table.sits(come(name, device, house=outside), "p1" if name == "phone" else "gm")
        person.does(person.page.locator(".magpies-hand").get_by_role("button").first)
        expect(person.page.locator(".magpies-places > li")).to_have_count(6)
        looks(person, f"six-{name}")


def test_it_is_among_the_games_with_its_own_poster(come: Come, outside: House) -> None:
    mo = come("Mo", PHONE, house=outside)
    mo.comes()
    card = mo.region("Games").get_by_role("listitem").filter(has=mo.page.get_by_role("article", name="Magpies"))
    expect(card.get_by_role("presentation")).to_be_visible()
    card.scroll_into_view_if_needed()
    mo.screenshot("magpies-home")


def test_its_moving_picture_is_on_the_front_door(come: Come, outside: House) -> None:
    mo = come("Mo", DESK, house=outside)
    mo.comes()
    mo.hand.press(mo.button("Learn Magpies"))
    expect(mo.page.locator("[inert]")).to_contain_text("kept an ace")


def test_the_lab_says_what_can_be_asked_of_it(come: Come, outside: House) -> None:
    """The page knows nothing of the game: how it feels, what matters most and what to set can be asked of any."""
    ada = come("Ada", house=outside)
    ada.page.goto(f"{outside.address}lab/magpies")
    for group, name in (
        ("How it plays", "How does it feel?"),
        ("Balance", "Find settings"),
        ("Balance", "What matters most?"),
    ):
        link = ada.page.get_by_role("group", name=f"Magpies: {group}").get_by_role("link", name=name)
        expect(link).to_be_visible()
    ada.hand.press(link)
    expect(ada.page.get_by_role("radio", name="What matters most?")).to_be_checked()
    expect(ada.page.get_by_role("combobox", name="The finding")).to_be_visible()
    looks(ada, "lab-phone")
