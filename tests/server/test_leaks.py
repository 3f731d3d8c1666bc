"""Nothing leaks on the wire: tables that differ only in what a seat may not know send it the same bytes.

Twin tables are played in lockstep. They differ in who hides (name, side, card) and in the seed that later draws come
from; whatever anybody says is said at both. Every byte that reaches a player or the screen is compared: joining,
changes, offers, story, odds, undo and errors.
"""

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardhouse.engine import FairDealer, Table, write_line
from cardhouse.server.house import House
from cardhouse.server.limits import Allowance
from cardhouse.server.loading import hash_of
from cardhouse.server.session import Session
from cardhouse.server.store import SeatRecord, Store, TableRecord
from tests.server.talking import FAST, Frame, Person, Server, new_id, running

SEATS = ("gm", "p1", "p2", "screen")
CURIOUS = ("p1", "p2", "screen")
HIDDEN = (
    {"name": "Shade", "card": "SK", "side": "Law", "controller": "gm"},
    {"name": "The Nameless One 🂱", "card": "C2", "controller": "gm"},
)
SECRETS = ("Shade", "Nameless", "SK", "C2", "Law")
OPEN_CARDS = ("HA", "HK", "H9", "H2", "DA", "DJ", "D5", "D3")
STEPS = 60


class OneOfThem:
    """A person at a table whose server runs here in the test: the session is the server's own, the socket is not."""

    def __init__(self, house: House, seat: str) -> None:
        self.seat = seat
        self.heard: list[str] = []
        self.gone = False
        self._inbox: asyncio.Queue[Frame] = asyncio.Queue()
        self._pongs = 0
        self._ponged = asyncio.Event()
        session = Session(house, self._inbox.get, self._hear, Allowance(1e9, 10**9), 1e9)
        self._running = asyncio.create_task(session.run())

    async def _hear(self, message: Frame) -> None:
        if message.get("text") == '{"t":"pong"}':
            self._ponged.set()
        else:
            self.heard.append(message["text"])

    async def say(self, frame: Any) -> None:
        """Say it, and wait until the server has done with it."""
        text = frame if isinstance(frame, str) else json.dumps(frame)
        self._inbox.put_nowait({"type": "websocket.receive", "text": text})
        await self.sync()

    async def sync(self) -> None:
        self._ponged.clear()
        self._inbox.put_nowait({"type": "websocket.receive", "text": '{"t":"ping"}'})
        await self._ponged.wait()

    async def leave(self) -> None:
        self.gone = True
        self._inbox.put_nowait({"type": "websocket.disconnect"})
        await self._running


class PublicDealer(FairDealer):
    """Turns up cards whose character hides from nobody, the same at both tables, from a seed of its own."""

    def __init__(self, table: Table, seed: int) -> None:
        super().__init__()
        self.at_its_end = False
        """Only who hides was left in the deck, so that what came was not the same at both tables."""
        self._table = table
        self._random = random.Random(seed)

    def pick(self, outcomes: int, number: int, id: str) -> int:
        game: Any = self._table.game
        hidden = {character.card for character in game.characters if character.hidden}
        open_ = [place for place, card in enumerate(game.deck.loose) if card not in hidden]
        assert len(game.deck.loose) == outcomes
        self.at_its_end = not open_
        return self._random.choice(open_) if open_ else 0


class Twin:
    """One of the two tables."""

    def __init__(self, path: Path, which: int, seed: int) -> None:
        self.hidden = HIDDEN[which]
        self.seed = seed
        self.store = Store(f"sqlite:///{path}/{which}.db")
        decks = {"initiative": "physical"} if seed % 2 else {}
        table = Table.new("initiative", ["gm", "p1", "p2"], commitment="5e" * 32, decks=decks)
        seats = [SeatRecord(seat, hash_of(seat), "") for seat in SEATS]
        record = TableRecord("twn23456", write_line(table.header), FairDealer().seed.hex(), "all", 0, seats)
        self.store.create(record)

    async def open(self) -> None:
        self.house = House(self.store)
        self.people: dict[str, OneOfThem] = {}
        for seat in SEATS:
            await self.come(seat)

    async def come(self, seat: str) -> None:
        """Somebody comes, or comes again."""
        before = self.people.get(seat)
        if before is not None:
            await before.leave()
            await self.settle()
        person = self.people[seat] = OneOfThem(self.house, seat)
        person.heard = [] if before is None else before.heard
        await person.say({"t": "sit", "table": "twn23456", "token": seat})
        await self.settle()
        await person.say({"t": "odds", "on": True})
        await self.settle()

    async def settle(self) -> None:
        """Until everybody has been told everything; the dealer is put in its place."""
        open_table = await self.house.table("twn23456")
        while (task := open_table._odds_task) is not None:
            await task
        for person in self.people.values():
            if not person.gone:
                await person.sync()
        table = open_table._table
        assert table is not None
        self.table = table
        if not isinstance(table._running.dealer, PublicDealer):
            self.dealer = table._running.dealer = PublicDealer(table, self.seed)

    async def close(self) -> None:
        for person in self.people.values():
            await person.leave()
        await self.house.close()


class Play:
    """What is said next, at random; the same at both tables but for what the game master does with who hides."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def next(self, twins: tuple[Twin, Twin], *, beginning: bool) -> tuple[str, Any, Any]:
        """Who says something, and what at each table."""
        if beginning:
            return self._gm(twins)
        kind = self.random.choice(("offered", "offered", "offered", "offered", "gm", "hidden", "wrong", "look", "undo"))
        return getattr(self, f"_{kind}")(twins)  # type: ignore[no-any-return]

    def _answer(self, twins: tuple[Twin, Twin], *answers: Frame) -> list[Frame]:
        own, at = new_id(), twins[0].table.number
        return [{"t": "answer", "id": own, "at": at, "answer": answer} for answer in answers]

    def _both(self, twins: tuple[Twin, Twin], seat: str, answer: Frame) -> tuple[str, Any, Any]:
        (frame,) = self._answer(twins, answer)
        return seat, frame, frame

    def _offered(self, twins: tuple[Twin, Twin]) -> tuple[str, Any, Any]:
        table = twins[0].table
        seats = table.asks()["seats"]
        seat = self.random.choice(seats)
        offers = table.offers(seat)
        if not offers:
            return self._gm(twins)
        offer = self.random.choice(offers)
        if "draw" in offer:
            field = offer["fields"]["card"]
            cards = [card for card in field.get("enum", [field.get("const")]) if card not in ("SK", "C2")]
            card = self.random.choice(cards or ["HA"])
            return self._both(twins, seat, {"draw": offer["draw"], "card": card})
        fields = {name: field["const"] for name, field in offer["fields"].items()}
        return self._both(twins, seat, {"do": offer["do"], **fields})

    def _gm(self, twins: tuple[Twin, Twin]) -> tuple[str, Any, Any]:
        card = self.random.choice(OPEN_CARDS)
        if self.random.random() < 0.7:
            controller = self.random.choice(("gm", "p1", "p2"))
            answer = {"do": "add_character", "name": f"Of {card}", "card": card, "controller": controller}
        else:
            answer = {"do": "remove_character", "name": f"Of {card}"}
        return self._both(twins, "gm", answer)

    def _hidden(self, twins: tuple[Twin, Twin]) -> tuple[str, Any, Any]:
        """Somebody begins to hide, is handed to another seat, or goes unseen."""
        what = self.random.choice(("add_character", "add_character", "remove_character", "hand_over"))
        answers: list[Frame] = []
        for twin in twins:
            if what == "add_character":
                answers.append({"do": what, "hidden": True, **twin.hidden})
            elif what == "remove_character":
                answers.append({"do": what, "name": twin.hidden["name"]})
            else:
                answers.append({"do": what, "name": twin.hidden["name"], "controller": "p1"})
        one, other = self._answer(twins, *answers)
        return "gm", one, other

    def _wrong(self, twins: tuple[Twin, Twin]) -> tuple[str, Any, Any]:
        """A curious seat tries what might be told apart."""
        seat = self.random.choice(CURIOUS)
        name = self.random.choice((HIDDEN[0]["name"], HIDDEN[1]["name"], "Of HA", "nobody"))
        card = self.random.choice(("SK", "C2", "HA", "RJ", "XX"))
        tries: list[Frame] = [
            {"do": "act", "name": name},
            {"do": "wait", "name": name},
            {"do": "done", "name": name},
            {"do": "show", "name": name},
            {"do": "remove_character", "name": name},
            {"do": "hand_over", "name": name, "controller": seat},
            {"do": "add_character", "name": name, "card": card},
            {"do": "start_round"},
            {"draw": "initiative", "card": card},
            {"undo": 1},
            {"undo": 3},
            {"seat": name},
            {"end": True},
            {"do": "whisper"},
        ]
        return self._both(twins, seat, self.random.choice(tries))

    def _look(self, twins: tuple[Twin, Twin]) -> tuple[str, Any, Any]:
        seat = self.random.choice(CURIOUS)
        frames: list[Any] = [
            {"t": "offers"},
            {"t": "story", "before": self.random.randint(0, 50)},
            {"t": "odds", "on": True},
            {"t": "sit", "table": "twn23456", "token": seat, "since": 0},
            {"t": "name", "name": "Shade"},
            {"t": "answer"},
            "{",
        ]
        frame = self.random.choice(frames)
        return seat, frame, frame

    def _undo(self, twins: tuple[Twin, Twin]) -> tuple[str, Any, Any]:
        return self._both(twins, self.random.choice(("gm", "p1", "p2")), {"undo": self.random.randint(1, 3)})


async def play_twins(path: Path, seed: int) -> int:
    """Play and compare; how many steps it went."""
    twins = Twin(path, 0, seed), Twin(path, 1, seed)
    play = Play(seed)
    for twin in twins:
        await twin.open()
    try:
        for step in range(STEPS):
            seat, *frames = play.next(twins, beginning=step < len(OPEN_CARDS))
            for twin, frame in zip(twins, frames, strict=True):
                await twin.people[seat].say(frame)
                await twin.settle()
            if any(twin.dealer.at_its_end for twin in twins):
                break
            if step % 10 == 9:
                for twin in twins:
                    await twin.come(CURIOUS[step // 10 % 3])
            compare(twins, f"seed {seed}, step {step}: {seat} says {frames}")
    finally:
        for twin in twins:
            await twin.close()
    return step + 1


def compare(twins: tuple[Twin, Twin], when: str) -> None:
    one, other = twins
    assert one.table.number == other.table.number, when
    for seat in CURIOUS:
        heard, heard_too = one.people[seat].heard, other.people[seat].heard
        for text, text_too in zip(heard, heard_too, strict=False):
            assert text == text_too, f"{when}: {seat} can tell the tables apart"
        assert len(heard) == len(heard_too), when


@pytest.fixture
def seeds() -> Iterator[int]:
    first = random.randrange(2**32)
    return iter(range(first, first + 60))


@pytest.mark.slow
def test_twin_tables_send_the_same_bytes(tmp_path: Path, seeds: Iterator[int]) -> None:
    steps = 0
    for seed in seeds:
        folder = tmp_path / str(seed)
        folder.mkdir()
        steps += asyncio.run(play_twins(folder, seed))
    assert steps > 1500


def test_the_twins_do_differ_for_the_game_master(tmp_path: Path) -> None:
    """The comparison would notice: what the game master is sent is not the same."""

    async def play() -> None:
        twins = Twin(tmp_path, 0, 1), Twin(tmp_path, 1, 1)
        for twin in twins:
            await twin.open()
            await twin.people["gm"].say(
                {
                    "t": "answer",
                    "id": "A" * 22,
                    "at": 0,
                    "answer": {"do": "add_character", "hidden": True, **twin.hidden},
                }
            )
            await twin.settle()
        heard = [twin.people["gm"].heard[-1] for twin in twins]
        assert heard[0] != heard[1]
        assert [msgspec.json.decode(text)["n"] for text in heard] == [1, 1]
        for twin in twins:
            await twin.close()

    asyncio.run(play())


def test_over_real_sockets(tmp_path: Path) -> None:
    with (
        running(f"sqlite:///{tmp_path}/0.db", *FAST, log=tmp_path / "log0") as one,
        running(f"sqlite:///{tmp_path}/1.db", *FAST, log=tmp_path / "log1") as other,
    ):
        told = [play_over_sockets(server, hidden) for server, hidden in zip((one, other), HIDDEN, strict=True)]
    assert told[0] == told[1]
    for secret in SECRETS:
        assert secret not in json.dumps(told, ensure_ascii=False)


def play_over_sockets(server: Server, hidden: dict[str, str]) -> list[list[Any]]:
    """A round with a paper deck in which nobody finds who hides; the frames that each curious seat got."""
    table = server.make_table(seats=["p1", "p2"], decks={"initiative": "physical"}, odds="all")
    gm = table.sit("gm")
    people = {seat: table.sit(seat) for seat in CURIOUS}
    answers: list[tuple[str, Frame]] = [
        ("gm", {"do": "add_character", "name": "Ada", "card": "HA", "controller": "p1"}),
        ("gm", {"do": "add_character", "hidden": True, **hidden}),
        ("gm", {"do": "start_round"}),
        ("p1", {"draw": "initiative", "card": "SK"}),
        ("p1", {"draw": "initiative", "card": "C2"}),
        ("gm", {"draw": "initiative", "card": "RJ"}),
        ("gm", {"draw": "initiative", "card": "HA"}),
        ("p2", {"do": "act", "name": "Nobody"}),
        ("p1", {"do": "wait", "name": "Ada"}),
        ("p1", {"undo": 1}),
        ("p1", {"do": "act", "name": "Ada"}),
        ("gm", {"undo": 4}),
        ("gm", {"do": "remove_character", "name": hidden["name"]}),
    ]
    for seat, answer in answers:
        person = gm if seat == "gm" else people[seat]
        person.ask(answer, id=f"{answers.index((seat, answer)):022d}", at=gm.n)
        gm.sync()
        for other in people.values():
            other.catch_up(gm.n)
    return [clean(people[seat], table.id) + clean(table.sit(seat), table.id) for seat in CURIOUS]


def clean(person: Person, table: str) -> list[Any]:
    """What it was told, without the table's id, its commitment, and who comes and goes."""
    person.sync()
    kept = [json.loads(text) for text in person.texts]
    for frame in kept:
        if frame["t"] == "table":
            assert frame["table"].pop("id") == table
            frame["table"].pop("commitment")
            frame.pop("seats")
    return [frame for frame in kept if frame["t"] not in ("seats", "pong")]
