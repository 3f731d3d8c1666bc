"""The same load on boardgame.io, by its own protocol: socket.io, with the whole state for each answer.

    python -m benchmarks.boardgame.load ADDRESS TABLES SECONDS

prints the same as `benchmarks/load.py`.
"""

import json
import sys
from typing import Any

import msgspec

from benchmarks.load import PEOPLE, Load, Person, Table, measure

GAME = "initiative"


class State(msgspec.Struct):
    """The part of a state that the load needs."""

    number: int = msgspec.field(name="_stateID")


class Synced(msgspec.Struct):
    """The part of the response to joining that it needs."""

    state: State


event = msgspec.json.Decoder(list[msgspec.Raw]).decode


class BoardgamePerson(Person):
    """A socket of Engine.IO 4, in the game's namespace."""

    path = "/socket.io/?EIO=4&transport=websocket"

    def sit(self) -> None:
        """Wait: the server speaks first."""

    def answer(self, id: str, n: int, answer: dict[str, Any]) -> None:
        """Make a move on the common state."""
        payload = {"type": "act", "args": [], "playerID": self.player, "credentials": self.token}
        self.emit("update", {"type": "MAKE_MOVE", "payload": payload}, n, self.table.id, self.player)

    @property
    def player(self) -> str:
        """The name of a seat there."""
        return str(PEOPLE.index(self.seat))

    def emit(self, *event: Any) -> None:
        """Send an event."""
        self.send(f"42/{GAME},{json.dumps(event)}".encode())

    def heard(self, payload: bytes, wire_bytes: int) -> None:
        """Handle a packet of Engine.IO."""
        if payload.startswith(b"0"):
            self.send(f"40/{GAME},".encode())
        elif payload.startswith(b"2"):
            self.send(b"3")
        elif payload.startswith(b"40"):
            self.emit("sync", self.table.id, self.player, self.token, len(PEOPLE))
        elif payload.startswith(b"42"):
            name, *given = event(payload.partition(b",")[2])
            if bytes(name) == b'"sync"':
                self.table.seated(msgspec.json.decode(given[1], type=Synced).state.number)
            elif bytes(name) == b'"update"':
                self.load.received(len(payload), wire_bytes)
                if self.table.asked is self:
                    self.table.acknowledged(self.table.id_asked)
                self.table.told(self, msgspec.json.decode(given[1], type=State).number)


async def play(address: str, count: int, seconds: float) -> dict[str, float]:
    """Play with people at this many matches; return the measurements."""
    load = Load()
    links = dict.fromkeys(PEOPLE, "")  # joining a match that doesn't exist creates it
    tables = [Table(load, f"match{number}", links, bare=True, person=BoardgamePerson) for number in range(count)]
    return await measure(load, tables, address, seconds)


if __name__ == "__main__":
    import uvloop

    print(json.dumps(uvloop.run(play(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))))
