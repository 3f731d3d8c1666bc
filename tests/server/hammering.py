"""Clients that answer as fast as they can at many tables, or only listen, and remember what they received."""

import asyncio
import json
import random
from collections.abc import Sequence
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from cardhouse.engine.integrity.verify import verify
from tests.server.history import Fault, History
from tests.server.talking import SECONDS, Frame, Server, TableMade, Told, new_id

NAMES = ("Ada", "Nan", "Zoe", "Bo", "Kit")
CARDS = ("HA", "HK", "S10", "C2", "D7")
REFUSED = ("stale", "not_offered", "nothing_to_undo", "nothing_to_redo")
RETRY_SECONDS = 0.05
"""Who is told that nothing can be saved asks again after so long."""


class Listener:
    """Somebody in a seat who is told of everything, over any of some servers; `lives` are the connections."""

    def __init__(self, table: TableMade, seat: str) -> None:
        self.table = table
        self.seat = seat
        self.told = Told()
        self.lives: list[list[str]] = []

    async def play(self, server: Server, enough: int | None = None) -> None:
        """Until the line is cut, or enough has been done."""
        self.told = Told()
        self.lives.append(self.told.texts)
        try:
            async with connect(f"ws://127.0.0.1:{server.port}/ws", max_queue=None) as socket:
                sit = {"t": "sit", "table": self.table.id, "token": self.table.links[self.seat]}
                await socket.send(json.dumps(sit))
                await self._hear(socket, "table")
                await self._play(socket, enough)
        except (ConnectionClosed, InvalidMessage, InvalidHandshake, OSError):  # the last three while connecting
            return

    async def _play(self, socket: Any, enough: int | None) -> None:
        while enough is None or self.told.n < enough:
            await self._hear(socket, "change")

    async def _hear(self, socket: Any, *kinds: str) -> Frame:
        """The next frame of these kinds, or of any."""
        while True:
            async with asyncio.timeout(SECONDS):  # `wait_for` may pass over that it is cancelled
                text = await socket.recv()
            frame = self.told.take_in(text)
            if not kinds or frame["t"] in kinds:
                return frame


class Hammer(Listener):
    """One who answers without a pause, until `enough` or the line is cut.

    `acknowledged` are the numbers of the answers by their ids, over all of this one's lives; `unsure` is the answer
    that was under way when the line was cut, and is given again. What nobody is told of counts as `refused`.
    """

    def __init__(self, table: TableMade, seat: str = "gm", seed: int = 0) -> None:
        super().__init__(table, seat)
        self.random = random.Random(seed)
        self.acknowledged: dict[str, int] = {}
        self.refused = 0
        self.unsaved = 0
        self.unsure: tuple[str, Frame] | None = None

    async def _play(self, socket: Any, enough: int | None) -> None:
        wanted = None if enough is None else len(self.acknowledged) + enough
        while wanted is None or len(self.acknowledged) < wanted:
            await self._answer(socket)

    async def _answer(self, socket: Any) -> None:
        own, answer = self.unsure or (new_id(), self._choose())
        self.unsure = own, answer
        await socket.send(json.dumps({"t": "answer", "id": own, "at": self.told.n, "answer": answer}))
        while True:
            frame = await self._hear(socket)
            if frame.get("ack") == own or (frame["t"] == "ack" and frame["id"] == own):
                assert own not in self.acknowledged
                self.acknowledged[own] = frame["n"]
                break
            if frame["t"] == "error" and frame.get("id") == own:
                if frame["code"] == "not_saved":  # nobody knows; it is given again
                    self.unsaved += 1
                    await asyncio.sleep(RETRY_SECONDS)
                    return
                assert frame["code"] in REFUSED, frame
                self.refused += 1
                break
        self.unsure = None

    def _choose(self) -> Frame:
        """What is offered, mostly; else what may be done at any time, an undo, or a redo."""
        chance = self.random.random()
        if chance < 0.05:
            return {"undo": 1} if chance < 0.03 else {"redo": 1}
        if self.told.offers and chance < 0.75:
            offer = self.random.choice(self.told.offers)
            return {"do": offer["do"], **{name: field["const"] for name, field in offer["fields"].items()}}
        which = self.random.randrange(len(NAMES))
        if chance < 0.9:
            secret = {"hidden": True} if self.random.random() < 0.5 else {}
            return {"do": "add_character", "name": NAMES[which], "card": CARDS[which], **secret}
        return {"do": "show" if chance < 0.92 else "remove_character", "name": NAMES[which]}


def faults_of(table: TableMade, people: Sequence[Listener], others: int = 0) -> tuple[int, list[Fault]]:
    """How many answers are in a table's log, and what is wrong with its history.

    `people` are all who were there, but for those who gave the first `others` answers.
    """
    hammers = [person for person in people if isinstance(person, Hammer)]
    history = History(
        lives=[texts for person in people for texts in person.lives],
        acknowledged={own: number for hammer in hammers for own, number in hammer.acknowledged.items()},
        unsure={hammer.unsure[0] for hammer in hammers if hammer.unsure},
        others=others,
    )
    transcript = table.transcript()
    return sum("by" in line for line in transcript[1:]), history.faults(transcript)


def check_nothing_lost(table: TableMade, people: Sequence[Listener], others: int = 0) -> int:
    """How many answers are in a table's log; fails if anything is wrong with its history, as `faults_of` has it."""
    answers, faults = faults_of(table, people, others)
    assert not faults, faults
    return answers


def check_fair(table: TableMade) -> int:
    """All its cards come from the seed that was committed to, however often the server began anew; how many there are.

    The table is ended for that.
    """
    assert table.sit("gm").ask({"end": True})["t"] == "change"
    found = verify([json.dumps(line) for line in table.transcript()])
    assert found.commitment == table.commitment
    return found.cards
