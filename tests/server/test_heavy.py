"""Slow work is done by workers, for as long as its client waits."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from litestar import Litestar

from cardhouse.server.app.factory import ServerSettings, create_app
from cardhouse.server.jobs import pool
from cardhouse.server.jobs.queue import Task
from cardhouse.server.management import table_manager
from cardhouse.server.persistence.repository import Store
from cardhouse.server.transcripts.transcript_import import read_in
from cardhouse.server.wire import requests
from tests.server.insiders import Threads
from tests.server.test_work import HEADER, begin_and_wait, has_begun

pytestmark = pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")
ADDRESS = "http://127.0.0.1"


class Noted(Threads):
    """Workers that note what they are asked to do."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []

    async def run_when_due(self, visitor: str, task: Callable[[], Task], **how: Any) -> Any:
        function, args = task()
        self.done.append((args[0] if function.__name__ == "run_and_gzip" else function).__name__)
        return await super().run_when_due(visitor, lambda: (function, args))


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[Litestar]:
    app = create_app(
        Store(f"sqlite:///{folder}/cards.db"), ServerSettings(address=ADDRESS, rate=1e6, burst=10**6)
    ).framework
    async with app.lifespan():
        yield app


def play(folder: Path, body: Callable[[httpx.AsyncClient, Noted], Awaitable[None]]) -> None:
    """Ask a server in this process, whose workers note what they do."""

    async def run() -> None:
        async with serving(folder) as app:
            noted, manager = Noted(), app.state["manager"]
            manager.workers = manager.documents.workers = noted
            transport = httpx.ASGITransport(cast(Any, app), client=("127.0.0.1", 1))
            async with httpx.AsyncClient(transport=transport, base_url=ADDRESS) as client:
                await body(client, noted)
            await noted.close()

    asyncio.run(run())


def test_a_table_of_which_much_is_said_is_made_by_a_worker(tmp_path: Path) -> None:
    async def body(client: httpx.AsyncClient, noted: Noted) -> None:
        wanted = {"game": "hackjack", "seats": 2}
        assert (await client.post("/api/tables", json=wanted)).status_code == 201
        assert noted.done == []
        made = await client.post("/api/tables", content=json.dumps(wanted) + " " * requests.SHORT_BYTES)
        assert made.status_code == 201
        assert set(made.json()["links"]) == {"gm", "p1", "p2", "screen", "door"}
        assert noted.done == ["make"]

    play(tmp_path, body)


def test_a_long_body_is_read_by_a_worker(tmp_path: Path) -> None:
    async def ask(client: httpx.AsyncClient, noted: Noted) -> None:
        for body in (b'{"a":' + b"[]," * 30_000, b'{"a":[' + b"[]," * 30_000 + b"1]}", b"\xff" * 30_000):
            for path in ("/api/tables", "/api/games/dogpile/judge", "/api/lab/initiative/order"):
                answer = await client.post(path, content=body)
                assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
        assert noted.done == ["make", "verdict", "decode_study"] * 3

    play(tmp_path, ask)


def test_a_refusal_is_short_however_much_is_wrong(tmp_path: Path) -> None:
    async def body(client: httpx.AsyncClient, noted: Noted) -> None:
        wounds: dict[str, list[int]] = {f"card {number}": [] for number in range(20_000)}
        answer = await client.post("/api/tables", json={"game": "hackjack", "options": {"wounds": wounds}})
        assert answer.status_code == 400
        assert len(answer.content) < 100_000

    play(tmp_path, body)


@pytest.mark.soak
def test_workers_write_a_studys_result_once(tmp_path: Path) -> None:
    async def body(client: httpx.AsyncClient, noted: Noted) -> None:
        for _ in range(2):
            assert (await client.get("/api/lab")).status_code == 200
        wanted = {"settings": {"mine": "1-3"}, "trials": 100}
        run = (await client.post("/api/lab/initiative/order", json=wanted)).json()
        assert noted.done == ["list_questions", "decode_study"]
        place = f"/api/lab/runs/{run['id']}"
        while run["state"] != "over":
            await asyncio.sleep(0.05)  # who asks without a pause keeps the study from being played
            run = (await client.get(place)).json()
        assert [answer["trials"] for answer in run["result"]["answers"]] == [100, 100, 100]
        for ending in ("", "/report.html", "/report.csv"):
            (first, second) = [await client.get(place + ending) for _ in range(2)]
            assert first.content == second.content
            assert first.headers["content-encoding"] == "gzip"
        assert noted.done == ["list_questions", "decode_study", "with_result", "report", "report"]

    play(tmp_path, body)


def test_a_roster_is_written_by_a_worker(tmp_path: Path) -> None:
    async def body(client: httpx.AsyncClient, noted: Noted) -> None:
        made = (await client.post("/api/tables", json={"game": "hackjack"})).json()
        secret = {"Authorization": f"Bearer {made['links']['gm']}"}
        answer = await client.get(f"/api/tables/{made['table']}/roster", headers=secret)
        assert answer.json()["characters"] == []
        assert noted.done == ["roster_of"]

    play(tmp_path, body)


def test_a_job_stops_when_its_client_disconnects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "ABANDONED_SECONDS", 0)
    monkeypatch.setattr(
        table_manager, "read_in", eval
    )  # a transcript of this test is Python that has a worker never end
    monkeypatch.setattr(table_manager, "IMPORT_SECONDS", 3600)

    async def run() -> None:
        async with serving(tmp_path) as app:
            body, said = begin_and_wait(tmp_path / "sign").encode(), asyncio.Event()
            told: list[Any] = []
            messages = iter([{"type": "http.request", "body": body, "more_body": False}])

            async def receive() -> Any:
                if message := next(messages, None):
                    return message
                await said.wait()
                return {"type": "http.disconnect"}

            async def send(message: Any) -> None:
                told.append(message)

            asked = asyncio.create_task(app(scope_of("/api/tables/import", len(body)), receive, send))  # type: ignore[arg-type]
            await has_begun(tmp_path / "sign")
            workers = app.state["manager"].workers
            (process,) = workers.processes()
            said.set()
            await asked
            assert await workers.run("127.0.0.1", os.getpid) != process
            assert process not in workers.processes()
            assert told[0]["status"] == 400

    asyncio.run(run())


def scope_of(path: str, length: int) -> dict[str, Any]:
    """What a web server tells of a POST."""
    headers = [(b"host", b"127.0.0.1"), (b"content-length", b"%d" % length)]
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "state": {},
    }


def test_a_transcript_that_was_read_in_is_saved_whole_though_nobody_waits(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as app:
            house = app.state["manager"]
            card = b'{"by": "gm", "do": "add_character", "name": "Nan", "card": "HA"}\n{"by": "gm", "undo": 1}\n'
            made = await house.workers.run("ada", read_in, HEADER + card * 200)
            adding = asyncio.create_task(house.add(made))
            await asyncio.sleep(0)
            adding.cancel()
            while house._adding:
                await asyncio.wait(house._adding)
            assert house.store.last_number(made.table) == 400

    asyncio.run(run())


def test_json_is_described(tmp_path: Path) -> None:
    async def body(client: httpx.AsyncClient, noted: Noted) -> None:
        described = json.loads((await client.get("/schema")).content)
        for path, name in (
            ("/api/tables", "CreateTableRequest"),
            ("/api/games/{game}/judge", "LayoutLaid"),
            ("/api/lab/{game}/{question}", "StudyRequest"),
            ("/api/designs/{game}/{design}", "DesignRequest"),
        ):
            content = described["paths"][path]["post"]["requestBody"]["content"]
            assert content["application/json"]["schema"]["$ref"].endswith(f"/{name}")
            assert name in described["components"]["schemas"]

    play(tmp_path, body)
