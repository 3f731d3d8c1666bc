"""Home: everything fits, nothing jumps, and your tables are listed."""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import expect

from cardhouse.engine import catalogue_of, find_game
from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible
from tests.browser.people import DESK, PHONE, Device, House, Person
from tests.browser.test_places import box
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

SHIFTS = """new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifted = (window.shifted ?? 0) + entry.value
}).observe({ type: 'layout-shift', buffered: true })"""
MOST_SHIFT = 0.02
SAT_OFTEN = """(n) => {
  const [key] = Object.keys(localStorage).filter((key) => key.endsWith('seats'))
  const [seat] = JSON.parse(localStorage[key])
  localStorage[key] = JSON.stringify(Array.from({ length: n }, (_, place) => ({ ...seat, table: `t${place}` })))
}"""
"""This device remembers so many tables like the one it has."""
WHILE = 40_000
"""In so many milliseconds of the page's own time a moving picture has been seen to its end."""
HOLE = 400
"""So many pixels of nothing between two games would be a hole."""


def wide(person: Person) -> int:
    return int(person.page.evaluate("document.documentElement.scrollWidth - innerWidth"))


@pytest.mark.soak
@pytest.mark.parametrize("device", [*in_soak(DESK), PHONE], ids=["desk", "phone"])
def test_how_we_play_neither_scrolls_sideways_nor_tears_a_hole(device: Device, come: Come):
    person = come("Mo", device)
    person.comes()
    games = person.region("Games").get_by_role("listitem")
    for number in range(5):
        place = games.nth(number)
        height = box(place)["height"]
        person.hand.press(place.get_by_role("button", name=re.compile("^With friends: ")))
        person.hand.press(place.get_by_text("House rules").first)
        expect(place.get_by_role("button", name="Create table")).to_be_visible()
        person.screenshot(f"how-we-play-{number}-{'phone' if device is PHONE else 'desk'}")
        assert wide(person) <= 0
        assert box(place)["height"] < height + HOLE
        for pain in place.get_by_role("group", name="Pain").all():
            expect(pain.get_by_role("radio").first, "off comes before its degrees").to_be_checked()
        for _ in range(2):
            person.page.keyboard.press("Escape")
        expect(place.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("device", [*in_soak(DESK), PHONE], ids=["desk", "phone"])
def test_nothing_jumps_while_the_front_door_opens(device: Device, come: Come):
    person = come("Mo", device)
    person.page.add_init_script(SHIFTS)
    person.makes_table()
    for _ in range(2):
        person.comes()
        expect(person.region("Games").get_by_role("listitem").last).to_be_visible()
        expect(person.page.get_by_text("Open a saved game")).to_be_visible()
        assert person.page.evaluate("window.shifted ?? 0") < MOST_SHIFT


def test_each_game_is_told_in_a_minute(come: Come):
    ada = come("Ada")
    ada.comes()
    links = ada.page.get_by_role("link", name=re.compile(" in a minute$"))
    expect(links).to_have_count(5)
    for number in range(5):
        title = str(links.nth(number).get_attribute("title")).removesuffix(" in a minute")
        ada.hand.press(links.nth(number))
        expect(ada.page.get_by_role("heading", name=title)).to_be_visible()
        panels = ada.page.get_by_role("main").get_by_role("listitem")
        expect(panels).to_have_count(6)
        expect(panels.last.locator(".picture :is(svg, text)").first).to_be_attached()
        assert wide(ada) <= 0
        assert_accessible(ada.page, title)
        ada.hand.press(ada.page.get_by_role("link", name="Home"))


def test_the_art_page_names_everybody_whose_work_is_used(come: Come):
    ada = come("Ada")
    ada.comes()
    ada.hand.press(ada.page.get_by_role("link", name="Art and credits"))
    package = Path(str(files("cardhouse")))
    icons = re.findall(r'<symbol id="([^"]+)"', (package / "drawings" / "icons.svg").read_text("utf-8"))
    shown = ada.page.get_by_role("main")
    for game in ("initiative", "hackjack", "gunfight", "dogpile", "dogs"):
        expect(shown).to_contain_text(catalogue_of(find_game(game)).words.original)
    for icon in icons:
        expect(shown).to_contain_text(icon)
    for licence in (package / "games").glob("*/page/world/face-LICENSE.txt"):
        assert "SIL Open Font License" in licence.read_text("utf-8")
    assert all(
        face.with_name("face-LICENSE.txt").is_file() for face in (package / "games").glob("*/page/world/*.woff2")
    )
    expect(shown).to_contain_text(
        re.compile(
            "Sancreek.*Pirata One.*Lilita One.*Goudy Bookletter 1911.*Limelight.*Source Sans, Source Serif", re.DOTALL
        )
    )
    assert wide(ada) <= 0
    assert_accessible(ada.page, "art")


@pytest.mark.soak
def test_ones_own_tables_come_first_with_who_was_there(come: Come):
    gm, ada = come("Mo", DESK), come("Ada")
    gm.makes_table()
    ada.opens_link(gm.link_for("Player 1"))
    ada.sits_down()
    expect(gm.page.get_by_text("is here").first).to_be_attached()
    gm.goes_to_table()
    expect(gm.page.get_by_role("list", name="At the table")).to_contain_text("Ada")
    with gm.page.expect_download() as saved:
        gm.hand.press(gm.button("Save transcript", gm.opens_menu()))
    assert saved.value.suggested_filename.startswith("Card initiative ")
    gm.hand.press(gm.button("End table"))
    expect(gm.question).to_contain_text("This table has ended.")
    gm.comes()
    tables = gm.region("Your tables")
    gm.hand.press(tables.get_by_text("One earlier table"))
    expect(tables.get_by_role("listitem")).to_contain_text("Ada")
    expect(tables.get_by_role("listitem")).to_contain_text("finished")
    gm.screenshot("home-desk")


@pytest.mark.soak
def test_a_wrong_file_is_refused_where_it_was_chosen(come: Come):
    ada = come("Ada")
    ada.forgiven.append("status of 400")
    ada.comes()
    choose = ada.page.get_by_label("Open a saved game")
    choose.scroll_into_view_if_needed()
    choose.set_input_files({"name": "list.txt", "mimeType": "text/plain", "buffer": b"milk\n"})
    refusal = ada.page.get_by_role("alert")
    expect(refusal).to_contain_text("This file isn't a transcript. Its first line must begin with")
    expect(refusal).to_be_in_viewport(ratio=1)
    assert wide(ada) <= 0
    ada.screenshot("wrong-file-phone")


@pytest.fixture
def house_with_key(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, None, "--tables", "key") as house:
        yield house


def test_in_a_house_with_a_key_the_page_asks_for_it(house_with_key: House, come: Come):
    ada, mo = come("Ada", house=house_with_key), come("Mo", DESK, house=house_with_key)
    (file,) = re.findall(r"The key is in (\S+-key);", house_with_key.printed)
    key = Path(file).read_text("utf-8").strip()
    ada.comes()
    field = ada.page.get_by_label("New tables need the server key")
    expect(field).to_be_visible()
    expect(ada.button(re.compile("^Play "), ada.region("Games"))).to_have_count(0)
    expect(ada.page.get_by_label("Open a saved game")).to_have_count(0)
    field.fill(key[:-1])
    ada.hand.press(ada.button("Use key"))
    expect(ada.page.get_by_role("alert")).to_contain_text("Ask the administrator for the current one")
    assert wide(ada) <= 0
    ada.screenshot("no-key-phone")
    field.fill(f"{house_with_key.address}#key={key}")
    ada.hand.press(ada.button("Use key"))
    expect(field).to_have_count(0)
    expect(ada.button(re.compile("^Play "), ada.region("Games")).first).to_be_visible()
    mo.page.goto(f"{house_with_key.address}#key={key}")
    expect(mo.page).to_have_url(house_with_key.address)
    mo.makes_table()
    ada.opens_link(mo.link_for("Player 1"))
    ada.sits_down()


@pytest.mark.soak
def test_an_address_that_leads_nowhere_has_a_way_to_the_front_door(come: Come):
    ada = come("Ada")
    ada.forgiven.append("status of 404")
    for path in ("t/", "foo/bar"):
        ada.page.goto(f"{ada.house.address}{path}")
        expect(ada.page.get_by_role("heading", name="Page not found")).to_be_visible()
    ada.hand.press(ada.button("Home"))
    expect(ada.region("Games")).to_be_visible()


@pytest.mark.soak
def test_many_tables_leave_the_games_in_reach(come: Come):
    ada = come("Ada")
    ada.makes_table("Dogpile")
    ada.page.evaluate(SAT_OFTEN, 9)
    ada.comes()
    tables = ada.region("Your tables")
    expect(tables.get_by_role("link")).to_have_count(1)
    games = box(ada.region("Games"))["y"]
    assert games < ada.page.viewport_size["height"], "on the first screen"  # type: ignore[index]
    ada.screenshot("many-tables-phone")
    ada.hand.press(tables.get_by_text("8 earlier tables"))
    expect(tables.get_by_role("link")).to_have_count(9)
    assert wide(ada) <= 0


@pytest.mark.soak
def test_a_conflict_that_cannot_be_opened_yet_says_why(come: Come):
    gm = come("Mo", DESK)
    gm.makes_table("Dogs Play Cards, Too")
    gm.goes_to_table()
    gm.hand.press(gm.button("Add an NPC…"))
    adding = gm.dialog("Add an NPC")
    gm.hand.write(adding.get_by_role("textbox").first, "Silas")
    gm.does(adding.get_by_role("button", name="Type A"))
    gm.closes("Add an NPC")
    expect(gm.question).to_contain_text("Open a conflict")
    expect(gm.button("Open a conflict…")).to_have_attribute("aria-disabled", "true")
    expect(gm.page.get_by_text("A conflict needs two characters who can take part")).to_be_visible()
    gm.screenshot("no-conflict-yet")


@pytest.mark.parametrize("device", [*in_soak(DESK), PHONE], ids=["desk", "phone"])
def test_a_table_in_play_is_seen_and_can_be_stopped(device: Device, come: Come):
    person = come("Mo", {**device, "reduced_motion": "no-preference"})
    page = person.page
    page.clock.install()
    person.comes()
    shown = page.locator("[inert]")
    person.hand.press(person.button("Learn Dogpile"))
    expect(shown).to_be_visible()
    expect(shown).to_have_attribute("aria-hidden", "true")
    first = shown.inner_text()
    page.clock.run_for(6000)
    expect(shown).not_to_have_text(first, use_inner_text=True)
    assert_accessible(page, "a table in play")
    person.screenshot(f"home-plays-{'phone' if device is PHONE else 'desk'}")
    person.hand.press(person.button("Pause the pictures"))
    expect(person.button("Play the pictures")).to_be_visible()
    page.clock.run_for(3000)
    stands = shown.inner_text()
    page.clock.run_for(WHILE)
    assert shown.inner_text() == stands
    person.hand.press(person.button("Play the pictures"))
    expect(person.button("Pause the pictures")).to_be_visible()


@pytest.mark.soak
def test_where_motion_is_reduced_its_end_is_seen(come: Come):
    mo = come("Mo", DESK)
    mo.comes()
    mo.hand.press(mo.button("Learn Dogpile"))
    expect(mo.page.locator("[inert]")).to_contain_text("The whole pack strays")
    expect(mo.button("Pause the pictures")).to_have_count(0)


WIDE = [{"width": 1440, "height": 900}, {"width": 1920, "height": 1080}, {"width": 2560, "height": 1440}]
RIGHTMOST = "() => Math.max(...[...document.querySelectorAll('main li')].map((e) => e.getBoundingClientRect().right))"


@pytest.mark.soak
def test_the_front_door_fills_a_desk_and_a_television(come: Come):
    mo = come("Mo", DESK)
    mo.comes()
    expect(mo.region("Games").get_by_role("listitem").last).to_be_visible()
    for size in WIDE:
        mo.page.set_viewport_size(size)  # type: ignore[arg-type]
        assert mo.page.evaluate(RIGHTMOST) > size["width"] * 0.85, "the right half is empty"
        games = {round(box(game)["y"]) for game in mo.region("Games").get_by_role("listitem").all()}
        assert len(games) == 1, "all games stand on one shelf"
        assert wide(mo) <= 0
