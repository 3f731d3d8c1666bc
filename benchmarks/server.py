"""The server under load, compared with the same parts without rules; and how fast a long table opens.

    python -m benchmarks.server [SECONDS]

Four people at each table answer as soon as all four have received the previous answer. It measures, on SQLite and on
PostgreSQL, at 1, 10, 50 and 200 tables: acknowledged answers a second, each on disk before it is acknowledged;
milliseconds from an answer to its acknowledgement; and the bytes that a client receives for each answer, as JSON and
compressed. `bare` (bare.py) is the baseline: socket in, group commit with fsync, four sockets out. The server has one
core to itself and the load another, if there are two.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from secrets import token_hex
from statistics import median

import psycopg
from websockets.sync.client import connect

from cardhouse.engine import SCREEN, Dealer, FairDealer, Snapshot, Table, write_line
from cardhouse.server.core.tokens import hash_of, new_table_id, new_token
from cardhouse.server.persistence.records import SAVE_SNAPSHOT_EVERY, SeatRecord, TableRecord, row_of
from cardhouse.server.persistence.repository import Store

HERE = Path(__file__).parent
TABLES = (1, 10, 50, 200)
PLAYERS = ("p1", "p2", "p3")
LONG = 10_000
JOINED = 500
OPENINGS = 5
FAST = (
    *("--rate", "1000000", "--burst", "1000000", "--connections", "10000", "--patience", "100"),
    "--no-lab-ahead",  # it takes minutes once per machine, on the measured core
)
CARDHOUSE = ("-m", "cardhouse.server", "--port", "0", *FAST, "--db")


def on_core(number: int) -> Callable[[], None] | None:
    """Return a function that keeps a new process on one core, if there are two."""
    if not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2:
        return None
    core = sorted(os.sched_getaffinity(0))[number]
    return lambda: os.sched_setaffinity(0, {core})


@contextmanager
def serving(*command: str) -> Iterator[str]:
    """Run a server process that prints its address, until the end of the block."""
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True, preexec_fn=on_core(0))
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def load(address: str, tables: int, seconds: float) -> dict[str, float]:
    """Play with people at this many tables; return load.py's measurements."""
    command = [sys.executable, str(HERE / "load.py"), address, str(tables), str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=on_core(1))
    if done.returncode:
        raise SystemExit(f"The load failed: {done.stderr.strip()}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


@contextmanager
def databases() -> Iterator[list[tuple[str, str, str]]]:
    """Yield a name and the URLs of two empty databases for each available kind."""
    with tempfile.TemporaryDirectory(prefix="cardhouse-bench-") as folder:
        found = [("SQLite", f"sqlite:///{folder}/cards.db", f"sqlite:///{folder}/bare.db")]
        postgres = os.environ.get("CARDHOUSE_TEST_POSTGRES")
        if postgres is None:
            print("CARDHOUSE_TEST_POSTGRES is not set (`make bench` sets it): SQLite only.")
            yield found
            return
        names = [f"cardhouse_bench_{token_hex(6)}" for _ in range(2)]
        cards, bare = [f"{postgres.rpartition('/')[0]}/{name}" for name in names]
        with psycopg.connect(postgres, autocommit=True) as connection:
            for name in names:
                connection.execute(f'CREATE DATABASE "{name}"')
            try:
                yield [*found, ("PostgreSQL", cards, bare)]
            finally:
                for name in names:
                    connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def measure_load(name: str, cards: str, bare: str, seconds: float) -> None:
    """Print a line for each number of tables, and one for the baseline."""
    print(f"\n{name:<11}tables   answers/s    p50 ms    p99 ms   bytes  on wire")
    for tables in TABLES:
        for what, command in (("cardhouse", (*CARDHOUSE, cards)), ("bare", (str(HERE / "bare.py"), bare))):
            with serving(*command) as address:
                found = load(address if what == "cardhouse" else f"bare:{address}", tables, seconds)
            print(
                f"{what:<11}{tables:6}{found['answers_a_second']:12,.0f}{found['p50_ms']:10.1f}{found['p99_ms']:10.1f}"
                f"{found['bytes']:8.0f}{found['wire_bytes']:9.0f}",
                flush=True,
            )


def played(entries: int, dealer: Dealer) -> Iterator[Table]:
    """Yield a table of card initiative after each of this many entries; only the dealt cards vary."""
    choices = Random(entries)
    table = Table.new("initiative", ["gm", *PLAYERS], dealer=dealer)
    for card in ("HA", "HK", "H9", "H8", "SA", "S5", "S6", "S10"):
        table.answer("gm", {"do": "add_character", "name": f"The {card}", "card": card}, id=new_token())
        yield table
    while table.number < entries:
        offer = choices.choice(table.offers("gm"))
        fields = {field: value["const"] for field, value in offer["fields"].items()}
        table.answer("gm", {"do": offer["do"], **fields}, id=new_token())
        yield table


def long_table(store: Store, entries: int) -> tuple[str, str]:
    """Store a table with this many entries; return its id, and the game master's token."""
    dealer, token, name = FairDealer(), new_token(), new_table_id()
    snapshots: list[Snapshot] = []
    for table in played(entries, dealer):
        if table.last_snapshot.number - (snapshots[-1].number if snapshots else 0) >= SAVE_SNAPSHOT_EVERY:
            snapshots.append(table.with_log(table.last_snapshot))
    seats = [SeatRecord(seat, hash_of(token if seat == "gm" else new_token())) for seat in (*table.seats, SCREEN)]
    record = TableRecord(name, write_line(table.header), dealer.seed.hex(), "gm", 0, seats)
    store.create(record)
    store.append([row_of(name, entry) for entry in table.entries])
    store.save_snapshots([(name, snapshot) for snapshot in snapshots])
    return name, token


def join(address: str, table: str, token: str) -> tuple[float, int]:
    """Join a table; return the seconds until it arrives, and its size in bytes."""
    with connect(address.replace("http", "ws") + "/ws") as socket:
        started = time.perf_counter()
        socket.send(json.dumps({"t": "sit", "table": table, "token": token}))
        text = socket.recv()
        return time.perf_counter() - started, len(text)


def measure_opening(name: str, cards: str) -> None:
    """Print how long a long table takes to open, compared with a bare read of its rows, and what a client receives."""
    store = Store(cards)
    longs = [long_table(store, LONG) for _ in range(OPENINGS)]
    middling = long_table(store, JOINED)
    bare = []
    for table, _ in longs:
        started = time.perf_counter()
        assert len(store.entries(table)) == LONG
        bare.append(time.perf_counter() - started)
    store.close()
    with serving(*CARDHOUSE, cards) as address:
        opened = [join(address, *table)[0] for table in longs]
        again = join(address, *longs[0])[0]
        size = join(address, *middling)[1]
    print(f"\n{name}: a table with {LONG:,} entries opens in {median(opened) * 1000:.0f} ms (median of {OPENINGS}),")
    print(f"  in {again * 1000:.0f} ms when it is open already; a bare read of its rows: {median(bare) * 1000:.0f} ms")
    print(f"  a client that joins a table with {JOINED} entries gets {size:,} bytes")


def main(seconds: float = 5.0) -> None:
    """Measure, and print everything."""
    with databases() as found:
        for name, cards, bare in found:
            measure_load(name, cards, bare, seconds)
            measure_opening(name, cards)


if __name__ == "__main__":
    main(*(float(argument) for argument in sys.argv[1:2]))
