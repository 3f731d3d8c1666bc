"""Nothing leaks on the wire of Dogpile (DG-6): no hand, no face-down card, by no size or order.

Twin tables (`twins`) differ in two cards of p1's: at each table they are what at the other is still in the draft deck.
p1 may lay them, too, and takes them back before they would be turned over. The others, the game master and the screen
among them, can tell nothing.
"""

import asyncio
import json
import random
import re
import socket
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import uvicorn

from cardhouse.cards import Card
from cardhouse.engine import Draw, Over, Table
from cardhouse.games.dogpile.rules import Dogpile
from cardhouse.server.app.factory import ServerSettings, create_app
from cardhouse.server.app.lifecycle import web_config
from cardhouse.server.persistence.repository import Store
from tests.server import twins as twin_tables
from tests.server.insiders import PONG, StoppedClock
from tests.server.talking import Frame
from tests.server.twins import COMMITMENT, ID, Playing, Say, compare, keep_table

HOLDER = "p1"
SECRETS = (("H5", "RJ"), ("C10", "D5"))
"""What the holder has at one table and at the other, by kind of the table."""
ALL_SECRETS = tuple(card for pair in SECRETS for card in pair)
STEPS = 60
ENOUGH = 200
"""Steps at all tables."""


def game(table: Table) -> Dogpile:
    assert isinstance(table.game, Dogpile)
    return table.game


class Twin(twin_tables.Twin):
    """One of the two tables. By its seed the draft deck is of paper, the game master plays, cards must touch."""

    def __init__(self, path: Path, which: int, seed: int) -> None:
        options = {
            "hand_size": 3 if seed & 1 else (5, 10)[seed >> 4 & 1],
            "gm_plays": bool(seed >> 1 & 1),
            "touching": bool(seed >> 2 & 1),
            **({"rounds": 9} if seed >> 3 & 1 else {"minutes": 9}),
        }
        decks = {"draft": "physical"} if seed & 1 else {}
        header: dict[str, Any] = {"commitment": COMMITMENT, "decks": decks, "deal": twin_tables.deal_of(seed)}
        table = Table.new("dogpile", ["gm", "p1", "p2", "p3"], options, **header)
        super().__init__(path, which, seed, table)

    def may_come(self, table: Table, draw: Draw) -> list[Card]:
        """At first the holder's secrets; for the rest of the game, and for all others, no secret of either table."""
        hidden = SECRETS[self.which][len(game(table).hands.get(HOLDER, ())) :]
        if game(table).drawing == HOLDER and not game(table).round and hidden:
            return [hidden[0]]
        return [card for card in draw.cards if card not in ALL_SECRETS]

    def turns_over(self, seed: int) -> Card:
        """Which card of paper comes next."""
        question = self.table.question
        assert isinstance(question, Draw)
        return self.choose(self.may_come(self.table, question) or ["XX"], random.Random(seed))

    async def settle(self) -> None:
        await super().settle()
        while (alarm := self.table.game.alarm()) is not None and alarm <= self.clock.now and not self.is_over:
            (await self.house.table(ID))._wake_scheduler()
            await self.people[HOLDER].sync()  # until it has rung
        await super().settle()

    @property
    def is_over(self) -> bool:
        return isinstance(self.table.question, Over)

    def has_laid_secrets(self) -> bool:
        return any(laid.card in ALL_SECRETS for laid in game(self.table).laid)


class Play(Playing[Twin]):
    """What is said next, at random; the same at both tables but for the secrets."""

    def __init__(self, seed: int, twins: tuple[Twin, Twin]) -> None:
        super().__init__(seed, twins)
        self.curious = [seat for seat in twins[0].seats if seat != HOLDER]

    def next(self) -> Say:
        kinds = ("offered",) * 8 + ("wrong",) * 3 + ("look", "look", "undo")
        return getattr(self, f"_{self.random.choice(kinds)}")()  # type: ignore[no-any-return]

    def _offered(self) -> Say:
        asks = self.table.asks()
        seat = self.random.choice(asks["seats"])
        if asks["key"] == "draw":
            seed = self.random.getrandbits(32)
            return self._answer(seat, *({"draw": "draft", "card": twin.turns_over(seed)} for twin in self.twins))
        if asks["key"] == "turn":
            return self._turn(seat)
        if asks["key"] == "begin":
            return self._answer("gm", {"do": "begin", "first": HOLDER})
        return self._answer(seat, {"do": "next_round"})

    def _turn(self, seat: str) -> Say:
        """Lay some cards, or none; but what would turn a secret over is undone first."""
        placed = self._some_cards(seat)
        last = not placed or not game(self.table).to_lay
        if last and (self.twins[0].has_laid_secrets() or any(card in ALL_SECRETS for card, _, _ in placed)):
            if self.twins[0].has_laid_secrets():
                return self._answer("gm", {"undo": self.random.randint(1, 2)})
            placed = [one for one in placed if one[0] not in ALL_SECRETS]
        if not placed:
            return self._answer(seat, {"do": "pass"} if self.random.random() < 0.5 else {"do": "lay", "cards": []})
        here = dict(zip(*SECRETS, strict=True))
        return self._answer(
            seat,
            *(
                {"do": "lay", "cards": [{"card": there.get(card, card), "x": x, "y": y} for card, x, y in placed]}
                for there in ({}, here)
            ),
        )

    def _some_cards(self, seat: str) -> list[tuple[Card, int, int]]:
        """Cards of a hand at the first table, on cells that are free and in a row with what lies there."""
        hand = list(game(self.table).hands[seat])
        self.random.shuffle(hand)
        x = max([0, *(laid.x for laid in game(self.table).laid if not laid.y)])
        count = self.random.randint(0, len(hand)) if self.random.random() < 0.9 else 0
        return [(card, x + place, 0) for place, card in enumerate(hand[:count], start=1)]

    def _wrong(self) -> Say:
        """A curious seat tries what might be told apart."""
        seat = self.random.choice(self.curious)
        own = game(self.table).hands.get(seat, [])
        card = self.random.choice(["H5", "C10", "RJ", "D5", "S7", "XX"])
        mine = self.random.choice(own) if own else "S7"
        x, y = self.random.randint(-2, 4), self.random.randint(-1, 1)
        lays = [[(card, 60, 0)], [(card, 1, 0)], [(mine, 0, 0)], [(mine, x, y), (card, x, y + 1)], [(mine, 99, 0)]]
        laid = [{"card": card, "x": x, "y": y} for card, x, y in self.random.choice(lays)]
        tries: list[Frame] = [
            {"do": "lay", "cards": laid},
            {"do": "lay", "cards": laid},
            {"do": "lay", "cards": [{"card": card, "x": 0}]},
            {"do": "pass", "why": card},
            {"do": "ring"},
            {"do": "begin", "first": "p9"},
            {"undo": 1},
            {"undo": 99},
            {"end": False},
            {"seat": "p1"},
            {"roll": "1d6", "dice": [1]},
            {"draw": "draft", "card": "XX"},
            {"draw": "draft", "card": mine},
            {"do": "whisper", "card": card},
        ]
        answer = self.random.choice(tries)
        if "cards" in answer and seat == game(self.table).turn:
            answer["cards"].append({"card": "XX", "x": 0, "y": 0})  # else it might be in order
        return self._answer(seat, answer)

    def _look(self) -> Say:
        seat = self.random.choice(self.curious)
        frames: list[Any] = [
            {"t": "offers"},
            {"t": "story", "before": self.random.randint(0, 50)},
            {"t": "odds", "on": True},
            {"t": "sit", "table": ID, "token": seat, "since": 0},
            {"t": "name", "name": "Ada 🐕"},
            {"t": "bot", "seat": HOLDER, "bot": "sure"} if seat != "gm" else {"t": "bot", "seat": "p9", "bot": None},
            {"t": "reissue", "seat": "p9"},
            {"t": "answer"},
            "{",
        ]
        frame = self.random.choice(frames)
        return Say(seat, frame, frame)

    def _undo(self) -> Say:
        return self._answer(self.random.choice(("gm", "p1", "p2")), {"undo": 1})


class Played(NamedTuple):
    """How many steps twin tables went; at how many of them secrets were in the hand, and lay face down."""

    steps: int
    in_hand: int
    face_down: int
    rounds: int


async def play_twins(path: Path, seed: int) -> Played:
    """Play and compare."""
    twins = Twin(path, 0, seed), Twin(path, 1, seed)
    chance = random.Random(~seed)
    in_hand = face_down = 0
    for twin in twins:
        await twin.open()
    play = Play(seed, twins)
    try:
        for step in range(STEPS):
            seat, *frames = play.next()
            seconds, comes, asks = chance.choice((1, 5, 20)), chance.choice(play.curious), chance.choice(play.curious)
            for twin, frame in zip(twins, frames, strict=True):
                await twin.people[seat].say(frame)
                await twin.settle()
                if twin.is_over:
                    break
                twin.clock.go_on(seconds)
                await twin.download(asks, ("transcript", "roster", "replay")[step % 3])
                if step % 10 == 9:
                    await twin.come(comes)
                await twin.settle()
            if any(twin.is_over or twin.dealer.at_its_end for twin in twins):
                break
            compare(twins, play.curious, f"seed {seed}, step {step}: {seat} says {frames}")
            in_hand += any(card in ALL_SECRETS for card in game(play.table).hands.get(HOLDER, ()))
            face_down += twins[0].has_laid_secrets()
    finally:
        for twin in twins:
            await twin.close()
    return Played(step + 1, in_hand, face_down, game(play.table).round)


@pytest.mark.slow
def test_twin_tables_send_the_same_bytes(tmp_path: Path) -> None:
    """Until there have been enough steps and rounds, and enough secrets in hands and face down."""
    first = random.randrange(2**32)
    played: list[Played] = []
    while not has_seen_enough(played):
        folder = tmp_path / str(len(played))
        folder.mkdir()
        played.append(asyncio.run(play_twins(folder, first + len(played))))


def has_seen_enough(played: list[Played]) -> bool:
    return (
        sum(one.steps for one in played) >= ENOUGH
        and sum(one.in_hand for one in played) > ENOUGH / 4
        and sum(one.face_down for one in played) > ENOUGH / 20
        and sum(one.rounds for one in played) > ENOUGH / 60
    )


# Over sockets, compressed.


class Wire:
    """A socket that keeps every byte that came over it. `texts` are what they mean, by what came over it alone."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.bytes = b""
        self.texts: list[str] = []
        self.n = 0
        self._reader, self._writer = reader, writer
        self._inflate = zlib.decompressobj(-zlib.MAX_WBITS).decompress

    @classmethod
    async def connect(cls, port: int) -> "Wire":
        wire = cls(*await asyncio.open_connection("127.0.0.1", port))
        wire._writer.write(
            b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
        )
        head = await wire._reader.readuntil(b"\r\n\r\n")
        assert b"permessage-deflate" in head
        return wire

    async def say(self, **frame: Any) -> None:
        """Say it, and hear everything up to the answer to a ping behind it."""
        self._write(json.dumps(frame))
        self._write('{"t":"ping"}')
        while not (await self._hear()).startswith(PONG):
            pass

    def sit(self, seat: str) -> None:
        """Sit down, and ask nothing meanwhile: that somebody is here is told a turn of the loop later."""
        self._write(json.dumps({"t": "sit", "table": ID, "token": seat}))

    def _write(self, text: str) -> None:
        payload = text.encode()
        self._writer.write(b"\x81" + bytes((0x80 | 126,)) + len(payload).to_bytes(2, "big") + bytes(4) + payload)

    async def hears_that_somebody_is_here(self, seat: str) -> None:
        here = re.compile(rf'^{{"t":"seats".*{{"seat":"{seat}","name":"[^"]*","here":true')
        while not any(map(here.match, self.texts)):
            await self._hear()

    async def _hear(self) -> str:
        head = await self._reader.readexactly(2)
        length = head[1]
        if length >= 126:
            head += await self._reader.readexactly(2 if length == 126 else 8)
            length = int.from_bytes(head[2:], "big")
        payload = await self._reader.readexactly(length)
        self.bytes += head + payload
        text = (self._inflate(payload + b"\0\0\xff\xff") if head[0] & 0x40 else payload).decode()
        self.texts.append(text)
        self.n = json.loads(text).get("n", self.n)
        return text

    async def close(self) -> None:
        self._writer.close()
        await self._writer.wait_closed()


@asynccontextmanager
async def serving(path: Path, which: int) -> AsyncIterator[int]:
    """A server in this process whose clock stands still, with one of two tables of paper; its port."""
    store = Store(f"sqlite:///{path}/{which}.db")
    options = {"hand_size": 3, "rounds": 2}
    seats = ["gm", "p1", "p2"]
    keep_table(store, Table.new("dogpile", seats, options, commitment=COMMITMENT, decks={"draft": "physical"}))
    app = create_app(store, ServerSettings(address="http://x"))
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(web_config(app))
    running = asyncio.create_task(server.serve([listening]))
    first = await Wire.connect(listening.getsockname()[1])
    app.state["manager"].clock = StoppedClock()
    (await app.state["manager"].table(ID)).presence.pause = 0.0  # when something is told depends on what is said alone
    try:
        yield listening.getsockname()[1]
    finally:
        await first.close()
        server.should_exit = True
        await running


def said(which: int) -> list[tuple[str, Frame]]:
    """Who says what at one of the two tables: p1 lays its secrets, takes them back and lays another."""
    secret, other = SECRETS[which]
    hands = {"p1": [secret, other, "S8"], "p2": ["S9", "C4", "DK"]}
    return [
        ("gm", {"do": "begin", "first": "p1"}),
        *((seat, {"draw": "draft", "card": card}) for seat, hand in hands.items() for card in hand),
        ("screen", {"draw": "draft", "card": "S7"}),
        ("p2", {"draw": "draft", "card": "S7"}),
        ("p2", {"do": "lay", "cards": [{"card": "H5", "x": 1, "y": 0}]}),
        ("p1", {"do": "lay", "cards": [{"card": secret, "x": 0, "y": 1}, {"card": other, "x": 1, "y": 0}]}),
        ("p2", {"do": "lay", "cards": [{"card": "S9", "x": 1, "y": 0}]}),
        ("p2", {"undo": 1}),
        ("p1", {"undo": 1}),
        ("p1", {"do": "lay", "cards": [{"card": "S8", "x": 0, "y": -1}]}),
        ("gm", {"do": "ring"}),
        ("p2", {"do": "lay", "cards": [{"card": "S9", "x": 0, "y": 1}]}),
        ("p1", {"draw": "draft", "card": "D2"}),
        ("p2", {"draw": "draft", "card": "D2"}),
        ("p2", {"draw": "draft", "card": "D3"}),
        ("gm", {"do": "next_round"}),
    ]


async def over_the_wire(path: Path, which: int) -> dict[str, Wire]:
    """Play it; what came over each seat's socket."""
    async with serving(path, which) as port:
        wires = {seat: await Wire.connect(port) for seat in ("gm", "p1", "p2", "screen")}
        for seat, wire in wires.items():
            wire.sit(seat)
            for seated in list(wires.values())[: list(wires).index(seat) + 1]:
                await seated.hears_that_somebody_is_here(seat)
        for number, (seat, answer) in enumerate(said(which)):
            await wires[seat].say(t="answer", id=f"{number:022}", at=wires["gm"].n, answer=answer)
            for wire in wires.values():
                await wire.say(t="story", before=3)
        for wire in wires.values():
            await wire.close()
        return wires


@pytest.mark.soak
@pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")
def test_what_goes_over_the_wire_is_the_same_bytes(tmp_path: Path) -> None:
    """Compressed, too: a frame's length can only tell of what the same connection was told."""
    here, there = (asyncio.run(over_the_wire(tmp_path, which)) for which in (0, 1))
    for seat in ("gm", "p2", "screen"):
        assert here[seat].texts == there[seat].texts, seat
        assert here[seat].bytes == there[seat].bytes, seat
    assert here["p1"].bytes != there["p1"].bytes
    assert here["p1"].texts != there["p1"].texts
    assert '"phase":["judged"]' in "".join(here["screen"].texts)
