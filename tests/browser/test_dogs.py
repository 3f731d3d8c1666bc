"""A session of Dogs Play Cards, Too, with a real deck so that the right cards come: from talk to guns and back."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from cardhouse.games.dogs.people.sheets import read_roster
from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, TOOLS, Person, Table

pytestmark = pytest.mark.browser

GAME = "Dogs Play Cards, Too"
ABIGAIL, AMOS, SILAS = "Sister Abigail", "Brother Amos", "Silas"
AMOS_IN_DICE = """\
Acuity 3d6
Body 4d6
Heart 3d6
Will 5d6
I know the scripture 2d8
I never forget an insult 1d4

Relationships
My cousin Asa 3d6

Belongings
A Colt (gun) 1d6
"""
WORDS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def called(card: str) -> str:
    """What the page calls a card."""
    return f"{WORDS.get(card[1:], card[1:])} of {SUITS[card[0]]}"


class Evening:
    """What people do, each at their own page."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.gm = table.gm

    def turns_over(self, cards: str) -> None:
        """The game master names what is drawn from the real deck, card by card."""
        gm = self.gm
        for card in cards.split():
            for person in self.table.everybody:
                gm.catches_up(person.number)
            gm.does(gm.button(called(card), gm.choices.get_by_role("group")))
        self.everybody_hears()

    def everybody_hears(self) -> None:
        number = max(person.number for person in self.table.everybody)
        for person in self.table.everybody:
            person.catches_up(number)

    def picks(self, person: Person, cards: str) -> None:
        hand = person.page.get_by_role("group", name=re.compile(": hand$"))
        for card in cards.split():
            person.hand.press(person.button(re.compile(f"^{called(card)}, worth"), hand))

    def does(self, person: Person, button: str | re.Pattern[str]) -> None:
        person.does(person.button(button, person.region("Your move")))
        self.everybody_hears()

    def does_more(self, person: Person, of: str, button: str | re.Pattern[str]) -> None:
        """Taps something of a list, which a phone folds behind the list's name."""
        offered = person.region("Your move")
        expect(offered).to_be_visible()
        folded = person.button(of, offered)
        if folded.count() and folded.get_attribute("aria-expanded") == "false":
            person.hand.press(folded)
        self.does(person, button)

    def plays(self, person: Person, cards: str, button: str) -> None:
        """Picks cards, and says what they are."""
        self.picks(person, cards)
        self.does(person, button)

    def everybody_reads(self, text: str) -> None:
        for person in (self.gm, *self.table.players):
            person.sees_in_story(text)

    def opens_tool(self, tool: str, title: str) -> Locator:
        gm = self.gm
        gm.hand.press(gm.button(tool, gm.tools))
        return gm.dialog(title)


def looks(person: Person, moment: str) -> None:
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(f"dogs-{moment}")


def fills_in(person: Person, dialog: Locator, *texts: str) -> None:
    """The text fields of a step, in order."""
    for place, text in enumerate(texts):
        person.hand.write(dialog.get_by_role("textbox").nth(place), text)


def starts_making(person: Person) -> Locator:
    person.hand.press(person.button("Create a character…").first)
    return person.dialog("Create a character")


def makes_by_template(ada: Person) -> None:
    """A strong history: seven points, traits o o + +*, relationships - o +, and belongings (DV-3, DV-4)."""
    making = starts_making(ada)
    looks(ada, "templates-phone")
    ada.hand.press(making.get_by_role("button", name=re.compile("^Strong history")))
    fills_in(ada, making, ABIGAIL)
    for stat in ("Acuity", "Heart", "Will"):
        ada.hand.press(ada.button(f"{stat}: one more", making))
    ada.hand.press(ada.button("Next", making))
    fills_in(ada, making, "I grew up among horses", "I read faces", "I sing like a lark", "The Book is in my bones")
    looks(ada, "traits-phone")
    ada.hand.press(ada.button("Next", making))
    fills_in(ada, making, "My father, who sent me away", "Brother Amos", "My sister Ruth")
    ada.hand.press(ada.button("Next", making))
    fills_in(ada, making, "A lame mule", "A quilted coat", "Grandmother's Bible")
    ada.hand.press(ada.button("Next", making))
    ada.does(ada.button(f"Create {ABIGAIL}", making))


def imports_dice(ben: Person) -> None:
    """Fifteen dice become nine points, as a proposal (DV-5)."""
    making = starts_making(ben)
    ben.hand.tick(making.get_by_role("radio", name="Written sheet"))
    fills_in(ben, making, AMOS)
    sheet = making.get_by_role("textbox").nth(1)
    sheet.fill(AMOS_IN_DICE.replace("5d6", "5d7"))
    ben.hand.press(ben.button("Read sheet", making))
    expect(making.get_by_role("alert")).to_contain_text("Line 4: Stats are d6")
    sheet.fill(AMOS_IN_DICE)
    ben.does(ben.button("Read sheet", making))


def closes_sheet(person: Person, name: str) -> None:
    """A sheet that has opened by itself."""
    sheet = person.dialog(name)
    expect(sheet).to_be_visible()
    person.hand.press(person.button("Close", sheet))
    expect(sheet).to_be_hidden()


def opens_sheet(person: Person, name: str) -> Locator:
    person.hand.press(person.page.get_by_role("button", name=re.compile(f"^{name}")).first)
    sheet = person.dialog(name)
    expect(sheet).to_be_visible()
    return sheet


@pytest.mark.slow
@pytest.mark.soak
def test_an_evening_from_talk_to_guns_and_back(come: Come, sit_down: Callable[..., Table]):
    gm = come("Mo", DESK)
    gm.makes_table_with("Real deck: The deck", game=GAME, name="Tower Creek")
    table = sit_down("Ada", "Ben", screen=True, gm=gm)
    ada, ben = table.players
    evening = Evening(table)

    makes_by_template(ada)
    closes_sheet(ada, ABIGAIL)
    imports_dice(ben)
    looks(ben, "sheet-phone")
    closes_sheet(ben, AMOS)
    adding = evening.opens_tool("Add an NPC…", "Add an NPC")
    fills_in(gm, adding, SILAS)
    gm.does(adding.get_by_role("button", name=re.compile("^Type A")))
    gm.closes("Add an NPC")
    opens_conflict(evening)
    talk(evening, ada, ben)
    guns(evening, ada, ben)
    aftermath(evening, ada, ben)
    healing(evening, ada, ben)
    choices(evening, ben)
    there_and_back(evening, come, ben)


def opens_conflict(evening: Evening) -> None:
    gm = evening.gm
    opening = evening.opens_tool("Open a conflict…", "Open a conflict")
    gm.hand.write(opening.get_by_role("textbox", name="Stakes"), "Does Silas give the well back?")
    for name, side in ((ABIGAIL, 1), (AMOS, 1), (SILAS, 2)):
        gm.hand.tick(opening.get_by_role("radiogroup", name=name).get_by_role("radio", name=f"Side {side}"))
    expect(opening.get_by_role("combobox", name="Who starts")).to_have_count(0)  # of three the cards decide (DV-15)
    gm.hand.tick(opening.get_by_role("group", name="It begins with").get_by_role("radio", name=re.compile("^Talking")))
    gm.hand.tick(opening.get_by_role("checkbox", name=SILAS))
    looks(gm, "opening-desk")
    gm.does(gm.button("Open the conflict", opening))
    expect(gm.region(TOOLS).locator(".bright")).to_have_count(0)
    evening.turns_over("C5 D3 H7 S2 D9 C4 S6 H2 CK D8 S5 H10 C3")


def talk(evening: Evening, ada: Person, ben: Person) -> None:
    """Silas has the best card and raises first; Amos blocks, and helps Abigail to block."""
    gm = evening.gm
    evening.plays(gm, "D8", "Raise 8")
    looks(ben, "to-see-phone")
    evening.plays(ben, "D9", "Block")
    evening.plays(ben, "S6", f"Help {ABIGAIL}")
    evening.picks(ada, "H7")
    looks(ada, "helped-phone")
    evening.does(ada, "Block")
    evening.everybody_reads(f"{ABIGAIL} blocks")


def guns(evening: Evening, ada: Person, ben: Person) -> None:
    """Amos draws first, pays for his help, and is turned around; blows are taken; Abigail gives; Silas gives."""
    gm, table = evening.gm, evening.table
    evening.does_more(ben, "Escalate to", re.compile("^Escalate to Guns"))
    evening.turns_over("SK DQ H8")
    assert table.screen
    looks(table.screen, "escalation-television")
    looks(ben, "escalation-phone")
    evening.plays(ben, "SK", "Raise 7")
    evening.plays(gm, "CK", "Reverse the Blow")
    evening.does_more(ada, "Bring into play", re.compile("^Bring I sing like a lark.* into play"))
    evening.turns_over("CQ D2")
    evening.plays(ada, "CQ", "Raise 12")
    evening.does_more(gm, "Escalate to", re.compile("^Escalate to Guns"))
    evening.turns_over("D10 S9 C7")
    evening.plays(gm, "CK", "Block")

    evening.plays(ben, "DQ", "Raise 12")
    evening.picks(gm, "H10 C7")
    looks(gm, "blow-desk")
    evening.does(gm, "Take the Blow")
    evening.plays(gm, "D10", "Raise 10")
    evening.plays(ben, "H8 C4 H2", "Take the Blow")
    evening.does(ada, re.compile("^Give"))
    evening.everybody_reads(f"{ABIGAIL} gives")

    evening.plays(gm, "S5", "Raise 5")
    evening.does_more(ben, "Bring into play", re.compile("^Bring A Colt.* into play"))
    evening.turns_over("SQ D4 S3")
    evening.plays(ben, "SQ", "Reverse the Blow")
    evening.plays(ben, "SQ", "Raise 12")
    evening.does(gm, re.compile("^Give"))


def aftermath(evening: Evening, ada: Person, ben: Person) -> None:
    """Three cards from Guns: a king and a queen teach something, and a nine is nearly the end (DV-26 to DV-29)."""
    evening.turns_over("DK HQ H9")
    evening.turns_over("C2 C6")
    for person, where in ((evening.gm, "desk"), (ben, "phone"), (evening.table.screen, "television")):
        assert person
        expect(person.region("Aftermath")).to_contain_text("mortally wounded")
        looks(person, f"fallout-{where}")
    expect(ada.region("Aftermath")).to_contain_text(ABIGAIL)


def healing(evening: Evening, ada: Person, ben: Person) -> None:
    """Abigail's Acuity and Amos's Body against the nine (DV-30)."""
    gm = evening.gm
    healing = evening.opens_tool("Heal…", "A healing conflict")
    looks(gm, "healing-desk")
    gm.does(gm.button(f"{ABIGAIL} heals {AMOS}", healing))
    evening.turns_over("DJ D7 C8 C10")
    evening.plays(ada, "DJ", "Raise 12")
    evening.everybody_reads(f"{AMOS} is healed, and lives")


def choices(evening: Evening, ben: Person) -> None:
    """Two for the long term, one of experience (DV-32)."""
    long_term = ben.region(re.compile(f"^{AMOS}: long-term fallout"))
    looks(ben, "choices-phone")
    focused = ben.page.evaluate("document.activeElement.ariaLabel ?? ''")
    assert not focused.startswith("Why"), "who had it elsewhere finds it at an answer, not at the mark of its rule"
    ben.hand.tick(long_term.get_by_role("radio", name="Subtract 1 from a Stat"))
    ben.hand.select(long_term.get_by_role("combobox", name="Stat"), "Will")
    ben.does(ben.button("Choose", long_term))
    ben.hand.tick(long_term.get_by_role("radio", name="A new troublesome trait or relationship"))
    ben.hand.write(long_term.get_by_role("textbox"), "Gunfire makes me shake")
    ben.hand.select(long_term.get_by_role("combobox", name=re.compile("^What it is")), "Trait")
    ben.does(ben.button("Choose", long_term))
    experience = ben.region(f"{AMOS}: experience")
    ben.hand.tick(experience.get_by_role("radio", name="Add 1 to a Stat"))
    ben.hand.select(experience.get_by_role("combobox", name="Stat"), "Acuity")
    ben.does(ben.button("Choose", experience))
    expect(experience).to_be_hidden()
    evening.everybody_hears()


def saves_roster(gm: Person) -> bytes:
    gm.hand.press(gm.button("People…", gm.tools))
    people = gm.dialog("Who is here")
    with gm.page.expect_download() as saved:
        gm.hand.press(gm.button("Save the roster", people))
    roster = Path(saved.value.path()).read_bytes()
    gm.closes("Who is here")
    return roster


def there_and_back(evening: Evening, come: Come, ben: Person) -> None:
    """The sheets are right at the end, and at another table."""
    gm = evening.gm
    sheet = opens_sheet(ben, AMOS)
    expect(sheet).to_contain_text("Gunfire makes me shake")
    looks(ben, "sheet-after-phone")
    saved = saves_roster(gm)
    sheets = {sheet.name: sheet for sheet in read_roster(saved)}
    amos, abigail = sheets[AMOS], sheets[ABIGAIL]
    assert [amos.stats.acuity, amos.stats.body, amos.stats.heart, amos.stats.will] == [3, 2, 2, 2]
    assert {thing.name: (thing.group, thing.mark, thing.gun) for thing in amos.things} == {
        "I know the scripture": ("trait", "+", False),
        "I never forget an insult": ("trait", "-", False),
        "My cousin Asa": ("relationship", "o*", False),
        "A Colt": ("belonging", "o", True),
        "Gunfire makes me shake": ("trait", "-", False),
    }
    assert (amos.condition, amos.owed, amos.wounds) == ("well", [], [])
    assert [abigail.stats.acuity, abigail.stats.body, abigail.stats.heart, abigail.stats.will] == [2, 1, 2, 2]
    marks = [thing.mark for thing in abigail.things]
    assert marks == ["o", "o", "+", "+*", "-", "o", "+", "-", "o", "o*"]
    assert (abigail.condition, abigail.kept, sheets[SILAS].kept) == ("well", [], ["S9"])

    other = come("Mo", DESK)
    other.makes_table(game=GAME)
    other.goes_to_table()
    making = starts_making(other)
    other.hand.tick(making.get_by_role("radio", name="Roster"))
    file: Any = {"name": "roster.json", "mimeType": "application/json", "buffer": saved}
    for name in sheets:
        if not making.is_visible():
            starts_making(other)
        making.get_by_label("Choose a file…").set_input_files(file)
        other.does(other.button(f"Add {name}", making))
        closes_sheet(other, name)
    assert json.loads(saves_roster(other)) == json.loads(saved)
