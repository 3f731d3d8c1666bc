"""Worker processes: limits of time and waiting, turns, and all kinds of ends."""

import asyncio
import operator
import os
import pickle
import select
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from cardhouse.engine import GM, BadFile, BadTranscript, CardhouseError, Mistake, SeededDealer, Table, read_header
from cardhouse.games.hackjack.rules import Hackjack
from cardhouse.server.core.compression import run_and_gzip
from cardhouse.server.files.upload_checks import option_value
from cardhouse.server.jobs import pool as work
from cardhouse.server.jobs import worker
from cardhouse.server.jobs.pool import PASSED_OVER, Workers
from cardhouse.server.jobs.queue import BOTS, ODDS, VISITORS, Priority
from cardhouse.server.jobs.tasks import odds_of, table_state
from cardhouse.server.jobs.worker import NICENESS
from cardhouse.server.jobs.worker_process import WorkerProcess
from cardhouse.server.management import table_manager
from cardhouse.server.management.table_manager import TableManager
from cardhouse.server.persistence.records import TableRecord
from cardhouse.server.persistence.repository import Store
from cardhouse.server.persistence.table_list import list_tables
from cardhouse.server.transcripts.transcript_export import export_transcript
from cardhouse.server.transcripts.transcript_import import read_in
from tests.server.talking import FAST, running

FOR_EVER = signal.pause
"""What never ends by itself, and costs nothing."""


@asynccontextmanager
async def workers(count: int = 1) -> AsyncIterator[Workers]:
    pool = Workers(count)
    try:
        yield pool
    finally:
        await pool.close()


def play(body: Callable[[Workers], Awaitable[None]], count: int = 1) -> None:
    async def run() -> None:
        async with workers(count) as pool:
            await body(pool)

    asyncio.run(run())


def test_a_worker_that_was_stopped_takes_no_more_jobs() -> None:
    """Its process ends a moment later, and whoever got it meanwhile would lose their job."""
    one = WorkerProcess()
    one.stop()
    assert not one.is_alive()
    one.kill()


def test_a_job_that_takes_too_long_ends_and_the_next_runs() -> None:
    async def body(pool: Workers) -> None:
        before = await pool.run("ada", os.getpid)
        with pytest.raises(CardhouseError, match=r"longer than 0\.05 seconds") as ended:
            await pool.run("ada", FOR_EVER, seconds=0.05)
        assert ended.value.code == "too_long"
        assert await pool.run("ada", os.getpid) != before
        assert before not in pool.processes()

    play(body)


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="the system has no such thing")
def test_tables_come_before_what_workers_do() -> None:
    async def body(pool: Workers) -> None:
        own = os.getpriority(os.PRIO_PROCESS, 0)
        assert await pool.run("ada", os.getpriority, os.PRIO_PROCESS, 0) == min(own + NICENESS, 19)

    play(body)


def test_a_process_that_dies_is_reported_and_replaced() -> None:
    async def body(pool: Workers) -> None:
        with pytest.raises(CardhouseError, match="ended too early") as ended:
            await pool.run("ada", os._exit, 3)
        assert ended.value.code == "our_error"
        idle = await pool.run("ada", os.getpid)
        os.kill(idle, signal.SIGKILL)
        wait_until_gone(idle)
        assert await pool.run("ada", os.getpid) != idle

    play(body)


def test_a_visitor_has_few_jobs_waiting_and_visitors_take_turns() -> None:
    async def body(pool: Workers) -> None:
        loop = asyncio.get_running_loop()
        first = loop.create_task(pool.run("ada", FOR_EVER, seconds=0.2))
        waiting = [loop.create_task(pool.run("ada", operator.add, 1, number)) for number in range(VISITORS.waiting)]
        done: list[str] = []
        for task in waiting:
            task.add_done_callback(lambda _: done.append("ada"))
        await asyncio.sleep(0)
        with pytest.raises(CardhouseError, match="requests of this kind are still running") as refused:
            await pool.run("ada", operator.add, 1, 1)
        assert refused.value.code == "too_many"
        other = loop.create_task(pool.run("nan", operator.add, 2, 3))
        other.add_done_callback(lambda _: done.append("nan"))
        assert await other == 5
        assert await asyncio.gather(*waiting) == [1 + number for number in range(VISITORS.waiting)]
        with pytest.raises(CardhouseError, match="longer than"):
            await first
        assert done.index("nan") <= 1

    play(body)


def test_work_for_tables_runs_alongside_visitors_requests() -> None:
    async def body(pool: Workers) -> None:
        stranger = asyncio.get_running_loop().create_task(pool.run("ada", FOR_EVER, seconds=60))
        await asyncio.sleep(0)
        assert await pool.run("k3v9x2ab", operator.add, 1, 1, priority=BOTS) == 2
        assert not stranger.done()
        stranger.cancel()

    play(body)


def test_who_leaves_is_not_worked_for() -> None:
    async def body(pool: Workers) -> None:
        loop = asyncio.get_running_loop()
        first = loop.create_task(pool.run("ada", FOR_EVER, seconds=0.2))
        gone = loop.create_task(pool.run("ada", os._exit, 3))
        await asyncio.sleep(0)
        gone.cancel()
        with pytest.raises(CardhouseError, match="longer than"):
            await first
        assert await pool.run("ada", operator.add, 1, 1) == 2  # by a process that nothing has ended

    play(body)


def begin_and_wait(sign: Path) -> str:
    """Python that says, through a named pipe, that it has begun, and never ends."""
    os.mkfifo(sign)
    return f"(open({str(sign)!r}, 'w').close(), __import__('signal').pause())"


async def has_begun(sign: Path) -> None:
    await asyncio.to_thread(sign.read_bytes)


def test_a_job_that_nobody_waits_for_any_more_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "ABANDONED_SECONDS", 0)

    async def body(pool: Workers) -> None:
        before = await pool.run("ada", os.getpid)
        asked = asyncio.create_task(pool.run("ada", eval, begin_and_wait(tmp_path / "sign"), seconds=3600))
        await has_begun(tmp_path / "sign")
        asked.cancel()
        assert await pool.run("ada", os.getpid) != before
        assert before not in pool.processes()

    play(body)


def test_odds_get_their_turn_however_much_bots_think(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "ABANDONED_SECONDS", 0)

    async def body(pool: Workers) -> None:
        signs = [tmp_path / str(number) for number in range(3)]
        held = [asyncio.create_task(pool.run(str(one), eval, begin_and_wait(one), priority=BOTS)) for one in signs]
        for sign in signs:
            await has_begun(sign)
        done: list[str] = []

        async def do(what: str, number: int, priority: Priority) -> None:
            await pool.run(f"{what} {number}", operator.add, 1, number, priority=priority)
            done.append(what)

        odds = asyncio.create_task(do("odds", 0, ODDS))
        thoughts = [asyncio.create_task(do("bots", number, BOTS)) for number in range(3 * PASSED_OVER)]
        await asyncio.sleep(0)
        held.pop().cancel()  # one process for all of them
        await asyncio.gather(odds, *thoughts)
        assert done.index("odds") == PASSED_OVER
        for one in held:
            one.cancel()

    play(body)


def test_a_job_that_takes_too_much_memory_is_refused() -> None:
    async def body(pool: Workers) -> None:
        read_only = "len(__import__('mmap').mmap(-1, 1 << 33, __import__('mmap').MAP_PRIVATE, 1))"
        assert await pool.run("ada", eval, read_only) == 1 << 33
        for greedy in ("bytearray(1 << 32)", "[bytes(1 << 28) for _ in range(16)]"):
            with pytest.raises(CardhouseError, match="more memory than this server allows") as refused:
                await pool.run("ada", eval, greedy)
            assert refused.value.code == "too_large"
        assert await pool.run("ada", operator.add, 1, 1) == 2

    play(body)


def test_a_process_that_has_grown_large_is_replaced() -> None:
    async def body(pool: Workers) -> None:
        small = await pool.run("ada", os.getpid)
        assert await pool.run("ada", eval, "len(b'x' * 200_000_000)") == 200_000_000
        assert await pool.run("ada", os.getpid) == small  # it has given that back
        assert await pool.run("ada", eval, "len(globals().setdefault('kept', b'x' * 200_000_000))") == 200_000_000
        assert small not in pool.processes()
        assert await pool.run("ada", operator.add, 1, 1) == 2

    play(body)


def test_a_task_is_read_only_at_its_turn() -> None:
    async def body(pool: Workers) -> None:
        state = [1]
        first = asyncio.create_task(pool.run("ada", operator.add, 1, 1))
        second = asyncio.create_task(pool.run_when_due("ada", lambda: (operator.add, (0, state[0]))))
        await asyncio.sleep(0)
        state[0] = 2
        assert (await first, await second) == (2, 2)

    play(body)


CARD = b'{"by": "gm", "do": "add_character", "name": "Nan", "card": "HA"}\n{"by": "gm", "undo": 1}\n'
HEADER = b'{"cardhouse": 1, "game": "initiative", "seats": ["gm"]}\n'


def test_a_worker_loads_no_web_server_and_a_database_only_to_read_it(tmp_path: Path) -> None:
    Store(f"sqlite:///{tmp_path}/cards.db").close()
    record = TableRecord("abcd2345", HEADER.decode(), "", "off", 0, [])

    async def body(pool: Workers) -> None:
        imported = await pool.run("ada", read_in, HEADER + CARD)
        await pool.run("ada", run_and_gzip, option_value, "hackjack", "wounds", Hackjack.option_file("wounds").encode())
        table = Table(read_header(imported.header), SeededDealer())
        await pool.run("ada", odds_of, table_state(table), [GM])
        loaded = await pool.run("ada", eval, "set(__import__('sys').modules)")
        assert {"cardhouse.server.transcripts.transcript_import", "cardhouse.games.hackjack"} <= loaded
        assert not loaded & {"litestar", "uvicorn", "websockets", "typer", "sqlalchemy", "numpy", "asyncio"}
        await pool.run("ada", run_and_gzip, export_transcript, f"sqlite:///{tmp_path}/cards.db", record)
        loaded = await pool.run("ada", eval, "set(__import__('sys').modules)")
        assert "sqlalchemy" in loaded
        assert not loaded & {"litestar", "uvicorn", "websockets", "typer"}

    play(body)


def test_refusals_come_back_as_they_were_raised() -> None:
    async def body(pool: Workers) -> None:
        with pytest.raises(BadTranscript) as unread:
            await pool.run("ada", read_in, b'{"cardhouse": 1, "game": "initiative", "seats": ["gm"]}\n{"by": "gm"}')
        assert unread.value.line == 2
        with pytest.raises(BadFile) as bad:
            await pool.run("ada", option_value, "hackjack", "wounds", b"[C4]\nwrong = 1\n")
        assert all(type(mistake) is Mistake for mistake in bad.value.mistakes)
        assert bad.value.mistakes
        with pytest.raises(RuntimeError, match="ZeroDivisionError"):
            await pool.run("ada", operator.truediv, 1, 0)

    play(body)


def test_nothing_is_left_of_a_server_that_was_killed(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:
        table = server.make_table()
        assert server.get(f"/api/tables/{table.id}/transcript", table.links["gm"])[0] == 200
        found = descendants(server.process.pid or 0)
        assert found
        server.process.kill()
        server.process.join()
        for child in found:
            wait_until_gone(child)


def descendants(pid: int) -> list[int]:
    """All processes that a process has started, by any of its threads."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            found += [int(child), *descendants(int(child))]
    return found


def wait_until_gone(pid: int) -> None:
    """Until a process that isn't a child of ours is gone."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    poll = select.poll()
    poll.register(watched, select.POLLIN)
    assert poll.poll(60_000), pid
    os.close(watched)


def test_an_import_that_takes_too_long_saves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_manager, "IMPORT_SECONDS", 0.0)

    async def run() -> None:
        house = TableManager(Store(f"sqlite:///{tmp_path}/cards.db"))
        try:
            with pytest.raises(CardhouseError, match="longer than 0 seconds"):
                await house.import_transcript("ada", HEADER + CARD * 2000)
            assert list_tables(house.store) == []
        finally:
            await house.close()

    asyncio.run(run())


_happened: list[str] = []


def notes_that_it_ran() -> None:
    _happened.append("ran")


def test_a_jobs_time_begins_when_all_it_needs_is_loaded() -> None:
    _happened.clear()
    outcome = worker._outcome(pickle.dumps((notes_that_it_ran, ())), lambda: _happened.append("begun"))
    assert (outcome.kind, _happened) == ("done", ["begun", "ran"])
    outcome = worker._outcome(b"no job", lambda: _happened.append("begun again"))
    assert (outcome.kind, _happened) == ("failed", ["begun", "ran"])
