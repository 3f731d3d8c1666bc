"""Try that a server keeps what it acknowledged: backup during play, another kind of database, a newer server.

These are parts of `make hosting`: the stored data are compared with what players received.
"""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from scripts import try_upgrade
from scripts.trials import Trial
from tests.server.hammering import Hammer, check_nothing_lost
from tests.server.talking import FAST, Server, TableMade, running

CARDHOUSE = Path(sys.executable).with_name("cardhouse")
BEFORE = 100
"""The answers at the table before it is copied."""
AFTERWARDS = 20
"""The answers on the server made from the copy."""


def cardhouse(*arguments: str | Path) -> None:
    """Run a command. Raises AssertionError with its output if it fails."""
    done = subprocess.run([CARDHOUSE, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, f"cardhouse {' '.join(map(str, arguments))[:200]}: {done.stdout}{done.stderr}"


async def play_while_it_is_copied(hammer: Hammer, server: Server, file: Path) -> dict[str, int]:
    """Return the numbers of the answers acknowledged before the copy began, by their ids."""
    await hammer.play(server, enough=BEFORE)
    before = dict(hammer.acknowledged)
    playing = asyncio.create_task(hammer.play(server))
    copying = asyncio.to_thread(cardhouse, "tables", "backup", file, "--db", server.database)
    await copying
    assert not playing.done(), "nobody played while it was copied"
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    return before


def moved(server: Server, table: TableMade, database: str, folder: Path, given: int) -> tuple[int, int]:
    """Copy a server with a table of `given` answers during play, and start another from the copy.

    Returns how many answers the table has in the copy, and in the end.
    """
    file, log = folder / f"{given}.db", folder / f"{given}.log"
    hammer = Hammer(table, seed=given)
    before = asyncio.run(play_while_it_is_copied(hammer, server, file))
    there = table.transcript()
    cardhouse("tables", "restore", file, "--db", database)
    with running(database, *FAST, log=log) as other:
        same = TableMade(other, table.id, table.links, table.commitment)
        copied = same.transcript()
        assert copied == there[: len(copied)], "the copy is of another game"
        answers = sum("by" in line for line in copied[1:])
        assert answers >= given + len(before) >= given + BEFORE, "what was acknowledged before isn't in the copy"
        player = Hammer(same, seed=given + 1)
        asyncio.run(player.play(other, enough=AFTERWARDS))
        return answers, check_nothing_lost(same, [player], others=answers)


def backup(folder: Path) -> str:
    """Copy from a file to PostgreSQL and to another file during play, keeping the links."""
    first, last = f"sqlite:///{folder}/first.db", f"sqlite:///{folder}/last.db"
    with try_upgrade.database() as postgres:
        with running(first, *FAST, log=folder / "first.log") as server:
            table = server.make_table()
            there, then = moved(server, table, postgres, folder, given=0)
        with running(postgres, *FAST, log=folder / "second.log") as server:
            table.server = server
            back, end = moved(server, table, last, folder, given=then)
    logs = "".join(log.read_text() for log in folder.glob("*.log"))
    assert "Traceback" not in logs, logs
    return (
        f"copied while people played, SQLite to PostgreSQL with {there} answers and back to SQLite with {back}, "
        f"{end} in the end: what was acknowledged before is in each copy, and the same links go on"
    )


def upgrade(commit: str | None) -> Callable[[Path], str]:
    """Return a trial of a newer server started next to one of that commit, or of the present files."""

    def trial(folder: Path) -> str:
        seen = try_upgrade.renew(commit, folder)
        assert not seen.tracebacks, "".join(log.read_text() for log in folder.glob("*.log"))[-2000:]
        return (
            f"from {commit or 'these files'} to these files, {seen.acknowledged:,} answers acknowledged, "
            f"{seen.by_the_older:,} of them by the older server, {seen.entries:,} in the logs; none lost, none twice"
        )

    return trial


def trials(old: str | None) -> Mapping[str, Trial]:
    """Return the trials, given the commit of the older server, or None for the present files."""
    return {
        "backup": Trial("backup while people play, SQLite to PostgreSQL to SQLite", backup),
        "upgrade": Trial(f"a newer server under load, from {old or 'these files'}", upgrade(old)),
    }
