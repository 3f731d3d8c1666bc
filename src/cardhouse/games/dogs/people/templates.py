"""Character creation: the five templates, belongings, and the limits of every new character (DV-1 to DV-4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from cardhouse.engine import Text
from cardhouse.games.dogs.people.sheet import GROUPS, MOST_POINTS, STATS, Group, Stats, Thing
from cardhouse.games.dogs.state import DEMONIC

LONGEST_THING = 80
MOST_THINGS = 40
"""More things than any character has; a bound on input."""


class Template(msgspec.Struct, frozen=True):
    """A template: the points for Stats, and the marks of traits and relationships (DV-3)."""

    points: int
    trait: tuple[str, ...]
    relationship: tuple[str, ...]


TEMPLATES: dict[str, Template] = {
    "well_rounded": Template(9, ("-", "o", "+"), ("-", "o", "+")),
    "strong_history": Template(7, ("o", "o", "+", "+*"), ("-", "o", "+")),
    "complicated_history": Template(8, ("-", "-", "o", "o*"), ("o", "+", "o*")),
    "strong_community": Template(7, ("-", "o", "+"), ("o", "o", "+", "+", "+*")),
    "complicated_community": Template(8, ("o", "o", "o*"), ("-", "-", "o", "+", "o*")),
}

BELONGINGS: tuple[tuple[str, ...], ...] = (("-", "o", "o*"), ("-", "o", "+"))
"""DV-4: the default sets of belongings; a character may start with fewer."""


def problem_of(
    stats: Stats, things: Sequence[Thing], template: str | None = None, *, free_belongings: bool = True
) -> str | None:
    """Return why a character can't be created like this, as the end of a sentence; None if it can.

    Without a template, everything allowed by DV-1 and DV-2 is possible.
    """
    return (
        problem_of_stats(stats, TEMPLATES[template].points if template else None)
        or problem_of_things(things)
        or next(_misfits(things, template, free_belongings), None)
    )


def problem_of_stats(stats: Stats, points: int | None = None) -> str | None:
    """Return the problem with new Stats, or None; if `points` is given, they must total exactly that (DV-1, DV-3)."""
    if low := [stat for stat in STATS if stats.of(stat) < 1]:
        return f"stats: {low[0]} is {stats.of(low[0])}, and each Stat starts at 1 or more"
    if points is not None and stats.total != points:
        return f"stats add up to {stats.total}, and this template has {points} points"
    if stats.total > MOST_POINTS:
        return f"stats add up to {stats.total}, and {MOST_POINTS} is the most"
    return None


def problem_of_things(things: Sequence[Thing]) -> str | None:
    """Return the problem with a character's things, or None; independent of the template (DV-2)."""
    if len(things) > MOST_THINGS:
        return f"things: {len(things)} are too many; {MOST_THINGS} is the most"
    seen: set[str] = set()
    for number, thing in enumerate(things, start=1):
        if problem := Text(LONGEST_THING, taken=(DEMONIC,)).wrong(thing.name):
            return f"things[{number}].name {problem}"
        if thing.name in seen:
            return f"things: {thing.name} is there twice"
        seen.add(thing.name)
    return None


def _misfits(things: Sequence[Thing], template: str | None, free_belongings: bool) -> Iterator[str]:
    """Yield mismatches with the template (DV-3, DV-4)."""
    if template is None:
        return
    for group in GROUPS[:2]:
        wanted, found = Counter(getattr(TEMPLATES[template], group)), marks_of(things, group)
        if wanted != found:
            yield f"this template has the {group}s {_listed(wanted)}, not {_listed(found)}"
    belongings = marks_of(things, "belonging")
    if not free_belongings and not any(belongings <= Counter(allowed) for allowed in BELONGINGS):
        allowed = " or ".join(_listed(Counter(marks)) for marks in BELONGINGS)
        yield f"a new character has the belongings {allowed}, not {_listed(belongings)}"


def marks_of(things: Sequence[Thing], group: Group) -> Counter[str]:
    """Count the things of a group by mark."""
    return Counter(thing.mark for thing in things if thing.group == group)


def _listed(marks: Counter[str]) -> str:
    order = ("-", "-*", "o", "o*", "+", "+*")
    return " ".join(mark for mark in order for _ in range(marks[mark])) or "none"
