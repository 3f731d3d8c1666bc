"""Who plays a seat of card initiative by themselves, and the host of a practice table."""

from collections.abc import Collection
from random import Random
from typing import Any, Final

from cardhouse.engine import GM, Seen
from cardhouse.engine.game import hosting
from cardhouse.games.initiative.early import acts_early

ROUNDS: Final = 3
"""So many rounds are enough to have seen everything."""
SIDES: Final = ("Posse", "Gang")
TIERS: Final = ("leader", "experienced", "elite", "inexperienced")


def prompt(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Never waits: that is a present to the other side (docs/findings-initiative.md). It strikes at any foe (IN-22)."""
    strikes = [hosting.say(offer) for offer in hosting.own(seen) if offer["do"] == "strike"]
    return rng.choice(strikes) if strikes else hosting.first_of(seen, "act", "done")


def early(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Waits where that makes its own side act earlier and the others later, if nobody else waits; else acts."""
    return chooses_early(seen, seen.view) or prompt(seen, rng)


def chooses_early(seen: Seen, order: dict[str, Any], idle: Collection[str] = ()) -> dict[str, Any] | None:
    """To act or to wait, by the view of the round, in which some are `idle`; None if the seat isn't asked that."""
    for offer in hosting.own(seen):
        if offer["do"] in ("act", "wait"):
            name = str(offer["fields"]["name"]["const"])
            return {"do": "act" if acts_early(order, name, seen.seat, idle) else "wait", "name": name}
    return None


def host(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """A posse with a character for each player, a gang as large, and some rounds; for its own it never waits.

    In a skirmish (IN-22) the rounds go on until one side is left, and then the table is over.
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
    """Who is to join before the first round, so that each player has a character, and there are as many against them.

    None if nobody is.
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
