"""Compile the kernels that the first tier of tests plays, two at a time, so that no test waits for them.

Those of the other games take longer and are compiled by the tests of the second tier.
"""

import subprocess
import sys

GAMES = ("dogpile", "hackjack", "initiative")
PREPARE = """
import sys
from cardhouse.lab.question import questions_of
from cardhouse.lab.ready import prepare

for question in questions_of(sys.argv[1]).values():
    prepare(question())
"""


def main() -> int:
    """The number of games whose kernels could not be compiled, which is make's exit status."""
    print("Compiling the lab's kernels ...", flush=True)
    running = [subprocess.Popen([sys.executable, "-c", PREPARE, game]) for game in GAMES]
    return sum(process.wait() != 0 for process in running)


if __name__ == "__main__":
    sys.exit(main())
