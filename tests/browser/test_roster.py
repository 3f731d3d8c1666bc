"""Characters that move to another table, and a table's own wounds."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from cardhouse.games.hackjack.sheets import read_roster
from cardhouse.games.hackjack.wounds.data import standard_wounds
from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, PHONE, Person
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

HACKED = standard_wounds()["CK"].name
RED_GULCH = """\
{"cardhouse":1,"game":"hackjack","seats":["gm","p1"],"name":"Red Gulch"}
{"by":"gm","do":"add_character","name":"Ada","hp":7,"max_hp":9,"controller":"p1"}
{"by":"gm","do":"add_character","name":"Wilhelmina Montgomery-Featherstonehaugh","hp":5,"max_hp":9}
{"by":"gm","do":"damage","target":"Ada","amount":12}
{"draw":"wounds","card":"CK"}
"""
BEFORE = """\
{"cardhouse":1,"game":"gunfight","seats":["gm","p1"],"name":"The Silver Train"}
{"by":"gm","do":"add_character","name":"Ada","hp":7,"max_hp":9,"controller":"p1","card":"HA"}
{"by":"gm","do":"add_character","name":"Old Ben","hp":6,"max_hp":6,"card":"S2"}
"""
MINE = """\
[C4]
name = "Sprained arms"
text = "They hurt for a week."
ends = "week"
"""


def gives(field: Locator, name: str, content: str) -> None:
    """A file, chosen from the device."""
    field.set_input_files({"name": name, "mimeType": "text/plain", "buffer": content.encode()})


def opens_saved(gm: Person, transcript: str) -> None:
    """A game that was saved earlier becomes a table of one's own."""
    gm.comes()
    gives(gm.page.get_by_label("Open a saved game"), "game.jsonl", transcript)
    expect(gm.question).to_be_visible()


def opens_roster(gm: Person) -> Locator:
    gm.hand.press(gm.button("Roster…", gm.tools))
    return gm.dialog("Roster")


def chooses_file(gm: Person, sheet: Locator, name: str, content: str) -> None:
    gm.hand.tick(sheet.get_by_role("radio", name="from a file"))
    gives(sheet.get_by_label("Choose a roster file…"), name, content)


def row(sheet: Locator, name: str) -> Locator:
    return sheet.get_by_role("listitem", name=name)


def opens_sheet(person: Person, name: str) -> Locator:
    """Open a character's sheet: by its heading, or on a desk by its face and, for a game master, *Sheet…*."""
    face = person.face(name)
    if not person.at_desk:
        person.hand.press(person.table.get_by_role("heading", name=name).get_by_role("button", name=name))
    elif face.get_attribute("aria-pressed") == "false":
        person.hand.press(face)
    sheet, more = person.dialog(name), person.button("Sheet…", person.region(name))
    expect(sheet.or_(more).first).to_be_visible()
    if not sheet.is_visible():
        person.hand.press(more)
    return sheet


def brings(gm: Person, sheet: Locator, name: str, played_by: str = "") -> None:
    if played_by:
        gm.hand.select(sheet.get_by_role("combobox", name=f"Who plays {name}"), played_by)
    gm.does(gm.button(f"Add {name}", sheet))
    expect(row(sheet, name)).to_contain_text("is here")


def looks(person: Person, moment: str) -> None:
    """At it by lamp light and in daylight."""
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(f"{moment}-dark")
    person.page.emulate_media(color_scheme="light")
    assert_accessible(person.page, moment)
    person.screenshot(f"{moment}-light")
    person.page.emulate_media(color_scheme="dark")


def roster_of(*characters: dict[str, Any]) -> str:
    return json.dumps({"cardhouse_roster": 1, "characters": list(characters)})


@pytest.mark.soak
@pytest.mark.parametrize("device", [*in_soak(DESK), PHONE], ids=["desk", "phone"])
def test_somebody_hurt_at_one_table_comes_to_another_as_they_left_it(
    come: Come, device: dict[str, Any], request: pytest.FixtureRequest
):
    gm = come("Mo", device)
    opens_saved(gm, BEFORE)
    opens_saved(gm, RED_GULCH)
    gm.makes_table("Card initiative")  # which keeps no roster
    gm.makes_table("Hackjack")
    ada = come("Ada")
    ada.opens_link(gm.link_for("Player 1"))
    ada.sits_down()
    gm.goes_to_table()

    sheet = opens_roster(gm)
    expect(row(sheet, "Ada")).to_contain_text(re.compile("down.*Trauma 3.*Blood 2.*a wound"))
    names = [re.sub(r"^\D*\d+of \d+", "", text) for text in sheet.locator("li .name").all_text_contents()]
    assert names == ["Ada", "Wilhelmina Montgomery-Featherstonehaugh", "Old Ben"], "those of the newest table first"
    expect(gm.button("Save the roster", sheet)).to_have_count(0)
    looks(gm, f"roster-hackjack-{request.node.callspec.id}")

    which = sheet.get_by_role("combobox", name="Ada, as they left")
    assert [text.split(",")[0] for text in which.get_by_role("option").all_text_contents()] == [
        "Red Gulch",
        "The Silver Train",
    ]
    expect(sheet.get_by_role("combobox", name="Who plays Ada")).to_have_value("p1")  # who is called so
    brings(gm, sheet, "Ada")
    brings(gm, sheet, "Old Ben", played_by="Ada")
    gm.closes("Roster")
    ada.catches_up(gm.number)
    for person in (gm, ada):
        sheet = opens_sheet(person, "Ada")
        expect(sheet if person.at_desk else person.table).to_contain_text("Trauma 3")
        expect(sheet.get_by_text(HACKED, exact=True)).to_be_visible()
        person.sees_in_story("Ada is back")


@pytest.mark.soak
def test_a_roster_goes_into_a_file_and_comes_out_of_it_at_a_gunfight(come: Come, tmp_path: Path):
    gm = come("Mo", DESK)
    opens_saved(gm, RED_GULCH)
    gm.page.keyboard.press("Escape")
    sheet = opens_roster(gm)
    expect(sheet.get_by_text("No characters from earlier tables")).to_be_visible()
    with gm.page.expect_download() as saved:
        gm.hand.press(gm.button("Save the roster", sheet))
    assert saved.value.suggested_filename == "Red Gulch roster.json"
    saved.value.save_as(tmp_path / "posse.json")
    posse = (tmp_path / "posse.json").read_bytes()
    kept = {one.name: one for one in read_roster(posse)}
    assert (kept["Ada"].death_score, kept["Ada"].blood, kept["Ada"].trauma) == (10, 2, 3)

    other = come("Nan", PHONE)  # whose browser knows no earlier table
    other.makes_table("Gunfight")
    other.goes_to_table()
    sheet = opens_roster(other)
    chooses_file(other, sheet, "posse.json", posse.decode())
    expect(row(sheet, "Ada")).to_contain_text("posse.json")
    other.hand.tick(sheet.get_by_role("radio", name="a new side"))
    other.hand.write(sheet.get_by_role("textbox", name="The side's name"), "The Law")
    other.hand.tick(sheet.get_by_role("radio", name=re.compile("^Elite")))
    brings(other, sheet, "Ada", played_by="Player 2")
    looks(other, "roster-gunfight-phone")
    expect(sheet.get_by_role("radio", name="The Law")).to_be_checked()
    brings(other, sheet, "Wilhelmina Montgomery-Featherstonehaugh")
    other.closes("Roster")
    other.sees_in_story("Ada joins The Law with")
    other.sees_in_story(re.compile("Wilhelmina.* joins The Law with"))
    expect(other.table).to_contain_text("10 of 21")
    expect(other.table).to_contain_text("Blood 2")


BROKEN = {
    "Dear diary": "This file isn't a roster. It isn't valid JSON",
    RED_GULCH.splitlines()[0]: "This file isn't a roster. A roster begins with",
    '{"cardhouse_roster": 7, "characters": []}': "This roster is of format 7",
    roster_of({"name": "Zed", "hp": "three", "max_hp": 4}): "Character 1 (Zed): hp must be a whole number, not a text",
    roster_of({"name": "Zed", "hp": 3, "max_hp": 4, "wounds": [{"card": "C1"}]}): (
        "wounds[1].card can't be C1 here; it may be CA"
    ),
    " " * 600_000: "This file is too large",
}
"""What is in a file, and what is said of it."""


@pytest.mark.soak
def test_a_broken_file_is_refused_in_plain_words(come: Come):
    gm = come("Mo", DESK)
    gm.forgiven += ["status of 400", "status of 413"]
    gm.makes_table("Hackjack")
    gm.goes_to_table()
    sheet = opens_roster(gm)
    for content, says in BROKEN.items():
        chooses_file(gm, sheet, "diary.json", content)
        expect(sheet.get_by_role("alert")).to_contain_text(says)
        expect(sheet.get_by_role("listitem")).to_have_count(0)
    looks(gm, "roster-refused-desk")
    chooses_file(gm, sheet, "posse.json", roster_of({"name": "Zed", "hp": 3, "max_hp": 4}))
    expect(sheet.get_by_role("alert")).to_have_count(0)
    brings(gm, sheet, "Zed")


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.soak
def test_a_table_with_wounds_and_numbers_of_its_own(come: Come, device: dict[str, Any], request: pytest.FixtureRequest):
    gm = come("Mo", device)
    gm.forgiven.append("status of 400")
    gm.comes()
    here = gm.opens_more("Hackjack")
    gm.hand.press(here.get_by_text("House rules"))
    wounds = here.get_by_role("group", name="Wounds of your own")
    with gm.page.expect_download() as started:
        gm.hand.press(wounds.get_by_role("link", name="Download template"))
    assert started.value.suggested_filename == "wounds.toml"

    broken = MINE.replace('"week"', '"weak"') + "blod = 1\n"
    gives(wounds.get_by_label("Choose a file…"), "mine.toml", broken)
    mistakes = wounds.get_by_role("listitem")
    expect(mistakes).to_have_count(2)
    expect(mistakes.nth(0)).to_contain_text(re.compile("Line 4:.*C4.ends"))
    expect(mistakes.nth(1)).to_contain_text(re.compile("Line 5:.*C4.blod is an unknown field; did you mean blood"))
    wounds.scroll_into_view_if_needed()
    looks(gm, f"options-mistakes-{request.node.callspec.id}")
    gives(wounds.get_by_label("Choose a file…"), "mine.toml", MINE)
    expect(wounds).to_contain_text("One wound rewritten")
    expect(mistakes).to_have_count(0)
    gm.hand.press(gm.button("Remove file", wounds))
    expect(wounds).not_to_contain_text("rewritten")
    gives(wounds.get_by_label("Choose a file…"), "mine.toml", MINE)
    limit = here.get_by_role("spinbutton", name="Death comes above")
    expect(limit).to_have_value("21")
    gm.hand.write(limit, "30")
    massive = here.get_by_role("spinbutton", name="Massive damage")
    gm.hand.press(massive)
    massive.press("Control+A")
    massive.press("Delete")
    expect(massive).to_have_value("")
    looks(gm, f"options-{request.node.callspec.id}")
    gm.hand.press(gm.button("Create table", here))
    gm.goes_to_table()

    sheet = opens_roster(gm)
    hurt = {"name": "Ada", "hp": 0, "max_hp": 7, "down": True, "death_score": 24, "wounds": [{"card": "C4"}]}
    chooses_file(gm, sheet, "posse.json", roster_of(hurt))
    expect(row(sheet, "Ada")).to_contain_text("of 30")
    brings(gm, sheet, "Ada")
    gm.closes("Roster")
    expect(opens_sheet(gm, "Ada").get_by_text("They hurt for a week.")).to_be_visible()
    about = next(json.loads(frame) for frame in gm.heard if '"t":"table"' in frame)["table"]
    written = {"name": "Sprained arms", "text": "They hurt for a week.", "ends": "week"}
    assert about["options"] == {"limit": 30, "wounds": {"C4": written}}, "only what differs"


@pytest.mark.soak
def test_somebody_is_brought_in_the_plain_view_too(come: Come):
    gm = come("Mo", DESK)
    gm.makes_table("Hackjack")
    gm.goes_to_table()
    menu = gm.opens_menu()
    gm.hand.tick(menu.get_by_role("checkbox", name="Basic view"))
    gm.closes(re.compile("."))
    bringing = gm.region("At any time").get_by_role("group").filter(has=gm.page.get_by_text("Sheet", exact=True))
    gm.hand.press(bringing.locator("summary"))
    area = bringing.get_by_role("textbox", name="Sheet")
    expect(area).to_have_attribute("placeholder", re.compile('"name": "Ada"'))
    bring = bringing.get_by_role("button", name="Add from the roster")
    gm.hand.write(area, '{"name": "Zed", "hp": 3')
    before = len(gm.heard)
    gm.hand.press(bring)
    assert "Invalid JSON" in area.evaluate("area => area.validationMessage")
    assert len(gm.heard) == before
    gm.hand.write(area, '{"name": "Zed", "hp": 3}')
    gm.hand.press(bring)
    expect(area).to_have_accessible_description(re.compile("max_hp is missing"))
    gm.hand.write(area, '{"name": "Zed", "hp": 3, "max_hp": 4}')
    looks(gm, "plain-sheet-desk")
    gm.does(bring)
    expect(area).to_have_value("")
    expect(gm.table).to_contain_text("Zed")
