"""A session played by pressing offered controls at random."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.request import Request, urlopen

from cardhouse.engine import GM, SCREEN, BadGame, Header, find_game, write_line
from cardhouse.testing.browser.chromium import chromium
from cardhouse.testing.browser.controls import Control, choose, controls, is_in_dialog, press
from cardhouse.testing.browser.page import DESK, PHONE, SECONDS, Page
from cardhouse.testing.serving import serving_house

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NARROW_EVERY = 5
"""After this many answers, phones are also checked on the narrowest screen, and a screen is reloaded."""
STUCK = 150
"""After this many presses without an accepted answer, the session counts as stuck."""
_DOOR = "door"
"""The key of the invite among the links."""
PATIENT = 6
"""How often a control in a dialog is pressed before the dialog is closed."""


class Pressed(NamedTuple):
    """The numbers of presses, of answers, and of refused ones, and whether the game ended."""

    presses: int
    answers: int
    refused: int
    is_over: bool


def press_whatever_is_offered(
    game: str,
    *,
    seed: int = 0,
    answers: int = 20,
    players: Sequence[str] = ("Ada", "Ben"),
    options: Mapping[str, Any] | None = None,
    decks: Mapping[str, str] | None = None,
    by_hand: Sequence[str] = (),
    plain: bool = False,
    shots: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> Pressed:
    """Play at a table of this game by pressing offered controls, until enough answers are given or the game is over.

    The game master has a desktop screen, each player a phone, and there are two table screens. `plain` uses the basic
    view. `shots` is a folder for a screenshot of each page, at the end or after an error; `env` is the server's
    environment. The same seed presses the same controls, as far as the unpredictable cards permit.

    Raises BadGame if a page logs an error, can't show a part of the game's view, or doesn't fit its screen; if the two
    table screens differ; or if no page offers a way on. CardhouseError if there is no such game, or no browser.
    """
    find_game(game)
    seats = [GM, *(f"p{number}" for number in range(1, len(players) + 1))]
    header = Header(
        cardhouse=1,
        game=game,
        seats=seats,
        names=dict(zip(seats, ("Mo", *players), strict=True)),
        options=dict(options or {}),
        decks=dict(decks or {}),
        by_hand=list(by_hand),
    )
    with house(env) as address, chromium() as browser:
        evening = _Evening(browser, links_to_new_table(address, header), Random(f"{game} {seed}"), plain=plain)
        try:
            return evening.play(answers)
        finally:
            evening.leave(shots, game)


@contextmanager
def house(env: Mapping[str, str] | None) -> Iterator[str]:
    """Start a server with a database of its own and yield its address."""
    with (
        tempfile.TemporaryDirectory(prefix="cardhouse-") as folder,
        serving_house("--db", f"sqlite:///{folder}/house.db", env=env) as (_, said),
    ):
        yield said.splitlines()[0].split()[-1]


def links_to_new_table(address: str, header: Header) -> dict[str, str]:
    """Create a table with the header's names; return the links by seat."""
    request = Request(f"{address}api/tables/import", write_line(header).encode(), method="POST")  # noqa: S310 (our own)
    with urlopen(request) as answer:  # noqa: S310
        response = json.load(answer)
    return {seat: f"{address}t/{response['table']}#{token}" for seat, token in response["links"].items()}


class _Evening:
    """The pages at one table, and the presses on them."""

    def __init__(self, browser: Browser, links: Mapping[str, str], rng: Random, *, plain: bool) -> None:
        self.rng = rng
        self.pages = [
            Page(browser, link, seat, DESK if seat == GM else PHONE)
            for seat, link in links.items()
            if seat not in (SCREEN, _DOOR)
        ]
        self.screens = [Page(browser, links[SCREEN], SCREEN, DESK) for _ in range(2)]
        self.presses: list[str] = []
        self.in_dialog = 0
        self.since = 0
        for page in self.pages if plain else ():
            _use_basic_view(page)

    @property
    def everybody(self) -> list[Page]:
        """All pages, including the table screens."""
        return [*self.pages, *self.screens]

    def play(self, answers: int) -> Pressed:
        """Press controls until enough answers are given, or the game is over."""
        given = 0
        self.look(narrow=True)
        while given < answers:
            before = max(page.number for page in self.pages)
            if not self.press_something():
                break
            number = max(page.number for page in self.pages)
            self.since += 1
            if number > before:
                given, self.since = given + 1, 0
                self.hear(number)
                self.look(narrow=given % NARROW_EVERY == 0)
            elif self.since > STUCK:
                raise self.wrong(f"{STUCK} presses in a row made no move that was accepted")
        self.look(narrow=True)
        refused = sum(len(page.refusals) for page in self.pages)
        return Pressed(len(self.presses), given, refused, self.is_over())

    def press_something(self) -> bool:
        """Press a control on one of the pages; return False if the game is over and nothing is asked."""
        asked = [page for page in self.pages if page.is_asked]
        if not asked and self.is_over():
            return False
        page = self.rng.choice(asked if asked and self.rng.random() < 0.8 else self.pages)
        self.in_dialog = self.in_dialog + 1 if is_in_dialog(page.page) else 0
        found = controls(page.page)
        if self.in_dialog > PATIENT or (self.in_dialog and not found):
            page.page.keyboard.press("Escape")
            self.in_dialog = 0
            return True
        answering = [one for one in found if not one.aside]
        if not answering and page in asked:
            raise self.wrong(f"{page.seat} is asked, but the page has no control to answer with")
        if found:
            control = choose(found, self.rng)
            self.presses.append(f"{page.seat} presses {control.name}")
            self.press(page, control)
            page.settle()
            self.check(page, narrow=False)
        return True

    def press(self, page: Page, control: Control) -> None:
        """Press a control, unless it has gone by then."""
        from playwright.sync_api import TimeoutError as TooLate

        with suppress(TooLate):
            if not press(page.page, control, self.rng):
                self.presses[-1] += ", which something covers"

    def is_over(self) -> bool:
        """Return whether the game is over, according to a reloaded screen."""
        self.screens[1].come()
        return bool(self.screens[1].doc.get("asks", {}).get("kind") == "over")

    # Looking.

    def hear(self, number: int) -> None:
        """Wait until every page has received an entry."""
        for page in self.everybody:
            page.catch_up(number)

    def look(self, *, narrow: bool) -> None:
        """Check all pages; `narrow` also checks the narrowest screen, and reloads one of the table screens."""
        for page in self.everybody:
            self.check(page, narrow=narrow)
        if narrow:
            self.screens[1].come()
        end = time.monotonic() + SECONDS
        while (one := self.screens[0].shows()) != (other := self.screens[1].shows()):
            if time.monotonic() > end:
                raise self.wrong(f"The table screen shows something else after a reload: {_first_apart(one, other)}")

    def check(self, page: Page, *, narrow: bool) -> None:
        """Raises BadGame if something is wrong with a page."""
        if problem := page.wrong(narrow=narrow):
            raise self.wrong(f"The page of {page.seat} {problem}")

    def wrong(self, sentence: str) -> BadGame:
        """Return an error for the author, with the last presses."""
        error = BadGame(f"{sentence.rstrip('.')}.")
        error.add_note("after these presses:\n" + "\n".join(self.presses[-12:]))
        return error

    def leave(self, shots: Path | None, game: str) -> None:
        """Close all pages, after a screenshot of each if there is a folder for them."""
        if shots is not None:
            shots.mkdir(parents=True, exist_ok=True)
            for place, page in enumerate(self.everybody):
                page.page.screenshot(path=shots / f"{game}-{place}-{page.seat}.png", animations="disabled")
        for page in self.everybody:
            page.context.close()


def _first_apart(one: str, other: str) -> str:
    """Return the first line in which two texts differ."""
    lines = [*zip(one.splitlines(), other.splitlines(), strict=False)]
    mine, theirs = next(((mine, theirs) for mine, theirs in lines if mine != theirs), (one[-80:], other[-80:]))
    return f'"{mine}" before, "{theirs}" after'


def _use_basic_view(page: Page) -> None:
    """Tick the box in the menu; games without a view of their own lack it."""
    page.page.locator("main > header [aria-haspopup=dialog]").last.click()
    box = page.page.locator("dialog[open]").get_by_label("Basic view")
    if box.count():
        box.click()
    page.page.keyboard.press("Escape")
