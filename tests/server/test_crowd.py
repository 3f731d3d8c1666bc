"""A convention: many phones behind one router, which a server takes for one visitor."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from cardhouse.server.access.rate_limits import RATE_LIMITS, Limits
from cardhouse.server.transport.connections import PER_ADDRESS, crowd
from tests.server.talking import PROXIED, Person, Server, TableMade, asking_for, running

PHONES = 200
AT_A_TABLE = 8
PER_PHONE = 5
"""What docs/conventions.md says of --connections."""
ROUTER = asking_for("198.51.100.1")


def test_who_may_have_more_connections_may_ask_for_more() -> None:
    assert [crowd(number) for number in (1, PER_ADDRESS, PHONES * PER_PHONE)] == [1, 1, 10]
    for kind, share in RATE_LIMITS.items():
        one, many = (int(share.burst * 60 * times) for times in (1, 10))
        for times, expected in ((1, one), (10, many)):
            limits = Limits(0.001, 60, times)
            assert sum(limits.take(kind, "198.51.100.1") for _ in range(many + 1)) == expected, kind


def test_a_crowd_leaves_something_to_others() -> None:
    limits = Limits(0.001, 60, 100)
    while limits.take("doors", "198.51.100.1"):
        pass
    assert limits.take("doors", "203.0.113.9")


def test_the_page_says_how_many_connections_a_phone_takes() -> None:
    page = (Path(__file__).parents[2] / "docs/conventions.md").read_text("utf-8")
    assert f"--connections {PHONES * PER_PHONE}" in page


def arrive(server: Server, table: TableMade, seat: str, name: str) -> list[int]:
    """What a phone does that scans a table's code: every status that it gets, and 101 or 1013 for its socket."""
    door = table.links["door"]
    seats = f"/api/tables/{table.id}/seats"
    saw = [server.get(path, **ROUTER)[0] for path in ("/", "/api/house", "/api/games/initiative")]
    saw.append(server.post("/api/doors", {"code": door}, **ROUTER)[0])
    saw.append(server.get(seats, door, **ROUTER)[0])
    status, taken = server.post(seats, {"seat": seat, "name": name}, Authorization=f"Bearer {door}", **ROUTER)
    saw.append(status)
    if status == 201:
        try:
            Person(server, table.id, taken["token"], additional_headers=ROUTER).sync()
        except ConnectionClosed as error:
            saw.append(error.rcvd.code if error.rcvd else 0)
        else:
            saw.append(101)
    return saw


def arrivals(connections: int, folder: Path) -> Counter[int]:
    """Of all phones that arrive at once, how often they got each status."""
    options = ("--connections", str(connections), "--patience", "60", *PROXIED)
    with running(f"sqlite:///{folder}/cards.db", *options, log=folder / "log") as server:
        names = [f"p{number + 1}" for number in range(AT_A_TABLE)]
        tables = [server.make_table(seats=names) for _ in range(PHONES // AT_A_TABLE)]
        phones = [(server, table, seat, f"{seat} of {table.id}") for table in tables for seat in names]
        with ThreadPoolExecutor(16) as threads:
            saw = Counter(
                status for all_of_one in threads.map(lambda one: arrive(*one), phones) for status in all_of_one
            )
    assert "Traceback" not in (folder / "log").read_text("utf-8")
    return saw


@pytest.mark.soak
def test_a_convention_behind_one_router_gets_in_at_once(tmp_path: Path) -> None:
    assert arrivals(PHONES * PER_PHONE, tmp_path) == {200: PHONES * 5, 201: PHONES, 101: PHONES}


@pytest.mark.soak
def test_without_the_option_it_is_limited(tmp_path: Path) -> None:
    assert arrivals(PER_ADDRESS, tmp_path)[429] > 0
