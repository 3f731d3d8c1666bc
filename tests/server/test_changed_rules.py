"""A table whose log the installed rules can't replay: it is shown as far as they can, and nothing is lost."""

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from cardhouse.engine import Snapshot
from cardhouse.server.persistence.repository import Store
from cardhouse.server.table.broadcaster import STORY_CATCH_UP
from tests.server.talking import FAST, Person, Server, TableMade, running

PLAYED = 3
"""The entry that no longer fits: its card is one that another character has."""


def rewrite(server: Server, old: str, new: str) -> None:
    """What an entry says is other than the rules allow, as after a change of them; or is as before."""
    server.stop()
    with sqlite3.connect(server.database.removeprefix("sqlite:///")) as connection:
        connection.execute("UPDATE entries SET text = replace(text, ?, ?) WHERE number = ?", (old, new, PLAYED))
    connection.close()
    server.start()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("changed")
    with running(f"sqlite:///{folder}/cards.db", *FAST, log=folder / "log") as server:
        yield server


@pytest.fixture(scope="module")
def table(server: Server) -> TableMade:
    """A table with two characters that are well, one of them hidden, and a third that no longer fits; 4 entries."""
    table = server.make_table(seats=["p1"])
    gm = table.sit("gm")
    gm.do("add_character", name="Ada", card="HA", hidden=True)
    gm.do("add_character", name="Bea", card="S2")
    gm.do("add_character", name="Nan", card="HK")
    gm.do("start_round")
    rewrite(server, "HK", "HA")
    return table


def names_seen(person: Person) -> list[str]:
    return [one["name"] for one in person.doc["view"]["characters"]]


def asked(table: TableMade, path: str) -> Any:
    status, told = table.server.get(f"/api/tables/{table.id}/{path}", table.links["gm"])
    assert status == 200, told
    return told


def test_everyone_sees_the_last_state_that_fits(table: TableMade) -> None:
    gm, p1 = table.sit("gm"), table.sit("p1")
    assert (names_seen(gm), names_seen(p1)) == (["Ada", "Bea"], ["Bea"])
    for person in (gm, p1):
        assert person.n == PLAYED - 1
        assert not person.table["table"]["ended"]
        assert person.doc["asks"]["kind"] != "over"
        assert person.doc["asks"]["seats"] == [], "nobody is asked anything"
        assert [entry["n"] for entry in person.table["story"]][-1] == PLAYED - 1
        person.say(t="story", before=PLAYED)
        assert person.hear("story")["more"] is False
    assert "Ada" not in "".join(p1.texts)


def test_the_entry_and_the_way_out_are_named(table: TableMade) -> None:
    said = table.sit("p1").table["table"]["read_only"]
    assert said.startswith("Entry 3 of this table's log doesn't fit the installed rules of initiative (cardhouse ")
    assert "Nothing is lost. This is the table after entry 2." in said
    assert "install the version that it was played with" in said
    assert "HA" not in said, "why it doesn't fit may be a secret"


def test_nothing_can_be_done_at_it(table: TableMade) -> None:
    for person in (table.sit("gm"), table.sit("p1")):
        assert person.ask({"do": "start_round"})["code"] == "read_only"
        assert person.ask({"undo": 1})["code"] == "read_only"
        person.say(t="offers")
        assert person.hear("offers")["offers"] == []
        person.say(t="odds", on=True)
        person.say(t="name", name="Mo")
        person.sync()


def test_all_of_it_can_be_saved_and_that_state_too(table: TableMade) -> None:
    assert [line["name"] for line in table.transcript() if line.get("do") == "add_character"] == ["Ada", "Bea", "Nan"]
    beginning = [json.loads(line) for line in asked(table, f"transcript?upto={PLAYED - 1}").splitlines()]
    assert [line.get("name") for line in beginning[1:]] == ["Ada", "Bea"]
    for path in ("transcript", "transcript?upto=1"):
        status, _ = table.server.get(f"/api/tables/{table.id}/{path}", table.links["p1"])
        assert status == 403
    status, _ = table.server.get(f"/api/tables/{table.id}/transcript?upto={1 << 70}", table.links["gm"])
    assert status == 400


def test_it_is_replayed_up_to_there(table: TableMade) -> None:
    replay = asked(table, "replay?seat=open&after=0")
    assert (replay["total"], len(replay["moments"])) == (PLAYED - 1, PLAYED - 1)
    assert asked(table, "evening")["look"]


def test_a_copy_goes_on_from_there(table: TableMade) -> None:
    wanted = {"seat": "gm", "at": PLAYED - 1, "name": "Again"}
    by = {"Authorization": f"Bearer {table.links['gm']}"}
    status, begun = table.server.post(f"/api/tables/{table.id}/fork", wanted, **by)
    assert status == 201, begun
    copy = TableMade(table.server, begun["table"], begun["links"])
    gm = copy.sit("gm")
    assert names_seen(gm) == ["Ada", "Bea"]
    gm.do("add_character", name="Nan", card="HK")


def test_it_goes_on_when_the_rules_fit_again(server: Server, table: TableMade) -> None:
    rewrite(server, "HA", "HK")
    gm = table.sit("gm")
    assert gm.table["table"]["read_only"] is None
    assert (gm.n, "Nan" in names_seen(gm)) == (4, True)
    rewrite(server, "HK", "HA")


def test_a_snapshot_that_the_rules_cannot_read_is_left_aside(server: Server) -> None:
    """The log may fit them all the same."""
    header = {"cardhouse": 1, "game": "initiative", "seats": ["gm"]}
    pair = [{"by": "gm", "do": "add_character", "name": "Ada", "card": "HA"}, {"by": "gm", "undo": 1}]
    text = "".join(f"{json.dumps(line)}\n" for line in (header, *(pair * (STORY_CATCH_UP // 2 + 2)), pair[0]))
    status, made = server.post("/api/tables/import", text.encode())
    assert status == 201, made
    server.stop()
    store = Store(server.database)
    store.save_snapshots([(made["table"], Snapshot(2, 0, msgspec.Raw(b'{"seats":7}')))])
    store.close()
    server.start()
    gm = TableMade(server, made["table"], made["links"]).sit("gm")
    assert gm.table["table"]["read_only"] is None
    assert names_seen(gm) == ["Ada"]


def test_a_table_of_another_version_of_a_package_names_the_one_it_needs(server: Server) -> None:
    table = server.make_table(seats=["p1"])
    gm = table.sit("gm")
    for name, card in (("Ada", "HA"), ("Bea", "S2"), ("Nan", "HK")):
        gm.do("add_character", name=name, card=card)
    with sqlite3.connect(server.database.removeprefix("sqlite:///")) as connection:
        made = '{"cardhouse":1,"package":"frontier 0.9",'
        connection.execute("UPDATE tables SET header = replace(header, ?, ?)", ('{"cardhouse":1,', made))
    connection.close()
    rewrite(server, "HK", "HA")
    said = table.sit("p1").table["table"]["read_only"]
    assert "install the version that it was played with: frontier 0.9." in said
