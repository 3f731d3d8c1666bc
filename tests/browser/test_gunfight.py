"""A gunfight: the server deals the order, the wounds are a real deck, and everyone sees one fight."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, PHONE, Person, Table

pytestmark = pytest.mark.browser

ROUNDS = 8
"""The black joker may take one's action, but not in every round."""
DECLARING = "Prevent blood loss, or fight on?"
PASSES = "Two-Tooth is out cold and passes."
REMINDER = "Ada prevents blood loss, and may only walk or defend."


def looks(person: Person, moment: str) -> None:
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(f"gunfight-{moment}")


def row(person: Person, name: str) -> Locator:
    """Somebody in the roster."""
    sides = person.table.get_by_role("region", name=re.compile("^(The law|The Harlan gang)$"))
    return sides.get_by_role("button", name=re.compile(rf"(^|\s){re.escape(name)}\s"))


class Gunfight:
    """Goes from question to question, and lets happen what has not yet."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.gm = table.gm
        self.to_be_seen = {"a turn passed": self.passes, "somebody up who holds a wound": self.reminder}

    def hear(self, person: Person) -> None:
        """Everybody has heard what this person has."""
        for other in self.table.everybody:
            other.catches_up(person.number)

    def hits(self, name: str, amount: int, card: str, turned_by: Person) -> None:
        """Damage; somebody at the table turns the card over, and everybody sees it."""
        self.gm.hits(name, amount)
        self.hear(self.gm)
        for person in self.table.everybody:
            expect(person.question).to_contain_text("draws a wound")
        turned_by.turns_over(card)
        self.table.sees_with(turned_by)

    def begins_round(self, bleeds: Person) -> None:
        """Who bleeds is asked first, and nobody else at the table but the game master, who may say it for them."""
        self.gm.chooses("start")
        self.hear(self.gm)
        for person in self.table.everybody:
            expect(person.region(DECLARING)).to_have_count(1 if person in (self.gm, bleeds) else 0)
        assert bleeds.is_asked

    def declares(self, person: Person, choice: str) -> None:
        person.does(person.button(choice, person.region(DECLARING)))
        self.table.sees_with(person)

    def plays_on(self) -> None:
        """Everybody acts as soon as they may, until the next round could begin."""
        self.look()
        while (word := self.table.now()) != "start":
            self.table.chooses(self.table.asked(), word)
            self.look()

    def look(self) -> None:
        for name, seen in list(self.to_be_seen.items()):
            if seen():
                del self.to_be_seen[name]

    def passes(self) -> bool:
        """Who has passed out has no choice and no turn; everybody sees why (GF-3)."""
        if PASSES not in self.gm.newest():
            return False
        for person in (self.table.gm, *self.table.players):
            expect(person.table.get_by_text(PASSES)).to_be_visible()
            expect(person.button(re.compile("^Why. GF-3"), person.table)).to_be_visible()
            person.sees_in_story(PASSES)
        self.gm.screenshot("gunfight-passes-desk")
        return True

    def reminder(self) -> bool:
        """Who holds a wound and is up is reminded of it (HJ-10)."""
        if not re.match("(It is )?Ada(,|'s turn| is up| with)", self.gm.question.inner_text()):
            return False
        for person in (self.table.gm, *self.table.players):
            expect(person.table.get_by_text(REMINDER)).to_be_visible()
            expect(person.button(re.compile("^Why. HJ-10"), person.table)).to_be_visible()
        self.table.players[0].screenshot("gunfight-holding-phone")
        return True


def sit_down_to_a_gunfight(come: Come, sit_down: Callable[..., Table], *decks: str) -> Table:
    """With odds for everybody, so that all see the same."""
    gm = come("Mo", PHONE)
    gm.makes_table_with(*(f"Real deck: {deck}" for deck in decks), game="Gunfight", name="Red Gulch", Players=2)
    table = sit_down("Ada", "Ben", screen=True, gm=gm)
    menu = gm.opens_menu()
    gm.hand.tick(menu.get_by_role("radio", name="everyone"))
    gm.page.keyboard.press("Escape")
    return table


@pytest.mark.slow
@pytest.mark.soak
def test_a_whole_gunfight_with_a_real_deck_of_wounds(come: Come, sit_down: Callable[..., Table]):
    table = sit_down_to_a_gunfight(come, sit_down, "Wound deck")
    gm, (ada, ben), screen = table.gm, table.players, table.screen
    assert screen
    looks(gm, "empty-desk")
    law, gang = "The law", "The Harlan gang"
    gm.adds("Marshal Reyes", card="ace of hearts", hp=9, side=law, more=True)
    gm.adds("Ben", tier="Leader", hp=8, side=law, played_by="Ben", more=True)
    gm.adds("Ada", tier="Experienced", hp=7, side=law, played_by="Ada", more=True)
    gm.adds("Deputy Cole", tier="Inexperienced", hp=6, side=law, played_by="Ada", more=True)
    looks(gm, "add-desk")
    gm.adds("Silas Harlan", tier="Leader", hp=9, side=gang, more=True)
    gm.adds("Nan Harlan", tier="Leader", hp=6, side=gang, more=True)
    gm.adds("Two-Tooth", tier="Inexperienced", hp=5, side=gang, more=True)
    gm.adds("Cousin Jeb", tier="Inexperienced", hp=6, side=gang)
    table.sees_with(gm)
    looks(screen, "ready-television")

    gunfight = Gunfight(table)
    before_the_first_round(gunfight)
    declaration(gunfight)
    death_in_the_first_round(gunfight)
    massive_damage_and_exactly_21(gunfight)
    looks(screen, "fight-television")
    gunfight.plays_on()
    for _ in range(ROUNDS):
        if not gunfight.to_be_seen:
            break
        gunfight.begins_round(ada)
        gunfight.declares(ada, "Prevent blood loss")
        gunfight.plays_on()
    assert gunfight.to_be_seen == {}
    healing(gunfight)

    for person, at in ((gm, "desk"), (ada, "phone"), (screen, "television")):
        person.screenshot(f"gunfight-over-{at}")
    for person in table.players:
        person.hand.press(person.button("Log"))
        expect(person.story.first).to_be_in_viewport()
    looks(ben, "story-phone")


def before_the_first_round(gunfight: Gunfight) -> None:
    """Down by far, and out cold; down by a little, and bleeding. The picker says which deck is meant."""
    table, gm = gunfight.table, gunfight.gm
    ada, ben = table.players
    gm.hits("Two-Tooth", 25)
    gunfight.hear(gm)
    for person in (gm, ada, ben):
        expect(person.choices).to_contain_text("Wound deck")
        expect(person.choices).to_contain_text("52 cards")
    expect(table.screen.choices if table.screen else gm.choices).to_have_count(0)
    looks(ada, "picker-phone")
    looks(gm, "picker-desk")
    ada.turns_over("5 of hearts")
    table.sees_with(ada)
    for person in (table.gm, *table.players):
        person.sees_in_story("Two-Tooth takes 25 and goes down.")
        expect(row(person, "Two-Tooth")).to_contain_text(re.compile(r"20\s*of 21"))
    # No d20 comes up over 20.
    gm.does(gm.button(re.compile("^Two-Tooth: roll over 20"), gm.region("Checks")))
    table.sees_with(gm)
    for person in (table.gm, *table.players):
        person.sees_in_story("Two-Tooth passes out.")
        expect(row(person, "Two-Tooth")).to_contain_text("has passed out")
    gunfight.hits("Ada", 12, "10 of diamonds", ben)
    for person in (table.gm, *table.players):
        expect(row(person, "Ada")).to_contain_text(re.compile(r"Blood 1.*10\s*of 21"))


def declaration(gunfight: Gunfight) -> None:
    """The round begins with those who bleed (GF-2); nothing is shuffled before they have spoken."""
    table, gm = gunfight.table, gunfight.gm
    ada, ben = table.players
    gunfight.begins_round(ada)
    for person in (table.gm, *table.players):
        expect(person.question).to_contain_text("Ada")
        expect(person.table.get_by_role("list", name="Bleeding")).to_contain_text("next hit, preventing")
        expect(person.region("Initiative deck")).to_have_count(0)
    looks(ada, "declare-phone")
    looks(gm, "declare-desk")
    assert table.screen
    looks(table.screen, "declare-television")
    gunfight.declares(ada, "Prevent blood loss")
    for person in (table.gm, *table.players):
        person.sees_in_story("Ada prevents blood loss.")
        expect(row(person, "Ada")).to_contain_text("preventing blood loss")
        expect(person.region("Initiative deck")).to_be_visible()
    looks(ben, "hand-phone")


def death_in_the_first_round(gunfight: Gunfight) -> None:
    """Whoever dies is out of the deck at once (GF-1), and lies in the roster turned down."""
    table, gm = gunfight.table, gunfight.gm
    name = next(name for name in ("Deputy Cole", "Cousin Jeb", "Nan Harlan") if "to come" in row(gm, name).inner_text())
    gunfight.hits(name, 8, "king of hearts", gm)
    left = in_the_deck(gm)
    # Six Blood flow, and ten more are too much.
    gunfight.hits(name, 1, "king of clubs", table.players[0])
    for person in (table.gm, *table.players):
        person.sees_in_story(f"{name} is dead.")
        person.sees_in_story(f"{name} is out of the fight")
        expect(row(person, name)).to_contain_text("dead in round 1")
        expect(row(person, name).locator("s")).to_have_text(name)
        assert in_the_deck(person) == left - 1
        expect(person.region("The last hit")).to_contain_text(f"{name} is dead.")
    looks(gm, "death-desk")


def in_the_deck(person: Person) -> int:
    """How many initiative cards are still to come."""
    found = re.search(r"initiative · (\d+)", person.region("Initiative deck").inner_text())
    assert found
    return int(found[1])


def massive_damage_and_exactly_21(gunfight: Gunfight) -> None:
    """More than 13 counts in place of the card (HJ-8); at exactly 21 the death-score is 0 again (HJ-6)."""
    table = gunfight.table
    ben = table.players[1]
    gunfight.hits("Silas Harlan", 11, "6 of diamonds", ben)
    for person in (table.gm, *table.players):
        expect(row(person, "Silas Harlan")).to_contain_text(re.compile(r"6\s*of 21"))
    gunfight.hits("Silas Harlan", 15, "ace of diamonds", ben)
    for person in (table.gm, *table.players):
        person.sees_in_story("Exactly 21! Silas Harlan's death-score is 0 again.")
        expect(person.region("The last hit")).to_contain_text("Exactly 21! Silas Harlan is back at 0.")
        expect(row(person, "Silas Harlan")).to_contain_text(re.compile(r"(?<!\d)0\s*of 21"))


def healing(gunfight: Gunfight) -> None:
    """A point for the Blood, ten for the death-score, one to stand on; then it takes days to recover (HJ-15, HJ-16)."""
    table, gm = gunfight.table, gunfight.gm
    ada = table.players[0]
    gm.heals("Ada", 12)
    table.sees_with(gm)
    for person in (table.gm, *table.players):
        person.sees_in_story("Ada is up again.")
        person.sees_in_story(re.compile(r"Ada needs \d+ days to recover\."))
        expect(row(person, "Ada")).to_contain_text(re.compile(r"1\s*of 7"))
    ada.hand.press(ada.page.get_by_role("list", name="Yours").get_by_role("button", name="Ada"))
    sheet = ada.dialog("Ada")
    expect(sheet).to_contain_text(re.compile(r"Recovering: \d+ days"))
    expect(sheet).to_contain_text("Experienced (9 to 6)")
    looks(ada, "sheet-phone")
    ada.closes("Ada")
    gm.hand.press(row(gm, "Silas Harlan"))
    expect(gm.dialog("Silas Harlan").get_by_role("combobox", name="Played by")).to_be_visible()
    looks(gm, "sheet-desk")
    gm.closes("Silas Harlan")


@pytest.mark.soak
def test_each_of_two_real_decks_is_asked_for_by_its_name(come: Come, sit_down: Callable[..., Table]):
    table = sit_down_to_a_gunfight(come, sit_down, "Initiative deck", "Wound deck")
    gm, (ada, ben), _ = table.gm, table.players, table.screen
    gm.adds("Nan", card="queen of spades", hp=5, played_by="Ada", more=True)
    gm.adds("Doc", card="7 of hearts", hp=5, played_by="Ben")
    gm.chooses("start")
    gunfight = Gunfight(table)
    gunfight.hear(gm)
    for person in (gm, ada, ben):
        expect(person.question).to_contain_text("the initiative deck")
        expect(person.choices).to_contain_text("Initiative deck · The deck should hold 4 cards.")
        expect(person.picker.get_by_role("button")).to_have_count(4)
    ben.turns_over("queen of spades")
    table.sees_with(ben)
    ada.chooses("act")
    gunfight.hear(ada)
    gm.hits("Doc", 7)
    gunfight.hear(gm)
    for person in (gm, ada, ben):
        expect(person.question).to_contain_text("the wound deck")
        expect(person.choices).to_contain_text("Wound deck · The deck should hold 52 cards.")
        # The same card may be in both.
        expect(person.button("queen of spades", person.picker)).to_be_visible()
    looks(ben, "two-decks-phone")
    ben.turns_over("2 of spades")
    table.sees_with(ben)
    ada.chooses("done")
    gunfight.hear(ada)
    for person in (gm, ada, ben):
        expect(person.choices).to_contain_text("Initiative deck · The deck should hold 3 cards.")


SECRETS = re.compile(r"Mole|Order of the Owl|(?<![\w-])S5(?![\w-])|5 of spades")
UNSEEN = '"S4","S5","S6"'
"""The cards of the deck of wounds, in which everybody has a five of spades, are told in their order."""


@pytest.mark.soak
def test_somebody_in_hiding_is_nowhere_on_a_players_device_until_hurt(come: Come, sit_down: Callable[..., Table]):
    table = sit_down("Ada", screen=True, gm=makes_gunfight(come))
    gm, ada, screen = table.everybody
    gm.adds("Nan", card="ace of hearts", hp=7, side="The Law", played_by="Ada", more=True)
    gm.adds("Mole", card="5 of spades", hp=7, side="Order of the Owl", hidden=True)
    expect(gm.table).to_contain_text("Order of the Owl")
    expect(ada.region("Hidden")).to_contain_text("one character is hidden")
    for person in (ada, screen):
        person.catches_up(gm.number)
        assert not SECRETS.search(person.page.locator("body").aria_snapshot())
        assert [frame for frame in person.heard if SECRETS.search(frame.replace(UNSEEN, ""))] == []
    gm.hits("Mole", 3)
    for person in (ada, screen):
        person.sees_in_story("Mole steps out of hiding with")
        person.sees_in_story("Mole takes 3 and has 4 HP left.")
        expect(person.table).to_contain_text("Order of the Owl")


def makes_gunfight(come: Come) -> Person:
    gm = come("Mo", DESK)
    gm.makes_table("Gunfight")
    return gm


@pytest.mark.soak
def test_a_phone_turned_into_a_desk_has_all_of_the_fight(come: Come):
    """The game master, too, may sit there with nothing but a phone."""
    gm = come("Mo", PHONE)
    gm.makes_table("Gunfight")
    gm.goes_to_table()
    gm.adds("Nan", tier="Elite", hp=7, more=True)
    gm.adds("Doc", tier="Leader", hp=7)
    gm.hits("Nan", 8)
    gm.sees_in_story("Nan takes 8 and goes down.")
    looks(gm, "gm-phone")
    gm.undoes()
    expect(gm.story.first).to_contain_text("undid the last move")
    expect(gm.region("The last hit")).to_have_count(0)
