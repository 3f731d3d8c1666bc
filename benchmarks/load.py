"""People who play as fast as the server lets them: many tables, four sockets each, in a process of its own.

    python benchmarks/load.py ADDRESS TABLES SECONDS

prints one line of JSON: acknowledged answers a second, milliseconds from answer to acknowledgement (p50, p99), bytes
a client receives an answer. ADDRESS is a Cardhouse, or with a `bare:` before it the baseline of `bare.py`.
"""

import asyncio
import base64
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


class Heard(msgspec.Struct):
    """What the load needs of a frame; the rest is passed over."""

    t: str
    n: int = 0
    ack: str | None = None
    offers: list[dict[str, Any]] | None = None
    message: str = ""


decode = msgspec.json.Decoder(Heard).decode
encode = msgspec.json.Encoder().encode


class Load:
    """All tables, and what was measured since `measuring`."""

    def __init__(self) -> None:
        self.measuring = False
        self.stopping = False
        self.latencies: list[float] = []
        self.bytes = 0
        self.wire_bytes = 0
        self.seen = 0


class Person(asyncio.Protocol):
    """One socket: as much of WebSocket as it takes (RFC 6455), so that the load costs less than what it loads."""

    def __init__(self, load: Load, table: "Table", seat: str, token: str) -> None:
        self.load = load
        self.table = table
        self.seat = seat
        self.token = token
        self.buffer = bytearray()
        self.upgraded = False
        self.offers: list[dict[str, Any]] = []
        self.inflate = zlib.decompressobj(-zlib.MAX_WBITS).decompress

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n".encode()  # as browsers do
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
            self.say({"t": "sit", "table": self.table.id, "token": self.token})
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
            is_control = buffer[start] & 0x08  # a ping; the server does not mind that nobody answers it so soon
            start += head + length
            if not is_control:
                self.heard(payload, head + length)
        del buffer[:start]

    def connection_lost(self, error: Exception | None) -> None:
        if not self.load.stopping:
            print(f"lost a socket: {error}", file=sys.stderr)
            os._exit(1)

    def say(self, frame: dict[str, Any]) -> None:
        payload = encode(frame)
        head = (
            bytes((0x81, 0x80 | len(payload)))
            if len(payload) < 126
            else bytes((0x81, 0xFE)) + len(payload).to_bytes(2, "big")
        )
        self.transport.write(head + b"\0\0\0\0" + payload)  # masked with zeros

    def heard(self, payload: bytes, wire_bytes: int) -> None:
        frame = decode(payload)
        load = self.load
        if frame.t == "change":
            if frame.offers is not None:
                self.offers = frame.offers
            if load.measuring:
                load.bytes += len(payload)
                load.wire_bytes += wire_bytes
                load.seen += 1
            if frame.ack is not None:
                self.table.acknowledged(frame.ack)
            self.table.told(self, frame.n)
        elif frame.t == "table":
            self.offers = frame.offers or []
            self.table.seated(frame.n)
        elif frame.t == "error":
            print(f"refused: {frame.message}", file=sys.stderr)
            os._exit(1)


class Table:
    """Four people, one of whom answers when all have heard of the answer before."""

    def __init__(self, load: Load, id: str, links: dict[str, str], bare: bool) -> None:
        self.load = load
        self.id = id
        self.bare = bare
        self.people = {seat: Person(load, self, seat, links[seat]) for seat in PEOPLE}
        self.waiting = len(PEOPLE)
        self.controllers: dict[str, str] = {}
        self.random = random.Random(id)
        self.to_add = list(CHARACTERS)

    def seated(self, n: int) -> None:
        self.waiting -= 1
        if not self.waiting:
            self.answer(n)

    def told(self, person: Person, n: int) -> None:
        self.waiting -= 1
        if not self.waiting and not self.load.stopping:
            self.answer(n)

    def acknowledged(self, id: str) -> None:
        assert id == self.id_asked
        if self.load.measuring:
            self.load.latencies.append(time.perf_counter() - self.asked_at)

    def answer(self, n: int) -> None:
        seat, answer = self.choose()
        self.waiting = len(PEOPLE)
        self.id_asked = base64.urlsafe_b64encode(self.random.randbytes(16)).decode()[:22]
        self.asked_at = time.perf_counter()
        self.people[seat].say({"t": "answer", "id": self.id_asked, "at": n, "answer": answer})

    def choose(self) -> tuple[str, dict[str, Any]]:
        """A card is added, or somebody who may does one of what they may do."""
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


async def play(address: str, count: int, seconds: float) -> dict[str, float]:
    bare = address.startswith("bare:")
    address = address.removeprefix("bare:")
    load = Load()
    tables = []
    for number in range(count):
        name, links = (str(number), dict.fromkeys(PEOPLE, "x")) if bare else make_table(address)
        tables.append(Table(load, name, links, bare))
    host, port = address.removeprefix("http://").split(":")
    loop = asyncio.get_running_loop()
    for table in tables:
        for person in table.people.values():
            await loop.create_connection(lambda person=person: person, host, int(port))
    await asyncio.sleep(WARM_UP_SECONDS)
    load.measuring, started = True, time.perf_counter()
    await asyncio.sleep(seconds)
    load.measuring, took = False, time.perf_counter() - started
    load.stopping = True
    latencies = sorted(load.latencies)
    await asyncio.sleep(0.2)
    return {
        "answers_a_second": len(latencies) / took,
        "p50_ms": latencies[len(latencies) // 2] * 1000,
        "p99_ms": latencies[len(latencies) * 99 // 100] * 1000,
        "bytes": load.bytes / load.seen,
        "wire_bytes": load.wire_bytes / load.seen,
    }


if __name__ == "__main__":
    import uvloop

    print(json.dumps(uvloop.run(play(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))))
