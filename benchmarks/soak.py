"""A long evening: tables under load for minutes, a look at what grows, and the server killed again and again.

    python -m benchmarks.soak [MINUTES]

Half of the time (10 minutes in all, unless said otherwise) people play as fast as the server lets them, and its memory
is printed every so often; new tables are set all the while, as in a long life. In the other half the server is killed
at random moments, and everything it had acknowledged must be there, once. For half as long again the largest packs of
Dogpile are compared with those of a constraint solver (`agreement`). Then each game is played in a browser by pressing
whatever its pages offer, in its own view and in the plain one. At the end servers are attacked in every way that
`attacks` knows, for ten seconds each, while innocent tables play: about twenty minutes, whatever MINUTES is.
Exit status 1 if something was lost, a page was wrong, or an attack was noticed.
"""

import asyncio
import random
import subprocess
import sys
import tempfile
import time
from itertools import product
from pathlib import Path

from benchmarks import agreement
from benchmarks.attacks.__main__ import run as attack
from cardhouse.engine import BadGame, game_names
from cardhouse.testing.browser import press_whatever_is_offered
from tests.server.hammering import Hammer, check_nothing_lost
from tests.server.talking import FAST, Server, running

TABLES = 20
ROUND_SECONDS = 20.0
ATTACK_SECONDS = 10.0
PRESSED = 6
"""So many answers are given on the pages of each game for each of the minutes."""


def memory_mb(server: Server) -> float:
    """What the server holds in memory, in megabytes."""
    for line in Path(f"/proc/{server.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("the server has gone")


def play_long(database: str, folder: Path, seconds: float) -> None:
    """Tables come, are played at, and go."""
    end = time.monotonic() + seconds
    with running(database, *FAST, log=folder / "log") as server:
        print(f"at first                {memory_mb(server):7.0f} MB")
        while time.monotonic() < end:
            command = [sys.executable, "benchmarks/load.py", server.address, str(TABLES), str(ROUND_SECONDS)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            print(f"after {TABLES} tables more    {memory_mb(server):7.0f} MB   {done.stdout.strip()}", flush=True)


def kill_often(database: str, folder: Path, seconds: float) -> int:
    """Kill the server at random moments; how many times. Raises AssertionError if something was lost."""
    seed = random.randrange(2**32)
    print(f"kills, seed {seed}")
    moments = random.Random(seed)
    end, kills = time.monotonic() + seconds, 0
    with running(database, *FAST, log=folder / "log") as server:
        hammers = [Hammer(server.make_table(), seed=seed + number) for number in range(TABLES)]

        async def play_until_killed() -> None:
            asyncio.get_running_loop().call_later(moments.uniform(0.01, 0.8), server.process.kill)
            await asyncio.gather(*(hammer.play(server) for hammer in hammers))

        while time.monotonic() < end:
            asyncio.run(play_until_killed())
            server.kill()
            server.start()
            kills += 1
        answers = sum(check_nothing_lost(hammer.table, [hammer]) for hammer in hammers)
        print(f"{kills} kills, {answers} answers, none lost")
    return kills


def press_on_pages(answers: int) -> int:
    """Play each game by pressing what its pages offer; how often something was wrong."""
    wrong = 0
    for game, plain in product(game_names(), (False, True)):
        seed = random.randrange(2**32)
        view = f"{game}, {'plain' if plain else 'own'} view, seed {seed}"
        try:
            print(f"{view}: {press_whatever_is_offered(game, seed=seed, answers=answers, plain=plain)}", flush=True)
        except BadGame as error:
            wrong += 1
            print(f"{view}: {error.message} {' '.join(error.__notes__)}", flush=True)
    return wrong


def main(minutes: float = 10.0) -> int:
    """Play, kill, press and attack; the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/cards.db"
        play_long(database, Path(folder), minutes * 30)
        kill_often(database, Path(folder), minutes * 30)
    agreement.main(minutes / 2)
    wrong = press_on_pages(round(PRESSED * minutes))
    return 1 if attack([], ATTACK_SECONDS) or wrong else 0


if __name__ == "__main__":
    sys.exit(main(*(float(argument) for argument in sys.argv[1:2])))
