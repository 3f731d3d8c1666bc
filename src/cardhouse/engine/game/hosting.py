"""What a game's host, who does what a game master does at a practice table, is written with (docs/bots.md)."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from cardhouse.engine.values.bots import Seen
from cardhouse.engine.values.names import key
from cardhouse.engine.values.questions import GM

NAMES = ("Nell", "Cal", "Ruth", "Wes", "Maud", "Hank", "Pearl", "Abe")
"""What those are called who play with us."""
FOES = ("Black Jack", "Snake", "Old Tom", "Mean Mary", "Dutch", "Red")
"""And those whom they meet."""
END: Mapping[str, Any] = MappingProxyType({"end": True})
"""What the host of a scene says when it is decided: the table is over."""


def new_name(names: Sequence[str], people: Sequence[Mapping[str, Any]]) -> str:
    """The first of these names that nobody has; a numbered one if all are taken."""
    taken = {key(who["name"]) for who in people}
    more = (f"{names[number % len(names)]} {number // len(names) + 1}" for number in range(len(names), 10_000))
    return next(name for name in (*names, *more) if key(name) not in taken)


def seats_without(seen: Seen, people: Sequence[Mapping[str, Any]]) -> list[str]:
    """The players' seats that play nobody yet."""
    playing = {who["controller"] for who in people}
    return [seat for seat in seen.seats if seat != GM and seat not in playing]


def since(seen: Seen, key: str) -> Iterator[dict[str, Any]]:
    """What has been told since something of this kind last happened, that first; all there is if it hasn't."""
    events = [event for entry in seen.story for event in entry["events"]]
    began = [place for place, event in enumerate(events) if event["key"] == key]
    yield from events[began[-1] if began else 0 :]


def own(seen: Seen) -> list[dict[str, Any]]:
    """The offers that are for this seat itself, and not for the game master in another's place."""
    return [offer for offer in seen.offers if "do" in offer and "for" not in offer]


def say(offer: Mapping[str, Any]) -> dict[str, Any]:
    """An offer as it is answered, where any choice that it leaves is the first there is."""
    fields = {name: field for name, field in offer["fields"].items() if name not in offer.get("optional", ())}
    return {
        "do": offer["do"],
        **{name: field["const"] if "const" in field else field["enum"][0] for name, field in fields.items()},
    }


def first_of(seen: Seen, *words: str) -> dict[str, Any] | None:
    """The first of these that the seat is offered for itself, as `say` answers it; None if none is."""
    offered = {offer["do"]: offer for offer in reversed(own(seen))}
    return next((say(offered[word]) for word in words if word in offered), None)
