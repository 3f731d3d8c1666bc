"""What requests cost the event loop, in which all tables are played: steps and turns are counted, never time."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from cardhouse.engine import CardhouseError, find_game, game_names
from cardhouse.server.app import Settings, create_app
from cardhouse.server.store import Store
from tests.server.listening import listening
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
    app = create_app(Store(f"sqlite:///{database}"), Settings(address="http://127.0.0.1", **settings))
    async with listening(app) as (port, _):
        yield port


async def status_of(port: int, path: str) -> int:
    """What it says to a GET."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
    async with asyncio.timeout(SECONDS):
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.read()
    writer.close()
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


def test_to_ask_for_an_unknown_game_takes_few_steps() -> None:
    game_names()
    calls = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        find_game("cats")
    except CardhouseError:
        pass
    finally:
        sys.setprofile(None)
    assert 0 < calls < 10


def test_all_games_are_loaded_when_a_server_listens(tmp_path: Path) -> None:
    told = (
        "import os, sys; from cardhouse.server.running import serve; "
        f"serve('127.0.0.1', 0, 'sqlite:///{tmp_path}/cards.db', on_ready=lambda _: "
        "(print(*sys.modules, flush=True), os._exit(0)))"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True, timeout=SECONDS)
    loaded = done.stdout.split()
    assert {f"cardhouse.games.{name}" for name in game_names()} <= set(loaded)
