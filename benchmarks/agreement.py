"""Compare the largest pack with a constraint solver that has more time: it must find no larger one.

    python -m benchmarks.agreement [MINUTES] [SECONDS]

The tests' hard cases and random cards with up to two jokers, in turn, for this many minutes (default 5); the solver has
this many seconds (default 60) for each. Exit status 1 if it finds a larger pack.
"""

import json
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from cardhouse.cards import Card
from cardhouse.games.dogpile.deck_file import standard_deck
from cardhouse.games.dogpile.largest import largest_pack
from tests.games.dogpile.solver import none_larger

DECK = standard_deck()
HARD = Path(__file__).resolve().parent.parent / "tests" / "games" / "dogpile" / "hard.json"
MOST = 14
"""Hard cases with more cards are skipped: writing the solver's model of one takes minutes."""


def cases(rng: random.Random) -> Iterator[tuple[Card, list[Card]]]:
    """Yield Pack Leaders and cards without end: hard cases and random ones in turn."""
    hard = [case for case in json.loads(HARD.read_text("utf-8")) if len(case["cards"]) <= MOST]
    plain = [card for card in DECK.cards if card not in DECK.jokers]
    while True:
        rng.shuffle(hard)
        for case in hard:
            yield case["leader"], case["cards"]
            jokers = DECK.jokers[: rng.randint(0, 2)]
            leader, *cards = rng.sample([*plain, *jokers], rng.randint(5, 8) + 1)
            yield leader, cards


def main(minutes: float = 5.0, seconds: float = 60.0) -> None:
    """Compare, and print the results."""
    seed = random.randrange(2**32)
    print(f"The largest pack against a constraint solver, seed {seed}")
    end, agreed, open_ = time.monotonic() + minutes * 60, 0, 0
    for leader, cards in cases(random.Random(seed)):
        if time.monotonic() >= end:
            break
        found = largest_pack(leader, cards, DECK)
        told = none_larger(leader, cards, DECK, found.size, seconds=seconds)
        if told is False or not found.proven:
            sys.exit(f"There is a pack of more than {found.size} of {leader} and {' '.join(cards)}.")
        agreed += told is True
        open_ += told is None
    print(f"{agreed} times the solver found none that is larger; {open_} times it could not tell in {seconds:g} s")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:3]))
