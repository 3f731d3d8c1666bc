"""People who answer as fast as they can at many tables, and remember what was acknowledged."""

import asyncio
import json
import random
from collections.abc import Sequence
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidMessage

from cardhouse.engine.verify import verify
from tests.server.talking import SECONDS, Frame, Server, TableMade, new_id

NAMES = ("Ada", "Nan", "Zoe", "Bo", "Kit")
CARDS = ("HA", "HK", "S10", "C2", "D7")


class Hammer:
    """Somebody at a table who answers without a pause, over any of some servers, until `enough` or the line is cut.

    `acknowledged` are the numbers of the answers by their ids, over all of this one's lives; `unsure` is the answer
    that was under way when the line was cut, and is given again.
    """

    def __init__(self, table: TableMade, seat: str = "gm", seed: int = 0) -> None:
        self.table = table
        self.seat = seat
        self.random = random.Random(seed)
        self.acknowledged: dict[str, int] = {}
        self.refused = 0
        self.unsure: tuple[str, Frame] | None = None
        self.n = 0
        self.offers: list[Frame] = []

    async def play(self, server: Server, enough: int | None = None) -> None:
        """Answer until the line is cut, or so many more answers have been acknowledged."""
        wanted = None if enough is None else len(self.acknowledged) + enough
        try:
            async with connect(f"ws://127.0.0.1:{server.port}/ws", max_queue=None) as socket:
                await socket.send(
                    json.dumps({"t": "sit", "table": self.table.id, "token": self.table.links[self.seat]})
                )
                await self._hear(socket, "table")
                while wanted is None or len(self.acknowledged) < wanted:
                    await self._answer(socket)
        except (ConnectionClosed, InvalidMessage, OSError):  # the last two while connecting
            return

    async def _answer(self, socket: Any) -> None:
        own, answer = self.unsure or (new_id(), self._choose())
        self.unsure = own, answer
        await socket.send(json.dumps({"t": "answer", "id": own, "at": self.n, "answer": answer}))
        while True:
            frame = await self._hear(socket)
            if frame.get("ack") == own or (frame["t"] == "ack" and frame["id"] == own):
                assert own not in self.acknowledged
                self.acknowledged[own] = frame["n"]
                break
            if frame["t"] == "error" and frame.get("id") == own:
                assert frame["code"] in ("stale", "not_offered", "nothing_to_undo"), frame
                self.refused += 1
                break
        self.unsure = None

    def _choose(self) -> Frame:
        """What is offered, mostly; else what may be done at any time, or an undo."""
        chance = self.random.random()
        if chance < 0.05:
            return {"undo": 1}
        if self.offers and chance < 0.8:
            offer = self.random.choice(self.offers)
            return {"do": offer["do"], **{name: field["const"] for name, field in offer["fields"].items()}}
        which = self.random.randrange(len(NAMES))
        if chance < 0.9:
            return {"do": "add_character", "name": NAMES[which], "card": CARDS[which]}
        return {"do": "remove_character", "name": NAMES[which]}

    async def _hear(self, socket: Any, kind: str | None = None) -> Frame:
        while True:
            frame: Frame = json.loads(await asyncio.wait_for(socket.recv(), SECONDS))
            self.n = max(self.n, frame.get("n", 0))
            if frame["t"] in ("table", "change"):
                self.offers = frame.get("offers", self.offers)
            if kind is None or frame["t"] == kind:
                return frame


def check_nothing_lost(table: TableMade, hammers: Sequence[Hammer], others: int = 0) -> int:
    """Every acknowledged answer is in the table's log at its number, and nothing is there twice; how many there are.

    `others` are the answers at the beginning that were not theirs.
    """
    answers = [line for line in table.transcript()[1:] if "by" in line]
    places = {line["id"]: number for number, line in enumerate(answers, start=1)}
    assert len(places) == len(answers), "an answer is there twice"
    for hammer in hammers:
        for own, number in hammer.acknowledged.items():
            assert places.get(own) == number, "an acknowledged answer is missing"
    sure = {own for hammer in hammers for own in hammer.acknowledged}
    unsure = {hammer.unsure[0] for hammer in hammers if hammer.unsure}
    assert set(list(places)[others:]) <= sure | unsure
    return len(answers)


def check_fair(table: TableMade) -> None:
    """All its cards come from the seed that was committed to, however often the server began anew."""
    assert table.sit("gm").ask({"end": True})["t"] == "change"
    found = verify([json.dumps(line) for line in table.transcript()])
    assert found.commitment == table.commitment
    assert found.cards > 0
