"""Dogpile by finger, by keyboard and on the television, from the start to the ring of the timer and past it."""

import json
import re
import time
from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.asking import connect
from tests.browser.conftest import Come
from tests.browser.hands import Keyboard
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, TELEVISION, Device, House, Person, Resumed
from tests.browser.test_for_everyone import MOVES

pytestmark = pytest.mark.browser

Line = dict[str, Any]
Point = tuple[float, float]

TABLET: Device = {"viewport": {"width": 1180, "height": 820}, "has_touch": True}
MINUTES = 15
HANDS = {"p1": ["S8", "S5", "H7", "RJ", "D2"], "p2": ["S6", "H6", "C10", "DQ", "HK"]}


class Kennel(Resumed):
    """A table of Dogpile that goes on from a transcript."""

    def __init__(self, house: House, players: Iterable[str], lines: Iterable[Line], **options: Any) -> None:
        names = {"gm": "Mo", **{f"p{number}": name for number, name in enumerate(players, start=1)}}
        header = {"cardhouse": 1, "game": "dogpile", "seats": list(names), "names": names, "name": "The kennel"}
        super().__init__(house, (json.dumps(line) for line in ({**header, "options": options}, *lines)))

    def is_played_by(self, bot: str, *seats: str) -> None:
        """The game master says so, from wherever they are."""
        with connect(f"{self.house.address.replace('http', 'ws')}ws") as socket:
            socket.send(json.dumps({"t": "sit", "table": self.id, "token": self.tokens["gm"]}))
            for seat in seats:
                socket.send(json.dumps({"t": "bot", "seat": seat, "bot": bot}))
            while not playing(socket.recv()).issuperset(seats):
                pass


def playing(frame: str | bytes) -> set[str]:
    """The seats that bots play, as a frame tells it."""
    told = json.loads(frame)
    assert told["t"] != "error", told
    return {seat["seat"] for seat in told.get("seats", ()) if seat.get("bot")}


def begins(first: str, leader: str, hands: dict[str, list[str]], *, seconds: int | None = None) -> list[Line]:
    """The first round is dealt; the timer, if there is one, has so many seconds left."""
    seats = list(hands)
    order = [*seats[seats.index(first) :], *seats[: seats.index(first)]]
    clock = [] if seconds is None else [{"time": int(time.time()) - 60 * MINUTES + seconds}]
    cards = [card for seat in order for card in hands[seat]]
    return [{"by": "gm", "do": "begin", "first": first}, *clock, *deals(*cards, leader)]


def deals(*cards: str) -> list[Line]:
    return [{"draw": "draft", "card": card} for card in cards]


def lays(seat: str, *cards: tuple[str, int, int]) -> Line:
    return {"by": seat, "do": "lay", "cards": [{"card": card, "x": x, "y": y} for card, x, y in cards]}


# What people do with cards.


def hand(person: Person) -> Locator:
    return person.page.get_by_role("list", name="Your hand")


def board(person: Person) -> Locator:
    return person.region("The board")


def chooses(person: Person, card: str) -> None:
    held = person.button(card, hand(person))
    person.hand.press(held)
    expect(held).to_have_attribute("aria-pressed", "true")


def puts(person: Person, card: str, where: str) -> None:
    """On a place of the board, from the hand or from where the card lies; nobody else sees it yet."""
    person.hand.press(person.button(f"Put {card if card.startswith('the ') else f'the {card}'} {where}", board(person)))
    expect(person.button(f"{card}, {where}, not laid yet.", board(person))).to_be_visible()


def tried(person: Person) -> Locator:
    """The person's cards that are on the board, and not laid yet."""
    return board(person).get_by_role("button", name="not laid yet")


def name_of(control: Locator) -> str:
    """What it is called, for those who can't see it."""
    named = re.search(r'"(.*?)"', control.aria_snapshot())
    assert named
    return named[1]


def drags(person: Person, card: Locator, dx: float, dy: float) -> None:
    """A finger takes hold of something, and lets it go so far from the middle of the board."""
    box, felt = card.bounding_box(), board(person).bounding_box()
    assert box
    assert felt
    start = box["x"] + box["width"] / 3, box["y"] + box["height"] / 3
    end = felt["x"] + felt["width"] / 2 + dx, felt["y"] + felt["height"] / 2 + dy
    fingers(person, [(between(start, end, n / 6),) for n in range(7)])


def between(start: Point, end: Point, part: float) -> Point:
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def fingers(person: Person, steps: Iterable[tuple[Point, ...]]) -> None:
    """So many fingers touch the page, go on by these steps, and are lifted."""
    line = person.context.new_cdp_session(person.page)

    def touch(kind: str, *points: Point) -> None:
        touching = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touching})

    for number, points in enumerate(steps):
        touch("touchMove" if number else "touchStart", *points)
    touch("touchEnd")
    line.detach()


def looks(person: Person, moment: str) -> None:
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(f"dogpile-{moment}")


# The tests.


@pytest.mark.soak
def test_a_timed_game_of_two_people_and_two_bots_is_played_by_touch_to_the_ring_and_past_it(come: Come, house: House):
    """The ring finds the second round under way: it is finished and counts, and none follows (DG-18)."""
    ada, ben = come("Ada", reduced_motion="reduce"), come("Ben", TABLET)
    for person in (ada, ben):
        person.comes()
    kennel = Kennel(house, ("Cleo", "Dan", "Ben", "Ada"), second_round(seconds=9))
    kennel.is_played_by("sure", "p1", "p2")
    kennel.sits(ben, "p3")
    kennel.sits(ada, "p4")
    timer = ada.page.get_by_role("timer", name="Time left")
    expect(timer).to_have_text(re.compile(r"^0:0\d$"))
    expect(ben.question).to_contain_text("Lay cards around the Pack Leader")
    expect(ada.question).to_contain_text("Ben is laying cards. Don't discuss yours.")
    expect(board(ada).get_by_role("button", name=re.compile(r"^Dan \([\w ]+\), card 1, face down"))).to_be_visible()
    pans_and_pinches(ada)
    tries_cards(ada)

    chooses(ben, "6 of hearts")
    puts(ben, "6 of hearts", "1 up")
    chooses(ben, "king of hearts")
    puts(ben, "king of hearts", "1 down")
    ben.screenshot("dogpile-laying-tablet")
    ben.does(ben.button("Lay 2 cards"))
    for number, where in ((2, "1 up"), (3, "1 down")):
        expect(ada.button(f"Ben, card {number}, face down, {where}.", board(ada))).to_be_visible()
    expect(ada.button(re.compile("^Lay nothing"))).to_be_visible()
    chooses(ada, "7 of hearts")
    puts(ada, "7 of hearts", "2 up")

    expect(ada.page.get_by_text("This round still counts.").first).to_be_visible()
    expect(timer).to_have_text("0:00")
    ada.screenshot("dogpile-rung-phone")
    ada.does(ada.button("Lay one card"))
    for person, seat in ((ada, "p4"), (ben, "p3")):
        expect(person.question).to_contain_text("The game is over.")
        score = re.search(r"The game is over: (\d+) dogs in the Dogpile", person.newest())
        assert score
        assert int(score[1]) >= 7, "both packs are home"
        end = person.region("The end")
        expect(end).to_be_visible()
        person.hand.press(person.button("Show table"))
        expect(person.page.get_by_role("table", name="The rounds").get_by_role("row")).to_have_count(3)
        person.hand.press(person.button("Show recap"))
        expect(end).to_contain_text(f"{score[1]} dogs in the Dogpile")
        expect(end.get_by_role("list", name="Highlights")).to_contain_text("The best pack")
        replay = person.region("Where next?").get_by_role("link", name="Replay this table")
        expect(replay).to_have_attribute("href", f"/replay/{kennel.id}#{kennel.tokens[seat]}")
        expect(person.button("Next round")).to_have_count(0)
        person.sees_in_story("The timer rings!")
    looks(ada, "end-phone")
    looks(ben, "end-tablet")


def second_round(*, seconds: int) -> list[Line]:
    """Cleo and the Pack Leader are home; Dan is Player One of the second round, and has one card that fits."""
    hands = {
        "p1": ["S8", "D9", "C3", "S2", "CA"],
        "p2": ["D10", "C7", "S3", "CK", "CQ"],
        "p3": ["S6", "H6", "C10", "DQ", "HK"],
        "p4": ["S4", "S5", "H7", "RJ", "D2"],
    }
    first = [*begins("p1", "S7", hands, seconds=seconds), lays("p1", ("S8", 1, 0)), {"by": "p2", "do": "pass"}]
    return [*first, *deals("C5"), {"by": "p3", "do": "next_round"}, *deals("H9")]


def pans_and_pinches(person: Person) -> None:
    """One finger moves the board, two look nearer; the story stays where it is, a swipe away."""
    box, leader = board(person).bounding_box(), board(person).get_by_role("button", name="The Pack Leader")
    before = leader.bounding_box()
    assert box
    assert before
    corner = box["x"] + box["width"] - 20, box["y"] + 20
    far = box["x"] + 40, box["y"] + 60
    fingers(person, [(between(corner, far, n / 6),) for n in range(7)])
    panned = leader.bounding_box()
    assert panned
    assert panned["x"] < before["x"] - 100
    assert panned["width"] == pytest.approx(before["width"], rel=0.01)
    middle = box["x"] + box["width"] / 2, box["y"] + 40
    fingers(person, [((middle[0] - 20 - 12 * n, middle[1]), (middle[0] + 20 + 12 * n, middle[1])) for n in range(5)])
    pinched = leader.bounding_box()
    assert pinched
    assert pinched["width"] > panned["width"] * 1.5
    expect(person.story.first).not_to_be_in_viewport()
    person.hand.press(person.button("Show everything", board(person)))
    expect(leader).to_be_in_viewport(ratio=0.999)


def tries_cards(person: Person) -> None:
    """Before it is one's turn: a card is put somewhere, dragged elsewhere, and taken up; it outlives a reload."""
    chooses(person, "5 of spades")
    felt = board(person).bounding_box()
    assert felt
    person.page.touchscreen.tap(felt["x"] + 24, felt["y"] + 24)
    expect(tried(person)).to_have_count(1)
    there = name_of(tried(person))
    drags(person, tried(person), felt["width"] / 2 - 40, 44 - felt["height"] / 2 + 40)
    expect(person.button(there, board(person))).to_have_count(0)
    moved = name_of(tried(person))
    assert moved.startswith("5 of spades, ")
    drags(person, person.button("2 of diamonds", hand(person)), -felt["width"] / 2 + 40, 44 - felt["height"] / 2 + 40)
    expect(tried(person)).to_have_count(2)
    person.page.reload()
    expect(tried(person)).to_have_count(2)
    expect(person.button(moved, board(person))).to_be_visible()
    for _ in range(2):
        person.hand.press(board(person).get_by_role("button", name=re.compile("^2 of diamonds, .* not laid yet")))
    expect(tried(person)).to_have_count(1)
    person.hand.press(person.button("Return all to your hand"))
    expect(tried(person)).to_have_count(0)


@pytest.mark.soak
def test_from_the_first_word_to_the_last_by_finger_by_key_and_on_the_television(come: Come, house: House):
    kennel = Kennel(house, ("Ada", "Ben"), [], rounds=2)
    ada = come("Ada", reduced_motion="reduce")
    ben = come("Ben", DESK, Keyboard, color_scheme="light", reduced_motion="no-preference")
    screen = come("the television", TELEVISION)
    for person in (ada, ben):
        person.page.add_init_script(f"({MOVES})()")
    for person, seat in ((ada, "p1"), (ben, "p2"), (screen, "screen")):
        kennel.sits(person, seat)
        expect(person.question).to_contain_text("Who most recently played with a dog?")
    looks(ada, "begin-phone")
    expect(ada.button("Start")).to_have_count(0)
    host = come("Mo", DESK)
    kennel.sits(host, "gm")
    host.hand.press(host.button("Ben", host.region("Who begins?")))
    host.does(host.button("Start"))

    everybody_hears(host, ada, ben, screen)
    leader = board(screen).get_by_role("button", name="The Pack Leader")
    expect(leader).to_be_visible()
    expect(board(ben).get_by_role("button", name="not laid yet")).to_have_count(0)
    ben.hand.press(hand(ben).get_by_role("button").nth(1))
    ben.page.keyboard.press("ArrowRight")
    ben.page.keyboard.press("Enter")
    expect(tried(ben)).to_have_count(1)
    ben.page.keyboard.press("1")
    for key in ("ArrowUp", "Enter"):
        ben.page.keyboard.press(key)
    expect(tried(ben)).to_have_count(2)
    looks(ben, "laying-desk")
    ben.does(ben.button("Lay 2 cards"))
    everybody_hears(ben, ada, screen)
    expect(board(screen).get_by_role("button", name=re.compile("^Ben, card [12], face down"))).to_have_count(2)
    screen.screenshot("dogpile-laying-television")
    ada.hand.press(hand(ada).get_by_role("button").first)
    looks(ada, "laying-phone")
    ada.page.keyboard.press("Escape")
    expect(ada.button(re.compile("^Lay nothing"))).to_contain_text("the cards are turned over")
    ada.does(ada.button(re.compile("^Lay nothing")))

    everybody_hears(ada, ben, screen)
    for person in (ada, ben, screen):
        verdict = person.question if person is screen else person.region("The verdict")
        expect(verdict).to_contain_text(re.compile("dogs (join|stray)"))
        expect(board(person).get_by_role("button", name=re.compile("^Ben, card [12], face down"))).to_have_count(0)
    looks(ada, "reveal-phone")
    looks(ben, "reveal-desk")
    screen.screenshot("dogpile-reveal-television")
    ben.does(ben.button("Next round", ben.choices))
    everybody_hears(ben, ada, screen)
    expect(ada.button(re.compile("^Lay nothing"))).to_contain_text("ends laying for everyone")
    ada.does(ada.button(re.compile("^Lay nothing")))
    everybody_hears(ada, ben, screen)
    for person in (ada, ben):
        expect(person.region("The end")).to_contain_text("came home")
        person.hand.press(person.button("Show table"))
        expect(person.region("The verdict")).to_contain_text("No card was laid next to the Pack Leader")
    expect(screen.question).to_contain_text("No card was laid next to the Pack Leader")
    screen.screenshot("dogpile-end-television")
    assert ben.page.evaluate("moves") > 0
    assert ada.page.evaluate("moves") == 0


def everybody_hears(of: Person, *others: Person) -> None:
    for other in others:
        other.catches_up(of.number)


def test_cards_half_laid_outlive_a_lost_line_a_refusal_and_somebody_who_was_quicker(come: Come, house: House):
    lines = [*begins("p2", "S7", HANDS), lays("p2", ("S6", -1, 0))]
    kennel = Kennel(house, ("Ada", "Ben"), lines, rounds=3, passing="skips")
    gm, ada, ben = come("Mo", DESK), come("Ada"), come("Ben", TABLET)
    for person, seat in ((gm, "gm"), (ada, "p1"), (ben, "p2")):
        kennel.sits(person, seat)
    chooses(ada, "8 of spades")
    puts(ada, "8 of spades", "1 to the right")
    ada.loses_connection()
    ada.hand.press(ada.button("Lay one card"))
    gm.hand.press(gm.button(re.compile("^Undo from here: Ben lays"), gm.region("Log")))
    gm.does(gm.button("Undo", gm.undo_question))
    ada.finds_connection()
    refusal = ada.region("Laying cards").get_by_role("alert")
    expect(refusal).to_contain_text("It is no longer your turn")
    expect(refusal).to_contain_text("Your cards are still where you put them.")
    expect(tried(ada)).to_have_count(1)
    ada.screenshot("dogpile-refused-phone")

    ben.catches_up(gm.number)
    expect(ben.button(re.compile("^Lay nothing"))).to_contain_text("skips only your turn")
    chooses(ben, "queen of diamonds")
    puts(ben, "queen of diamonds", "1 to the right")
    ben.does(ben.button("Lay one card"))
    ada.catches_up(ben.number)
    expect(ada.region("Laying cards")).to_contain_text("Another player took the space for")
    expect(tried(ada)).to_have_count(0)
    ada.screenshot("dogpile-outrun-phone")
    chooses(ada, "8 of spades")
    puts(ada, "8 of spades", "1 to the left")
    ada.does(ada.button("Lay one card"))
    everybody_hears(ada, ben, gm)
    for person in (ada, ben, gm):
        expect(person.region("The verdict")).to_contain_text("3 dogs stray: one contact is not legal.")
    ben.hand.press(
        board(ben).get_by_role("button", name=re.compile("^Not legal: The 7 of spades and the queen of diamonds"))
    )
