"""examples/showdown is played by a game master and two players, by the view in its own package."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import PHONE, TOOLS, House, Person, Table
from tests.examples.installing import install_example

pytestmark = [pytest.mark.browser, pytest.mark.soak]

DESK = {"viewport": {"width": 1440, "height": 900}}
SECRET = re.compile("Rattlesnake")


@pytest.fixture(scope="module")
def saloon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("showdown")
    with House(folder, install_example("showdown", folder)) as house:
        yield house


def sit_down(come: Come, saloon: House) -> Table:
    gm = come("Mo", DESK, house=saloon)
    gm.makes_table("Showdown")
    players: list[Person] = []
    for name in ("Ada", "Ben"):
        player = come(name, PHONE, house=saloon)
        player.opens_link(gm.link_for(f"Player {len(players) + 2}"))
        player.sits_down()
        players.append(player)
    gm.goes_to_table()
    return Table(gm, players)


def adds(gm: Person, name: str, *, nerve: str = "d6", many: int = 1, played_by: str = "", hidden: bool = False) -> None:
    sheet = gm.dialog("Add a character")
    if not sheet.is_visible():
        gm.hand.press(gm.button("Add character…"))
    gm.hand.write(sheet.get_by_role("textbox", name="Name"), name)
    gm.hand.tick(sheet.get_by_role("radio", name=nerve, exact=True))
    gm.hand.write(sheet.get_by_role("spinbutton", name="How many"), str(many))
    gm.hand.select(sheet.get_by_role("combobox", name="Played by"), played_by or "the game master")
    if hidden:
        gm.hand.tick(sheet.get_by_role("checkbox", name="Hidden"))
    gm.does(gm.button("Add", sheet))
    expect(sheet.get_by_role("status")).to_contain_text(name)


def test_a_showdown_is_played_by_its_own_view(come: Come, saloon: House):
    table = sit_down(come, saloon)
    gm, ada, ben = table.everybody
    adds(gm, "Nan", nerve="d12", played_by="Ada")
    adds(gm, "Doc", nerve="d8", played_by="Ben")
    adds(gm, "Outlaws", many=4)
    adds(gm, "Rattlesnake", nerve="d10", played_by="Ben", hidden=True)
    gm.screenshot("showdown-adding-desk")
    gm.closes("Add a character")
    expect(gm.button("Reveal Rattlesnake", gm.region(TOOLS))).to_be_visible()
    expect(ben.page.get_by_text("Rattlesnake").first).to_be_attached()

    gm.does(gm.button("Deal the cards", gm.page.locator(".sd-answers")))
    order = gm.page.locator(".sd-order > ol > li")
    expect(order).to_have_count(3)
    expect(gm.page.locator(".sd-order ch-card[card]")).to_have_count(3)
    ada.catches_up(gm.number)
    ada.does(ada.button(re.compile("^Buy another card"), ada.page.locator(".sd-hand")))
    gm.sees_in_story("Nan pays a token")
    for person in table.everybody:
        person.catches_up(ada.number)
        person.screenshot(f"showdown-cards-{person.name}")

    gm.does(gm.button("Start the turns"))
    ada.catches_up(gm.number)
    while not ada.is_asked:
        gm.does(gm.button("Done"))
        ada.catches_up(gm.number)
    expect(ada.page.locator(".sd-order .sd-now")).to_contain_text("Nan")
    ada.screenshot("showdown-turn-Ada")
    ada.does(ada.button("Done"))
    assert not SECRET.search(ada.page.locator("body").aria_snapshot())
    assert [frame for frame in ada.heard if SECRET.search(frame)] == []

    ben.catches_up(ada.number)
    ben.does(ben.button("Reveal", ben.page.locator(".sd-hand")))
    for person in table.everybody:
        person.catches_up(ben.number)
        expect(person.page.locator(".sd-holding")).to_contain_text("Rattlesnake")
        person.sees_in_story("Rattlesnake steps out of hiding!")
        person.screenshot(f"showdown-holding-{person.name}")
    assert "steps_out" in next(frame for frame in ada.heard if SECRET.search(frame))


def test_a_character_is_looked_at_handed_over_and_taken_out(come: Come, saloon: House):
    table = sit_down(come, saloon)
    gm, ada, _ = table.everybody
    adds(gm, "Nan", played_by="Ada")
    gm.closes("Add a character")
    nan = gm.dialog("Nan")
    gm.hand.press(gm.page.locator(".sd-roster").get_by_role("button", name="Nan"))
    gm.screenshot("showdown-about-desk")
    gm.does(gm.button("Give a token", nan))
    gm.hand.press(gm.page.locator(".sd-roster").get_by_role("button", name="Nan"))
    gm.answers(lambda: gm.hand.select(nan.get_by_role("combobox", name="Played by"), "Ben"))
    ada.catches_up(gm.number)
    expect(ada.page.locator(".sd-hand li")).to_have_count(0)
    ada.sees_in_story("Ben plays Nan from now on.")
    gm.hand.press(gm.page.locator(".sd-roster").get_by_role("button", name="Nan"))
    gm.does(gm.button("Remove character", nan))
    expect(gm.page.locator(".sd-roster li")).to_have_count(0)
    gm.does(gm.button("Undo", gm.region(TOOLS)))
    expect(gm.page.locator(".sd-roster li")).to_contain_text("3 tokens")
