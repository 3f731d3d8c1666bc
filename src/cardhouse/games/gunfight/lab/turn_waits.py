"""How long characters wait between their turns in a gunfight, and how many cards are turned over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cardhouse.engine import Entry, Event
from cardhouse.lab.questions.question import Finding, Measure, line_of, mean, share

PARTS = 10
"""The unit of mean waits: parts of a turn."""
MOST_WAITED = 1_000
MOST_LONGEST = 200
MOST_TURNED = 4_000
"""The last bin of each measure; it takes everything above."""
FAR = 30
"""The longest wait with a finding of its own."""


def rounded(number: int, by: int) -> int:
    """Return the quotient of two integers, rounded half up; kernels compile it."""
    return (2 * number + by) // (2 * by)


def measures() -> list[Measure]:
    """Return the measures of a fight's waits."""
    return [
        Measure("waited", MOST_WAITED + 2, f"1 + your side's mean wait for its next turn, in 1/{PARTS} turns; 0: none"),
        Measure("longest", MOST_LONGEST + 2, "1 + the longest wait of anyone on your side, in turns; 0: none"),
        Measure("turned", MOST_TURNED + 1, "initiative cards turned over"),
    ]


def findings() -> list[Finding]:
    """Return the findings about waits."""
    return [
        mean(
            "waited",
            "turns of others between a character's two turns",
            "waited",
            given_least=1,
            zero=1,
            scale=1 / PARTS,
        ),
        mean("longest", "the longest of these waits on your side", "longest", given_least=1, zero=1),
        mean("turned", "initiative cards turned over", "turned"),
        *line_of(
            (
                share(f"longest_{n}", f"someone on your side waits for {n} or more", "longest", 1 + n, given_least=1)
                for n in range(1, FAR + 1)
            ),
            "longest",
            "Someone on your side waits for n turns of others or more",
            "turns of others",
        ),
    ]


def row_of(waits: Sequence[int]) -> list[int]:
    """Return the first two measures, from all waits of my side."""
    if not waits:
        return [0, 0]
    return [1 + min(rounded(PARTS * sum(waits), len(waits)), MOST_WAITED), 1 + min(max(waits), MOST_LONGEST)]


def events_to_end(entries: Sequence[Entry], *, over: bool) -> Iterator[Event]:
    """Yield the events of a fight; if it is over, without the turn of the waiting character that began by itself."""
    for entry in entries:
        yield from (event for event in entry.events if not (over and entry is entries[-1] and event.key == "acts"))


def waits_in(story: Iterable[Event], side: str) -> list[int]:
    """Return the number of other turns between two turns of each character whose name begins with `side`.

    Characters who can't act have no turns.
    """
    since: dict[str, int] = {}
    waits = []
    for turn, name in enumerate(_turns(story)):
        if name in since and name.startswith(side):
            waits.append(turn - since[name] - 1)
        since[name] = turn
    return waits


def _turns(story: Iterable[Event]) -> Iterator[str]:
    """Yield the names that had turns."""
    up = ""
    for event in story:
        if event.key == "acts":
            if up:
                yield up
            up = event.about["name"]
        elif event.key in ("out_cold", "passes") and event.about["name"] == up:
            up = ""
    if up:
        yield up
