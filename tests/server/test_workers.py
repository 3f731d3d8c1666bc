"""A server of several processes: each connection reaches its table's process, and nothing is lost."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from select import select
from socket import create_connection

import pytest

from cardhouse.engine import CardhouseError
from cardhouse.server.core.tokens import kin_of
from cardhouse.server.process.supervisor import MOST_WORKERS, check_workers
from tests.server.conftest import KINDS, a_database
from tests.server.hammering import Hammer, check_fair, check_nothing_lost
from tests.server.talking import FAST, PROXIED, SECONDS, Person, Server, TableMade, asking_for, running
from tests.server.test_again import finished, led_to, next_of
from tests.server.test_campaign import begun, file_of, founded, goes_on
from tests.server.test_closing import ends, half_seated
from tests.server.test_lab import ORDER, begin

MANY = ("--workers", "2")
HALVES = 2


@pytest.fixture(scope="module", params=KINDS)
def many(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A house of two processes for all tests of this module."""
    folder = tmp_path_factory.mktemp("many")
    with a_database(request, folder) as database, running(database, *FAST, *MANY, log=folder / "log") as server:
        yield server
    assert "Traceback" not in server.log.read_text()


def place_of(table: TableMade) -> int:
    """The process that has a table."""
    return kin_of(table.id) % HALVES


def one_each(make: Callable[[], TableMade]) -> list[TableMade]:
    """A table of each process."""
    found: dict[int, TableMade] = {}
    while len(found) < HALVES:
        table = make()
        found[place_of(table)] = table
    return [found[place] for place in sorted(found)]


def processes_of(server: Server) -> list[int]:
    """Those that serve: all that have the socket open that is listened on, but for the one that started them."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    (socket,) = [f"socket:[{line[9]}]" for line in lines if line[3] == "0A" and line[1].endswith(f":{server.port:04X}")]
    found = {int(file.parts[2]) for file in Path("/proc").glob("[0-9]*/fd/*") if is_link_to(file, socket)}
    return sorted(found - {server.process.pid})


def is_link_to(file: Path, name: str) -> bool:
    try:
        return str(file.readlink()) == name
    except OSError:  # it has just been closed
        return False


def test_all_who_are_at_a_table_see_each_other_whichever_way_they_came(many: Server) -> None:
    for table in one_each(lambda: many.make_table(seats=["p1"])):
        people = [table.sit(seat) for seat in ("gm", "p1") for _ in range(3)]
        people[0].do("add_character", name="Ada", card="HA", controller="p1")
        for person in people:
            person.catch_up(1)
        assert all(person.doc["view"]["characters"][0]["name"] == "Ada" for person in people)
        p2 = table.sit("gm").ask({"seat": "p2"})
        assert p2["t"] == "change"
        people[0].catch_up(p2["n"])
    gm = people[0]  # and whoever goes to another table, by the same connection, gets there
    for table in one_each(lambda: many.make_table(seats=["p1"])) * 2:
        gm.say(t="sit", table=table.id, token=table.links["p1"])
        gm.say(t="ping")
        assert gm.hear("table")["you"] == "p1"
        gm.hear("pong")


def test_requests_on_one_connection_are_answered_in_order_by_each_tables_worker(many: Server) -> None:
    tables = one_each(many.make_table) * 3
    with closing(HTTPConnection("127.0.0.1", many.port, timeout=SECONDS)) as kept:
        for table in tables:
            kept.request("GET", "/api/house")
            assert json.loads(kept.getresponse().read())["tables"] == "open"
            kept.request("GET", f"/api/tables/{table.id}/transcript", headers=bearer(table))
            assert json.loads(kept.getresponse().read().partition(b"\n")[0])["game"] == "initiative"
    asked = [
        f"GET /api/tables/{table.id}/transcript HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Authorization: {bearer(table)['Authorization']}\r\n\r\n"
        for table in tables
    ]
    with create_connection(("127.0.0.1", many.port), SECONDS) as at_once:
        at_once.sendall("".join(asked).encode())
        heard = b""
        while heard.count(b"HTTP/1.1 200") < len(tables) or not heard.endswith(b"0\r\n\r\n"):
            part = at_once.recv(65_536)
            assert part, heard
            heard += part
    places = [heard.index(f"{table.id}.jsonl".encode()) for table in tables[:2]]
    assert places == sorted(places)
    nowhere = ["22222222", "32222222", "zz222222", "not a table"]
    assert {many.get(f"/api/tables/{name}/deal", "x" * 22)[0] for name in map(quoted, nowhere)} == {404}


def bearer(table: TableMade) -> dict[str, str]:
    return {"Authorization": f"Bearer {table.links['gm']}"}


def quoted(name: str) -> str:
    return name.replace(" ", "%20")


@pytest.mark.soak
def test_evenings_lead_from_table_to_table(many: Server) -> None:
    for table in one_each(lambda: finished(many)):
        screen = table.sit("screen")
        new = next_of(table)
        assert led_to(screen) == new.id
        assert new.sit("gm").table["table"]["id"] == new.id
    for table in one_each(lambda: many.make_table(game="hackjack", seats=["ada"])):
        table.sit("gm").do("add_character", name="Ada", hp=7, max_hp=7, controller="ada")
        campaign, token = begun(table)
        new = goes_on(many, campaign, token)[1]["table"]
        assert [who["name"] for who in Person(many, new, token).doc["view"]["characters"]] == ["Ada"]
        status, file = file_of(many, campaign, token)
        assert status == 200
        back = many.post("/api/campaigns/import", file)[1]  # its tables are wherever they are now
        gm = Person(many, back["table"], back["token"])
        gm.do("damage", target="Ada", amount=1)
        last = Person(many, goes_on(many, back["campaign"], back["token"])[1]["table"], back["token"])
        assert [who["hp"] for who in last.doc["view"]["characters"]] == [6]
    notes = "🃏" * 19_000  # so long that it is handed over as a file
    for table in one_each(many.make_table):
        assert founded(table, notes=notes)[0] == 201


def test_what_a_house_has_once_is_found_by_all(tmp_path: Path) -> None:
    strict = ("--rate", "0.01", "--burst", "60", "--patience", "60", *PROXIED)
    with running(f"sqlite:///{tmp_path}/cards.db", *strict, *MANY, log=tmp_path / "log") as server:
        games = [server.get("/api/games", **asking_for("198.51.100.1"))[0] for _ in range(140)]
        assert 120 <= games.count(200) <= 122, "each process would let a visitor have 120 of their own"
        tables = one_each(server.make_table)
        table, gm = tables[0], tables[0].sit("gm")
        sits = [{"t": "sit", "table": one.id, "token": one.links["gm"]} for one in tables]
        while gm.frames[-1]["t"] == "table":
            gm.say(**sits[len(gm.frames) % HALVES])
            gm.hear("table", "error")
        assert gm.frames[-1]["code"] == "too_many"
        assert len([frame for frame in gm.frames if frame["t"] == "table"]) == 60, "nobody has more by going about"
        asked = [server.get(f"/api/tables/{table.id}/roster", table.links["gm"])[0] for _ in range(34)]
        assert asked.count(404) == 30, "what is handed over is charged once"
        run = begin(server, ORDER, trials=1_000_000)
        for _ in range(8):
            assert server.get(f"/api/lab/runs/{run['id']}")[0] == 200
        assert server.delete(f"/api/lab/runs/{run['id']}")[0] == 204


@pytest.mark.soak
def test_a_process_that_is_killed_loses_nothing_and_comes_again(many: Server) -> None:
    tables = [table for _ in range(2) for table in one_each(many.make_table)]
    hammers = [Hammer(table, seed=number) for number, table in enumerate(tables)]

    async def play(hammer: Hammer, enough: int) -> None:
        """As whoever comes again when the line is cut."""
        wanted = len(hammer.acknowledged) + enough
        while (more := wanted - len(hammer.acknowledged)) > 0:
            await hammer.play(many, more)

    async def kill(process: int) -> None:
        await play(hammers[0], 10)
        os.kill(process, signal.SIGKILL)

    async def play_and_kill(process: int) -> None:
        await asyncio.gather(kill(process), *(play(hammer, 40) for hammer in hammers[1:]))
        await play(hammers[0], 10)

    for process in processes_of(many):
        asyncio.run(play_and_kill(process))
    assert many.stop() == -signal.SIGTERM
    many.options = (*FAST, "--workers", "3")  # then the tables are elsewhere
    many.start()
    for hammer in hammers:
        assert check_nothing_lost(hammer.table, [hammer]) >= 40
        check_fair(hammer.table)
    assert many.log.read_text().count("was restarted") == HALVES


@pytest.mark.soak
def test_it_ends_with_the_process_that_started_it_and_alone_has_a_file(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/cards.db"
    with running(database, *FAST, *MANY, log=tmp_path / "log") as server:
        ended = subprocess.run(
            [sys.executable, "-m", "cardhouse.server", "--port", "0", "--db", database, *MANY],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert (ended.returncode, ended.stderr.count("\n")) == (1, 1)
        assert "Another server has the database" in ended.stderr
        processes = [os.pidfd_open(process) for process in processes_of(server)]
        os.kill(server.process.pid or 0, signal.SIGKILL)
        for process in processes:
            assert select([process], [], [], SECONDS)[0], "it goes on alone"
            os.close(process)


@pytest.mark.soak
def test_told_all_at_once_to_stop_they_do_whoever_is_half_seated(tmp_path: Path) -> None:
    """As a service manager or Ctrl-C tells them: the whole group of processes, and not only the first."""
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, *MANY, log=tmp_path / "log") as server:
        processes = [os.pidfd_open(process) for process in processes_of(server)]
        with half_seated(server, *one_each(server.make_table)):
            os.killpg(server.process.pid or 0, signal.SIGTERM)
            ends(server)
        for process in processes:
            assert select([process], [], [], SECONDS)[0], "it goes on alone"
            os.close(process)
        assert server.log.read_text() == "", "none was ended for not stopping in time"


@pytest.mark.parametrize("count", [-1, 0, MOST_WORKERS + 1])
def test_how_many_there_can_be(count: int) -> None:
    with pytest.raises(CardhouseError, match=f"--workers must be from 1 to {MOST_WORKERS}, not {count}\\."):
        check_workers(count)
    check_workers(MOST_WORKERS)
    check_workers(1, "win32")
    with pytest.raises(CardhouseError, match="On Windows the server runs as one process"):
        check_workers(2, "win32")
