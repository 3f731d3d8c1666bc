"""A whole session: a game master at a desk, three phones, a television, and all that can happen in a round."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.people import Table

pytestmark = pytest.mark.browser

ROUNDS = 8
"""The deck decides what can happen when; in so many rounds everything has."""


class Evening:
    """Goes with the questions as they come, and lets happen what has not yet."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.gm = table.gm
        self.to_come: dict[str, Callable[[], bool]] = {
            "a choice taken back": self.take_back,
            "a wait": self.wait,
            "a connection lost while writing": self.lose_connection_while_writing,
            "an answer given without a connection": self.answer_without_connection,
            "a death in its own turn": self.die,
            "an undo": self.undo,
        }
        self.to_be_seen = {
            "the red joker": r"The red joker! ",
            "the black joker": r"The black joker! The next card is lost",
            "an ace sent round again": r"Nan will act again",
        }

    def play(self) -> int:
        """Rounds until everything has happened and the last one is over; how many there were."""
        for number in range(1, ROUNDS + 1):
            self.table.chooses(self.gm, "start")
            while self.table.now() != "start":
                self.table.offers_are_theirs()
                if not any(self.try_one(name) for name in list(self.to_come)):
                    self.go_on()
            self.look()
            if not self.to_come and not self.to_be_seen:
                return number
        raise AssertionError(f"In {ROUNDS} rounds these did not come: {[*self.to_come, *self.to_be_seen]}")

    def try_one(self, name: str) -> bool:
        happened = self.to_come[name]()
        if happened:
            del self.to_come[name]
            self.table.sees_with(self.gm)
        return happened

    def look(self) -> None:
        """What the deck has brought."""
        told = self.gm.story.all_text_contents()
        for name, words in list(self.to_be_seen.items()):
            if any(re.search(words, text) for text in told):
                del self.to_be_seen[name]

    def go_on(self) -> None:
        asked, word = self.table.asked(), self.table.now()
        self.table.chooses(asked, word)

    def turn_of(self) -> str:
        """Whose turn it is, when it is somebody's."""
        found = re.match("It is (.+?)'s turn", self.gm.question.inner_text())
        return found[1] if found else ""

    # Each of these happens if it can, and says whether it did.

    def take_back(self) -> bool:
        player = self.table.asked()
        if self.table.now() != "act" or player is self.gm:
            return False
        seen, asked = player.sees(), player.question.inner_text()
        player.screenshot("choice-phone")
        self.gm.screenshot("choice-desk")
        assert self.table.screen
        self.table.screen.screenshot("choice-television")
        self.table.chooses(player, "act")
        assert player.sees() != seen
        assert [person for person in self.table.everybody if "Undo" in person.may()] == [player]
        self.table.chooses(player, "take back")
        assert player.sees() == seen
        expect(player.question).to_have_text(" ".join(asked.split()), use_inner_text=True)
        for person in self.table.everybody:
            person.sees_in_story(f"{player.name} undid the last move.")
            person.sees_in_story("Undone:")
        return True

    def wait(self) -> bool:
        asked = self.table.asked()
        first = self.table.now() == "act" and "act now, or wait" in asked.question.inner_text()
        if first:
            name = re.match("(.+) is up with", asked.question.inner_text())
            assert name
            self.table.chooses(asked, "wait")
            for person in self.table.everybody:
                person.sees_in_story(f"{name[1]} waits with")
        return first

    def lose_connection_while_writing(self) -> bool:
        """The game master is away while a player goes on, and finds what was being written."""
        player = self.table.asked()
        if player is self.gm:
            return False
        sheet = self.gm.starts_adding()
        name = sheet.get_by_role("textbox", name="Name", exact=True)
        self.gm.hand.tick(sheet.get_by_role("radio", name=re.compile("^Experienced")))
        self.gm.hand.write(name, "Sheriff Ti")
        self.gm.loses_connection()
        before = self.gm.story.count()
        player.chooses(self.table.now())
        assert self.gm.story.count() == before
        self.gm.screenshot("away-desk")
        self.gm.finds_connection()
        self.table.sees_with(player)
        expect(name).to_have_value("Sheriff Ti")
        expect(name).to_be_focused()
        expect(sheet.get_by_role("radio", name=re.compile("^Experienced"))).to_be_checked()
        self.gm.page.keyboard.type("m")
        self.gm.does(self.gm.button("Add", sheet))
        self.gm.closes("Who joins the fight?")
        self.gm.sees_in_story(re.compile("Sheriff Tim arrives with .*, and joins the fight next round"))
        return True

    def answer_without_connection(self) -> bool:
        """What a player says while away is said when they are back, once."""
        player, word = self.table.asked(), self.table.now()
        if player is self.gm:
            return False
        player.loses_connection()
        before = player.story.count()
        player.hand.press(player.choice(word))
        player.screenshot("away-phone")
        expect(self.gm.question).to_contain_text("who is away")
        assert [person.story.count() for person in self.table.everybody] == [before] * len(self.table.everybody)
        player.finds_connection()
        expect(player.story).to_have_count(before + 1)
        self.table.sees_with(player)
        return True

    def die(self) -> bool:
        """One of the game master's own is shot in the middle of its turn."""
        name = self.turn_of()
        if name not in ("Bad Bob 🐍", "Mule"):
            return False
        self.gm.takes_out(name)
        self.gm.sees_in_story(re.compile(f"{name} is out of the fight: "))
        self.table.sees_with(self.gm)
        for person in (self.gm, *self.table.players):
            expect(person.question).not_to_contain_text(f"It is {name}'s turn")
            if person.at_desk:
                expect(person.face(name)).to_have_count(0)
            else:
                expect(person.table.get_by_role("region", name="Out of the fight").get_by_text(name)).to_be_visible()
        return True

    def undo(self) -> bool:
        """Somebody is done, the next card is turned; the game master takes it all back, and everybody sees that."""
        asked = self.table.asked()
        if self.table.now() != "done":
            return False
        seen = self.gm.sees()
        self.table.chooses(asked, "done")
        self.gm.undoes()
        self.table.sees_with(self.gm)
        assert self.gm.sees() == seen
        for person in self.table.everybody:
            assert "undid the last move" in person.newest()
            assert "Undone:" in (person.story.nth(1).text_content() or "")
        self.gm.screenshot("undone-desk")
        return True


@pytest.mark.slow
@pytest.mark.soak
def test_a_full_evening_with_everything_that_can_happen_is_seen_by_all_alike(sit_down: Callable[..., Table]):
    table = sit_down("Zoë 🤠", "نورة", "Ben", screen=True)
    gm = table.gm
    gm.screenshot("empty-desk")
    gm.adds("Nan", tier="Elite", side="The Law", played_by="Zoë 🤠", more=True)
    gm.adds("Doc", tier="Leader", side="The Law", played_by="نورة", more=True)
    gm.adds("زهرة", tier="Leader", side="The Gang", played_by="Ben", more=True)
    gm.adds("Bad Bob 🐍", tier="Experienced", side="The Gang", more=True)
    gm.adds("Mule", tier="Inexperienced", side="The Gang")
    table.sees_with(gm)

    evening = Evening(table)
    evening.play()

    for person in table.everybody:
        expect(person.page.get_by_text(re.compile(r"^Round \d+ is over$")).first).to_be_visible()
    for person in table.players:
        person.hand.press(person.button("Log"))
        expect(person.story.first).to_be_in_viewport()
    table.players[0].screenshot("story-phone")
    gm.screenshot("over-desk")
    assert table.screen
    table.screen.screenshot("over-television")
