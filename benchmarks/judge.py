"""The cost of a verdict: Dogpile's judge, compared with a plain one on the same layouts.

    python -m benchmarks.judge [LAYOUTS]

The plain judge is the tests' oracle: it looks up whether two values may touch, and tries all values of the jokers until
none can be better. Both are warm. Layouts use the standard deck:

- `8 cards`: packs as a round makes them, more or less legal, with no joker, one, or two that touch.
- `54 cards`: the whole deck in a rectangle, shuffled, or with the two jokers side by side in its middle. Nearly every
  contact is illegal, and the judge explains each; the plain one only counts them.
"""

import sys
import time
from collections.abc import Callable, Iterable
from random import Random
from statistics import median

from cardhouse.games.dogpile.deck_file import STANDARD_FILE, read_deck, standard_deck
from cardhouse.games.dogpile.judge import judge
from tests.games.dogpile.plain_judge import Layout, PlainJudge, touching

DECK = standard_deck()
PLAIN = PlainJudge(read_deck(STANDARD_FILE))
WIDTH = 9
JOKERS = list(DECK.jokers)


def packs(jokers: int, layouts: int) -> list[Layout]:
    """Return packs of eight cards; two jokers touch."""
    rng = Random(jokers)
    found: list[Layout] = []
    while len(found) < layouts:
        layout = PLAIN.grow(rng, 8, JOKERS[:jokers])
        where = [cell for cell, card in layout.items() if card in JOKERS]
        if jokers < 2 or any(touching(where)):
            found.append(layout)
    return found


def decks(layouts: int, *, jokers_touch: bool) -> list[Layout]:
    """Return layouts of the whole deck in a rectangle."""
    rng = Random(54)
    found = []
    for _ in range(layouts):
        cards = rng.sample(list(DECK.cards), len(DECK.cards))
        if jokers_touch:
            others = [card for card in cards if card not in JOKERS]
            cards = [*others[:22], *JOKERS, *others[22:]]
        found.append({(place % WIDTH, place // WIDTH): card for place, card in enumerate(cards)})
    return found


def milliseconds(work: Callable[[Layout], object], layouts: Iterable[Layout]) -> list[float]:
    """Return the time for each layout, the best of three."""
    times = []
    for layout in layouts:
        taken = []
        for _ in range(3):
            begun = time.perf_counter()
            work(layout)
            taken.append(time.perf_counter() - begun)
        times.append(min(taken) * 1000)
    return times


def main(layouts: int = 50) -> None:
    """Measure, and print the results."""
    print("milliseconds for a verdict of Dogpile, standard deck: median, worst, the plain judge's median")
    rows = {
        "8 cards": packs(0, layouts),
        "8 cards, a joker": packs(1, layouts),
        "8 cards, two jokers": packs(2, layouts),
        "54 cards": decks(layouts, jokers_touch=False),
        "54 cards, jokers touch": decks(layouts, jokers_touch=True),
    }
    for name, found in rows.items():
        fast = milliseconds(lambda layout: judge(layout, DECK), found)
        plain = milliseconds(PLAIN.fewest_illegal, found)
        times = f"{median(fast):>8.3f} {max(fast):>8.3f} {median(plain):>9.3f}"
        print(f"  {name:<24} {times}   {median(plain) / median(fast):.1f} times as fast")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
