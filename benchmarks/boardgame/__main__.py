"""Compare the server with boardgame.io, with the same people on both, in turns.

    python -m benchmarks.boardgame [TABLES [SECONDS [ROUNDS]]]

Four people at each table answer as soon as all four have received the previous answer. Cardhouse saves each answer to
disk before acknowledging it; boardgame.io keeps them in memory, and in files without fsync. The figures are medians of
the rounds. The server has one core to itself and the load another, if there are two. The first run fetches its package
from the npm registry.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.server import CARDHOUSE, load, on_core, serving

HERE = Path(__file__).parent


def node() -> str:
    """Return the path of Node, with the package installed."""
    found = shutil.which("node")
    if found is None:
        raise SystemExit("boardgame.io needs Node.js, which isn't on the path.")
    if not (HERE / "node_modules").is_dir():
        subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=HERE, check=True)
    return found


def measure(command: list[str], tables: int, seconds: float) -> float:
    """Return boardgame.io's answers a second."""
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=on_core(0))
    assert server.stdout is not None
    try:
        address = server.stdout.readline().strip()
        people = [sys.executable, "-m", "benchmarks.boardgame.load", address, str(tables), str(seconds)]
        done = subprocess.run(people, capture_output=True, text=True, preexec_fn=on_core(1))
    finally:
        server.kill()
        server.wait()
    if done.returncode:
        raise SystemExit(f"The load failed: {done.stderr.strip()}")
    return float(json.loads(done.stdout.splitlines()[-1])["answers_a_second"])


def main(tables: int = 0, seconds: float = 5.0, rounds: int = 3) -> None:
    """Print a line for this many tables, or for several numbers of them."""
    command = [node(), str(HERE / "server.js")]
    print("tables   cardhouse   in memory   in files   cardhouse to memory   to files")
    for count in (tables,) if tables else (1, 10, 50, 200):
        found: list[tuple[float, float, float]] = []
        for _ in range(int(rounds)):
            with tempfile.TemporaryDirectory(prefix="cardhouse-bench-") as folder:
                with serving(*CARDHOUSE, f"sqlite:///{folder}/cards.db") as address:
                    ours = load(address, count, seconds)["answers_a_second"]
                memory = measure(command, count, seconds)
                files = measure([*command, f"{folder}/files"], count, seconds)
            found.append((ours, memory, files))
        ours, memory, files = (median(each) for each in zip(*found, strict=True))
        print(
            f"{count:6}{ours:12,.0f}{memory:12,.0f}{files:11,.0f}{ours / memory:22.2f}{ours / files:11.1f}", flush=True
        )


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:4]))
