"""Bots for card initiative, and the host of a practice table."""

from collections.abc import Collection
from random import Random
from typing import Any, Final

from cardhouse.engine import GM, Seen
from cardhouse.engine.game import hosting
from cardhouse.games.initiative.early import acts_early

ROUNDS: Final = 3
"""Enough rounds to see everything."""
SIDES: Final = ("Posse", "Gang")
TIERS: Final = ("leader", "experienced", "elite", "inexperienced")


def prompt(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Never wait, which only helps the other side (docs/findings-initiative.md); strike at any foe (IN-22)."""
    strikes = [hosting.say(offer) for offer in hosting.own(seen) if offer["do"] == "strike"]
    return rng.choice(strikes) if strikes else hosting.first_of(seen, "act", "done")


def early(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Wait if that makes its own side act earlier and the others later, as if nobody else waits; otherwise act."""
    return choose_early(seen, seen.view) or prompt(seen, rng)


def choose_early(seen: Seen, order: dict[str, Any], idle: Collection[str] = ()) -> dict[str, Any] | None:
    """Return acting or waiting by the view of the round, with some characters `idle`; None if that isn't asked."""
    for offer in hosting.own(seen):
        if offer["do"] in ("act", "wait"):
            name = str(offer["fields"]["name"]["const"])
            return {"do": "act" if acts_early(order, name, seen.seat, idle) else "wait", "name": name}
    return None


def host(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Add a posse with a character per player and an equal gang, and play some rounds without ever waiting.

    In a skirmish (IN-22) the rounds go on until one side is left, and then the table ends.
    """
    view = seen.view
    if seen.asks["key"] not in ("nobody", "between"):
        return prompt(seen, rng)
    if (joins := newcomer(seen, view)) is not None:
        return joins
    if seen.options.get("hit_from"):
        goes_on = len({who["side"] or who["name"] for who in view["characters"]}) > 1
        return hosting.first_of(seen, "start_round") if goes_on else dict(hosting.END)
    return hosting.first_of(seen, "start_round") if view["round"] < ROUNDS else None


def newcomer(seen: Seen, view: dict[str, Any]) -> dict[str, Any] | None:
    """Return the next character to join before the first round: one per player, then as many against them.

    None once both sides are complete.
    """
    people = view["characters"]
    if view["round"]:
        return None
    if seats := hosting.seats_without(seen, people):
        controller, side = seats[0], SIDES[0]
    elif sum(who["side"] == SIDES[1] for who in people) < sum(who["side"] == SIDES[0] for who in people):
        controller, side = GM, SIDES[1]
    else:
        return None
    tier = TIERS[sum(who["side"] == side for who in people) % len(TIERS)]
    name = hosting.new_name(hosting.FOES if controller == GM else hosting.NAMES, people)
    return {"do": "add_character", "name": name, "tier": tier, "side": side, "controller": controller}
