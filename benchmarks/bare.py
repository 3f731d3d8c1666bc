"""The baseline: the same parts without rules. Socket in, group commit with fsync, four sockets out.

    python benchmarks/bare.py DATABASE_URL

prints its address and serves: each message is saved as a row, and once that is on disk, all who joined the same table
receive the same 400 bytes.
"""

import asyncio
import json
import sqlite3
import sys
import threading
from collections import defaultdict
from collections.abc import Callable
from queue import Empty, SimpleQueue
from socket import socket
from typing import Any

import uvicorn
from msgspec.json import decode, encode

TOLD = json.loads(
    """{"doc":{"view":{"acting":[null],"drawn":["SK"],"deck_left":[3],"discard":{"+":["SQ"]},"order":{"+":["SQ"]},
    "characters":{"1":{"where":["drawn"]},"2":{"acted":[1],"where":["discard"]}}},"asks":{"seats":{"0":["p1"]},
    "with":{"name":["Wyatt"],"card":["SK"]},"key":["first"],"rule":["IN-12"]}},
    "story":[{"n":110,"by":"gm","events":[{"rule":"IN-7","key":"drawn","name":"Wyatt","card":"SK"}]}]}"""
)
"""A typical message of a real server."""


COLUMNS = "(table_id TEXT, number INT, id TEXT, text TEXT, PRIMARY KEY (table_id, number))"
DEFLATE = "--plain" not in sys.argv

Save = Callable[[list[tuple[Any, ...]]], None]


def sqlite(path: str) -> Save:
    """Return a function that saves rows in one transaction, on disk when it returns."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("DROP TABLE IF EXISTS bare")
    connection.execute(f"CREATE TABLE bare {COLUMNS} WITHOUT ROWID")

    def save(rows: list[tuple[Any, ...]]) -> None:
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO bare VALUES (?, ?, ?, ?)", rows)
        connection.execute("COMMIT")

    return save


def postgres(url: str) -> Save:
    """Return the same for PostgreSQL."""
    import psycopg

    connection = psycopg.connect(url, autocommit=True)
    connection.execute("DROP TABLE IF EXISTS bare")
    connection.execute(f"CREATE TABLE bare {COLUMNS}")

    def save(rows: list[tuple[Any, ...]]) -> None:
        values = ", ".join(["(%s, %s, %s, %s)"] * len(rows))
        connection.execute(f"INSERT INTO bare VALUES {values}", [value for row in rows for value in row])

    return save


class Bare:
    """The application."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.tables: dict[str, list[Any]] = defaultdict(list)
        self.numbers: dict[str, int] = defaultdict(int)
        self.queue: SimpleQueue[Any] = SimpleQueue()

    def write(self) -> None:
        save = sqlite(self.url.removeprefix("sqlite:///")) if self.url.startswith("sqlite") else postgres(self.url)
        while True:
            batch = [self.queue.get()]
            try:
                while True:
                    batch.append(self.queue.get_nowait())
            except Empty:
                pass
            save([row for row, _ in batch])
            self.loop.call_soon_threadsafe(self.saved, batch)

    def saved(self, batch: list[Any]) -> None:
        for _, future in batch:
            future.set_result(None)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await receive()
            self.loop = asyncio.get_running_loop()
            threading.Thread(target=self.write, daemon=True).start()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            return
        await receive()
        await send({"type": "websocket.accept"})
        table = ""
        while True:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message["text"]
            frame = decode(text)
            if frame["t"] == "sit":
                table = frame["table"]
                self.tables[table].append(send)
                await send({"type": "websocket.send", "text": '{"t":"table","n":0}'})
                continue
            self.numbers[table] += 1
            number = self.numbers[table]
            future = self.loop.create_future()
            self.queue.put(((table, number, frame["id"], text), future))
            await future
            told = encode({"t": "change", "n": number, **TOLD}).decode()
            acknowledged = encode({"t": "change", "n": number, "ack": frame["id"], **TOLD}).decode()
            for other in self.tables[table]:
                await other({"type": "websocket.send", "text": acknowledged if other is send else told})


def main() -> None:
    listening = socket()
    listening.bind(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    config = uvicorn.Config(
        Bare(sys.argv[1]), log_level="error", ws="websockets-sansio", ws_per_message_deflate=DEFLATE, loop="uvloop"
    )
    uvicorn.Server(config).run([listening])


if __name__ == "__main__":
    main()
