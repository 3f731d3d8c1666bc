"""A whole server in this process, fuzzed over real sockets: forbidden events are reported as they happen."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import cycle
from typing import Any

from litestar.routes import HTTPRoute

from cardhouse.server.app.factory import ServerSettings, create_app
from cardhouse.server.persistence.repository import Store
from cardhouse.server.socket.endpoint import SeatsSocket
from cardhouse.server.transport.connections import Bounds
from tests.server.fuzzing import GAMES, MOST_FRAMES, MOST_REQUESTS, PING, Choices, nonsense, request_of, said, wire_of
from tests.server.listening import HELLO, frame, listening
from tests.server.talking import SECONDS

ENDLESS = 10**6
TABLE_LASTS = 50
"""So many times the same table is fuzzed, and then one of another game."""
LAST = b"the last word"
PATIENCE_SECONDS = 0.3
UNTOUCHED = ("/schema",)


class Complaints(logging.Handler):
    """What is logged of errors, with its traceback."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.heard: list[str] = []
        self.setFormatter(logging.Formatter("%(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(self.format(record))


class Fuzzed:
    """The server. `tally` counts frames, requests, and answers by status."""

    def __init__(self, app: SeatsSocket, port: int) -> None:
        self.port = port
        self.tally: Counter[str] = Counter()
        self.complaints = Complaints()
        self._app = app
        self._games = cycle(GAMES)
        self._left = 0
        self._routes = sorted(
            (route.path, sorted(route.methods - {"OPTIONS"}))
            for route in app.framework.routes
            if isinstance(route, HTTPRoute) and not route.path.startswith(UNTOUCHED)
        )

    async def _table(self) -> tuple[str, dict[str, str]]:
        """A table, and its links."""
        if not self._left:
            self._left = TABLE_LASTS
            game = next(self._games)
            self._made = await self._app.state["manager"].create(game, ["gm", "p1", "p2"], odds="all")
            self._game = game
        self._left -= 1
        return self._made.table, self._made.links

    async def frames(self, data: bytes) -> None:
        """Say what these bytes are over one connection, and hear the server out.

        Raises AssertionError if it did what it must not.
        """
        choices = Choices(data)
        table, links = await self._table()
        deflates = not choices.below(4)
        sent = [wire_of(choices, said(choices, links, table), deflates=deflates)]
        while len(sent) < MOST_FRAMES and not choices.is_over:
            sent.append(wire_of(choices, said(choices, links, table), deflates=deflates))
        ends = choices.below(4) == 3
        hello = HELLO if deflates else HELLO.replace(b"Sec-WebSocket-Extensions: permessage-deflate\r\n", b"")
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(hello)
            async with asyncio.timeout(SECONDS):
                assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
                # The pong comes when the text before it has been taken, so that all before that is done.
                writer.write(b"".join(sent) + frame(1, b'{"t":"ping"}') + frame(PING, LAST))
                with suppress(asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
                    await _read_until(reader, LAST)
            if ends:
                writer.write(nonsense(choices))
                with suppress(OSError):
                    writer.write_eof()
                    async with asyncio.timeout(SECONDS):
                        await reader.read()
        finally:
            writer.close()
        self.tally["frames"] += len(sent) + 2 + ends
        self.tally["connections"] += 1
        self._check(data)

    async def requests(self, data: bytes) -> None:
        """Make the requests that these bytes are, all at once, and hear the answers.

        Raises AssertionError if one of them is what it must not be.
        """
        choices = Choices(data)
        table, links = await self._table()
        ids = {"table": table, "game": self._game, "campaign": table, "name": "cards", "question": "order"}
        ids |= {"lesson": "first", "option": "wounds"}
        made: list[bytes] = []
        while len(made) < MOST_REQUESTS and not (made and choices.is_over):
            made.append(request_of(choices, self._routes, ids, [*links.values()]))
        for problem in await asyncio.gather(*map(self._request, made), return_exceptions=True):
            if problem is not None:
                raise problem
        self._check(data)

    async def _request(self, request: bytes) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(request)
            async with asyncio.timeout(SECONDS):
                with suppress(ConnectionError):
                    told = await _answer(reader, writer)
                    status = told[9:12].decode("ascii", "replace") or "none"
                    self.tally["requests"] += 1
                    self.tally[f"status {status}"] += 1
                    assert status != "500", told
                    assert b"Traceback" not in told, told
        finally:
            writer.close()

    def _check(self, data: bytes) -> None:
        heard, self.complaints.heard = self.complaints.heard, []
        assert not heard, f"{data.hex()}\n{heard[0]}"


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """What is answered; if nothing soon is, for the request may have no end, it is when that has come."""
    try:
        first = await asyncio.wait_for(reader.read(1), PATIENCE_SECONDS)
    except TimeoutError:
        writer.write_eof()
        first = b""
    return first + await reader.read(2**20)


async def _read_until(reader: asyncio.StreamReader, last: bytes) -> None:
    tail = b""
    while last not in tail and (more := await reader.read(65536)):
        tail = tail[-len(last) :] + more


@asynccontextmanager
async def fuzzed(database: str) -> AsyncIterator[Fuzzed]:
    """A server without limits of how much may be said, until the end of the block."""
    settings = ServerSettings(address="http://127.0.0.1", rate=ENDLESS, burst=ENDLESS, connections=ENDLESS)
    bounds = Bounds(
        per_address=ENDLESS,
        connections=ENDLESS,
        control_rate=ENDLESS,
        control_burst=ENDLESS,
        request_rate=ENDLESS,
        request_burst=ENDLESS,
    )
    app = create_app(Store(database, serving=True), settings)
    async with listening(app, bounds) as (port, listener):
        while not listener.started:  # noqa: ASYNC110 (it tells nobody)
            await asyncio.sleep(0)
        server = Fuzzed(app, port)
        logging.getLogger().addHandler(server.complaints)

        def complain(loop: Any, context: dict[str, Any]) -> None:
            error = context.get("exception")
            server.complaints.handle(
                logging.LogRecord(
                    "asyncio", logging.ERROR, "", 0, context["message"], (), error and (type(error), error, None)
                )
            )

        asyncio.get_running_loop().set_exception_handler(complain)
        try:
            yield server
        finally:
            logging.getLogger().removeHandler(server.complaints)
