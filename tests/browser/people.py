"""The people at a table and their actions: the vocabulary of the browser tests.

People find their way by what a control is called and what part of the page it stands in, as everybody must who can't
see the page; no test knows how it looks.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar, Self
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, WebSocket, expect

from cardhouse.testing.browser.page import DESK as DESK
from cardhouse.testing.browser.page import PHONE as PHONE
from cardhouse.testing.browser.page import Device as Device
from cardhouse.testing.serving import serving_house
from tests.browser.hands import Mouse
from tests.server.starting import cut_power, start_command

SHOTS = Path(__file__).resolve().parents[2] / "shots"
"""Where pictures go, for whoever changed the page to look at. Git ignores them."""
UPRIGHT: Device = {"viewport": {"width": 800, "height": 1000}}
"""Too narrow for a desk, so that the middle is as on a phone and the tools are in a row."""
SECONDS = 60
"""What has not happened by then does not happen."""
expect.set_options(timeout=SECONDS * 1000)

TELEVISION: Device = {"viewport": {"width": 1920, "height": 1080}, "reduced_motion": "no-preference"}
"""Where nobody presses anything, cards fly."""

TOOLS = "Game master\N{RIGHT SINGLE QUOTATION MARK}s tools"
GONE = ("net::ERR_", "WebSocket connection to")
"""What a browser says of a server that isn't there: which error it is depends on how far the request came."""
GIVEN_UP = "Unable to preload CSS"
"""What a page says of a style sheet on the way when somebody goes elsewhere."""
OFFERS = {
    "start": r"Start the round",
    "act": r"Act",
    "wait": r"Wait",
    "done": r"Done",
    "step": r"Turn the next card",
    "take back": r"Undo",
}
"""What card initiative's choices are called."""

PAD = 12
"""Up to here damage and healing have a button for each number."""

ODDS = re.compile(
    r"^ *- paragraph: .?Next card: .*\n|(?: ·)?(?: next card)? [<>]?\d+%(?: dies)?", re.MULTILINE | re.IGNORECASE
)
OWN_DECK = re.compile(r'^ *- (button "(Start the round|Turn the next card)"|img "a card face down")\n', re.MULTILINE)
"""What lies on the table and is not the same for all: the odds, and what a tap on the deck would do."""
ROOMY = re.compile(r'^( *)- list "(?:Down|Bleeding)":\n(?:\1 .*\n)+', re.MULTILINE)
"""In a gunfight, what is shown where there is room for it, or where nothing else tells it."""

OF_PEOPLE = [
    (r"- listitem:\n +- '?button \"Change portrait: .*\n +- text: (.*)$", r"- listitem: \1"),
    (r" \(you\)", ""),
    (r"\bis back\b", "is here"),
    (r'^( *- status): "?Back: .*$', r"\1"),
]
"""What differs from person to person: whose portrait they may change, which of them they are, and who has come back."""


def come_to_match(*pages: Callable[[], object]) -> None:
    """All pages show the same before long: each draws what it has heard in its own time."""
    end = monotonic() + SECONDS
    seen = [page() for page in pages]
    while any(other != seen[0] for other in seen) and monotonic() < end:
        seen = [page() for page in pages]
    for other in seen:
        assert other == seen[0]


class House:
    """A server with a database of its own, which can be killed and opened again at the same address."""

    def __init__(self, folder: Path, env: Mapping[str, str] | None = None, *options: str) -> None:
        self.database = f"sqlite:///{folder / 'house.db'}"
        self.log = folder / "house.log"
        self.env = env
        self.options = options
        self.printed = ""
        self.address = ""
        self.was_killed = False
        self._running = ExitStack()
        self._terminate: Callable[[], object]
        self._wait: Callable[[], object]

    @classmethod
    def at(cls, address: str) -> Self:
        """One that somebody else opened, as it is reached by this address."""
        house = cls(Path())
        house.address = address
        return house

    def open(self) -> None:
        again = ["--port", str(urlsplit(self.address).port)] if self.address else []
        options = ("--db", self.database, *self.options, *again)
        if self.env is None:
            forked, self.printed = start_command(("--port", "0", *options), self.log)
            self._running.callback(cut_power, forked)
            self._terminate, self._wait = forked.terminate, forked.join
        else:  # with other packages, which the forked ones haven't loaded
            process, self.printed = self._running.enter_context(serving_house(*options, env=self.env))
            self._terminate, self._wait = process.terminate, process.wait
        self.address = self.printed.splitlines()[0].split()[-1]

    def stop(self) -> None:
        """Have it close by itself, as whoever renews it does."""
        self.was_killed = True
        self._terminate()
        self._wait()
        self._running.close()

    def kill(self) -> None:
        self.was_killed = True
        self._running.close()

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


class Resumed:
    """A table that goes on from a transcript's lines."""

    _visitors: ClassVar[Iterator[int]] = count(1)

    def __init__(self, house: House, lines: Iterable[str]) -> None:
        self.house = house
        # Each is brought by a visitor of its own: one may bring only so many.
        visitor = f"127.0.{next(self._visitors)}.1"
        there = HTTPConnection(urlsplit(house.address).netloc, source_address=(visitor, 0))
        with closing(there):
            there.request("POST", "/api/tables/import", "\n".join(lines).encode())
            made = json.load(there.getresponse())
        self.id: str = made["table"]
        self.tokens: dict[str, str] = made["links"]
        self.mark: str = made["mark"]

    def inviting_link(self) -> str:
        """The screen's, which shows the join code while seats are open."""
        return f"{self.link('screen')}&join={self.tokens['door']}.{self.mark}"

    def link(self, seat: str) -> str:
        return f"{self.house.address}t/{self.id}#{self.tokens[seat]}"

    def sits(self, person: "Person", seat: str) -> "Person":
        person.opens_link(self.link(seat))
        name = person.page.get_by_role("textbox", name="Your name")
        there = person.table if seat == "screen" else person.question  # after the end, a screen asks nothing
        expect(name.or_(there)).to_be_visible()
        if name.is_visible():
            person.sits_down()
        expect(there).to_be_visible()
        if person.dialog("Invite players").is_visible():
            person.goes_to_table()
        # On a desk, the game's parts come later.
        expect(person.page.locator(".desk > .lines > .people:empty")).to_have_count(0)
        return person


class Person:
    """Somebody with a browser of their own, at the house's front door or at a table.

    `heard` is every frame that came over a socket, `number` the last entry of the log that one told of, `loads` the
    paths that were asked for, `complaints` what should not have happened: errors on the console (what the security
    policy forbids is one) and requests to other hosts. They want nothing to move, for a moving control can't be pressed
    at once, unless their device or the test has it otherwise.
    """

    def __init__(
        self, browser: Browser, house: House, name: str, device: Device, hand: Callable[[Page], Mouse], **more: Any
    ) -> None:
        self.house = house
        self.name = name
        self.context = browser.new_context(**{"color_scheme": "dark", "reduced_motion": "reduce", **device, **more})
        self.context.set_default_timeout(SECONDS * 1000)
        self.context.tracing.start()  # without pictures and snapshots, which cost more than most tests
        self.page = self.context.new_page()
        self.hand = hand(self.page)
        self.heard: list[str] = []
        self.number = 0
        self.socket: WebSocket | None = None
        self.loads: list[str] = []
        self.complaints: list[str] = []
        # The page's service worker is fetched a while after the page, when a test may have taken the house away.
        # A style sheet is given up when somebody goes elsewhere; one that isn't there is complained of besides.
        self.forgiven = ["error occurred when fetching the script", GIVEN_UP]
        self.page.on("console", self._console)
        self.page.on("pageerror", self._error)
        self.page.on("request", self._request)
        self.page.on("websocket", self._socket)

    def _console(self, message: ConsoleMessage) -> None:
        forgiven = [*self.forgiven, *(GONE if self.house.was_killed else ())]
        if message.type == "error" and not any(text in message.text for text in forgiven):
            self.complaints.append(message.text)

    def _error(self, error: Exception) -> None:
        if GIVEN_UP not in str(error):  # nothing else that the page itself does wrong is forgiven
            self.complaints.append(str(error))

    def _request(self, request: Request) -> None:
        self._reach(request.url)
        self.loads.append(urlsplit(request.url).path)

    def _socket(self, socket: WebSocket) -> None:
        self._reach(socket.url)
        self.socket = socket
        socket.on("framereceived", self._hear)

    def _hear(self, payload: str | bytes) -> None:
        self.heard.append(str(payload))
        frame = json.loads(payload)
        if frame["t"] in ("table", "change"):
            self.number = frame["n"]

    def _reach(self, url: str) -> None:
        if urlsplit(url).netloc not in ("", urlsplit(self.house.address).netloc):
            self.complaints.append(f"{url} is asked for something")

    # Finding things.

    def region(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("region", name=name, exact=True)

    def dialog(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("dialog", name=name)

    def button(self, name: str | re.Pattern[str], within: Locator | None = None) -> Locator:
        return (within or self.page).get_by_role("button", name=name, exact=True)

    @property
    def table(self) -> Locator:
        return self.region("Table")

    @property
    def question(self) -> Locator:
        return self.region("What now?")

    @property
    def choices(self) -> Locator:
        return self.region("Choices")

    @property
    def story(self) -> Locator:
        """Its entries, newest first."""
        return self.region("Log").get_by_role("listitem")

    def choice(self, word: str) -> Locator:
        return self.button(re.compile(f"^({OFFERS[word]})$"), self.choices)

    # Coming and going.

    def comes(self) -> None:
        """To the front door."""
        self.page.goto(self.house.address)

    def opens_link(self, link: str) -> None:
        self.page.goto(link)

    def sits_down(self) -> None:
        """Says the name that is asked for."""
        self.hand.write(self.page.get_by_role("textbox", name="Your name"), self.name)
        self.hand.press(self.button("Join"))
        expect(self.question).to_be_visible()

    def opens_more(self, game: str) -> Locator:
        """What there is to do with a game beside playing it."""
        self.hand.press(self.button(f"With friends: {game}", self.region("Games")))
        return self.page.get_by_role("dialog", name=game, exact=True)

    def makes_table(self, game: str = "Card initiative") -> None:
        """With the game master's links: a game's *New table* lies behind *With friends*."""
        self.comes()
        self.hand.press(self.button("New table", self.opens_more(game)))
        expect(self.dialog("Invite players")).to_be_visible()

    def makes_table_with(self, *ticks: str, game: str = "Card initiative", name: str = "", **numbers: int) -> None:
        """A table that is not as usual: with these boxes ticked and these numbers, by their labels."""
        self.comes()
        here = self.opens_more(game)
        self.hand.press(here.get_by_text("House rules"))
        if name:
            self.hand.write(here.get_by_role("textbox", name="Table name"), name)
        for label, number in numbers.items():
            self.hand.write(here.get_by_role("spinbutton", name=label), str(number))
        for tick in ticks:
            self.hand.tick(here.get_by_role("checkbox", name=tick))
        self.hand.press(self.button("Create table", here))
        expect(self.dialog("Invite players")).to_be_visible()

    def link_for(self, seat: str) -> str:
        """From the invite sheet, where it stands beside the seat's own code."""
        sheet = self.opens_seat(seat)
        return sheet.get_by_role("textbox", name=f"Link for {seat}", exact=True).input_value()

    def opens_seat(self, seat: str) -> Locator:
        """What there is to do with one seat, in the invite sheet."""
        sheet = self.dialog("Invite players")
        more = self.button(f"QR code and more for {seat}", sheet)
        if more.get_attribute("aria-expanded") == "false":
            self.hand.press(more)
        return sheet

    def link_for_all(self) -> str:
        """From the invite sheet: the table's code."""
        return self.dialog("Invite players").get_by_role("textbox", name="Join link").input_value()

    def closes(self, dialog: str | re.Pattern[str]) -> None:
        sheet = self.dialog(dialog)
        self.hand.press(self.button("Close", sheet))
        expect(sheet).to_be_hidden()

    def goes_to_table(self) -> None:
        """From the invite sheet; once play has begun there is nothing to start."""
        sheet = self.dialog("Invite players")
        start = self.button(re.compile("^(Start|Go to table)$"), sheet)
        self.hand.press(start if start.count() else self.button("Close", sheet))
        expect(sheet).to_be_hidden()

    def loses_connection(self) -> None:
        self.forgiven.append("ERR_INTERNET_DISCONNECTED")
        self.context.set_offline(True)
        self.sees_connection_lost()

    def finds_connection(self) -> None:
        self.context.set_offline(False)
        self.sees_connection_back()

    def sees_connection_lost(self) -> None:
        expect(self.page.get_by_text("Connection lost")).to_be_visible()

    def sees_connection_back(self) -> None:
        expect(self.page.get_by_text("Connection lost")).to_have_count(0)

    # Playing.

    @property
    def is_asked(self) -> bool:
        """The page's title says so, for those who have another one open."""
        return self.page.title().startswith("●")

    def sees(self) -> str:
        """The table, as far as it is the same for everybody."""
        seen = ROOMY.sub("", OWN_DECK.sub("", ODDS.sub("", self.table.aria_snapshot() + "\n")))
        for own, alike in OF_PEOPLE:
            seen = re.sub(own, alike, seen, flags=re.MULTILINE)
        return seen

    def reads(self) -> list[str]:
        """The story, as far as it is shown."""
        return [text.removesuffix("Redo").rstrip() for text in self.story.all_inner_texts()]  # a button for some

    @property
    def at_desk(self) -> bool:
        """Whether the table's layout is a desk's, with everyone on the cloth once."""
        return self.page.locator("main.table.desk").count() > 0

    def face(self, name: str) -> Locator:
        """The character's face on a desk's cloth."""
        return self.table.get_by_role("button", name=re.compile(rf"^{re.escape(name)}\b"))

    def tells(self) -> list[str]:
        """The story and the table: what somebody could read out to the others."""
        return [*self.reads(), *self.sees().splitlines()]

    def may(self) -> list[str]:
        """What the page offers to choose from, without the chances that stand under it."""
        named: list[str] = self.choices.get_by_role("button").evaluate_all(
            "buttons => buttons.map(({ childNodes }) => [...childNodes].filter(node => !node.ariaHidden)"
            ".map(node => node.textContent).join(''))"
        )
        return [text.strip() for text in named]

    def does(self, control: Locator) -> None:
        """Something that goes into the log."""
        self.answers(lambda: self.hand.press(control))

    def answers(self, doing: Callable[[], None]) -> None:
        """Does what gives an answer, and waits until it is acknowledged."""
        assert self.socket
        done = '"ack"', '"t":"error"'
        with self.socket.expect_event("framereceived", lambda frame: any(word in frame for word in done)) as told:
            doing()
        assert '"ack"' in told.value, told.value

    def catches_up(self, number: int) -> None:
        """Hears of everything up to this entry."""
        while self.number < number:
            assert self.socket
            self.socket.wait_for_event("framereceived")

    def chooses(self, word: str) -> None:
        """One of `OFFERS`."""
        self.does(self.choice(word))

    def newest(self) -> str:
        return " ".join((self.story.first.text_content() or "").split())

    def sees_in_story(self, text: str | re.Pattern[str]) -> None:
        expect(self.story.filter(has_text=text).first).to_be_attached()

    def opens_why(self, rule: str) -> None:
        """Of the question that is open."""
        self.hand.press(self.button(re.compile(f"^Why. {rule}"), self.question))
        expect(self.dialog(re.compile(f"^{rule}"))).to_be_visible()

    def opens_menu(self) -> Locator:
        self.hand.press(self.button("Menu"))
        menu = self.page.get_by_role("dialog")
        expect(menu).to_be_visible()  # it is fetched on first use
        return menu

    # The game master's.

    def saves_campaign(self) -> None:
        """From the menu, after reading what a campaign keeps."""
        self.hand.press(self.button("Save as campaign", self.opens_menu()))
        self.hand.press(self.button("Save", self.dialog("Save as campaign")))

    def starts_adding(self) -> Locator:
        self.hand.press(self.button("Add character…", self.tools))
        return self.dialog("Who joins the fight?")

    def adds(
        self,
        name: str,
        *,
        tier: str = "",
        card: str = "",
        side: str = "",
        played_by: str = "",
        hidden: bool = False,
        hp: int | None = None,
        more: bool = False,
    ) -> None:
        """Puts a character into the fight; with `more` the sheet stays open for the next one."""
        sheet = self.dialog("Who joins the fight?")
        if not sheet.is_visible():
            sheet = self.starts_adding()
        self.hand.write(sheet.get_by_role("textbox", name="Name", exact=True), name)
        if hp is not None:
            self.hand.write(sheet.get_by_role("spinbutton", name="HP", exact=True), str(hp))
        if side:
            self._picks_side(sheet, side)
        if tier:
            self.hand.tick(sheet.get_by_role("radio", name=re.compile(f"^{tier}", re.IGNORECASE)))
        if card:
            self.hand.press(self.button("another card", sheet))
            self.hand.press(self.button(card, sheet))
        if played_by:
            self.hand.select(sheet.get_by_role("combobox", name="Played by"), played_by)
        if sheet.get_by_role("checkbox", name="Hidden").is_checked() != hidden:
            self.hand.press(sheet.get_by_role("checkbox", name="Hidden"))
        self.does(self.button("Add", sheet))
        if not more:
            self.closes("Who joins the fight?")

    def _picks_side(self, sheet: Locator, side: str) -> None:
        known = sheet.get_by_role("radio", name=side, exact=True)
        if known.count():
            self.hand.tick(known)
        else:
            self.hand.tick(sheet.get_by_role("radio", name="a new side"))
            self.hand.write(sheet.get_by_role("textbox", name="The side's name"), side)

    def takes_out(self, name: str) -> None:
        self.hand.press(self.button("Remove…"))
        self.does(self.button(re.compile(f"{re.escape(name)}$"), self.dialog("Who is dead or gone?")))
        expect(self.dialog("Who is dead or gone?")).to_be_hidden()

    @property
    def undo_question(self) -> Locator:
        """The dialog that says how many moves would be undone."""
        return self.dialog(re.compile("^Undo the last "))

    @property
    def tools(self) -> Locator:
        """The game master's, which are behind one button on a phone."""
        opener = self.button("GM tools")
        if opener.is_visible() and opener.get_attribute("aria-expanded") == "false":
            self.hand.press(opener)
        return self.region(TOOLS)

    def undoes(self) -> None:
        """The last move; whoever's it was, this is confirmed where that is asked."""
        before = self.story.count()

        def presses() -> None:
            self.hand.press(self.button("Undo", self.page.get_by_role("group", name="Last step")))
            expect(self.undo_question.or_(self.story.nth(before)).first).to_be_visible()
            if self.undo_question.is_visible():
                self.hand.press(self.button("Undo", self.undo_question))

        self.answers(presses)

    def opens_pad(self, tool: str, name: str) -> Locator:
        """For damage, healing or poison: the one with this name is chosen."""
        self.hand.press(self.button(tool, self.tools))
        pad = self.page.get_by_role("dialog")
        self.hand.tick(pad.get_by_role("radio", name=re.compile(f"^{re.escape(name)} ")))
        return pad

    def hits(self, name: str, amount: int) -> None:
        """Damage; a card that is to be turned for it on a real table has not been turned yet."""
        pad = self.opens_pad("Damage…", name)
        if amount <= PAD:
            self.does(self.button(f"{name} takes {amount}", pad))
        else:
            self.hand.write(pad.get_by_role("spinbutton", name="Another number"), str(amount))
            self.does(self.button("Hit", pad))
        expect(pad).to_be_hidden()

    def heals(self, name: str, amount: int) -> None:
        pad = self.opens_pad("Heal…", name)
        self.does(self.button(f"{name} is healed by {amount}", pad))
        expect(pad).to_be_hidden()

    # Decks of paper.

    @property
    def picker(self) -> Locator:
        return self.choices.get_by_role("group")

    def turns_over(self, card: str) -> None:
        """Names the card that lay on top of a real deck, by a tap."""
        self.does(self.button(re.compile(rf"^{re.escape(card)}(,|$)"), self.picker))

    # Looking.

    def screenshot(self, moment: str) -> None:
        """For people to look at, if they want to: `CARDHOUSE_TEST_PICTURES`."""
        if os.environ.get("CARDHOUSE_TEST_PICTURES"):
            self.keeps_picture(moment)

    def keeps_picture(self, moment: str) -> None:
        SHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{moment}.png", animations="disabled")

    def keeps_trace(self, name: str) -> None:
        """Save what this person did and what their page loaded and printed, for `playwright show-trace`."""
        SHOTS.mkdir(exist_ok=True)
        self.context.tracing.stop(path=SHOTS / f"{name}.zip")

    def leaves(self) -> None:
        self.context.close()


class Table:
    """The people at one table."""

    def __init__(self, gm: Person, players: Iterable[Person], screen: Person | None = None) -> None:
        self.gm = gm
        self.players = list(players)
        self.screen = screen
        self.everybody = [gm, *self.players, *([screen] if screen else [])]

    def asked(self) -> Person:
        """Whom the table waits for: exactly one."""
        asked = [person for person in self.everybody if person.is_asked]
        assert len(asked) == 1, [person.name for person in asked]
        return asked[0]

    def now(self) -> str:
        """What is asked: `act` (or wait), `done` or `start`."""
        offered = [word for word in ("start", "act", "done") if self.gm.choice(word).count()]
        assert len(offered) == 1, offered
        return offered[0]

    def chooses(self, person: Person, word: str) -> None:
        """One person chooses, and everybody sees it."""
        person.chooses(word)
        self.sees_with(person)

    def sees_with(self, person: Person) -> None:
        """Everybody comes to see what this person sees: the same story and, with the same layout, the same table."""
        others = [other for other in self.everybody if other is not person]
        for other in others:
            other.catches_up(person.number)
        alike = [other for other in others if other is not self.screen and other.at_desk == person.at_desk]
        come_to_match(person.tells, *(other.tells for other in alike))
        come_to_match(person.reads, *(other.reads for other in others if other not in alike))

    def offers_are_theirs(self) -> None:
        """Only who is asked, and the game master, may choose; the screen never."""
        asked = self.asked()
        offered = [text for text in asked.may() if text not in ("Undo", "Redo")]
        assert offered
        for person in self.everybody:
            own = [text for text in person.may() if text not in ("Undo", "Redo")]
            assert own == (offered if person in (asked, self.gm) else []), person.name
            expect(person.region(TOOLS)).to_have_count(1 if person is self.gm else 0)

    def plays_round(self) -> None:
        """Everybody acts as soon as they may, until the next round could begin."""
        self.chooses(self.gm, "start")
        self.plays_on()

    def plays_on(self) -> None:
        while (word := self.now()) != "start":
            self.chooses(self.asked(), word)
