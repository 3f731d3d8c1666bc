"""How long one waits in a gunfight between two turns of one's own, and how many cards are turned over for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cardhouse.engine import Entry, Event
from cardhouse.lab.questions.question import Finding, Measure, line_of, mean, share

PARTS = 10
"""A mean wait is counted in so many parts of a turn."""
MOST_WAITED = 1_000
MOST_LONGEST = 200
MOST_TURNED = 4_000
"""More than these counts as so much."""
FAR = 30
"""Waits for so many turns are told of, one by one."""


def rounded(number: int, by: int) -> int:
    """The quotient of two whole numbers, rounded, a half up; kernels compile it."""
    return (2 * number + by) // (2 * by)


def measures() -> list[Measure]:
    """What is counted of a fight."""
    return [
        Measure("waited", MOST_WAITED + 2, f"1 + your side's mean wait for its next turn, in 1/{PARTS} turns; 0: none"),
        Measure("longest", MOST_LONGEST + 2, "1 + the longest wait of anybody on your side, in turns; 0: none"),
        Measure("turned", MOST_TURNED + 1, "initiative cards turned over"),
    ]


def findings() -> list[Finding]:
    """What is told of it."""
    return [
        mean("waited", "turns of others between two of one's own", "waited", given_least=1, zero=1, scale=1 / PARTS),
        mean("longest", "the longest of these waits on your side", "longest", given_least=1, zero=1),
        mean("turned", "initiative cards turned over", "turned"),
        *line_of(
            (
                share(f"longest_{n}", f"somebody of your side waits for {n} or more", "longest", 1 + n, given_least=1)
                for n in range(1, FAR + 1)
            ),
            "longest",
            "Somebody of your side waits for n turns of others or more",
            "turns of others",
        ),
    ]


def row_of(waits: Sequence[int]) -> list[int]:
    """The first two measures, of all waits of my side."""
    if not waits:
        return [0, 0]
    return [1 + min(rounded(PARTS * sum(waits), len(waits)), MOST_WAITED), 1 + min(max(waits), MOST_LONGEST)]


def until_over(entries: Sequence[Entry], *, over: bool) -> Iterator[Event]:
    """What happened in a fight; of one that is over not the turn of who waited, which began by itself when it was."""
    for entry in entries:
        yield from (event for event in entry.events if not (over and entry is entries[-1] and event.key == "acts"))


def waits_in(story: Iterable[Event], side: str) -> list[int]:
    """How many turns others had between two turns of each whose name begins so; who can do nothing has no turn."""
    since: dict[str, int] = {}
    waits = []
    for turn, name in enumerate(_turns(story)):
        if name in since and name.startswith(side):
            waits.append(turn - since[name] - 1)
        since[name] = turn
    return waits


def _turns(story: Iterable[Event]) -> Iterator[str]:
    """Whose turns there were."""
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
