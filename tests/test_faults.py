"""`benchmarks.faults` counts faults correctly; `make soak` runs it for long."""

from itertools import islice
from pathlib import Path

import msgspec

from benchmarks.faults.__main__ import HEAD, STORES, Line, in_turn, pairs, read, table
from benchmarks.faults.batch import Came
from benchmarks.faults.kinds import FAULTS, HOUSES
from tests.server.history import DOUBLED, LOST


def test_every_fault_has_houses_that_there_are():
    assert {house for house, _ in pairs()} == set(HOUSES)
    assert {fault for _, fault in pairs()} == set(FAULTS)


def test_kills_on_each_store_come_first_until_there_are_enough():
    totals = {(store, "killed"): Came(faults=9) for store in STORES}
    stores = [(store, "killed") for store in STORES]
    first = list(islice(in_turn(totals, kills=10), 10))
    assert first[:4] == first[5:9] == stores * 2
    assert len({*first[4::5]} - {*stores}) == 2, "something else between them, and then another"
    totals["SQLite", "killed"].add(Came(faults=1))
    assert ("SQLite", "killed") not in islice(in_turn(totals, kills=10), 20)


def test_what_was_wrong_is_counted_and_stands_in_the_table(tmp_path: Path):
    lines = [
        Line("SQLite", "killed", 1, Came(25, 300, 301, 1200, 0, 60.0)),
        Line("SQLite", "killed", 2, Came(25, 100, 101, 400, 3, 30.0, {LOST: 1, "stuck": 2}, ["lost: …"])),
        Line("PostgreSQL", "paused", 3, Came(8, 10, 11, 40, 0, 30.0, {DOUBLED: 1})),
    ]
    (tmp_path / "log").write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    totals = read([tmp_path / "log"])
    assert totals["SQLite", "killed"].says == ["lost: …"]
    assert list(table(totals)) == [
        HEAD,
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| SQLite | killed | 50 | 400 | 1,600 | 1 | 0 | 2 | 2 |",
        "| PostgreSQL | paused | 8 | 10 | 40 | 0 | 1 | 0 | 0 |",
        "| all |  | 58 | 410 | 1,640 | 1 | 1 | 2 | 2 |",
    ]
