"""A server that stores very many tables: how long it and a table take to open, compared with one that stores few.

    python -m benchmarks.kept [TABLES]

Each table has forty entries. It measures, on SQLite and on PostgreSQL, with this many tables (100,000) and with a
hundredth of them: seconds until a new server listens, its memory then, and milliseconds from a client's first frame
until the table arrives, for random tables that weren't opened before: median, p99 and the longest. The server has one
core to itself, if there are two.
"""

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import median
from subprocess import PIPE, Popen

import msgspec
from sqlalchemy import insert

from benchmarks.people import resident_bytes
from benchmarks.server import CARDHOUSE, PLAYERS, databases, join, on_core, played
from cardhouse.engine import SCREEN, FairDealer, write_line
from cardhouse.server.core.tokens import hash_of, new_table_id, new_token
from cardhouse.server.persistence import schema
from cardhouse.server.persistence.records import SeatRecord
from cardhouse.server.persistence.repository import Store

KEPT = 100_000
ENTRIES = 40
OPENED = 300
AT_ONCE = 2_000
"""The number of tables that are written in a transaction."""


def keep(store: Store, count: int) -> list[tuple[str, str]]:
    """Store this many more tables, with equal logs; return their ids, and the game masters' secrets."""
    dealer = FairDealer()
    *_, table = played(ENTRIES, dealer)
    kept = {"header": write_line(table.header), "seed": dealer.seed.hex(), "odds": "gm", "changed": 0, "made_at": 0}
    entries = [
        {"number": entry.number, "id": entry.lines[0].get("id"), "text": entry.text, "saved_at": 0}
        for entry in table.entries
    ]
    made: list[tuple[str, str]] = []
    for start in range(0, count, AT_ONCE):
        links = [(new_table_id(), new_token()) for _ in range(min(AT_ONCE, count - start))]
        with store.changing() as connection:
            connection.execute(insert(schema.tables), [{**kept, "id": name} for name, _ in links])
            connection.execute(insert(schema.seats), [seat for link in links for seat in seats(*link)])
            rows = [{**entry, "table_id": name} for name, _ in links for entry in entries]
            connection.execute(insert(schema.entries), rows)
        made += links
    return made


def seats(table: str, token: str) -> list[dict[str, object]]:
    """Return the seats of a table, as rows."""
    records = [SeatRecord(seat, hash_of(token if seat == "gm" else new_token())) for seat in ("gm", *PLAYERS, SCREEN)]
    return [{"table_id": table, **msgspec.structs.asdict(record)} for record in records]


def measure(name: str, database: str, links: Sequence[tuple[str, str]]) -> None:
    """Measure, and print a line."""
    began = time.perf_counter()
    with Popen([sys.executable, *CARDHOUSE, database], stdout=PIPE, text=True, preexec_fn=on_core(0)) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            took, memory = time.perf_counter() - began, resident_bytes(server.pid)
            opened = sorted(join(address, *link)[0] * 1000 for link in Random(0).sample(links, min(OPENED, len(links))))
        finally:
            server.terminate()
    print(
        f"{name:<11}{len(links):9,}{took:10.1f}{memory / 2**20:10.0f}{median(opened):14.1f}"
        f"{opened[len(opened) * 99 // 100]:9.1f}{opened[-1]:9.1f}",
        flush=True,
    )


def main(tables: int = KEPT) -> None:
    """Measure with a hundredth of the tables, and with all."""
    print("              tables   opens, s       MiB   a table, ms      p99  longest")
    with databases() as found:
        for name, few, many in found:
            for database, count in ((few, tables // 100), (many, tables)):
                store = Store(database)
                links = keep(store, count)
                store.close()
                os.sync()  # flush to disk what was just written, as on a server that has run for a while
                measure(name, database, links)
                if name == "SQLite":
                    for file in Path(database.removeprefix("sqlite:///")).parent.iterdir():
                        file.unlink()


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
