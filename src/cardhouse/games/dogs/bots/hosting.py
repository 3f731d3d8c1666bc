"""The host of a practice table: a character for each player, an NPC to oppose them, and a conflict."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from cardhouse.engine import GM, Seen
from cardhouse.engine.game import hosting
from cardhouse.games.dogs.bots.bold import bold
from cardhouse.games.dogs.bots.bots import playing

STATS: Final = {"acuity": 3, "body": 2, "heart": 2, "will": 2}
THINGS: Final = (
    {"name": "I say what I mean", "kind": "+"},
    {"name": "I have been here before", "kind": "o"},
    {"name": "A Bible", "group": "belonging", "kind": "o"},
    {"name": "My temper", "kind": "-"},
)
STAKES: Final = "Does the town let us in?"
_PLAYS = playing(bold)


def host(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Create missing characters, open one conflict, and play the game master's side of it.

    If the opposing NPC isn't one of the host's own, the table ends with the conflict.
    """
    people = seen.view["characters"]
    is_decided = seen.asks["key"] == "town" and seen.view["conflict"] is not None
    if is_decided and not any(who["name"] in hosting.FOES for who in people):
        return dict(hosting.END)
    if seen.view["conflict"] is None:
        return missing(seen, people) or opening(people)
    return _PLAYS(seen, rng)


def missing(seen: Seen, people: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the creation of the next missing character: one per player, and one of the game master's."""
    if seats := hosting.seats_without(seen, people):
        name = hosting.new_name(hosting.NAMES, people)
        return {
            "do": "create",
            "name": name,
            "stats": STATS,
            "things": [dict(thing) for thing in THINGS],
            "controller": seats[0],
        }
    if not any(who["controller"] == GM for who in people):
        return {"do": "npc", "name": hosting.new_name(hosting.FOES, people), "type": "D"}
    return None


def opening(people: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the opening of a conflict of the players' characters against the game master's."""
    ours = [who["name"] for who in people if who["controller"] != GM]
    theirs = [who["name"] for who in people if who["controller"] == GM]
    if not ours or not theirs:
        return None
    return {"do": "open_conflict", "stakes": STAKES, "sides": [ours, theirs], "arena": "talking"}
