"""People who play as fast as the server lets them, or at a human pace: many tables, four sockets each, in a process.

    python benchmarks/load.py ADDRESS TABLES SECONDS [PACE]

prints a line of JSON when all have joined, and one at the end: acknowledged answers a second, milliseconds from answer
to acknowledgement (p50, p99) and until all four have received it (p99), and the bytes that a client receives for each
answer.

ADDRESS is a Cardhouse server, or with the prefix `bare:` the baseline of `bare.py`. PACE is how many seconds a table
thinks on average before it answers; without it, people answer once all four have received the previous answer.
"""

import asyncio
import base64
import gc
import json
import os
import random
import sys
import time
import urllib.request
import zlib
from typing import Any

import msgspec

PEOPLE = ("gm", "p1", "p2", "p3")
CHARACTERS = {
    "Ada": "SA",
    "Wyatt": "SK",
    "Josephine": "SQ",
    "Doc": "S9",
    "Clementine": "HA",
    "Ike": "HJ",
    "Big Nose Kate": "H8",
    "Curly": "H3",
}
WARM_UP_SECONDS = 1.5
PING, PONG = 0x09, 0x8A


class Heard(msgspec.Struct):
    """The parts of a frame that the load needs."""

    t: str
    n: int = 0
    ack: str | None = None
    offers: list[dict[str, Any]] | None = None
    message: str = ""


decode = msgspec.json.Decoder(Heard).decode
encode = msgspec.json.Encoder().encode


class Load:
    """All tables, and what was measured since `measuring`."""

    def __init__(self, pace: float = 0.0) -> None:
        self.pace = pace
        self.measuring = False
        self.stopping = False
        self.latencies: list[float] = []
        self.told: list[float] = []
        self.bytes = 0
        self.wire_bytes = 0
        self.seen = 0
        self.full_tables = asyncio.Semaphore(0)
        """Counts the tables that everyone has joined."""

    def received(self, size: int, wire_bytes: int) -> None:
        """Count a received answer of this size."""
        if self.measuring:
            self.bytes += size
            self.wire_bytes += wire_bytes
            self.seen += 1


class Person(asyncio.Protocol):
    """A socket with a minimal WebSocket (RFC 6455), so that the load costs less than the server."""

    path = "/ws"

    def __init__(self, load: Load, table: "Table", seat: str, token: str) -> None:
        self.load = load
        self.table = table
        self.seat = seat
        self.token = token
        self.buffer = bytearray()
        self.upgraded = False
        self.offers: list[dict[str, Any]] = []
        self.inflate = zlib.decompressobj(-zlib.MAX_WBITS).decompress

    async def connect(self, host: str, port: int, source: str | None = None) -> None:
        """Connect, optionally from another address of this machine, and join the table."""
        local = None if source is None else (source, 0)
        await asyncio.get_running_loop().create_connection(lambda: self, host, port, local_addr=local)

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        host, port = transport.get_extra_info("peername")[:2]
        transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n".encode()  # like browsers
        )

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.upgraded:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            assert self.buffer.startswith(b"HTTP/1.1 101"), bytes(self.buffer[:end])
            del self.buffer[: end + 4]
            self.upgraded = True
            self.sit()
        start, buffer = 0, self.buffer
        while len(buffer) - start >= 2:
            length, head = buffer[start + 1], 2
            if length == 126:
                length, head = int.from_bytes(buffer[start + 2 : start + 4], "big"), 4
            elif length == 127:
                length, head = int.from_bytes(buffer[start + 2 : start + 10], "big"), 10
            if len(buffer) - start < head + length:
                break
            payload = bytes(buffer[start + head : start + head + length])
            if buffer[start] & 0x40:
                payload = self.inflate(payload + b"\0\0\xff\xff")
            is_control = buffer[start] & 0x08
            if buffer[start] & 0x0F == PING:
                self.transport.write(bytes((PONG, 0x80 | length)) + b"\0\0\0\0" + payload)
            start += head + length
            if not is_control:
                self.heard(payload, head + length)
        del buffer[:start]

    def connection_lost(self, error: Exception | None) -> None:
        if not self.load.stopping:
            self.table.lost(error)

    def sit(self) -> None:
        """Join the seat."""
        self.say({"t": "sit", "table": self.table.id, "token": self.token})

    def answer(self, id: str, n: int, answer: dict[str, Any]) -> None:
        """Answer the question after entry `n`."""
        self.say({"t": "answer", "id": id, "at": n, "answer": answer})

    def say(self, frame: dict[str, Any]) -> None:
        """Send a frame as JSON."""
        self.send(encode(frame))

    def send(self, payload: bytes) -> None:
        """Send a text."""
        head = (
            bytes((0x81, 0x80 | len(payload)))
            if len(payload) < 126
            else bytes((0x81, 0xFE)) + len(payload).to_bytes(2, "big")
        )
        self.transport.write(head + b"\0\0\0\0" + payload)  # masked with zeros

    def heard(self, payload: bytes, wire_bytes: int) -> None:
        """Handle a message from the server."""
        frame = decode(payload)
        if frame.t == "change":
            if frame.offers is not None:
                self.offers = frame.offers
            self.load.received(len(payload), wire_bytes)
            if frame.ack is not None:
                self.table.acknowledged(frame.ack)
            self.table.told(self, frame.n)
        elif frame.t == "table":
            self.offers = frame.offers or []
            self.table.seated(frame.n)
        elif frame.t == "error":
            self.table.refused(frame.message)


class Table:
    """Four people, one of whom answers when all have received the previous answer."""

    def __init__(self, load: Load, id: str, links: dict[str, str], bare: bool, person: type[Person] = Person) -> None:
        self.load = load
        self.id = id
        self.bare = bare
        self.people = {seat: person(load, self, seat, links[seat]) for seat in PEOPLE}
        self.waiting = len(PEOPLE)
        self.controllers: dict[str, str] = {}
        self.random = random.Random(id)
        self.to_add = list(CHARACTERS)

    def seated(self, n: int) -> None:
        self.waiting -= 1
        if not self.waiting:
            self.load.full_tables.release()
            self.think(n)

    def told(self, person: Person, n: int) -> None:
        self.waiting -= 1
        if not self.waiting and not self.load.stopping:
            if self.load.measuring:
                self.load.told.append(time.perf_counter() - self.asked_at)
            self.think(n)

    def think(self, n: int) -> None:
        """Answer at once, or after a random time at a human pace."""
        if self.load.pace:
            asyncio.get_running_loop().call_later(self.random.expovariate(1 / self.load.pace), self.answer, n)
        else:
            self.answer(n)

    def acknowledged(self, id: str) -> None:
        assert id == self.id_asked
        if self.load.measuring:
            self.load.latencies.append(time.perf_counter() - self.asked_at)

    def answer(self, n: int) -> None:
        if self.load.stopping:
            return
        seat, answer = self.choose()
        self.waiting = len(PEOPLE)
        self.id_asked = base64.urlsafe_b64encode(self.random.randbytes(16)).decode()[:22]
        self.asked_at = time.perf_counter()
        self.asked = self.people[seat]
        self.people[seat].answer(self.id_asked, n, answer)

    def refused(self, message: str) -> None:
        print(f"refused: {message}", file=sys.stderr)
        os._exit(1)

    def lost(self, error: Exception | None) -> None:
        print(f"lost a socket: {error}", file=sys.stderr)
        os._exit(1)

    def choose(self) -> tuple[str, dict[str, Any]]:
        """Add a character, or choose a random offer for a random person."""
        if self.bare:
            return self.random.choice(PEOPLE), {"do": "act", "name": "Somebody"}
        if self.to_add:
            name = self.to_add.pop()
            seat = PEOPLE[len(self.to_add) % len(PEOPLE)]
            self.controllers[name] = seat
            return "gm", {"do": "add_character", "name": name, "card": CHARACTERS[name], "controller": seat}
        offer = self.random.choice(self.people["gm"].offers)
        fields = {name: field["const"] for name, field in offer["fields"].items()}
        return self.controllers.get(fields.get("name", ""), "gm"), {"do": offer["do"], **fields}


def make_table(address: str) -> tuple[str, dict[str, str]]:
    body = json.dumps({"game": "initiative", "seats": len(PEOPLE) - 1}).encode()
    request = urllib.request.Request(f"{address}/api/tables", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        made = json.load(answer)
    return made["table"], made["links"]


async def play(address: str, count: int, seconds: float, pace: float = 0.0) -> dict[str, float]:
    """Play with people at this many tables of a server, or of the baseline; return the measurements."""
    bare = address.startswith("bare:")
    address = address.removeprefix("bare:")
    load = Load(pace)
    tables = []
    for number in range(count):
        name, links = (str(number), dict.fromkeys(PEOPLE, "x")) if bare else make_table(address)
        tables.append(Table(load, name, links, bare))
    return await measure(load, tables, address, seconds)


async def measure(load: Load, tables: list[Table], address: str, seconds: float) -> dict[str, float]:
    """Let all join and play for a while; return the measurements."""
    host, port = address.removeprefix("http://").split(":")
    for number, table in enumerate(tables):  # people at one table share an address
        for person in table.people.values():
            await person.connect(host, int(port), f"127.1.{number // 250}.{number % 250 + 1}")
    for _ in tables:
        await load.full_tables.acquire()
    await asyncio.sleep(max(WARM_UP_SECONDS, 2 * load.pace))
    gc.freeze()
    gc.disable()  # a collection here would count as waiting for the server
    print(json.dumps({"tables": len(tables)}), flush=True)
    load.measuring, started = True, time.perf_counter()
    await asyncio.sleep(seconds)
    load.measuring, took = False, time.perf_counter() - started
    load.stopping = True
    latencies, told = sorted(load.latencies), sorted(load.told)
    await asyncio.sleep(0.2)
    return {
        "answers_a_second": len(latencies) / took,
        "p50_ms": latencies[len(latencies) // 2] * 1000,
        "p99_ms": latencies[len(latencies) * 99 // 100] * 1000,
        "told_p99_ms": told[len(told) * 99 // 100] * 1000,
        "bytes": load.bytes / load.seen,
        "wire_bytes": load.wire_bytes / load.seen,
    }


if __name__ == "__main__":
    import uvloop

    tables, *rest = sys.argv[2:]
    print(json.dumps(uvloop.run(play(sys.argv[1], int(tables), *map(float, rest)))))
