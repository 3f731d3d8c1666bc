"""Two people who come to a house as browsers do, and play: what the trials of the recipes in deploy/ see of it."""

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
"""Bytes of a campaign that is nearly too large."""
CONNECTIONS = 2
"""What a house that is tried lets one address have: those of the two who play."""
QUIET_SECONDS = 30
"""Longer than a server goes without a ping (20 s)."""
ELSEWHERE = "203.0.113.9"
"""An address that nobody comes from, whatever they say."""

CARDS = [f"{suit}{rank}" for suit in "SHCD" for rank in ("A", *range(2, 11), "J", "Q", "K")]
"""One after the other, so that no table is told of one twice, however many are played at before."""

_ANSWERS = count(1)


class Guests:
    """Those who come to a house by its address, a prefix of its paths included, `https://cards.example.org/cards`.

    `trusting` is which certificates they believe in, `key` the house's, if it takes one to make tables.
    """

    def __init__(self, address: str, trusting: ssl.SSLContext | None = None, key: str = "") -> None:
        parts = urlsplit(address)
        self.address = address.rstrip("/")
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self._trusting = trusting
        headers = {"Origin": self.origin} | ({"Cardhouse-Key": key} if key else {})
        self.web = httpx.Client(base_url=self.address, verify=trusting or True, headers=headers, timeout=SECONDS)

    def make_table(self) -> dict[str, Any]:
        """What a house says of a table just made."""
        asked = self.web.post("/api/tables", json={"game": "initiative", "seats": 3})
        made: dict[str, Any] = asked.raise_for_status().json()
        assert self.web.get(f"/t/{made['table']}").is_success
        return made

    @contextmanager
    def sits(self, made: dict[str, Any], seat: str, headers: dict[str, str] | None = None) -> Iterator[Any]:
        """A socket of whoever sits in this seat, when the table has come; it sends no pings of its own."""
        with self._connected(headers) as there:
            token = made["links"][seat].rpartition("#")[2]
            with suppress(ConnectionClosed):  # by a house that says why: that is heard all the same
                there.send(msgspec.json.encode({"t": "sit", "table": made["table"], "token": token}).decode())
            heard(there, lambda frame: frame["t"] == "table")
            yield there

    def _connected(self, headers: dict[str, str] | None, tries: int = 2) -> Any:
        """A socket. One of our own threads reads from it while another writes.

        Python before 3.13 lets both into OpenSSL at once, which fails at times when a server's first tickets come in
        just then; it is tried again, as nobody else has to do with it.
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
        """Somebody comes to the table; all who sit there hear of it."""
        number = next(_ANSWERS)
        name = f"{number:022}"  # an answer is known by it, whoever gives it, and done once
        answer = {"do": "add_character", "name": f"Nan {number}", "card": CARDS[number % len(CARDS)]}
        gm.send(msgspec.json.encode({"t": "answer", "id": name, "at": 0, "answer": answer}).decode())
        number = heard(gm, lambda frame: frame.get("ack") == name)["n"]
        for other in others:
            assert heard(other, lambda frame: frame.get("n") == number)

    def play(self, made: dict[str, Any]) -> None:
        """The game master and a player sit down; what one does, both hear."""
        with self.sits(made, "gm") as gm, self.sits(made, "p1") as ada:
            self.answer(gm, ada)

    def play_behind_a_proxy(self) -> list[str]:
        """What was seen of a house behind a proxy, that lets an address have so many sockets (CONNECTIONS).

        Raises AssertionError where it isn't as it should be.
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
        """One socket more than an address may have is refused, whatever its headers say of who asks."""
        try:
            with self.sits(made, "p2", {"X-Forwarded-For": ELSEWHERE}):
                refused = ""
        except Said as error:
            refused = error.frame["code"]
        assert refused == "too_many", "somebody had one socket more than an address may have, by a forged header"

    def _send_what_is_large(self) -> None:
        """Nearly as much as a house takes in: it is the house that says what is wrong with it, not the proxy."""
        large = {"Content-Type": "application/json"}
        asked = self.web.post("/api/campaigns/import", content=b"x" * LARGE, headers=large)
        assert asked.json()["code"] == "malformed", asked.text


class Said(Exception):
    """The house refused something; `frame` is how it said so."""

    def __init__(self, frame: dict[str, Any]) -> None:
        super().__init__(str(frame))
        self.frame = frame


def heard(there: Any, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """The first frame that is wanted. Raises Said if the house refuses something before."""
    while True:
        frame: dict[str, Any] = msgspec.json.decode(there.recv(timeout=SECONDS))
        if frame["t"] == "error":
            raise Said(frame)
        if wanted(frame):
            return frame
