"""Compile the kernels that the first tier of tests plays, in a process for each game, so that no test waits for them.

Those of the other games take longer; the tests of the second tier compile them.
"""

import subprocess
import sys

GAMES = ("dogpile", "hackjack", "initiative")
PREPARE = """
import sys
from cardhouse.lab.questions.question import questions_of
from cardhouse.lab.running.warmup import prepare

for question in questions_of(sys.argv[1]).values():
    prepare(question())
"""


def main() -> int:
    """Return how many processes crashed, for make; a question that fails is logged, and its tests will fail."""
    print("Compiling the lab's kernels ...", flush=True)
    running = [subprocess.Popen([sys.executable, "-c", PREPARE, game]) for game in GAMES]
    return sum(process.wait() != 0 for process in running)


if __name__ == "__main__":
    sys.exit(main())
