"""A server that stops saves and acknowledges the moves it received, and tells pages when to reconnect."""

import asyncio
import json
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from selectors import DefaultSelector
from socket import create_connection
from typing import Any

import psycopg
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from cardhouse.server.app.lifecycle import _Server, web_config
from cardhouse.server.core.shutdown import Closing
from cardhouse.server.transport.connections import Bounds
from tests.server.dealing import Chain
from tests.server.listening import HELLO, frame, listening
from tests.server.talking import FAST, SECONDS, Person, Server, TableMade, new_id, open_socket, running

HALF_SEATED = 200
CARDS = [f"{suit}{number}" for suit in "HS" for number in range(2, 11)]


def adds(person: Person, *cards: str) -> list[str]:
    """Have somebody add characters, without waiting until one is there; the answers' ids."""
    answers = {new_id(): {"do": "add_character", "name": card, "card": card} for card in cards}
    for own, answer in answers.items():
        person.say(t="answer", id=own, at=person.n, answer=answer)
    return list(answers)


def added(table: TableMade) -> list[str]:
    return [line["id"] for line in table.transcript() if line.get("do") == "add_character"]


def closed(socket: ClientConnection) -> tuple[int | None, str | None]:
    """How the server closed it; what it still says is read."""
    with suppress(ConnectionClosed):
        while True:
            socket.recv(SECONDS)
    return socket.close_code, socket.close_reason


def last_words(person: Person) -> tuple[list[str], int | None, str | None]:
    """Hear somebody out: what was acknowledged, and how the server closed the socket."""
    with suppress(ConnectionClosed):
        while True:
            person.next()
    told = [frame.get("ack") or frame["id"] for frame in person.frames if frame["t"] == "ack" or frame.get("ack")]
    return told, *closed(person.socket)


def send(server: Server, *signals: signal.Signals) -> None:
    for one in signals:
        os.kill(server.process.pid or 0, one)


def ends(server: Server) -> None:
    server.process.join(SECONDS)
    assert server.process.exitcode in (0, -signal.SIGTERM, -signal.SIGINT)
    assert "Traceback" not in server.log.read_text()


@contextmanager
def nothing_saved(database: str) -> Iterator[None]:
    """What is to be saved in this PostgreSQL waits."""
    with psycopg.connect(database) as connection:
        connection.execute("LOCK TABLE entries IN EXCLUSIVE MODE")
        yield


def wait_until_closing(server: Server) -> None:
    while server.post("/api/tables", {})[1]["code"] != "closing":
        pass


def test_moves_received_before_closing_are_saved_and_acknowledged(database: str, tmp_path: Path):
    with running(database, *FAST, log=tmp_path / "log") as server:
        tables = [server.make_table() for _ in range(3)]
        people = [table.sit("gm") for table in tables]
        said = [adds(person, *CARDS) for person in people]
        send(server, signal.SIGTERM)
        assert [last_words(person) for person in people] == [(ids, 1012, "0") for ids in said]
        ends(server)
        server.start()
        assert [added(table) for table in tables] == said


def test_a_closing_server_lets_no_one_in_and_a_second_stop_changes_nothing(postgres_url: str, tmp_path: Path):
    with running(postgres_url, *FAST, log=tmp_path / "log") as server:
        table = server.make_table()
        gm = table.sit("gm")
        with nothing_saved(postgres_url):
            said = adds(gm, "HA")
            send(server, signal.SIGTERM)
            wait_until_closing(server)
            send(server, signal.SIGTERM, signal.SIGTERM)
            status, headers, body = server.raw("/api/tables", method="POST")
            assert (status, json.loads(body)["code"], headers["retry-after"]) == (503, "closing", "1")
            assert server.get("/api/house")[0] == 200, "who only looks may look"
            assert server.get("/live") == (200, {"live": True})
            status, told = server.get("/ready")
            assert (status, told["ready"], told["closing"]) == (503, False, True)
            late = open_socket(server)
            assert json.loads(late.recv(SECONDS))["code"] == "closing"
            assert closed(late) == (1012, "0")
        assert last_words(gm) == (said, 1012, "0")
        ends(server)


@pytest.mark.soak
def test_a_second_stop_does_not_wait_but_saving_finishes(postgres_url: str, tmp_path: Path):
    with running(postgres_url, *FAST, log=tmp_path / "log") as server:
        table = server.make_table()
        gm = table.sit("gm")
        with nothing_saved(postgres_url):
            said = adds(gm, "HA")
            send(server, signal.SIGINT)
            wait_until_closing(server)
            send(server, signal.SIGINT)
            assert last_words(gm) == ([], 1012, "")
        ends(server)
        server.start()
        assert added(table) == said
        gm = table.sit("gm")
        gm.say(t="answer", id=said[0], at=0, answer={"do": "add_character", "name": "HA", "card": "HA"})
        assert gm.hear("ack")["id"] == said[0], "given again, it is acknowledged, and done once"
        assert added(table) == said


def test_no_device_is_sent_away_during_a_draw(database: str, tmp_path: Path):
    with running(database, *FAST, log=tmp_path / "log") as server:
        table = server.make_table(deal="together")
        people = [table.sit("gm"), table.sit("p1")]
        chains = [Chain(), Chain()]
        for person, chain in zip(people, chains, strict=True):
            person.say(t="device", anchor=chain.anchor)
            person.hear("device")
        gm = people[0]
        gm.do("add_character", name="Nan", card="HA")
        own = new_id()
        gm.say(t="answer", id=own, at=gm.n, answer={"do": "start_round"})
        send(server, signal.SIGTERM)
        for person, chain in zip(people, chains, strict=True):
            person.say(t="link", round=person.hear("round")["round"], link=chain.next())
        told = [last_words(person) for person in people]
        assert [one[0][-1:] for one in told] == [[own], []]
        ends(server)
        server.start()
        (links,) = (line for line in table.transcript() if "links" in line)
        assert len(links["links"]) == 2
        assert "away" not in links


@contextmanager
def half_seated(server: Server, *tables: TableMade) -> Iterator[None]:
    """Many who have come and not sat down: they say nothing, half a handshake, a whole one, or that they would sit."""
    sits = [frame(1, json.dumps({"t": "sit", "table": one.id, "token": one.links["gm"]}).encode()) for one in tables]
    parts = [b"", HELLO[:-2], HELLO, *(HELLO + sit for sit in sits)]
    with ExitStack() as stack:
        for number in range(HALF_SEATED):
            one = stack.enter_context(create_connection(("127.0.0.1", server.port), SECONDS))
            one.sendall(parts[number % len(parts)])
        yield


def test_who_is_half_seated_is_not_waited_for_and_leaves_no_traceback(database: str, tmp_path: Path):
    with running(database, *FAST, log=tmp_path / "log") as server, half_seated(server, server.make_table()):
        send(server, signal.SIGTERM)
        ends(server)
        assert server.log.read_text() == ""


def test_work_that_ends_with_the_server_is_no_error(caplog: pytest.LogCaptureFixture):
    """However many there are, for whom there was no time."""
    begun = asyncio.Semaphore(0)
    parts = (HELLO, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")

    async def hang(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            return
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
        begun.release()
        await asyncio.Event().wait()

    async def come() -> None:
        bounds = Bounds(per_address=HALF_SEATED, request_burst=HALF_SEATED)
        with ExitStack() as stack:
            async with listening(hang, bounds) as (port, server), asyncio.timeout(SECONDS):
                for number in range(HALF_SEATED):
                    one = stack.enter_context(create_connection(("127.0.0.1", port)))
                    one.sendall(parts[number % len(parts)])
                    await begun.acquire()
                server.config.timeout_graceful_shutdown = 0

    asyncio.run(come())
    (told,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert told.getMessage() == f"Cancel {HALF_SEATED} running task(s), timeout graceful shutdown exceeded"


def test_patience_is_counted_in_seconds_not_in_looks():
    """With ten thousand sockets each look came half a second after the one before."""

    class Crowded(asyncio.SelectorEventLoop):
        now = 0.0

        def time(self) -> float:
            self.now += 0.25
            return self.now

    async def nothing(*_: Any) -> None:
        pass

    looks = 0

    def looked() -> bool:
        nonlocal looks
        looks += 1
        return False

    with asyncio.Runner(loop_factory=lambda: Crowded(DefaultSelector())) as runner:
        server = _Server(web_config(nothing), Closing())
        assert not runner.run(server._until(looked, 4))
    assert 1 < looks < 16
