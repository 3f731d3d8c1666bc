"""The page contract: a view that a package brings as plain files (docs/page-contract.md)."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_fits
from tests.browser.people import DESK, PHONE, House
from tests.browser.test_house import key_of
from tests.browser.translating import translate
from tests.thorough import in_soak
from tests.views import install_with_page
from tests.walkthrough import files_in

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def own_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("views")
    with House(folder, install_with_page(folder)) as house:
        yield house


class Made:
    """A table of the game, and the links to its seats."""

    def __init__(self, house: House, name: str = "", **options: int) -> None:
        wanted = {"game": "highest", "name": name, "seats": ["ada"], "options": options}
        body = json.dumps({key: value for key, value in wanted.items() if value}).encode()
        request = Request(f"{house.address}api/tables", body, {"content-type": "application/json"})
        made = json.load(urlopen(request))
        self.links = {seat: f"{house.address}t/{made['table']}#{token}" for seat, token in made["links"].items()}


def test_a_view_of_plain_files_fills_every_slot(come: Come, own_house: House):
    table = Made(own_house, rounds=1)
    gm, ada = come("Mo", DESK, house=own_house), come("Ada", house=own_house)
    ada.opens_link(table.links["ada"])
    ada.sits_down()
    gm.opens_link(table.links["gm"])
    for person, name in ((gm, "the game master"), (ada, "Ada")):
        page = person.page
        expect(page.locator(".summary")).to_have_text("Round 1 by its own view")
        expect(page.locator(".first-part")).to_have_text(f"first: true {'gm' if person is gm else 'ada'} {name}")
        expect(page.locator(".highest-players > li")).to_have_text(["the game master 0", "Ada 0"])
        expect(page.locator(".highest-players")).to_have_css("color", "rgb(1, 2, 3)")
        expect(page.locator(".side-part")).to_have_text("2 seats, rounds: 1")
        expect(page.get_by_role("list", name="At the table")).to_be_attached()
        assert person.may() == [], "the view asks it itself"
    expect(ada.page.locator(".hand")).to_have_text("mine: nothing")
    translate(ada.page)  # a view that keeps the text nodes it wrote goes on, too
    expect(ada.page.locator(".hand font font")).to_have_text("mine: nothing")
    gm.screenshot("own-view-desk")
    ada.screenshot("own-view-phone")

    ada.does(ada.button("Take a card, pressed 0"))
    gm.catches_up(ada.number)
    expect(gm.page.locator(".highest-players [data-card]")).to_have_count(1)
    expect(ada.page.locator(".hand")).to_have_text(re.compile("mine: .+ of .+|mine: .* joker"))
    expect(ada.page.get_by_text("A card was taken.")).to_be_attached()
    ada.page.reload()
    expect(ada.page.locator(".highest-players [data-card]")).to_have_count(1)
    assert ada.page.evaluate("Object.keys(sessionStorage).some((key) => key.endsWith('ada.pressed'))")

    gm.hand.press(gm.button("Why H-3"))
    expect(gm.dialog(re.compile("^H-3"))).to_be_visible()
    gm.closes(re.compile("^H-3"))
    gm.does(gm.button("Take a card, pressed 0"))
    for person in (gm, ada):
        expect(person.page.get_by_text(re.compile(r"It ended after \d entries\."))).to_be_visible()


def test_the_admin_page_says_which_packages_run_scripts(come: Come, own_house: House):
    for device, name in ((PHONE, "phone"), (DESK, "desk")):
        keeper = come("the keeper", device, house=own_house)
        keeper.opens_link(f"{own_house.address}house#{key_of(own_house)}")
        packages = keeper.region("Game packages")
        expect(packages.get_by_role("listitem")).to_have_text(
            [re.compile("^cardhouse .+ Runs scripts .*Hackjack"), "highest 1 Runs scripts Highest card wins"]
        )
        expect(packages).to_contain_text("all tables, links and keys of that browser, even the admin key")
        assert_fits(keeper.page, "packages")
        keeper.screenshot(f"house-packages-{name}")


@pytest.mark.parametrize(
    ("where", "slot", "said"),
    [
        ("middle", "middle", "TypeError: the middle went wrong"),
        *in_soak(
            ("update", "middle", "RangeError: the update went wrong"),
            ("later", "middle", "Error: it went wrong later"),
        ),
    ],
)
def test_a_part_that_throws_is_named_and_the_plain_view_takes_its_place(
    come: Come, own_house: House, where: str, slot: str, said: str
):
    table = Made(own_house, f"wrong in {where}")
    ada = come("Ada", house=own_house)
    ada.forgiven.append("went wrong")
    ada.opens_link(table.links["ada"])
    ada.sits_down()
    if where == "update":
        ada.does(ada.button("Take a card, pressed 0"))
    told = f"Part “{slot}” of the Highest card wins view failed, so this is the basic view. {said}"
    expect(ada.page.locator(".view-failed")).to_have_text(told)
    expect(ada.table.locator(".plain")).to_contain_text("Ada")
    expect(ada.page.locator(".summary")).to_contain_text("by its own view")
    # What the view asked itself is asked by plain buttons as well: the part that did so may be the one that failed.
    if where != "update":
        ada.does(ada.button("Take a card", ada.choices))
        ada.sees_in_story("Ada takes")


def test_how_we_play_the_judge_the_pictures_and_the_sign_come_from_the_package(come: Come, own_house: House):
    mo = come("Mo", DESK, house=own_house)
    mo.comes()
    games = mo.region("Games").get_by_role("listitem")
    here = games.filter(has=mo.page.get_by_role("article", name="Highest card wins"))
    expect(here.get_by_role("presentation")).to_have_attribute("src", re.compile("/highest/"))
    mo.opens_more("Highest card wins")
    mo.hand.press(here.get_by_text("House rules"))
    expect(here.get_by_role("status")).to_have_text("4 players, 3 rounds of Highest card wins")
    expect(here.get_by_role("spinbutton", name="Rounds")).to_have_count(0)
    mo.hand.press(mo.button("7 rounds", here))
    expect(mo.button("7 rounds", here)).to_have_attribute("aria-pressed", "true")
    expect(here.get_by_role("status")).to_have_text("4 players, 7 rounds of Highest card wins")
    mo.closes(re.compile("House rules"))
    mo.hand.press(here.get_by_role("link", name="Check a layout"))
    expect(mo.page.get_by_role("heading", name="Judge: Highest card wins")).to_be_visible()
    mo.hand.press(mo.button("Home"))
    mo.hand.press(here.get_by_role("link", name="Highest card wins in a minute"))
    pictures = mo.page.get_by_role("main").get_by_role("listitem")
    expect(pictures.locator(".picture")).to_have_text(["9 > 4", "A"])
    expect(pictures.first).to_contain_text("The higher card wins.")
    mo.hand.press(mo.page.get_by_role("link", name="Home"))
    expect(mo.region("Games")).to_be_visible()


@pytest.mark.soak
def test_the_view_of_the_docs_is_played(come: Come, tmp_path: Path):
    page = tmp_path / "written" / "page"
    page.mkdir(parents=True)
    for name, text in files_in("docs/page-contract.md").items():
        (page / Path(name).name).write_text(text, "utf-8")
    with House(tmp_path, install_with_page(tmp_path, page)) as house:
        ada = come("Ada", house=house)
        ada.opens_link(Made(house).links["ada"])
        ada.sits_down()
        expect(ada.page.locator(".summary")).to_have_text("Round 1")
        ada.does(ada.button("Take a card", ada.choices))
        expect(ada.page.locator(".middle li").filter(has_text="Ada: 0").locator("ch-card")).to_have_count(1)
        mo = come("Mo", DESK, house=house)
        mo.comes()
        here = mo.opens_more("Highest card wins")
        mo.hand.press(here.get_by_text("House rules"))
        expect(here.get_by_role("status")).to_have_text("4 players, 3 rounds")


@pytest.mark.soak
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("export default { contract: 2 }", "has no default export for version 1 of the page contract."),
        *in_soak(
            ("export const view = {}", "has no default export for version 1 of the page contract."),
            ("export default {", "SyntaxError"),
            ("import './missing.js'; export default { contract: 1 }", "TypeError"),
            ("throw new Error('not today')", "Error: not today"),
        ),
    ],
)
def test_a_module_that_is_no_view_is_named_and_the_table_is_played_by_the_plain_one(
    come: Come, tmp_path: Path, text: str, said: str
):
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.js").write_text(text)
    with House(tmp_path, install_with_page(tmp_path, page)) as house:
        ada = come("Ada", house=house)
        ada.forgiven += ["404", "MIME type"]
        ada.opens_link(Made(house).links["ada"])
        ada.sits_down()
        expect(ada.page.locator(".view-failed")).to_contain_text(
            re.compile("The Highest card wins view can.t be shown")
        )
        expect(ada.page.locator(".view-failed")).to_contain_text(said)
        ada.does(ada.button("Take a card", ada.choices))
