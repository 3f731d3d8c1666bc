"""Presence is sent when it changes, to clients that don't know it yet, at a limited rate."""

import asyncio
import json
from collections.abc import Callable

from cardhouse.server.table.broadcaster import Client
from cardhouse.server.table.presence import TELL_SECONDS, Presence
from cardhouse.server.wire import protocol
from cardhouse.server.wire.frames import Outgoing
from tests.server.talking import Server


class Room:
    """Two seats, and clients who write down which they were told are taken."""

    def __init__(self, people: int) -> None:
        self.heard: list[list[list[str]]] = [[] for _ in range(people)]
        self.here: set[str] = set()
        self.clients = [Client(self._hears(number)) for number in range(people)]
        self.presence = Presence(lambda: self.clients, self._seated)
        self._something = asyncio.Event()

    def _hears(self, number: int) -> Callable[[Outgoing], None]:
        def hear(frame: Outgoing) -> None:
            seats = json.loads(frame.content)["seats"]
            self.heard[number].append([seat["seat"] for seat in seats if seat["here"]])
            self._something.set()

        return hear

    def _seated(self) -> list[protocol.Seated]:
        return [protocol.Seated(seat, "", seat in self.here) for seat in ("ada", "ben")]

    async def tell(self, *here: str) -> None:
        """These are there now; until somebody has heard of it."""
        self.here = set(here)
        self._something.clear()
        self.presence.changed()
        await self._something.wait()


def test_all_hear_of_several_changes_at_once():
    async def play() -> None:
        room = Room(2)
        room.presence.changed()
        await room.tell("ada", "ben")
        assert room.heard == [[["ada", "ben"]], [["ada", "ben"]]]

    asyncio.run(play())


def test_unchanged_presence_is_sent_only_to_the_newcomer():
    async def play() -> None:
        room = Room(3)
        await room.tell("ada")
        room.presence.came(room.clients[1])  # one more, in a seat where somebody is
        await room.tell("ada")
        assert room.heard == [[["ada"]], [["ada"], ["ada"]], [["ada"]]]

    asyncio.run(play())


def test_presence_is_sent_at_most_ten_times_a_second():
    async def play() -> None:
        room = Room(1)
        loop = asyncio.get_running_loop()
        begin = loop.time()
        for _ in range(500):
            room.here ^= {"ben"}
            room.presence.changed()
            await asyncio.sleep(0)
        await room.tell("ada")
        assert room.heard[0][-1] == ["ada"]
        assert len(room.heard[0]) <= 2 + (loop.time() - begin) / TELL_SECONDS

    asyncio.run(play())


def test_forty_who_share_a_seat_come_and_go_and_nobody_else_hears_of_it(house: Server):
    table = house.make_table(game="initiative", seats=2)
    ben = table.sit("p2")
    ada = table.sit("p1")
    while {"seat": "p1", "name": "", "here": True} not in ben.hear("seats")["seats"]:
        pass
    for _ in range(40):
        table.sit("p1").close()
    ada.say(t="name", name="Ada")
    assert {"seat": "p1", "name": "Ada", "here": True} in ben.hear("seats")["seats"]
