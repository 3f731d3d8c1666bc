"""A replaced link is dead at every server before anyone has the new one."""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.conftest import new_database
from tests.server.talking import FAST, Frame, Person, Server, TableMade, open_socket, running
from tests.server.wires import Wire
from tests.thorough import in_soak

TELLING = {"table", "change", "offers", "story", "odds"}


class Pair:
    """Two servers on one PostgreSQL, a table, its game master and player at one, and the same two at the other."""

    def __init__(self, one: Server, other: Server) -> None:
        self.one, self.other = one, other
        self.table = one.make_table(seats=["p1"])
        self.gm, self.p1 = self.table.sit("gm"), self.table.sit("p1")
        self.old, self.watcher = self.table.sit("gm", server=other), self.table.sit("p1", server=other)
        self.gm.do("add_character", name="Ada", card="HA", controller="p1", hidden=True)
        self.old.catch_up(1)
        self.watcher.catch_up(1)

    @property
    def old_link(self) -> str:
        return self.table.links["gm"]

    def replace_link(self) -> str:
        """The game master at one server has a new link made; its secret, as soon as it is told."""
        self.gm.say(t="reissue", seat="gm")
        token: str = self.gm.hear("link")["token"]
        return token


@pytest.fixture(scope="module")
def without_redis(
    postgres_server: str, postgres_template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Server]]:
    with new_database(postgres_server, postgres_template) as url, two_servers(url, tmp_path_factory) as servers:
        yield servers


@pytest.fixture(params=["without Redis", *in_soak("with its news cut")])
def pair(request: pytest.FixtureRequest, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    if request.param == "without Redis":
        yield Pair(*request.getfixturevalue("without_redis"))
        return
    url = request.getfixturevalue("postgres_url")
    with Wire(redis_url, 6379) as wire, two_servers(url, tmp_path_factory, "--redis", wire.url) as servers:
        found = Pair(*servers)
        wire.cut()
        yield found


@contextmanager
def two_servers(url: str, folders: pytest.TempPathFactory, *options: str) -> Iterator[list[Server]]:
    logs = [folders.mktemp("servers") / name for name in "ab"]
    with ExitStack() as stack:
        yield [stack.enter_context(running(url, *FAST, *options, log=log)) for log in logs]
    assert all("Traceback" not in log.read_text() for log in logs)


def told(person: Person) -> list[Frame]:
    """What somebody is told of the game from here on, until a ping comes back."""
    before = len(person.frames)
    person.sync()
    return [frame for frame in person.frames[before:] if frame["t"] in TELLING]


def sent_away(person: Person) -> bool:
    """Whether somebody is told that the link is an old one, and nothing else of the game before that."""
    frame = person.hear("error", *TELLING)
    return (frame["t"], frame.get("code")) == ("error", "old_link")


def refused_a_seat(server: Server, table: TableMade, token: str) -> bool:
    socket = open_socket(server)
    try:
        socket.send(f'{{"t":"sit","table":"{table.id}","token":"{token}"}}')
        return '"old_link"' in str(socket.recv(60))
    finally:
        socket.close()


def test_an_old_link_opens_nothing_anywhere(pair: Pair) -> None:
    token = pair.replace_link()
    for what in ("transcript", "replay?seat=gm"):
        path = f"/api/tables/{pair.table.id}/{what}"
        status, said = pair.other.get(path, pair.old_link)
        assert (status, said["code"]) == (401, "old_link"), what
        assert pair.other.get(path, token)[0] == 200
    assert refused_a_seat(pair.other, pair.table, pair.old_link)
    assert Person(pair.other, pair.table.id, token).doc == pair.gm.doc


def test_an_old_code_takes_no_seat_anywhere(pair: Pair) -> None:
    pair.gm.say(t="reissue", seat="door")
    token = pair.gm.hear("link")["token"]
    path, wanted = f"/api/tables/{pair.table.id}/seats", {"seat": "p1", "name": "Ada"}
    old = f"Bearer {pair.table.links['door']}"
    for status, said in (pair.other.get(path, Authorization=old), pair.other.post(path, wanted, Authorization=old)):
        assert (status, said["code"]) == (401, "old_link")
    assert pair.other.get(path, token)[0] == 200
    pair.gm.say(t="close_door")
    pair.gm.sync()
    assert pair.other.get(path, token)[0] == 401


@pytest.mark.soak
def test_a_replaced_link_receives_nothing_more(pair: Pair) -> None:
    pair.replace_link()
    pair.old.say(t="offers")
    pair.gm.do("add_character", name="Nan", card="HK", controller="p1", hidden=True)
    pair.watcher.catch_up(2)
    assert sent_away(pair.old)
    assert told(pair.old) == []
    assert pair.old.n == 1


@pytest.mark.soak
def test_a_paused_server_does_nothing_for_an_old_link(postgres_url: str, tmp_path: Path) -> None:
    with (
        running(postgres_url, *FAST, log=tmp_path / "a") as one,
        running(postgres_url, *FAST, log=tmp_path / "b") as other,
    ):
        pair = Pair(one, other)
        frames: list[Frame] = [
            {"t": "answer", "id": "x" * 22, "at": 1, "answer": {"do": "start_round"}},
            {"t": "offers"},
            {"t": "story", "before": 2},
            {"t": "odds", "on": True},
            {"t": "reissue", "seat": "p1"},
            {"t": "close_door"},
            {"t": "set", "odds": "all"},
            {"t": "name", "name": "Mo"},
            {"t": "bot", "seat": "p1", "bot": None},
            {"t": "let_bot", "bot": "bold"},
        ]
        people = [pair.table.sit("gm", server=other) for _ in frames]
        assert other.process.pid
        os.kill(other.process.pid, signal.SIGSTOP)
        for person, frame in zip(people, frames, strict=True):
            person.say(**frame)  # it lies there when the server wakes
        token = pair.replace_link()
        os.kill(other.process.pid, signal.SIGCONT)
        for person, frame in zip(people, frames, strict=True):
            assert sent_away(person), frame
            assert told(person) == [], frame
        assert [line.get("do") for line in pair.table.transcript_by(token)[1:]] == ["add_character"]
        p1 = pair.table.sit("p1")
        assert p1.table["table"]["odds"] == "gm"
        assert p1.table["seats"][0]["name"] == ""


@pytest.mark.soak
def test_a_server_that_cannot_reach_the_store_tells_nothing(postgres_url: str, tmp_path: Path) -> None:
    with (
        Wire(postgres_url, 5432) as wire,
        running(postgres_url, *FAST, log=tmp_path / "a") as one,
        running(wire.url, *FAST, log=tmp_path / "b") as other,
    ):
        pair = Pair(one, other)
        wire.cut()
        pair.replace_link()
        pair.old.say(t="story", before=2)
        pair.old.say(t="offers")
        for _ in range(2):
            frame = pair.old.hear("error", *TELLING)
            assert (frame["t"], frame["code"]) == ("error", "not_saved")
        assert other.get(f"/api/tables/{pair.table.id}/transcript", pair.old_link)[0] == 503
        pair.gm.do("add_character", name="Nan", card="HK", controller="p1", hidden=True)
        wire.mend()
        pair.watcher.catch_up(2)
        assert sent_away(pair.old)
        assert pair.old.n == 1
        assert "Traceback" not in (tmp_path / "b").read_text()
