"""Two servers on one PostgreSQL serve the same tables."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.hammering import Hammer, check_fair, check_nothing_lost
from tests.server.talking import FAST, Person, Server, TableMade, new_id, running
from tests.server.wires import Wire

Two = tuple[Server, Server]


def test_each_server_sends_what_the_other_saved(two: Two) -> None:
    one, other = two
    table = one.make_table(seats=["p1"])
    gm, p1 = table.sit("gm"), table.sit("p1", server=other)
    gm.do("add_character", name="Ada", card="HA", controller="p1")
    gm.do("add_character", name="Nan", card="HK", controller="p1")
    gm.do("start_round")
    p1.catch_up(3)
    assert p1.doc == table.sit("p1").doc
    gm.ask({"undo": 1})
    p1.catch_up(4)
    assert p1.doc == table.sit("p1").doc
    assert gm.doc["asks"] == p1.doc["asks"]


def test_the_same_id_on_both_is_done_once(two: Two) -> None:
    one, other = two
    table = one.make_table(seats=["p1"])
    here, there = table.sit("gm"), table.sit("gm", server=other)
    same = new_id()
    assert here.ask({"do": "add_character", "name": "Ada", "card": "HA"}, id=same)["n"] == 1
    told = there.ask({"do": "add_character", "name": "Ada", "card": "HA"}, id=same)
    assert (told["t"], told["n"]) == ("ack", 1)


def test_names_links_and_settings_are_told_on_the_other(two: Two) -> None:
    one, other = two
    table = one.make_table(seats=["p1"])
    gm, p1 = table.sit("gm"), table.sit("p1", server=other)
    gm.say(t="name", name="Mo")
    while {"seat": "gm", "name": "Mo", "here": False} not in p1.hear("seats")["seats"]:
        pass
    gm.say(t="set", odds="all")
    assert p1.hear("settings")["odds"] == "all"
    gm.say(t="reissue", seat="p1")
    token = gm.hear("link")["token"]
    assert p1.hear("error")["code"] == "old_link"
    assert Person(other, table.id, token).seat == "p1"
    assert gm.ask({"seat": "p2"})["t"] == "change"
    assert Person(other, table.id, gm.hear("link")["token"]).seat == "p2"


@pytest.mark.soak
def test_under_load_no_entry_is_lost_or_doubled(two: Two) -> None:
    tables = [two[0].make_table(seats=["p1"]) for _ in range(3)]
    hammers = [Hammer(table, seed=100 * place + number) for place, table in enumerate(tables) for number in range(4)]
    watchers = [(table, table.sit(seat, server=server)) for table in tables for server in two for seat in ("gm", "p1")]

    async def play() -> None:
        await asyncio.gather(*(hammer.play(two[place % 2], enough=60) for place, hammer in enumerate(hammers)))

    asyncio.run(play())
    for place, table in enumerate(tables):
        assert check_nothing_lost(table, hammers[place * 4 : place * 4 + 4]) == 240
    for table, watcher in watchers:
        check_caught_up(table, watcher, 240)
    for table in tables:
        assert check_fair(table) > 0


def check_caught_up(table: TableMade, watcher: Person, n: int) -> None:
    """A client that heard of everything bit by bit has the same before it as one who comes now."""
    watcher.catch_up(n)
    late = table.sit(watcher.seat)
    late.catch_up(n)  # its server may not have heard of the last ones yet
    assert (watcher.doc, watcher.offers, watcher.mine) == (late.doc, late.offers, late.mine)
    numbers = [entry["n"] for entry in watcher.story]
    assert numbers == list(range(1, n + 1))
    late.close()


@pytest.mark.soak
def test_lost_news_costs_seconds_and_nothing_else(postgres_url: str, redis_url: str, tmp_path: Path) -> None:
    with (
        Wire(redis_url, 6379) as wire,
        running(postgres_url, *FAST, "--redis", wire.url, log=tmp_path / "a") as one,
        running(postgres_url, *FAST, "--redis", wire.url, log=tmp_path / "b") as other,
    ):
        table = one.make_table(seats=["p1"])
        gm, p1 = table.sit("gm"), table.sit("p1", server=other)
        gm.do("add_character", name="Ada", card="HA", controller="p1")
        p1.catch_up(1)
        wire.cut()
        gm.do("add_character", name="Nan", card="HK", controller="p1")
        p1.catch_up(2)
        gm.say(t="set", odds="off")
        assert p1.hear("settings")["odds"] == "off"
        hammers = [Hammer(table, seed=number) for number in range(2)]

        async def play() -> None:
            await asyncio.gather(hammers[0].play(one, enough=40), hammers[1].play(other, enough=40))

        asyncio.run(play())
        check_nothing_lost(table, hammers, others=2)
        check_caught_up(table, p1, 82)
        wire.mend()
        gm.catch_up(82)
        gm.ask({"end": True})
        p1.catch_up(83)
        assert "Traceback" not in (tmp_path / "a").read_text() + (tmp_path / "b").read_text()


@pytest.mark.soak
def test_servers_without_redis_learn_of_each_others_entries(postgres_url: str, tmp_path: Path) -> None:
    with (
        running(postgres_url, *FAST, log=tmp_path / "a") as one,
        running(postgres_url, *FAST, log=tmp_path / "b") as other,
    ):
        table = one.make_table(seats=["p1"])
        gm, p1 = table.sit("gm"), table.sit("p1", server=other)
        gm.do("add_character", name="Ada", card="HA")
        p1.catch_up(1)
        assert p1.doc["view"]["characters"][0]["name"] == "Ada"


def test_an_answer_saved_by_another_server_is_acknowledged(postgres_url: str, tmp_path: Path) -> None:
    """Somebody's line breaks before they are told; they come again at a server that has heard of nothing yet."""
    with (
        running(postgres_url, *FAST, log=tmp_path / "a") as one,
        running(postgres_url, *FAST, log=tmp_path / "b") as other,
    ):
        table = one.make_table(seats=["p1"])
        gm, again = table.sit("gm"), table.sit("gm", server=other)
        gm.do("add_character", name="Ada", card="HA")
        own, answer = new_id(), {"do": "remove_character", "name": "Ada"}
        assert gm.ask(answer, id=own)["n"] == 2
        told = again.ask(answer, id=own, at=1)  # there is nobody to be removed there, as far as it knows
        assert (told["t"], told["n"]) == ("ack", 2)


@pytest.mark.soak
def test_nonsense_on_the_channel_is_passed_over(two: Two, redis_url: str) -> None:
    from redis import Redis

    table = two[0].make_table(seats=["p1"])
    gm, p1 = table.sit("gm"), table.sit("p1", server=two[1])
    with Redis.from_url(redis_url) as redis:
        for nonsense in (b"", b"{", b"[1,2]", b"\xff", json.dumps(["x", [["y", 10**30, 0]]]).encode()):
            redis.publish("cardhouse", nonsense)
        redis.publish("cardhouse", json.dumps(["x", [[table.id, 10**9, 10**9]]]))
    gm.do("add_character", name="Ada", card="HA")
    p1.catch_up(1)


@pytest.mark.parametrize(
    ("database", "redis", "says"),
    [("postgres", "nonsense", "isn't a Redis URL"), ("sqlite", "redis://127.0.0.1", "share a PostgreSQL")],
)
def test_a_redis_that_cannot_be_used(
    request: pytest.FixtureRequest, tmp_path: Path, database: str, redis: str, says: str
) -> None:
    url = f"sqlite:///{tmp_path}/cards.db" if database == "sqlite" else request.getfixturevalue("postgres_url")
    command = [sys.executable, "-m", "cardhouse.server", "--port", "0", "--db", url, "--redis", redis]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 1
    assert says in ended.stderr
    assert ended.stderr.count("\n") == 1
