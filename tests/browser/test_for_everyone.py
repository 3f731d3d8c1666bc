"""Accessibility: readers of all kinds, small screens, slow connections, reduced motion."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from cardhouse.server.core.static_cache import FOLDER, read_page
from tests.browser.conftest import Come
from tests.browser.hearing import RECORDER, heard
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, Person, Table

pytestmark = pytest.mark.browser

SCRIPT_BYTES = 104_000
"""With what keeps a translated page true and a late press from counting."""
DRAWN_BYTES = 21_000
"""What faces and cards are drawn of, at a table, and the invitations with which its host begins."""


def looks(person: Person, moment: str) -> None:
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(f"look-{moment}")


@pytest.mark.soak
def test_nothing_serious_is_found_and_nothing_scrolls_sideways_from_the_lobby_to_the_end(
    come: Come,
):
    gm, ada = come("Mo", DESK), come("Ada")
    gm.comes()
    expect(gm.region("Games")).to_be_visible()
    looks(gm, "lobby")
    gm.hand.press(gm.opens_more("Card initiative").get_by_text("House rules"))
    expect(gm.page.get_by_role("spinbutton", name="Players")).to_be_visible()
    looks(gm, "how-we-play")
    gm.makes_table()
    looks(gm, "invite")
    ada.opens_link(gm.link_for("Player 1"))
    expect(ada.button("Join")).to_be_visible()
    looks(ada, "naming")
    ada.sits_down()
    screen = come("the television", DESK)
    screen.opens_link(gm.link_for("Table screen"))
    gm.goes_to_table()
    sheet = gm.starts_adding()
    gm.hand.press(gm.button("another card", sheet))
    looks(gm, "add")
    gm.adds("Nan", tier="Elite", side="The Law of the Land, and its Deputies", played_by="Ada", more=True)
    gm.adds("Wilhelmina Montgomery-Featherstonehaugh", tier="Leader", side="The Gang", played_by="Ada", more=True)
    gm.adds("Mule", tier="Inexperienced", side="The Gang", played_by="Ada", hidden=True)
    gm.chooses("start")
    for person in (ada, screen):
        person.catches_up(gm.number)
    looks(ada, "choice")
    looks(gm, "middle")
    looks(screen, "screen")
    gm.opens_why("IN-1")
    looks(gm, "why")
    gm.page.keyboard.press("Escape")
    gm.hand.press(gm.table.get_by_role("button", name="Nan").last)
    looks(gm, "about")
    gm.page.keyboard.press("Escape")
    ada.hand.press(ada.button("Log"))
    expect(ada.story.first).to_be_in_viewport()
    looks(ada, "story")

    menu = gm.opens_menu()
    looks(gm, "menu")
    gm.hand.tick(menu.get_by_role("radio", name="Light"))
    gm.hand.tick(menu.get_by_role("checkbox", name="Four-colour deck"))
    looks(gm, "menu-daylight")
    gm.page.keyboard.press("Escape")
    looks(gm, "middle-daylight")
    menu = gm.opens_menu()
    gm.hand.tick(menu.get_by_role("checkbox", name="Basic view"))
    gm.page.keyboard.press("Escape")
    gm.hand.press(gm.region("At any time").get_by_role("group").first.locator("summary"))
    looks(gm, "plain")


@pytest.mark.soak
def test_nothing_serious_is_found_in_the_picker_of_a_paper_deck_nor_at_a_table_that_has_ended(
    come: Come, sit_down: Callable[..., Table]
):
    gm = come("Mo", DESK)
    gm.makes_table_with("Real deck: Initiative deck")
    table = sit_down("Ada", gm=gm)
    (ada,) = table.players
    for side in ("The Law", "The Gang"):
        for tier in ("Elite", "Leader", "Experienced", "Inexperienced"):
            gm.adds(f"{tier} of {side}", tier=tier, side=side, more=True)
    gm.closes("Who joins the fight?")
    gm.chooses("start")
    ada.catches_up(gm.number)
    looks(gm, "paper")
    looks(ada, "paper-hand")
    gm.hand.press(gm.button("End table", gm.opens_menu()))
    expect(gm.question).to_contain_text("This table has ended.")
    looks(gm, "ended")


def test_a_link_that_opens_nothing_says_so(come: Come):
    gm = come("Mo", DESK)
    gm.opens_link(f"{gm.house.address}t/nosuchid#nosuchtoken")
    expect(gm.page.get_by_role("heading", name=re.compile("^This invite link doesn.t work$"))).to_be_visible()
    looks(gm, "no-seat")
    gm.hand.press(gm.button("Home"))
    expect(gm.region("Games")).to_be_visible()


MOVES = """() => {
  window.moves = 0
  const animate = Element.prototype.animate
  Element.prototype.animate = function (...how) { window.moves++; return animate.apply(this, how) }
  for (const kind of ['transitionrun', 'animationstart'])
    addEventListener(kind, () => window.moves++, { capture: true })
}"""


@pytest.mark.soak
def test_cards_fly_but_not_for_those_who_want_nothing_to_move(come: Come):
    gm = come("Mo", DESK, reduced_motion="no-preference")
    still = come("Ada", reduced_motion="reduce")
    for person in (gm, still):
        person.page.add_init_script(f"({MOVES})()")
    gm.makes_table()
    still.opens_link(gm.link_for("Player 1"))
    still.sits_down()
    gm.goes_to_table()
    table = Table(gm, [still])
    gm.adds("Nan", tier="Elite", played_by="Ada")
    table.plays_round()
    assert gm.page.evaluate("moves") > 0
    assert still.page.evaluate("moves") == 0


def test_the_first_view_takes_little_script_and_everything_comes_from_the_house(come: Come):
    gm = come("Mo", DESK)
    gm.comes()
    expect(gm.region("Games")).to_be_visible()
    first = scripts(gm)
    gm.makes_table()
    gm.goes_to_table()
    expect(gm.table.get_by_text("A card for everyone")).to_be_visible()
    assert 0 < packed_bytes(first) < SCRIPT_BYTES
    assert packed_bytes(scripts(gm)) < SCRIPT_BYTES + DRAWN_BYTES, "the table's too"


def scripts(person: Person) -> set[str]:
    return {path for path in person.loads if path.endswith(".js")}


def packed_bytes(paths: set[str]) -> int:
    """What they weigh on a line that packs them with gzip, which every browser takes."""
    page = read_page(FOLDER)
    return sum(len(page[path.lstrip("/")].copies["gzip"]) for path in paths)


@pytest.mark.soak
def test_twenty_people_with_twenty_characters_find_theirs(come: Come):
    gm = come("Mo", DESK)
    gm.comes()
    gm.page.get_by_label("Open a saved game").set_input_files(
        {"name": "crowd.jsonl", "mimeType": "application/jsonl", "buffer": crowd().encode()}
    )
    expect(gm.face("Number 0")).to_be_visible()
    if not gm.dialog("Invite players").is_visible():
        gm.hand.press(gm.button("Invite"))
    ada = come("Ada")
    ada.opens_link(gm.link_for("Number 0 and 9 more"))
    ada.sits_down()
    gm.goes_to_table()
    table = Table(gm, [ada])
    table.chooses(gm, "start")
    for person in table.everybody:
        assert person.table.get_by_role("button", name=re.compile("Number [0-9]+")).count() >= 20
        person.screenshot(f"crowd-{'desk' if person is gm else 'phone'}")
        last = (
            gm.face("Number 19")
            if person is gm
            else person.table.get_by_role("button", name=re.compile("^[^,]* Number 19 ")).last
        )
        last.scroll_into_view_if_needed()
        person.hand.press(last)
        expect(person.dialog("Number 19")).to_be_visible()
        person.closes("Number 19")
        assert_fits(person.page, "crowd")
        assert_accessible(person.page, "crowd")
    yours = ada.page.get_by_role("list", name="Yours").get_by_role("button")
    expect(yours).to_have_count(10)
    yours.last.scroll_into_view_if_needed()
    expect(yours.last).to_be_in_viewport()
    ada.screenshot("crowd-last-phone")
    expect(ada.question).to_be_in_viewport()
    touches_little(table, ada)
    table.plays_on()


STRIP = '[aria-label="At the table"]'
TOUCHED = """() => {
  window.touched = new Set()
  window.settled = new Set()
  const watcher = new MutationObserver((found) => {
    for (const { target, attributeName } of found) {
      const row = (target.nodeType === Node.TEXT_NODE ? target.parentElement : target).closest('li')
      const rows = attributeName === 'data-settling' ? settled : touched
      rows.add(row)
    }
  })
  watcher.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
}"""
"""Notes the rows of any list in which something becomes another, and those that have moved so that presses wait."""


def touches_little(table: Table, person: Person) -> None:
    """A choice changes what it is about, and not the rows of everybody or the whole story: a phone has to keep up."""
    for _ in range(2):
        before = person.story.count()
        person.page.evaluate(TOUCHED)
        asked, word = table.asked(), table.now()
        table.chooses(asked, word)
        told = person.story.count() - before
        rows = f"rows => rows.filter((row) => touched.has(row) && !row.closest('{STRIP}')).length"
        story = "rows => rows.filter((row) => touched.has(row) || settled.has(row)).length"
        # And the entry that was the newest: the keyboard comes to another one first now.
        assert person.story.evaluate_all(story) <= told + 1, word
        # Who acted and who is next, each in the roster and in the hand; and one in the discard.
        assert 0 < person.page.get_by_role("listitem").evaluate_all(rows) <= told + 5, word
        # The faces of their players.
        assert person.page.locator(f"{STRIP} li").evaluate_all(story) <= 2, word


def crowd() -> str:
    """Twenty characters on four sides, every second one played by the same player."""
    sides = {"C": "The Law", "D": "The Gang", "H": "The Town", "S": "The Railroad"}
    ranks = ["A", "K", "9", "7", "3"]
    lines = ['{"cardhouse":1,"game":"initiative","seats":["gm","p1"],"name":"High Noon"}']
    for number in range(20):
        suit, rank = "CDHS"[number % 4], ranks[number // 4]
        lines.append(
            f'{{"by":"gm","do":"add_character","name":"Number {number}","card":"{suit}{rank}",'
            f'"side":"{sides[suit]}","controller":"{("p1", "gm")[number % 2]}"}}'
        )
    return "\n".join(lines) + "\n"


def test_a_reader_hears_the_same_message_twice_when_the_same_happens_twice_and_in_a_dialog(come: Come):
    gm = come("Mo", DESK)
    gm.page.add_init_script(f"({RECORDER})()")
    gm.makes_table()
    ben = come("Ben")
    ben.opens_link(gm.link_for("Player 1"))
    ben.sits_down()
    expect(gm.page.locator("dialog [aria-live=polite]")).to_have_text("Ben sits down.")  # in the invitations
    gm.goes_to_table()
    for name in ("Nan", "Doc"):
        gm.adds(name, tier="Elite")
    for _ in range(2):
        gm.undoes()
    undone = [message.text.partition("Your turn: ")[0] for message in heard(gm.page) if " undid " in message.text]
    assert len(undone) == 2
    assert undone[0] == undone[1]
