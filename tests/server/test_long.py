"""Twenty people at a table, and a table with a very long log."""

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardhouse.engine import SCREEN, FairDealer, Snapshot, Table, write_line
from cardhouse.engine.values.transcript import body_of
from cardhouse.server.core.tokens import hash_of
from cardhouse.server.persistence.group_commit import Saver
from cardhouse.server.persistence.records import SAVE_SNAPSHOT_EVERY, Row, SeatRecord, TableRecord, row_of
from cardhouse.server.persistence.repository import Store
from cardhouse.server.table.broadcaster import STORY_CATCH_UP
from cardhouse.server.table.loader import load
from tests.server.talking import FAST, Person, Server, TableMade, new_id, running

pytestmark = pytest.mark.soak

LONG = 10_000


def test_twenty_people(house: Server) -> None:
    players = [f"p{number}" for number in range(1, 20)]
    table = house.make_table(seats=19)
    people = {seat: table.sit(seat) for seat in ("gm", *players)}
    gm = people["gm"]
    cards = [f"{suit}{rank}" for suit in "CDHS" for rank in ("K", "Q", "J", "10", "9")]
    for seat, card in zip(players, cards, strict=False):
        gm.do("add_character", name=f"The {card}", card=card, controller=seat)
    gm.do("start_round")
    while gm.doc["asks"]["key"] != "between":
        one = people[gm.doc["asks"]["seats"][0]]
        one.catch_up(gm.n)
        offer = one.offers[0]
        one.do(offer["do"], name=offer["fields"]["name"]["const"])
        gm.catch_up(one.n)
    for seat, person in people.items():
        person.catch_up(gm.n)
        assert person.doc == table.sit(seat).doc
    assert sorted(seat["seat"] for seat in gm.table["seats"]) == sorted(["gm", *players, "screen"])


def played(undo_at_the_end: bool) -> tuple[Table, list[Row], list[tuple[str, Snapshot]], FairDealer]:
    """A table of 10,000 entries, as a server would have kept it."""
    dealer, choices = FairDealer(), random.Random(7)
    table = Table.new("initiative", ["gm", "p1"], dealer=dealer)
    snapshots: list[Snapshot] = []
    for card in ("HA", "HK", "H9", "SA", "S5", "S10"):
        table.answer("gm", {"do": "add_character", "name": card, "card": card, "controller": "p1"}, id=new_id())
    while table.number < LONG:
        if choices.random() < 0.03:
            table.answer("gm", {"undo": choices.randint(1, 3)}, id=new_id())
            continue
        offer = choices.choice(table.offers("gm"))
        fields = {name: field["const"] for name, field in offer["fields"].items()}
        table.answer("gm", {"do": offer["do"], **fields}, id=new_id())
        before = snapshots[-1].number if snapshots else 0
        if table.last_snapshot.number == table.number and table.number - before >= SAVE_SNAPSHOT_EVERY:
            snapshots.append(table.with_log(table.last_snapshot))
    if undo_at_the_end:
        table.answer("gm", {"undo": 2_000}, id=new_id())
    rows = [row_of("abcd2345", entry) for entry in table.entries]
    return table, rows, [("abcd2345", snapshot) for snapshot in snapshots], dealer


@pytest.fixture(params=[False, True], ids=["", "undone far back"])
def long_table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Table, Store, TableRecord]]:
    table, rows, snapshots, dealer = played(request.param)
    store = Store(f"sqlite:///{tmp_path}/cards.db")
    seats = [SeatRecord(seat, hash_of(seat)) for seat in ("gm", "p1", SCREEN)]
    record = TableRecord("abcd2345", write_line(table.header), dealer.seed.hex(), "gm", 0, seats)
    store.create(record)
    assert all(store.append(rows))
    store.save_snapshots(snapshots)
    yield table, store, record
    store.engine.dispose()


def test_it_opens_as_it_was(long_table: tuple[Table, Store, TableRecord], tmp_path: Path) -> None:
    table, store, _ = long_table
    store.close()
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:
        made = TableMade(server, "abcd2345", {seat: seat for seat in ("gm", "p1", "screen")})
        gm, p1 = made.sit("gm"), made.sit("p1")
        assert gm.table["n"] == table.number
        for person in (gm, p1):
            assert person.doc == {"view": table.view(person.seat), "asks": table.asks()}
            assert person.story == [table.story(entry, person.seat) for entry in table.entries[-40:]]
        p1.say(t="story", before=41)
        assert p1.hear("story")["entries"] == [table.story(entry, "p1") for entry in table.entries[:40]]
        early = table.entries[100].lines[0]
        assert gm.ask(body_of(early), id=early["id"]) == {"t": "ack", "id": early["id"], "n": 101}
        asked, undone = gm.ask({"undo": 3_000}), table.answer("gm", {"undo": 3_000}, id=new_id())
        assert asked["story"][0]["undo"] == undone.undoes
        assert gm.doc["view"] == table.view("gm")
        assert [json.dumps(line) for line in made.transcript()[1:-1]] == [
            json.dumps(line) for entry in table.entries[:-1] for line in entry.lines
        ]


def test_from_a_copy_or_from_the_beginning_it_is_the_same(long_table: tuple[Table, Store, TableRecord]) -> None:
    table, store, record = long_table

    async def both() -> tuple[Table | None, Table | None]:
        saver = Saver(store)
        near, whole = await load(saver, record, None), await load(saver, record, 0)
        await saver.close()
        return near.table, whole.table

    near, whole = asyncio.run(both())
    assert near is not None
    assert whole is not None
    assert whole.base == 0
    assert near.number - near.base >= STORY_CATCH_UP
    for opened in (near, whole):
        assert opened.number == table.number
        assert opened.game == table.game
        assert opened._runner.draws == table._runner.draws
        assert opened.asks() == table.asks()
        assert [opened.may_take_back(seat) for seat in table.seats] == [table.may_take_back(s) for s in table.seats]


def test_one_who_joins_late_gets_little(house: Server) -> None:
    table = house.make_table(seats=["p1"])
    gm = table.sit("gm")
    for card in ("HA", "HK", "H9", "H8", "SA", "S5", "S6", "S10"):
        gm.do("add_character", name=f"The one with {card}", card=card, controller="p1")
    choices = random.Random(7)
    while gm.n < 500:
        offer = choices.choice(gm.offers)
        gm.do(offer["do"], **{name: field["const"] for name, field in offer["fields"].items()})
    for seat in ("gm", "p1", "screen"):
        assert len(Person(house, table.id, table.links[seat]).texts[0].encode()) < 10_000
