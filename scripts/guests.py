"""Two people who visit a server like browsers, and play, for the trials of the recipes in deploy/."""

import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
from websockets.exceptions import ConnectionClosed, ConnectionClosedError
from websockets.sync.client import connect

SECONDS = 30
LARGE = 15_900_000
"""The size of a campaign that is nearly too large, in bytes."""
CONNECTIONS = 2
"""The limit on connections of one address on a server under trial: just those of the two players."""
QUIET_SECONDS = 30
"""Longer than the server's interval of pings (20 s)."""
ELSEWHERE = "203.0.113.9"
"""An address that no visitor has, whatever the headers claim."""

CARDS = [f"{suit}{rank}" for suit in "SHCD" for rank in ("A", *range(2, 11), "J", "Q", "K")]
"""Used in turn, so that no table gets one twice, however many tables are played before."""

_ANSWERS = count(1)


class Guests:
    """The visitors of a server at an address, which may include a path: `https://cards.example.org/cards`.

    `trusting` has the certificates that they trust, `key` the server's key, if it requires one for new tables.
    """

    def __init__(self, address: str, trusting: ssl.SSLContext | None = None, key: str = "") -> None:
        parts = urlsplit(address)
        self.address = address.rstrip("/")
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self._trusting = trusting
        headers = {"Origin": self.origin} | ({"Cardhouse-Key": key} if key else {})
        self.web = httpx.Client(base_url=self.address, verify=trusting or True, headers=headers, timeout=SECONDS)

    def make_table(self) -> dict[str, Any]:
        """Create a table, and return the server's response."""
        asked = self.web.post("/api/tables", json={"game": "initiative", "seats": 3})
        made: dict[str, Any] = asked.raise_for_status().json()
        assert self.web.get(f"/t/{made['table']}").is_success
        return made

    @contextmanager
    def sits(self, made: dict[str, Any], seat: str, headers: dict[str, str] | None = None) -> Iterator[Any]:
        """Yield a socket that has joined this seat, once it has received the table; it sends no pings."""
        with self._connected(headers) as there:
            token = made["links"][seat].rpartition("#")[2]
            with suppress(ConnectionClosed):  # by a server that says why, which is read below
                there.send(msgspec.json.encode({"t": "sit", "table": made["table"], "token": token}).decode())
            heard(there, lambda frame: frame["t"] == "table")
            yield there

    def _connected(self, headers: dict[str, str] | None, tries: int = 2) -> Any:
        """Connect. One thread reads from the socket while another writes.

        Python before 3.13 lets both into OpenSSL at once, which may fail when a server's first tickets arrive at that
        moment; then it is retried, since that isn't the server's fault.
        """
        origin: Any = self.origin
        url = f"ws{self.address.removeprefix('http')}/ws"
        try:
            return connect(
                url,
                ssl=self._trusting,
                origin=origin,
                ping_interval=None,
                additional_headers=headers,
                proxy=None,
                open_timeout=SECONDS,
            )
        except ConnectionClosedError as error:
            if not tries or not isinstance(error.__cause__, ssl.SSLError):
                raise
        return self._connected(headers, tries - 1)

    def answer(self, gm: Any, *others: Any) -> None:
        """Add a character; everyone at the table sees it."""
        number = next(_ANSWERS)
        name = f"{number:022}"  # an answer's id, by which the server applies it once
        answer = {"do": "add_character", "name": f"Nan {number}", "card": CARDS[number % len(CARDS)]}
        gm.send(msgspec.json.encode({"t": "answer", "id": name, "at": 0, "answer": answer}).decode())
        number = heard(gm, lambda frame: frame.get("ack") == name)["n"]
        for other in others:
            assert heard(other, lambda frame: frame.get("n") == number)

    def play(self, made: dict[str, Any]) -> None:
        """Let the game master and a player join; both see what one does."""
        with self.sits(made, "gm") as gm, self.sits(made, "p1") as ada:
            self.answer(gm, ada)

    def play_behind_a_proxy(self) -> list[str]:
        """Play behind a proxy in front of a server with a limit on connections (CONNECTIONS); return what was seen.

        Raises AssertionError if anything is wrong.
        """
        made = self.make_table()
        with self.sits(made, "gm") as gm, self.sits(made, "p1") as ada:
            self.answer(gm, ada)
            told = ["a table made, two seated, an answer heard by both"]
            self._say_where_they_come_from(made)
            told.append("a forged address lets nobody past a limit")
            self._send_what_is_large()
            told.append(f"{LARGE:,} bytes came through")
            elsewhere = self.web.post("/api/tables", json={}, headers={"Origin": "https://evil.example"})
            assert elsewhere.json()["code"] == "wrong_origin", elsewhere.text
            told.append("another site's page refused")
            time.sleep(QUIET_SECONDS)
            self.answer(gm, ada)
            told.append(f"sockets open after {QUIET_SECONDS} quiet seconds")
        return told

    def _say_where_they_come_from(self, made: dict[str, Any]) -> None:
        """Check that a connection above the limit is refused, whatever its headers claim."""
        try:
            with self.sits(made, "p2", {"X-Forwarded-For": ELSEWHERE}):
                refused = ""
        except Said as error:
            refused = error.frame["code"]
        assert refused == "too_many", "somebody had one socket more than an address may have, by a forged header"

    def _send_what_is_large(self) -> None:
        """Send nearly as much as a server accepts: the server, not the proxy, must report the error."""
        large = {"Content-Type": "application/json"}
        asked = self.web.post("/api/campaigns/import", content=b"x" * LARGE, headers=large)
        assert asked.json()["code"] == "malformed", asked.text


class Said(Exception):
    """The server refused something; `frame` is its error."""

    def __init__(self, frame: dict[str, Any]) -> None:
        super().__init__(str(frame))
        self.frame = frame


def heard(there: Any, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """Return the first wanted frame. Raises Said if the server refuses something before."""
    while True:
        frame: dict[str, Any] = msgspec.json.decode(there.recv(timeout=SECONDS))
        if frame["t"] == "error":
            raise Said(frame)
        if wanted(frame):
            return frame
