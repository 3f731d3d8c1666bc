"""The limits of one visitor, and how the server distinguishes visitors."""

import json
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from cardhouse.engine import CardhouseError
from cardhouse.server.access.rate_limits import RATE_LIMITS, REMEMBERED, Limits
from cardhouse.server.core.visitors import Proxies, counted_as, networks_of
from tests.server.talking import (
    ADMIN_KEY,
    PROXIED,
    SECONDS,
    Person,
    Server,
    TableMade,
    asking_for,
    new_id,
    open_socket,
    running,
)

LITTLE = ("--rate", "0.001", "--burst", "12", "--patience", "60")
GAME = {"game": "initiative"}


_numbers = count(1)


@pytest.fixture
def ada() -> str:
    """The address of somebody who was never there before."""
    return f"198.51.100.{next(_numbers)}"


@pytest.fixture
def nan() -> str:
    """The address of somebody else."""
    return f"198.51.100.{next(_numbers)}"


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server where nobody may do much, and a proxy says for whom it asks."""
    folder = tmp_path_factory.mktemp("strict")
    with running(f"sqlite:///{folder}/cards.db", *LITTLE, *PROXIED, log=folder / "log") as server:
        yield server


def use_up(server: Server, path: str, body: Any, visitor: str) -> int:
    """Ask until it is refused; how often it was not."""
    for times in range(1000):
        status, told = (
            server.get(path, **asking_for(visitor)) if body is None else server.post(path, body, **asking_for(visitor))
        )
        if status == 429:
            assert told["code"] == "too_many"
            assert told["message"].endswith(".")
            return times
    raise AssertionError("it is never refused")


ROUTES: list[tuple[str, Any, str]] = [
    ("/api/games", None, "games"),
    ("/api/games/initiative", None, "games"),
    ("/api/games/hackjack/options/wounds", None, "games"),
    ("/api/lab", None, "games"),
    ("/api/games/hackjack/options/wounds", b"[", "files"),
    ("/api/games/hackjack/roster", b"[", "files"),
    ("/api/prints/hackjack", b"[", "prints"),
    ("/api/games/hackjack/forms/wounds", b"[", "forms"),
    ("/api/games/dogpile/judge", {"cards": []}, "layouts"),
    ("/api/games/dogpile/judge", b"[", "layouts"),
    ("/api/tables", GAME, "tables"),
    ("/api/tables", b"[", "tables"),
    ("/api/tables/import", b"[", "imports"),
    ("/api/doors", {"code": "k7mq 3xvt"}, "doors"),
    ("/api/tables/abcdefgh/seats", None, "doors"),
    ("/api/tables/abcdefgh/seats", {"seat": "p1", "name": "Ada"}, "doors"),
    ("/api/tables/abcdefgh/transcript", None, "transcripts"),
    ("/api/tables/abcdefgh/deal", None, "deals"),
    ("/api/tables/abcdefgh/replay?seat=gm", None, "replays"),
    ("/api/tables/abcdefgh/roster", None, "rosters"),
    ("/api/lab/initiative/order", {"settings": {"mine": "no number"}}, "studies"),
    ("/api/lab/initiative/order", b"[", "studies"),
    ("/api/lab/runs/nosuchstudy/report.html", None, "reports"),
    ("/api/lab/runs/nosuchstudy/report.csv", None, "reports"),
    ("/api/lab/runs/nosuchstudy", None, "requests"),
    ("/api/house", None, "requests"),
]


@pytest.mark.parametrize(("path", "body", "kind"), ROUTES)
def test_visitors_have_separate_limits(strict: Server, path: str, body: Any, kind: str, ada: str, nan: str) -> None:
    assert use_up(strict, path, body, ada) == max(1, int(RATE_LIMITS[kind].burst * 12))
    assert use_up(strict, path, body, nan) == max(1, int(RATE_LIMITS[kind].burst * 12))


def test_all_together_have_a_limit_too() -> None:
    limits = Limits(0.001, 10)
    visitors = [f"10.0.0.{number}" for number in range(100)]
    assert sum(limits.take("tables", visitor) for visitor in visitors for _ in range(10)) == 200


def test_light_users_get_in_while_heavy_ones_use_up_the_rest() -> None:
    limits = Limits(0.001, 60)
    heavy, light = [f"203.0.113.{number}" for number in range(30)], [f"198.51.100.{number}" for number in range(25)]
    for visitor in heavy:
        while limits.take("doors", visitor):
            pass
    assert not limits.take("doors", heavy[-1])
    assert all(limits.take("doors", visitor) for visitor in light)


@pytest.mark.parametrize(("of", "times"), [("2001:db8:0:{0:x}::/64", 4), ("2001:db8:0:{0:x}00::/64", 10)])
def test_a_home_connection_can_not_act_as_a_crowd(of: str, times: int) -> None:
    limits = Limits(0.001, 60)
    visitors = [counted_as(of.format(number).removesuffix("/64") + "1") for number in range(256)]
    assert len(set(visitors)) == 256
    assert sum(limits.take("doors", visitor) for visitor in visitors for _ in range(60)) == 60 * times
    everybody = [f"203.0.113.{number}" for number in range(25)]
    assert all(limits.take("doors", visitor) for visitor in everybody)


def test_networks_of_a_visitor() -> None:
    assert networks_of(counted_as("2001:db8:1:2ff::9")) == (("2001:db8:1:200::/56", 4), ("2001:db8:1::/48", 10))
    for visitor in ("198.51.100.1", "fe80::1", "somewhere", "2001:db8::/32", ""):
        assert networks_of(visitor) == ()


def test_many_networks_of_one_connection_share_its_sockets(tmp_path: Path) -> None:
    few = ("--rate", "1000", "--burst", "1000", "--patience", "60", "--connections", "2", *PROXIED)
    with running(f"sqlite:///{tmp_path}/cards.db", *few, log=tmp_path / "log") as server:
        table = server.make_table()

        def sits(address: str) -> bool:
            try:
                Person(server, table.id, table.links["p1"], additional_headers=asking_for(address))
            except ConnectionClosed:
                return False
            return True

        assert [sits(f"2001:db8:0:{number:x}::1") for number in range(10)] == [True] * 8 + [False] * 2
        assert sits("198.51.100.1")


def test_who_is_refused_uses_up_nothing_of_all(ada: str, nan: str) -> None:
    limits = Limits(0.001, 1)
    assert sum(limits.take("tables", ada) for _ in range(1000)) == 1
    assert limits.take("tables", nan)


@pytest.mark.soak
def test_the_latest_of_many_visitors_are_remembered(ada: str) -> None:
    limits = Limits(0.001, 10_000)
    assert sum(limits.take("tables", ada) for _ in range(10_001)) == 10_000
    for number in range(REMEMBERED - 1):
        limits.take("tables", str(number))
    assert not limits.take("tables", ada)
    for number in range(REMEMBERED):
        limits.take("tables", str(number))
    assert limits.take("tables", ada)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("198.51.100.1", "198.51.100.2", False),
        ("2001:db8:1:2::3", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::3", "2001:db8:1:3::3", False),
        ("::ffff:198.51.100.1", "198.51.100.1", True),
        ("fe80::1", "fe80::2", False),
        ("somewhere", "elsewhere", False),
        ("x" * 100, "x" * 200, True),
    ],
)
def test_whom_an_address_counts_for(one: str, other: str, same: bool) -> None:
    assert (counted_as(one) == counted_as(other)) is same


@pytest.mark.parametrize("name", ["", "*", "proxy.example", "10.0.0.0/99", "10.0.0"])
def test_what_is_no_proxy(name: str) -> None:
    with pytest.raises(CardhouseError, match="proxy"):
        Proxies([name])


@pytest.mark.parametrize(
    ("forwarded", "counted"),
    [
        ("{ada}, {nan}", False),  # what the last proxy added counts, and not what others wrote before
        ("{nan}, {ada}", True),
        ("{ada}, {nan}, 127.0.0.1", False),
    ],
)
def test_the_rightmost_address_that_is_no_proxys_counts(
    strict: Server, forwarded: str, counted: bool, ada: str, nan: str
) -> None:
    use_up(strict, "/api/tables/import", b"[", ada)
    status, _ = strict.post("/api/tables/import", b"[", **asking_for(forwarded.format(ada=ada, nan=nan)))
    assert (status == 429) is counted


def test_what_is_forwarded_by_nobody_who_was_named_does_not_count(tmp_path: Path, ada: str, nan: str) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", *LITTLE, log=tmp_path / "log") as server:
        use_up(server, "/api/tables/import", b"[", ada)
        assert server.post("/api/tables/import", b"[", **asking_for(nan))[0] == 429
        server.stop()
    assert "--proxy" in (tmp_path / "log").read_text()


def stays_after_a_wrong_link(server: Server, table: TableMade, visitor: str) -> bool:
    with closing(open_socket(server, additional_headers=asking_for(visitor))) as socket:
        socket.send(json.dumps({"t": "sit", "table": table.id, "token": new_id()}))
        assert json.loads(socket.recv(SECONDS))["code"] == "old_link"
        try:
            socket.send('{"t":"ping"}')
            return bool(socket.recv(SECONDS))
        except ConnectionClosed:
            return False


def test_wrong_links_count_for_the_visitor(strict: Server, ada: str, nan: str) -> None:
    table = strict.make_table()
    tries = int(12 * RATE_LIMITS["wrong links"].burst)
    stayed = [stays_after_a_wrong_link(strict, table, ada) for _ in range(tries + 2)]
    assert stayed == [True] * tries + [False] * 2
    assert stays_after_a_wrong_link(strict, table, nan)
    assert table.sit("gm").seat == "gm"


def test_wrong_codes_count_as_wrong_links(strict: Server, ada: str) -> None:
    table = strict.make_table()
    for path in (f"/api/tables/{table.id}/seats", "/api/tables/nowhere9/seats"):
        for _ in range(5):
            assert strict.get(path, new_id(), **asking_for(ada))[0] in (401, 404)
    tries = int(12 * RATE_LIMITS["wrong links"].burst)
    stayed = [stays_after_a_wrong_link(strict, table, ada) for _ in range(tries - 10 + 1)]
    assert stayed == [True] * (tries - 10) + [False]
    assert strict.get(path, new_id(), **asking_for(ada))[0] == 429


def test_over_the_limit_a_right_secret_is_refused_like_a_wrong_one(strict: Server, ada: str, nan: str) -> None:
    """Otherwise nothing would limit guesses at join codes and keys."""
    table = strict.make_table()
    code, path = table.links["door"], f"/api/tables/{table.id}/seats"
    by_code = {"Authorization": f"Bearer {code}"}

    def ask(visitor: str) -> list[int]:
        who = asking_for(visitor)
        return [
            strict.post("/api/doors", {"code": code}, **who)[0],
            strict.get(path, code, **who)[0],
            strict.get("/api/house/tables", ADMIN_KEY, **who)[0],
            strict.post(path, {"seat": "p1", "name": ""}, **by_code, **who)[0],  # no such name: the code was right
        ]

    assert ask(ada) == [200, 200, 200, 400]
    use_up_guesses = [stays_after_a_wrong_link(strict, table, ada) for _ in range(21)]
    assert use_up_guesses[-1] is False
    assert ask(ada) == [429] * 4
    assert ask(nan) == [200, 200, 200, 400]
    assert table.sit("p1", additional_headers=asking_for(ada)).seat == "p1", "a seat's own link can't be guessed"


def test_frames_without_a_seat_count_for_the_visitor(strict: Server, ada: str, nan: str) -> None:
    codes: list[str] = []
    while "too_many" not in codes:
        socket = open_socket(strict, additional_headers=asking_for(ada))
        for _ in range(5):
            socket.send('{"t":"offers"}')
            codes.append(json.loads(socket.recv(SECONDS))["code"])
            if codes[-1] == "too_many":
                break
    assert codes.count("sit_first") == int(12 * RATE_LIMITS["unseated"].burst)
    other = open_socket(strict, additional_headers=asking_for(nan))
    other.send('{"t":"ping"}')
    assert json.loads(other.recv(SECONDS))["t"] == "pong"


def test_sockets_count_for_the_visitor(tmp_path: Path, ada: str, nan: str) -> None:
    options = ("--connections", "2", *PROXIED)
    with running(f"sqlite:///{tmp_path}/cards.db", *options, log=tmp_path / "log") as server:
        for _ in range(2):
            open_socket(server, additional_headers=asking_for(ada))
        third = open_socket(server, additional_headers=asking_for(ada))
        assert json.loads(third.recv(SECONDS))["code"] == "too_many"
        with pytest.raises(ConnectionClosed):
            third.recv(SECONDS)
        assert third.protocol.close_code == 1013
        other = open_socket(server, additional_headers=asking_for(nan))
        other.send('{"t":"ping"}')
        assert json.loads(other.recv(SECONDS))["t"] == "pong"


def test_requests_at_tables_count_for_the_visitor_over_all_sockets(strict: Server, ada: str, nan: str) -> None:
    table = strict.make_table()
    heard: list[str] = []
    while "error" not in heard:
        person = table.sit("p1", additional_headers=asking_for(ada))
        for turn in range(10):
            person.say(**({"t": "offers"} if turn % 2 else {"t": "story", "before": 1}))
            heard.append(person.hear("offers", "story", "error")["t"])
            if heard[-1] == "error":
                assert person.frames[-1]["code"] == "too_many"
                break
    assert len(heard) - 1 == int(12 * RATE_LIMITS["asked"].burst)
    playing = table.sit("gm", additional_headers=asking_for(ada))
    playing.do("add_character", name="Ada", card="SA")
    other = table.sit("p1", additional_headers=asking_for(nan))
    other.say(t="offers")
    assert other.hear("offers", "error")["t"] == "offers"
