"""The largest pack: how long it takes, compared with a constraint solver (OR-tools' CP-SAT) on the same cards.

    python -m benchmarks.largest [INSTANCES] [SECONDS]

The cards are random ones of the standard deck with its two jokers; the solver has one worker, and is stopped after this
many seconds for each instance, so the ratio is a lower bound. Medians; both run in one process.
"""

import sys
import time
from random import Random
from statistics import median

from cardhouse.games.dogpile.deck_file import standard_deck
from cardhouse.games.dogpile.largest import largest_pack
from tests.games.dogpile.solver import solve

DECK = standard_deck()
SIZES = (10, 15, 20)


def compare(count: int, instances: int, seconds: float) -> None:
    """Print a line for this many open cards."""
    rng = Random(count)
    ours, theirs, unfinished = [], [], 0
    for _ in range(instances):
        leader, *cards = rng.sample(list(DECK.cards), count + 1)
        begun = time.perf_counter()
        found = largest_pack(leader, cards, DECK)
        between = time.perf_counter()
        solved = solve(leader, cards, DECK, seconds=seconds)
        ended = time.perf_counter()
        assert found.proven
        assert not solved.proven or len(solved.layout) == found.size
        ours.append(between - begun)
        theirs.append(ended - between)
        unfinished += not solved.proven
    print(
        f"  {count:2} open cards: {median(ours) * 1000:6.1f} ms, the solver {median(theirs):6.1f} s"
        f" ({unfinished} of {instances} unfinished): {median(theirs) / median(ours):6.0f} times as fast"
    )


def main(instances: int = 5, seconds: float = 10) -> None:
    """Measure, and print the results."""
    print(f"The largest pack, beside a constraint solver stopped after {seconds:g} s")
    for count in SIZES:
        compare(count, instances, seconds)


if __name__ == "__main__":
    main(*(kind(text) for kind, text in zip((int, float), sys.argv[1:], strict=False)))
