"""A session of Hackjack: a desk, two phones and a television, with a real deck so that the right cards come."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import UPRIGHT, Person, Table

pytestmark = pytest.mark.browser


class Evening:
    """What the game master does at the desk, and what everybody sees of it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.gm = table.gm

    def adds(self, name: str, hp: int, *, played_by: str = "") -> None:
        gm = self.gm
        gm.hand.press(gm.button("Add character…", gm.tools))
        sheet = gm.dialog("Add a character")
        gm.hand.write(sheet.get_by_role("textbox", name="Name", exact=True), name)
        gm.hand.write(sheet.get_by_role("spinbutton", name="HP", exact=True), str(hp))
        if played_by:
            gm.hand.select(sheet.get_by_role("combobox", name="Played by"), played_by)
        gm.does(gm.button("Add", sheet))
        gm.closes("Add a character")

    def opens_pad(self, tool: str, name: str) -> Locator:
        gm = self.gm
        gm.hand.press(gm.button(tool, gm.tools))
        pad = gm.page.get_by_role("dialog")
        gm.hand.tick(pad.get_by_role("radio", name=re.compile(f"^{name} ")))
        return pad

    def hits(self, name: str, amount: int, *cards: str) -> None:
        """Damage; the cards are turned over at the desk."""
        pad = self.opens_pad("Damage…", name)
        if amount <= 12:
            self.gm.does(self.gm.button(f"{name} takes {amount}", pad))
        else:
            self.gm.hand.write(pad.get_by_role("spinbutton", name="Another number"), str(amount))
            self.gm.does(self.gm.button("Hit", pad))
        expect(pad).to_be_hidden()
        for card in cards:
            turns_over(self.gm, card)
        self.everybody_hears()

    def heals(self, name: str, amount: int) -> None:
        pad = self.opens_pad("Heal…", name)
        self.gm.does(self.gm.button(f"{name} is healed by {amount}", pad))
        expect(pad).to_be_hidden()
        self.everybody_hears()

    def begins_round(self) -> None:
        self.gm.does(self.gm.button("Begin the next round", self.gm.choices))
        self.everybody_hears()

    def everybody_hears(self, of: Person | None = None) -> None:
        number = (of or self.gm).number
        for person in self.table.everybody:
            person.catches_up(number)

    def everybody_reads(self, text: str) -> None:
        for person in self.table.everybody:
            person.sees_in_story(text)


def turns_over(person: Person, card: str) -> None:
    """Names the card that lies on top of the real deck."""
    person.does(person.button(card, person.choices.get_by_role("group")))


def lies(person: Person, name: str) -> Locator:
    """Somebody who is down, as they lie on the table."""
    return person.table.get_by_role("article", name=name)


def looks(person: Person, moment: str) -> None:
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(f"hackjack-{moment}")


@pytest.mark.soak
def test_an_evening_of_wounds_on_a_tablet_two_phones_and_a_television(come: Come, sit_down: Callable[..., Table]):
    gm = come("Mo", UPRIGHT)
    gm.makes_table_with("Real deck: Wound deck", game="Hackjack", name="Red Gulch")
    table = sit_down("Ada", "Ben", screen=True, gm=gm)
    ada, ben = table.players
    screen = table.screen
    assert screen
    evening = Evening(table)
    menu = gm.opens_menu()
    gm.hand.tick(menu.get_by_role("radio", name="everyone"))
    gm.page.keyboard.press("Escape")
    looks(gm, "empty-desk")

    evening.adds("Quill", 7, played_by="Ada")
    evening.adds("Doc", 9, played_by="Ben")
    evening.adds("Silas", 8)
    evening.begins_round()
    evening.hits("Silas", 3)
    evening.everybody_reads("Silas takes 3 and has 5 HP left.")

    choice_of_a_wound(evening, ben)
    glimpse_of_the_next_card(evening, ada)
    declarations(evening, ada, ben)
    check_and_exactly_21(evening, ada)
    deaths_and_healing(evening, ada)
    looks(screen, "end-television")


def choice_of_a_wound(evening: Evening, ben: Person) -> None:
    """The seven of clubs lets whoever plays the character choose, or the game master in their place (HJ-22)."""
    gm, table = evening.gm, evening.table
    evening.hits("Doc", 10, "7 of clubs", "king of spades", "10 of diamonds")
    for person in (table.gm, *table.players):
        choosing = person.region("Doc chooses a wound")
        expect(choosing).to_have_count(1 if person in (gm, ben) else 0)
        expect(person.region("The last hit")).to_contain_text("A scar to show")
    assert table.asked() is ben
    looks(ben, "choice-phone")
    looks(gm, "choice-desk")
    assert table.screen
    looks(table.screen, "choice-television")
    ben.does(ben.button(re.compile("^10 of diamonds A scar to show"), ben.region("Doc chooses a wound")))
    evening.everybody_hears(ben)
    for person in (table.gm, *table.players):
        person.sees_in_story(re.compile("Doc chooses .* and is spared"))
        expect(person.region("The last hit")).to_contain_text("Spared")
        expect(lies(person, "Doc")).to_contain_text(re.compile(r"7\s*of 21"))
        expect(lies(person, "Doc")).to_contain_text("Blood 1")


def glimpse_of_the_next_card(evening: Evening, ada: Person) -> None:
    """The ace of hearts shows the next card to its player and the game master, and to nobody else (HJ-25)."""
    table = evening.table
    evening.hits("Quill", 8, "ace of hearts")
    for person in (table.gm, *table.players):
        expect(person.choices.get_by_role("group")).to_have_count(1 if person in (evening.gm, ada) else 0)
    turns_over(ada, "5 of spades")
    evening.everybody_hears(ada)
    for person in (table.gm, *table.players):
        knows = person in (evening.gm, ada)
        expect(person.table).to_contain_text("The next card has been seen by Ada, the game master.")
        expect(person.button("The next card is the 5 of spades")).to_have_count(1 if knows else 0)
        told = [frame for frame in person.heard if re.search(r'"next_card":\[?"S5"', frame)]
        assert bool(told) == knows, person.name
    looks(ada, "glimpse-phone")
    # It lies on top and is known: nobody is asked for it.
    evening.hits("Quill", 1)
    evening.everybody_reads("Quill draws")
    evening.hits("Quill", 1, "3 of diamonds")
    for person in (table.gm, *table.players):
        expect(person.table).not_to_contain_text("has been seen by")
        expect(lies(person, "Quill")).to_contain_text(re.compile(r"9\s*of 21"))
    looks(evening.gm, "down-desk")


def declarations(evening: Evening, ada: Person, ben: Person) -> None:
    """When the round begins, both who bleed say whether they hold their wound (HJ-10), with the odds before them."""
    gm, table = evening.gm, evening.table
    evening.begins_round()
    for person in (ada, ben, gm):
        expect(person.region("Prevent blood loss, or fight on?")).to_be_visible()
        assert person.is_asked is (person is not gm)
    expect(gm.page.get_by_text("You can choose for them:")).to_have_count(1)
    for person in (table.gm, *table.players):
        expect(lies(person, "Quill")).to_contain_text(re.compile(r"next hit, preventing.*dies.*next hit, fighting on"))
    looks(ada, "declare-phone")
    looks(gm, "declare-desk")
    sees_in_plain_view(gm)
    assert table.screen
    looks(table.screen, "declare-television")
    ada.does(ada.button("Prevent blood loss", ada.region("Prevent blood loss, or fight on?")))
    evening.everybody_hears(ada)
    assert not ada.is_asked
    ben.does(ben.button("Fight on", ben.region("Prevent blood loss, or fight on?")))
    evening.everybody_hears(ben)
    for person in (table.gm, *table.players):
        expect(person.region("Prevent blood loss, or fight on?")).to_have_count(0)
        expect(lies(person, "Quill")).to_contain_text("Blood 1, preventing")
    evening.everybody_reads("Quill prevents blood loss.")
    evening.everybody_reads("Doc, bleeding, fights on.")


def sees_in_plain_view(gm: Person) -> None:
    """Where the page's plain buttons stand in for the game's own, they say the same, and for whom."""
    for plain in (True, False):
        menu = gm.opens_menu()
        gm.hand.press(menu.get_by_role("checkbox", name="Basic view"))
        gm.page.keyboard.press("Escape")
        labels = [f"{what} (Name: {name})" for name in ("Quill", "Doc") for what in ("Prevent blood loss", "Fight on")]
        for label in labels:
            expect(gm.button(label, gm.choices)).to_have_count(1 if plain else 0)


def check_and_exactly_21(evening: Evening, ada: Person) -> None:
    """A check is rolled by whoever plays the character (HJ-31); exactly 21, and the death-score is 0 again (HJ-6)."""
    evening.hits("Quill", 2, "5 of hearts")
    roll = ada.button("Quill: roll over 14 (Blinding pain)")
    looks(ada, "check-phone")
    ada.does(roll)
    evening.everybody_hears(ada)
    expect(roll).to_have_count(0)
    for person in (evening.gm, *evening.table.players):
        person.sees_in_story(re.compile(r"Quill rolls \d+(, not)? over 14"))
    evening.hits("Quill", 2, "7 of hearts")
    for person in (evening.gm, *evening.table.players):
        expect(person.region("The last hit")).to_contain_text("Exactly 21! Quill is back at 0.")
        expect(lies(person, "Quill")).to_contain_text(re.compile(r"0\s*of 21"))
    looks(ada, "exactly-phone")


def deaths_and_healing(evening: Evening, ada: Person) -> None:
    """One dies of massive damage, one at once; one is healed to a hit point, and the dead are cleared away."""
    gm = evening.gm
    evening.hits("Doc", 20, "2 of spades")
    evening.hits("Silas", 27)
    for name in ("Doc", "Silas"):
        evening.everybody_reads(f"{name} is dead.")
    looks(gm, "dead-desk")
    # One point for the Blood, one for the hit point (HJ-15).
    evening.heals("Quill", 2)
    evening.everybody_reads("Quill is up again.")
    for person in (evening.gm, *evening.table.players):
        expect(lies(person, "Quill")).to_have_count(0)

    gm.hand.press(gm.table.get_by_role("list", name="Characters").get_by_role("button", name="Quill"))
    sheet = gm.dialog("Quill")
    expect(sheet).to_contain_text(re.compile(r"HP\s*1\s*of 7"))
    expect(sheet).to_contain_text(re.compile("Recovering: .*week"))
    looks(gm, "sheet-desk")
    gm.does(gm.button("Cure: Broken leg", sheet))
    expect(sheet.get_by_role("region", name="Wounds")).not_to_contain_text("Broken leg")
    gm.does(gm.button("Draw a wound alone", sheet))
    gm.closes("Quill")
    turns_over(gm, "queen of diamonds")
    evening.everybody_reads("for its wound alone.")

    gm.hand.press(gm.button("More…", gm.tools))
    more = gm.dialog("More actions")
    looks(gm, "more-desk")
    gm.does(gm.button("Remove the dead", more.get_by_role("region", name="Doc")))
    gm.does(gm.button("Faced the fear this round: Fear", more.get_by_role("region", name="Quill")))
    expect(gm.button("Faced the fear this round: Fear", more)).to_have_count(0)
    gm.closes("More actions")
    evening.everybody_hears()
    for person in (evening.gm, *evening.table.players):
        expect(lies(person, "Doc")).to_have_count(0)

    ada.hand.press(ada.page.get_by_role("list", name="Yours").get_by_role("button", name="Quill"))
    expect(ada.dialog("Quill")).to_contain_text("Shaken brain")
    looks(ada, "sheet-phone")
    ada.closes("Quill")
    ada.hand.press(ada.button(re.compile("left in the deck"), ada.table))
    left = ada.dialog("Cards left in the deck")
    ada.hand.press(ada.button("queen of spades, still in the deck", left))
    expect(left).to_contain_text("Ghastly mess")
    looks(ada, "counting-phone")
