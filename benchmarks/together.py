"""The cost of a shared deal: the time from an answer that draws to its acknowledgement, compared with other tables.

    python -m benchmarks.together [ANSWERS]

Four people sit at a table of card initiative on SQLite, each with a device; the game master answers for all. The turns
of the two tables alternate, so that both have the same conditions.
"""

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from tests.server.dealing import Chain
from tests.server.talking import FAST, Server, TableMade, new_id, running

SEATS = ("gm", "p1", "p2", "p3")
CHARACTERS = {"Ada": "SA", "Wyatt": "SK", "Doc": "S9", "Kate": "H8", "Ike": "HJ", "Curly": "H3"}
LINKS = 5_000

Frame = dict[str, Any]


class Person:
    """A person at a table, whose device gives its links."""

    def __init__(self, socket: ClientConnection, together: bool) -> None:
        self.socket, self.together = socket, together
        self.chain = Chain(LINKS)
        self.frames: asyncio.Queue[Frame] = asyncio.Queue()
        self.listening = asyncio.create_task(self.listen())

    async def sit(self, table: TableMade, seat: str) -> None:
        await self.say(t="sit", table=table.id, token=table.links[seat])
        if self.together:
            await self.say(t="device", anchor=self.chain.anchor)
            while (await self.frames.get())["t"] != "device":
                pass

    async def say(self, **frame: Any) -> None:
        await self.socket.send(json.dumps(frame))

    async def listen(self) -> None:
        async for text in self.socket:
            frame = json.loads(text)
            if frame["t"] == "round":
                await self.say(t="link", round=frame["round"], link=self.chain.next())
            self.frames.put_nowait(frame)


class At:
    """A table and its four people."""

    def __init__(self, people: list[Person]) -> None:
        self.people = people
        self.n = 0
        self.seconds: list[float] = []

    async def answer(self, answer: Frame, *, timed: bool) -> None:
        gm, id = self.people[0], new_id()  # noqa: A001
        started = time.perf_counter()
        await gm.say(t="answer", id=id, at=self.n, answer=answer)
        drew = False
        while True:
            frame = await gm.frames.get()
            drew |= frame["t"] == "round"
            self.n = frame["n"] if frame["t"] in ("table", "change") else self.n
            assert frame["t"] != "error", frame
            if frame.get("ack") == id:
                break
        if timed and (drew or not gm.together):
            self.seconds.append(time.perf_counter() - started)

    async def prepare(self) -> None:
        for name, card in CHARACTERS.items():
            await self.answer({"do": "add_character", "name": name, "card": card}, timed=False)

    async def one_draw(self) -> None:
        """Start a round, which draws, and undo it."""
        await self.answer({"do": "start_round"}, timed=True)
        await self.answer({"undo": 1}, timed=False)


async def play(server: Server, answers: int) -> tuple[list[float], list[float]]:
    tables = []
    for deal in ("", "together"):
        table = server.make_table(seats=list(SEATS[1:]), deal=deal)
        people = [Person(await connect(f"ws://127.0.0.1:{server.port}/ws"), bool(deal)) for _ in SEATS]
        for person, seat in zip(people, SEATS, strict=True):
            await person.sit(table, seat)
        tables.append(At(people))
        await tables[-1].prepare()
    for _ in range(answers):
        for at in tables:
            await at.one_draw()
    return tables[0].seconds, tables[1].seconds


def main(answers: int = 300) -> None:
    """Measure, and print the results."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(f"sqlite:///{folder}/cards.db", *FAST, log=Path(folder) / "log") as server,
    ):
        alone, together = asyncio.run(play(server, answers))
    for name, seconds in (("dealt by the server", alone), ("dealt together", together)):
        p99 = quantiles(seconds, n=100)[98]
        print(f"{name:<22}{median(seconds) * 1000:6.1f} ms  p99 {p99 * 1000:6.1f} ms   ({len(seconds)} draws)")
    print(f"ratio of the medians   {median(together) / median(alone):.2f}")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
