"""A full disk, or a lost database: nothing is acknowledged, the table says so, and continues afterwards."""

import asyncio
import json
import resource
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import psycopg
import pytest
from websockets.exceptions import ConnectionClosed

from cardhouse.server.access.rate_limits import TokenBucket
from cardhouse.server.management import table_manager
from cardhouse.server.management.table_manager import TableManager
from cardhouse.server.persistence.repository import Store
from cardhouse.server.socket.session import EARLY_FRAMES, Session
from tests.server.insiders import Insider, open_house, scene
from tests.server.talking import FAST, SECONDS, Person, Server, TableMade, new_id, open_socket, running
from tests.server.wires import Wire
from tests.thorough import in_soak

END_CONNECTIONS = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""
Switch = Callable[[], None]
Ailing = tuple[Server, Switch, Switch]
"""A server, and how to make its database fail and work again."""


@contextmanager
def full_disk(tmp_path: Path) -> Iterator[Ailing]:
    """The kernel lets the server write to none of its files."""
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:

        def limit(size: int) -> None:
            assert server.process.pid
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

        yield server, lambda: limit(1), lambda: limit(resource.RLIM_INFINITY)


@contextmanager
def locked_file(tmp_path: Path) -> Iterator[Ailing]:
    """Another program holds the database and does not let go."""
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:
        other = sqlite3.connect(tmp_path / "cards.db", isolation_level=None)

        def take() -> None:
            other.execute("BEGIN IMMEDIATE")

        def let_go() -> None:
            other.execute("ROLLBACK")

        yield server, take, let_go
        other.close()


@contextmanager
def cut_wire(tmp_path: Path, postgres_url: str) -> Iterator[Ailing]:
    """Nothing comes through to PostgreSQL."""
    with Wire(postgres_url, 5432) as wire, running(wire.url, *FAST, log=tmp_path / "log") as server:
        yield server, wire.cut, wire.mend


@pytest.fixture(params=["full disk", "cut wire", *in_soak("locked file")])
def ailing(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ailing]:
    if request.param == "cut wire":
        with cut_wire(tmp_path, request.getfixturevalue("postgres_url")) as found:
            yield found
    else:
        with {"full disk": full_disk, "locked file": locked_file}[request.param](tmp_path) as found:
            yield found
    assert "Traceback" not in (tmp_path / "log").read_text()


def fail(person: Person) -> str:
    """An answer that is refused because it can't be saved; its id."""
    same = new_id()
    refused = person.ask({"do": "add_character", "name": "Nan", "card": "HK"}, id=same)
    assert (refused["t"], refused["code"]) == ("error", "not_saved"), refused
    return same


def test_nothing_is_acknowledged_until_the_database_is_back(ailing: Ailing) -> None:
    server, break_it, mend_it = ailing
    table = server.make_table(seats=["p1"])
    gm, p1 = table.sit("gm"), table.sit("p1")
    gm.do("add_character", name="Ada", card="HA")
    break_it()
    same = fail(gm)
    assert p1.hear("trouble")["message"]
    gm.sync()
    assert any(frame["t"] == "trouble" and frame["message"] for frame in gm.frames)
    fail(gm)
    status, told = server.post("/api/tables", {"game": "initiative"})
    assert (status, told["code"]) == (503, "not_saved")
    status, health = server.get("/api/health")
    assert (status, health["saving"]) == (503, False)
    gm.say(t="name", name="Mo")
    assert gm.hear("error")["code"] == "not_saved"
    mend_it()
    for person in (gm, p1):
        while person.hear("trouble")["message"] is not None:
            pass
    again = gm.ask({"do": "add_character", "name": "Nan", "card": "HK"}, id=same)
    assert again["t"] in ("ack", "change")
    gm.do("start_round")
    p1.catch_up(gm.n)
    check_log(table, gm, p1)
    assert server.get("/api/health")[0] == 200


def check_log(table: TableMade, *people: Person) -> None:
    """Each answer is there once, and all have before them what a newcomer gets."""
    answers = [line for line in table.transcript()[1:] if "by" in line]
    assert [line.get("name") for line in answers] == ["Ada", "Nan", None]
    for person in people:
        assert table.sit(person.seat).doc == person.doc
        assert [entry["n"] for entry in person.story] == list(range(1, len(answers) + 1))


def test_who_comes_in_trouble_is_let_in_afterwards(tmp_path: Path, postgres_url: str) -> None:
    with cut_wire(tmp_path, postgres_url) as (server, break_it, mend_it):
        table, unopened = server.make_table(seats=["p1"]), server.make_table(seats=["p1"])
        gm = table.sit("gm")
        break_it()
        fail(gm)
        gm.say(t="sit", table=unopened.id, token=unopened.links["p1"])
        assert gm.hear("trouble")["message"]
        mend_it()
        assert gm.hear("table")["you"] == "p1"
        assert gm.hear("trouble")["message"] is None


@pytest.mark.soak
def test_who_waits_for_the_database_is_not_sent_away(tmp_path: Path, postgres_url: str) -> None:
    with Wire(postgres_url, 5432) as wire, running(wire.url, "--patience", "1", log=tmp_path / "log") as server:
        table, unopened = server.make_table(seats=["p1"]), server.make_table(seats=["p1"])
        gm = table.sit("gm")
        wire.cut()
        fail(gm)
        waiting, idle = open_socket(server), open_socket(server)
        waiting.send(json.dumps({"t": "sit", "table": unopened.id, "token": unopened.links["p1"]}))
        waiting.send('{"t":"ping"}')
        assert json.loads(waiting.recv(SECONDS))["t"] == "trouble"
        assert json.loads(idle.recv(SECONDS))["code"] == "sit_first"
        later = open_socket(server)  # its patience begins when everybody else's has ended
        assert json.loads(later.recv(SECONDS))["code"] == "sit_first"
        wire.mend()
        heard = [json.loads(waiting.recv(SECONDS)) for _ in range(4)]
        assert heard[0]["you"] == "p1"
        assert "pong" in [frame["t"] for frame in heard]


def test_patience_begins_again_when_a_link_is_refused(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", "--patience", "1", log=tmp_path / "log") as server:
        table, socket = server.make_table(), open_socket(server)
        socket.send(json.dumps({"t": "sit", "table": table.id, "token": table.links["gm"]}))
        assert json.loads(socket.recv(SECONDS))["you"] == "gm"
        socket.send(json.dumps({"t": "sit", "table": table.id, "token": "none"}))
        codes = []
        with suppress(ConnectionClosed):
            while True:
                codes.append(json.loads(socket.recv(SECONDS)).get("code"))
        assert [code for code in codes if code] == ["old_link", "sit_first"]


def test_a_client_that_leaves_is_not_waited_for(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def come_and_go(*early: str) -> list[Any]:
        house = TableManager(Store(f"sqlite:///{tmp_path}/cards.db"))
        made = await house.create("initiative", ["gm", "p1"], odds="gm")
        table = await house.table(made.table)
        inbox: asyncio.Queue[Any] = asyncio.Queue()
        sent: list[Any] = []
        heard: list[Any] = []

        async def receive() -> Any:
            assert not heard or heard[-1]["type"] != "websocket.disconnect", "web servers give nothing after that"
            heard.append(await inbox.get())
            return heard[-1]

        async def send(message: Any) -> None:
            sent.append(message)
            if message["type"] == "websocket.close":
                inbox.put_nowait({"type": "websocket.disconnect"})

        sit = {"t": "sit", "table": made.table, "token": made.links["p1"]}
        for text in (json.dumps(sit), *early):
            inbox.put_nowait({"type": "websocket.receive", "text": text})
        if not early:
            inbox.put_nowait({"type": "websocket.disconnect"})
        async with table._lock, asyncio.timeout(SECONDS):  # as while it is being loaded
            await Session(house, receive, send, TokenBucket(1e9, 10**9), 1e9).run()
        assert not table.clients
        await house.close()
        return sent

    assert asyncio.run(come_and_go()) == []
    assert not caplog.records
    told = asyncio.run(come_and_go(*['{"t":"ping"}'] * (EARLY_FRAMES + 1)))
    assert json.loads(told[0]["text"])["code"] == "too_many"
    assert told[1]["code"] == 1008


def test_a_lost_connection_alone_is_noticed_by_nobody(tmp_path: Path, postgres_url: str) -> None:
    with running(postgres_url, *FAST, log=tmp_path / "log") as server:
        table = server.make_table(seats=["p1"])
        gm = table.sit("gm")
        for number in range(3):
            with psycopg.connect(postgres_url, autocommit=True) as connection:
                connection.execute(END_CONNECTIONS)
            gm.do("add_character", name=f"Ada {number}", card=f"H{number + 2}")
            gm.say(t="name", name=f"Mo {number}")
            gm.sync()
        assert {frame["t"] for frame in gm.frames} <= {"table", "change", "seats", "pong"}
        assert len(table.transcript()) == 4


@pytest.mark.soak
def test_a_connection_lost_in_the_middle_of_a_change_is_noticed_by_nobody(tmp_path: Path, postgres_url: str) -> None:
    with (
        running(postgres_url, *FAST, log=tmp_path / "log") as server,
        psycopg.connect(postgres_url) as holding,
        psycopg.connect(postgres_url, autocommit=True) as other,
        ThreadPoolExecutor(1) as somebody,
    ):
        gm = server.make_table().sit("gm")
        holding.execute("LOCK TABLE tables IN ACCESS EXCLUSIVE MODE")
        made = somebody.submit(server.make_table)
        while not other.execute(f"{END_CONNECTIONS} AND wait_event_type = 'Lock'").rowcount:
            pass  # it hasn't come so far
        holding.rollback()
        assert made.result().sit("gm").doc
        gm.do("add_character", name="Ada", card="HA")
        assert {frame["t"] for frame in gm.frames} <= {"table", "change", "seats"}


@pytest.mark.soak
def test_a_table_deleted_under_the_people_at_it(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:
        table, other = server.make_table(), server.make_table()
        gm, p1, gm_of_other = table.sit("gm"), table.sit("p1"), other.sit("gm")
        connection = sqlite3.connect(tmp_path / "cards.db")
        with connection:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("DELETE FROM tables WHERE id = ?", (table.id,))
        connection.close()
        refused = gm.ask({"do": "add_character", "name": "Ada", "card": "HA"})
        assert refused["code"] == "no_such_seat"
        while p1.hear("error")["code"] != "no_such_seat":
            pass  # those who say nothing are told in a moment
        gm_of_other.do("add_character", name="Ada", card="HA")
        assert "Traceback" not in server.log.read_text()


def test_stopped_gently_it_says_nothing_and_ends_well(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:
        table = server.make_table()
        table.sit("gm").do("add_character", name="Ada", card="HA")
        with urlopen(f"{server.address}/api/house") as answer:
            assert answer.status == 200
        server.stop()
        assert server.log.read_text() == ""
        server.start()
        assert table.sit("gm").table["n"] == 1


def test_news_that_could_not_be_read_is_asked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing changes in the file after that which was missed."""
    monkeypatch.setattr(table_manager, "POLL_SECONDS", 0.02)
    database = f"sqlite:///{tmp_path}/cards.db"

    async def run() -> None:
        async with scene(database, ("gm", "p1"), game="initiative") as at, open_house(database, at.clock) as other:
            entries, missed = at.house.store.entries, asyncio.Event()
            loop = asyncio.get_running_loop()

            def away_at_first(*given: Any) -> Any:
                if not missed.is_set():
                    loop.call_soon_threadsafe(missed.set)
                    raise OSError("away")
                return entries(*given)

            monkeypatch.setattr(at.house.store, "entries", away_at_first)
            elsewhere = await Insider(other).sit(at.made, "gm")
            await elsewhere.do("add_character", name="Ada", card="HA")
            await asyncio.wait_for(missed.wait(), SECONDS)
            await at["p1"].catch_up(1)

    asyncio.run(run())
