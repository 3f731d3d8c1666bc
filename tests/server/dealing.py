"""Devices that take part in the deals of a table, like the page's own, and some that cheat."""

import json
import secrets
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from cardhouse.engine import Table
from cardhouse.engine.chance.shared_randomness import hash_of_link
from cardhouse.engine.table.hash_chain import fixed
from cardhouse.engine.values.transcript import Line
from cardhouse.server.management.table_manager import NewTable, TableManager
from tests.server.insiders import Insider
from tests.server.talking import Frame, new_id

LENGTH = 64


class Chain:
    """A hash chain of a device's own, given from its end."""

    def __init__(self, length: int = LENGTH, secret: str = "") -> None:
        self.given = ""
        self._values = [secret or secrets.token_hex(32)]
        while len(self._values) <= length:
            self._values.append(hash_of_link(self._values[-1]))
        self.anchor = self._values.pop()

    def next(self) -> str:
        self.given = self._values.pop()
        return self.given


def round_of(
    table: Table,
    answer: Line,
    number: int,
    chains: Mapping[int, Chain],
    silent: Collection[int] = (),
    after: Sequence[Line] = (),
) -> Line:
    """Return round `number` of links as an honest server logs it for an answer's line, after its void rounds.

    The devices of these `chains` are asked, and the `silent` ones withhold their links.
    """
    together = table.together.after_all(after)
    expected = {number: together.device(number).latest for number in chains}
    line: Line = {
        "links": {str(number): chain.next() for number, chain in chains.items() if number not in silent},
        "round": number,
        "fixed": fixed(table.committed_seed or b"", table.log_state(table.number).head, [answer], expected),
    }
    if silent:
        line["withheld"] = {str(number): together.device(number).seat for number in silent}
    return line


class Dealer(Insider):
    """Somebody whose device gives its links, unless it is `silent`; `gave` is what it gave, by round."""

    def __init__(self, house: TableManager) -> None:
        super().__init__(house)
        self.chain = Chain()
        self.number = self.since = 0
        self.silent = False
        self.asked: list[Frame] = []
        self.gave: dict[int, dict[str, Any]] = {}

    def keep(self, text: str) -> None:
        super().keep(text)
        frame = self.frames[-1]
        if frame["t"] == "round":
            self.asked.append(frame)
            if not self.silent:
                self.give(frame)
        elif frame["t"] == "device":
            self.number = frame["number"]
            self.since = frame["round"]

    def give(self, frame: Frame) -> None:
        """Give the next link."""
        link = self.chain.next()
        self.gave[frame["round"]] = {**{name: frame[name] for name in ("round", "id", "fixed")}, "link": link}
        self._say_now({"t": "link", "round": frame["round"], "link": link})

    def _say_now(self, frame: Frame) -> None:
        self._inbox.put_nowait({"type": "websocket.receive", "text": json.dumps(frame)})

    async def take_part(self, made: NewTable, seat: str) -> "Dealer":
        """Sit down, and have the device take part."""
        await self.sit(made, seat)
        await self.say({"t": "device", "anchor": self.chain.anchor})
        await self.until(lambda: self.number > 0)
        return self

    async def return_to_deals(self) -> Frame:
        """Say that the device is back, and show the last link that it gave."""
        shown = self.chain.given or self.chain.anchor
        return await self.offer(number=self.number, anchor=shown, round=0)

    async def offer(self, **device: Any) -> Frame:
        """Say which device is to take part; what the server says to it."""
        before = len(self._heard())
        self._say_now({"t": "device", **device})
        await self.until(lambda: len(self._heard()) > before)
        return self._heard()[before]

    def _heard(self) -> list[Frame]:
        return [frame for frame in self.frames if frame["t"] in ("device", "error")]

    async def act(self, answer: Any) -> Frame:
        """Give an answer that may draw, and wait for what comes of it."""
        own = new_id()
        self._say_now({"t": "answer", "id": own, "at": self.n, "answer": answer})
        await self.until(lambda: bool(self._came_of(own)))
        return self._came_of(own)[-1]

    def _came_of(self, id: str) -> list[Frame]:
        return [frame for frame in self.frames if frame["t"] != "round" and id in (frame.get("ack"), frame.get("id"))]
