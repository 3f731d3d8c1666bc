"""What requests cost the event loop, in which all tables are played: steps and turns are counted, never time."""

import asyncio
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from cardhouse.engine import CardhouseError, find_game, game_names
from cardhouse.engine.diagnostics import registry
from cardhouse.server.app.factory import ServerSettings, create_app
from cardhouse.server.persistence.repository import Store
from cardhouse.server.transport import fair_queue
from cardhouse.server.transport.connections import Bounds
from cardhouse.server.transport.fair_queue import Turns
from tests.server.listening import LoopTurns, frame, listening, upgraded
from tests.server.talking import SECONDS


class Threads(ThreadPoolExecutor):
    """Counts what it is asked to do."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked = 0

    def submit(self, *given: Any, **named: Any) -> Any:
        self.asked += 1
        return super().submit(*given, **named)


@asynccontextmanager
async def house(database: Path, **settings: Any) -> AsyncIterator[int]:
    """A whole server inside the test; its port."""
    app = create_app(Store(f"sqlite:///{database}"), ServerSettings(address="http://127.0.0.1", **settings))
    async with listening(app) as (port, _):
        yield port


async def status_of(port: int, path: str = "/", source: str = "127.0.0.1", body: bytes = b"") -> int:
    """What it says to a GET from an address, or to a POST if there is a body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    request = f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    writer.write(f"{request}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    try:
        async with asyncio.timeout(SECONDS):
            head = await reader.readuntil(b"\r\n\r\n")
            await reader.read()
    finally:
        writer.close()
        await writer.wait_closed()
    return int(head.split()[1])


@pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")
@pytest.mark.parametrize(
    ("path", "status"),
    [("/", 200), ("/api/health", 200), ("/api/games/dogs", 200), ("/api/games/cats", 400), ("/api/games/dogs", 429)],
)
def test_what_lies_ready_and_refusals_need_no_thread(tmp_path: Path, path: str, status: int) -> None:
    async def ask() -> int:
        threads = Threads()
        asyncio.get_running_loop().set_default_executor(threads)
        async with house(tmp_path / "cards.db", **({"rate": 0.1, "burst": 1} if status == 429 else {})) as port:
            for _ in range(2):  # what never changes is made now
                await status_of(port, path)
            before = threads.asked
            assert await status_of(port, path) == status
            return threads.asked - before

    assert asyncio.run(ask()) == 0


def test_an_unknown_game_is_refused_without_another_scan_of_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CardhouseError, match="no game called cats"):
        find_game("cats")  # the first scan is kept
    monkeypatch.delattr(registry, "entry_points")  # a scan would be a NameError
    with pytest.raises(CardhouseError, match="no game called dogs-and-cats"):
        find_game("dogs-and-cats")


def test_all_games_are_loaded_when_a_server_listens(tmp_path: Path) -> None:
    told = (
        "import os, sys; from cardhouse.server.app.lifecycle import serve; "
        f"serve('127.0.0.1', 0, 'sqlite:///{tmp_path}/cards.db', on_ready=lambda _: "
        "(print(*sys.modules, flush=True), os._exit(0)))"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True, timeout=SECONDS)
    loaded = done.stdout.split()
    assert {f"cardhouse.games.{name}" for name in game_names()} <= set(loaded)


# Turns.

ADA, NAN = "127.0.0.2", "127.0.0.3"
NEVER = 1e-9
"""A rate at which nothing comes back while a test runs."""


class Counting:
    """An application that counts in which turn of the loop each request was begun."""

    def __init__(self) -> None:
        self.begun: Counter[int] = Counter()
        self.turns = LoopTurns()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            self.begun[self.turns.now] += 1
            while (await receive()).get("more_body"):
                pass
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"ok"})


@asynccontextmanager
async def all_asking(port: int, count: int, **how: Any) -> AsyncIterator[list[asyncio.Task[int]]]:
    """So many requests at once, as tasks that need not come to an end."""
    asking = [asyncio.create_task(status_of(port, **how)) for _ in range(count)]
    try:
        yield asking
    finally:
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)


def test_each_turn_of_the_loop_starts_few_requests_of_an_address() -> None:
    async def come() -> Counter[int]:
        app = Counting()
        async with listening(app, Bounds(request_burst=100)) as (port, _):
            with app.turns:
                async with all_asking(port, 60) as asking:
                    assert set(await asyncio.gather(*asking)) == {200}
        return app.begun

    begun = asyncio.run(come())
    assert begun.total() == 60
    assert max(begun.values()) <= 2 * fair_queue.AT_ONCE  # two turns look like one where those who count change places


@pytest.mark.parametrize("body", [b"", b"x" * 50_000], ids=["many", "large"])
def test_only_the_heavy_visitor_waits(body: bytes) -> None:
    """Three requests, or one whose body counts as five."""

    async def come() -> int:
        app = Counting()
        bounds = Bounds(request_rate=NEVER, request_burst=3, request_bytes=10_000)
        async with listening(app, bounds) as (port, _):
            for _ in range(1 if body else 3):
                assert await status_of(port, source=ADA, body=body) == 200
            async with all_asking(port, 20, source=ADA) as asking:
                for _ in range(3):
                    assert await status_of(port, source=NAN) == 200
                assert not any(task.done() for task in asking)
        return app.begun.total()

    assert asyncio.run(come()) == (4 if body else 6)


def test_those_who_wait_are_served_in_the_end() -> None:
    async def come() -> None:
        async with (
            listening(Counting(), Bounds(request_rate=1000, request_burst=1)) as (port, _),
            all_asking(port, 30) as asking,
        ):
            assert set(await asyncio.gather(*asking)) == {200}

    asyncio.run(come())


def test_a_proxy_asks_for_many() -> None:
    async def come() -> None:
        bounds = Bounds(request_rate=NEVER, request_burst=1)
        async with listening(Counting(), bounds, ("127.0.0.1",)) as (port, _), all_asking(port, 5) as asking:
            assert set(await asyncio.gather(*asking)) == {200}

    asyncio.run(come())


def test_who_leaves_has_no_turn() -> None:
    async def come() -> None:
        of_all, begun = Turns(1000, 1), asyncio.Queue[str]()
        first, second = (lambda: begun.put_nowait("first")), (lambda: begun.put_nowait("second"))
        assert of_all.take(ADA, lambda: None)
        assert not of_all.take(ADA, first)
        assert not of_all.take(ADA, second)
        of_all.leave(ADA, first)
        async with asyncio.timeout(SECONDS):
            assert await begun.get() == "second"
        assert begun.empty()

    asyncio.run(come())


def test_addresses_are_forgotten_once_their_limits_are_full_again() -> None:
    async def come() -> None:
        of_all = Turns(NEVER, 2)
        await of_all.wait(ADA)
        await of_all.wait(ADA)
        of_all.forget()
        assert not of_all.take(ADA, lambda: None)

    asyncio.run(come())


def test_a_few_frames_of_an_address_are_read_in_a_turn_of_the_loop() -> None:
    turns_of_loop, read = LoopTurns(), Counter[int]()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            while (await receive())["type"] == "websocket.receive":
                read[turns_of_loop.now] += 1
                if read.total() == 40 * 20:
                    enough.set()

    async def come() -> None:
        async with listening(app, Bounds(request_burst=100)) as (port, _):
            writers = [(await upgraded(port))[1] for _ in range(40)]
            with turns_of_loop:
                for writer in writers:
                    writer.write(frame(1, b"hello") * 20)
                async with asyncio.timeout(SECONDS):
                    await enough.wait()
            for writer in writers:
                writer.close()

    enough = asyncio.Event()
    asyncio.run(come())
    assert max(read.values()) <= 2 * fair_queue.AT_ONCE
