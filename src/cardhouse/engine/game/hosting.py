"""Helpers for a game's host bot, which acts as the game master at a practice table (docs/bots.md)."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from cardhouse.engine.values.bots import Seen
from cardhouse.engine.values.documents import OfferDoc
from cardhouse.engine.values.names import key
from cardhouse.engine.values.questions import GM

NAMES = ("Nell", "Cal", "Ruth", "Wes", "Maud", "Hank", "Pearl", "Abe")
"""Names for player characters."""
FOES = ("Black Jack", "Snake", "Old Tom", "Mean Mary", "Dutch", "Red")
"""Names for NPCs."""
END: Mapping[str, Any] = MappingProxyType({"end": True})
"""A host's answer that ends the table when a scene is decided."""


def new_name(names: Sequence[str], people: Sequence[Mapping[str, Any]]) -> str:
    """Return the first of these names that is free; a numbered one if all are taken."""
    taken = {key(who["name"]) for who in people}
    more = (f"{names[number % len(names)]} {number // len(names) + 1}" for number in range(len(names), 10_000))
    return next(name for name in (*names, *more) if key(name) not in taken)


def seats_without(seen: Seen, people: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the players' seats that have no character yet."""
    playing = {who["controller"] for who in people}
    return [seat for seat in seen.seats if seat != GM and seat not in playing]


def since(seen: Seen, key: str) -> Iterator[dict[str, Any]]:
    """Yield the events since the last one of this key, including it; all if there is none."""
    events = [event for entry in seen.story for event in entry["events"]]
    began = [place for place, event in enumerate(events) if event["key"] == key]
    yield from events[began[-1] if began else 0 :]


def own(seen: Seen) -> list[OfferDoc]:
    """Return the offers for this seat itself, excluding those it takes in another's place."""
    return [offer for offer in seen.offers if "do" in offer and "for" not in offer]


def say(offer: Mapping[str, Any]) -> dict[str, Any]:
    """Return an answer to an offer that picks the first value of each required field."""
    fields = {name: field for name, field in offer["fields"].items() if name not in offer.get("optional", ())}
    return {
        "do": offer["do"],
        **{name: field["const"] if "const" in field else field["enum"][0] for name, field in fields.items()},
    }


def first_of(seen: Seen, *words: str) -> dict[str, Any] | None:
    """Return an answer to the first of these actions that the seat is offered for itself; None if none is."""
    offered = {offer["do"]: offer for offer in reversed(own(seen))}
    return next((say(offered[word]) for word in words if word in offered), None)
