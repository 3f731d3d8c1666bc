"""Creating characters for Dogs Play Cards, Too, by template and from dice; their sheets; the game master's desk."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, PHONE, Person

pytestmark = pytest.mark.browser

DOGS = "Dogs Play Cards, Too"
MAKE = "Create a character"
ELIAS = """\
Acuity 3d6
Body 4d6
Heart 3d6
Will 5d7
I know the scripture 2d8
I limp 1d4
Horses 1d6

Relationships
My cousin Asa 3d10

Belongings
A Colt (gun) 1d6"""


def looks(person: Person, moment: str) -> None:
    person.screenshot(moment)
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)


def starts_making(person: Person) -> Locator:
    person.hand.press(person.button(f"{MAKE}…"))
    return person.dialog(MAKE)


def names(person: Person, sheet: Locator, things: dict[str, str]) -> None:
    """Writes a name into each of these fields, and goes on."""
    for field, name in things.items():
        person.hand.write(sheet.get_by_role("textbox", name=field, exact=True), name)
    person.hand.press(person.button("Next", sheet))


def gives_points(person: Person, sheet: Locator, *stats: str) -> None:
    for stat in stats:
        person.hand.press(person.button(f"{stat}: one more", sheet))


def adds_npc(gm: Person, kind: str) -> None:
    gm.hand.press(gm.button("Add an NPC…", gm.tools))
    gm.does(gm.button(re.compile(f"^{kind} "), gm.dialog("Add an NPC")))
    gm.closes("Add an NPC")


def things(sheet: Locator, group: str) -> list[str]:
    """As they stand there, with a hyphen for the minus sign."""
    written = sheet.get_by_role("list", name=group).locator("li").all_text_contents()
    return [" ".join(text.split()).replace("\N{MINUS SIGN}", "-") for text in written]


def stats(sheet: Locator) -> list[str]:
    written = sheet.get_by_role("region", name="Stats").get_by_role("definition")
    expect(written.first).to_be_visible()
    return written.all_text_contents()


def test_two_make_characters_and_the_desk_opens_a_conflict(come: Come):
    gm = come("Gm", DESK)
    gm.makes_table(DOGS)
    links = [gm.link_for(f"Player {number}") for number in (1, 2)]
    gm.goes_to_table()
    ada, ben = come("Ada", PHONE), come("Ben", PHONE)
    for person, link in zip((ada, ben), links, strict=True):
        person.opens_link(link)
        person.sits_down()

    # By a template, step by step; what is being written outlives a change of the table, and a reload.
    sheet = starts_making(ada)
    looks(ada, "dogs-templates-phone")
    ada.hand.press(sheet.get_by_role("button", name=re.compile("^Complicated history")))
    ada.hand.write(sheet.get_by_role("textbox", name="Name"), "Sister Keziah")
    gives_points(ada, sheet, "Acuity", "Acuity", "Will")
    ada.hand.press(ada.button("Next", sheet))
    expect(sheet.get_by_role("alert")).to_have_text("Assign one more point first.")
    gives_points(ada, sheet, "Will")
    ada.hand.press(ada.button("Next", sheet))
    ada.hand.write(sheet.get_by_role("textbox", name="Troublesome trait 1"), "I swear")
    adds_npc(gm, "Type A")
    ada.catches_up(gm.number)
    expect(sheet.get_by_role("textbox", name="Troublesome trait 1")).to_have_value("I swear")
    ada.page.reload()
    sheet = starts_making(ada)
    expect(sheet.get_by_role("textbox", name="Troublesome trait 1")).to_have_value("I swear")
    traits = {"Troublesome trait 2": "I sulk", "Regular trait": "Horses", "Regular, significant trait": "I swear"}
    names(ada, sheet, traits)
    ties = {"Regular relationship": "Ruth", "Strong relationship": "Asa", "Regular, significant relationship": "Sin"}
    names(ada, sheet, ties)
    ada.hand.tick(sheet.get_by_role("checkbox", name="Regular belonging: a gun"))
    names(ada, sheet, {"Regular belonging": "A Colt"})

    # What the rules refuse is told where it was said, and nothing is lost.
    ada.hand.press(ada.button("Create Sister Keziah", sheet))
    expect(sheet.get_by_role("alert")).to_have_text(re.compile("^Things: I swear is there twice"))
    for _ in range(3):
        ada.hand.press(ada.button("Back", sheet))
    names(ada, sheet, {"Regular, significant trait": "I know the scripture"})
    for _ in range(2):
        ada.hand.press(ada.button("Next", sheet))
    ada.does(ada.button("Create Sister Keziah", sheet))
    made = ada.dialog("Sister Keziah")
    assert stats(made) == ["3", "1", "1", "3"]
    assert things(made, "Traits") == ["I swear -", "I sulk -", "Horses", "I know the scripture *"]
    assert things(made, "Belongings") == ["A Colt (gun)"]
    looks(ada, "dogs-sheet-phone")
    ada.closes("Sister Keziah")

    # From dice: the proposal may be changed.
    sheet = starts_making(ben)
    ben.hand.tick(sheet.get_by_role("radio", name="Written sheet"))
    ben.hand.write(sheet.get_by_role("textbox", name="Name"), "Brother Elias")
    written = sheet.get_by_role("textbox", name=re.compile("^The sheet"))
    written.fill(ELIAS)
    ben.hand.press(ben.button("Read sheet", sheet))
    expect(sheet.get_by_role("alert")).to_have_text(re.compile(r"^Line 4: Stats are d6, and Will is d7 here\."))
    written.fill(ELIAS.replace("d7", "d6"))
    ben.does(ben.button("Read sheet", sheet))
    read = ben.dialog("Brother Elias")
    assert stats(read) == ["2", "2", "2", "3"]
    assert things(read, "Traits") == ["I know the scripture +", "I limp -", "Horses"]
    assert things(read, "Relationships") == ["My cousin Asa +*"]
    expect(read).to_contain_text("several one-die traits")
    ben.hand.press(ben.button("Change the Stats", read))
    ben.hand.press(ben.button("Will: one less", read))
    gives_points(ben, read, "Heart")
    ben.does(ben.button("Save Stats", read))
    assert stats(read) == ["2", "2", "3", "2"]
    ben.closes("Brother Elias")

    # The desk: who is on which side is proposed, and a tap away.
    adds_npc(gm, "Type D")
    gm.hand.press(gm.button("Open a conflict…", gm.tools))
    opening = gm.dialog("Open a conflict")
    gm.hand.write(opening.get_by_role("textbox", name="Stakes"), "Who has the mill?")
    for name in ("Amos Tuttle", "Widow Haskell"):
        gm.hand.tick(opening.get_by_role("radiogroup", name=name).get_by_role("radio", name="Side 2"))
    looks(gm, "dogs-opening-desk")
    gm.does(gm.button("Open the conflict", opening))
    ada.catches_up(gm.number)
    for side, people in (("Side 1", ["Sister Keziah", "Brother Elias"]), ("Side 2", ["Amos Tuttle", "Widow Haskell"])):
        expect(ada.table.get_by_role("list", name=side).get_by_role("button")).to_have_text(
            [re.compile(name) for name in people]
        )
