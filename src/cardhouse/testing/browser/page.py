"""The page of one seat in a browser, with its frames and errors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from cardhouse.testing.browser.overflow import sticking_out, sticking_out_when_narrow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Request, WebSocket

Device = dict[str, Any]
PHONE: Device = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
DESK: Device = {"viewport": {"width": 1360, "height": 850}}
SECONDS = 30
"""Time limit of a wait."""
_NEXT = "() => new Promise((done) => setTimeout(done, 20))"
"""Waits until a page has reacted to a press."""
_FAILED = "() => [...document.querySelectorAll('.view-failed')].map((e) => e.textContent.trim())"
_SHOWN = "() => [...document.querySelectorAll('main .now .ask, main .first')].map((e) => e.innerText).join('\\n')"


class Page:
    """The page of one seat, or of the table screen.

    `number` is the last entry it has received, `complaints` are its errors, `refusals` the messages to its refused
    answers. `waits` is how many answers are still pending.
    """

    def __init__(self, browser: Browser, link: str, seat: str, device: Device) -> None:
        self.seat = seat
        self.link = link
        self.number = 0
        self.waits = 0
        self.complaints: list[str] = []
        self.refusals: list[str] = []
        self.doc: dict[str, Any] = {}
        self.is_phone = device is PHONE
        self.context = browser.new_context(**{"color_scheme": "dark", "reduced_motion": "reduce", **device})
        self.context.set_default_timeout(SECONDS * 1000)
        self.page = self.context.new_page()
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(f"an error that nothing catches: {error}"))
        self.page.on("request", self._request)
        self.page.on("websocket", self._socket)
        self.come()

    def come(self) -> None:
        """Open the seat's link afresh, and wait for the table."""
        self.waits = 0
        self.socket: WebSocket | None = None
        self.page.goto("about:blank")
        self.page.goto(self.link)
        self.page.locator("main :is(.ask, .end)").first.wait_for()

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(f"an error on the console: {message.text}")

    def _request(self, request: Request) -> None:
        if urlsplit(request.url).netloc not in ("", urlsplit(self.link).netloc):
            self.complaints.append(f"it requested {request.url}, which is on another server")

    def _socket(self, socket: WebSocket) -> None:
        self.socket = socket
        socket.on("framesent", self._on_sent)
        socket.on("framereceived", self._on_received)

    def _on_sent(self, payload: str | bytes) -> None:
        self.waits += json.loads(payload)["t"] == "answer"

    def _on_received(self, payload: str | bytes) -> None:
        frame = json.loads(payload)
        kind = frame["t"]
        if kind in ("table", "change"):
            self.number = frame["n"]
        if kind == "table":
            self.doc = frame["doc"]
        if kind == "ack" or frame.get("ack"):
            self.waits -= 1
        if kind == "error" and frame.get("id"):
            self.waits -= 1
            self.refusals.append(frame["message"])

    # Waiting.

    def settle(self) -> None:
        """Wait until pending answers are acknowledged or refused."""
        self.page.evaluate(_NEXT)
        while self.waits > 0:
            self._wait_for_frame()

    def catch_up(self, number: int) -> None:
        """Wait until this page has received everything up to an entry."""
        while self.number < number:
            self._wait_for_frame()

    def _wait_for_frame(self) -> None:
        assert self.socket is not None
        self.socket.wait_for_event("framereceived", timeout=SECONDS * 1000)

    # Looking.

    @property
    def is_asked(self) -> bool:
        """Whether the seat is asked something, as the page's title shows for people with another tab open."""
        return self.page.title().startswith("●")

    def shows(self) -> str:
        """Return the question and the table as text."""
        return self.page.evaluate(_SHOWN)  # type: ignore[no-any-return]

    def wrong(self, *, narrow: bool = False) -> str | None:
        """Return an error of the page as it is now, as the end of a sentence; None without one."""
        if self.complaints:
            return f"has {self.complaints[0]}"
        if failed := self.page.evaluate(_FAILED):
            return f"can't show a part of the game's own view: {failed[0]}"
        if wide := sticking_out(self.page):
            return f"doesn't fit, {self.page.viewport_size}: {'; '.join(wide[:3])}"
        if narrow and self.is_phone and (wide := sticking_out_when_narrow(self.page)):
            return f"doesn't fit on the narrowest phone, of 320 pixels: {'; '.join(wide[:3])}"
        return None
