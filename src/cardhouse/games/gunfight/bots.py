"""Bots for the gunfight, and the host of a practice table, who chooses targets and damage."""

from random import Random
from typing import Any, Final, NamedTuple

from cardhouse.engine import Seen
from cardhouse.engine.game import hosting
from cardhouse.games.gunfight.aiming import FINISH, target_key
from cardhouse.games.hackjack.bots import choose_wound, declare
from cardhouse.games.initiative.bots import choose_early, newcomer
from cardhouse.games.initiative.state import FRESH_ACE, RANK

HP: Final = 5
TURNS: Final = ("turn", "strike")
ROUNDS: Final = 30
"""The round after which an undecided fight ends."""


class Weapon(NamedTuple):
    """A weapon's name, and its damage as a number of dice and their sides."""

    name: str
    dice: int
    sides: int


WEAPONS: Final = (Weapon("revolver", 1, 6), Weapon("rifle", 1, 8), Weapon("shotgun", 2, 4))
"""The weapons at a practice table, in the order in which characters joined."""


def gunfighter(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Never wait, never prevent blood loss, which costs shots, and end the turn once its shot is in the log."""
    people = seen.view["fight"]["characters"]
    if seen.asks["key"] == "declare":
        return declare(seen, people, lambda together: False)
    if seen.asks["key"] in TURNS:
        who = next(one for one in people if one["name"] == seen.asks["with"]["name"])
        if (shoots := strike_at_best(seen, who)) is not None:
            return shoots
        return hosting.first_of(seen, "done") if has_shot(seen) or holds(who) or not targets(seen, who) else None
    return choose_wound(seen) or hosting.first_of(seen, "act", "check")


def early(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Wait if that brings its own side's shots forward, and otherwise play like `gunfighter`."""
    idle = [who["name"] for who in seen.view["fight"]["characters"] if not can_shoot(who)]
    return choose_early(seen, seen.view["order"], idle) or gunfighter(seen, rng)


def strike_at_best(seen: Seen, who: dict[str, Any]) -> dict[str, Any] | None:
    """Return a shot at the best target, at tables where shots are rolled (GF-6)."""
    open_to = {offer["fields"]["target"]["const"] for offer in hosting.own(seen) if offer["do"] == "strike"}
    best = next((foe["name"] for foe in targets(seen, who) if foe["name"] in open_to), None)
    return None if best is None else {"do": "strike", "name": who["name"], "target": best}


def has_shot(seen: Seen) -> bool:
    """Return whether a character was hit since the turn began."""
    hurt = ("hurt", "goes_down", "draws", "no_card", "killed_outright")
    return any(event["key"] in hurt for event in hosting.since(seen, "acts"))


def holds(who: dict[str, Any]) -> bool:
    """Return whether a character prevents blood loss, and so may only walk (HJ-10)."""
    return bool(who["preventing"] and who["blood"])


def host(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Add a posse with a character per player and an equal gang, and play rounds until one side can't shoot.

    On each turn it applies the damage of the character's weapon to a target. If the table rolls shots, players choose
    targets themselves, and the table ends with the fight.
    """
    order, people = seen.view["order"], seen.view["fight"]["characters"]
    if seen.asks["key"] in ("nobody", "between"):
        if (joins := newcomer(seen, order)) is not None:
            return {**joins, "hp": HP, "max_hp": HP}
        standing = {side_of(seen, who["name"]) for who in people if can_shoot(who)}
        goes_on = len(standing) > 1 and order["round"] < ROUNDS
        if not goes_on and seen.options.get("strikes", "off") != "off":
            return dict(hosting.END)
        return hosting.first_of(seen, "start_round") if goes_on else None
    if seen.asks["key"] == "turn" and seen.options.get("strikes", "off") == "off":
        return shot(seen, people, rng) or gunfighter(seen, rng)
    return gunfighter(seen, rng)


def shot(seen: Seen, people: list[dict[str, Any]], rng: Random) -> dict[str, Any] | None:
    """Return the damage of this turn's shot; None if it was already fired, or can't be."""
    place, who = next((n, one) for n, one in enumerate(people) if one["name"] == seen.asks["with"]["name"])
    aimed = targets(seen, who)
    if has_shot(seen) or holds(who) or not aimed:
        return None
    weapon = WEAPONS[place % len(WEAPONS)]
    amount = sum(rng.randint(1, weapon.sides) for _ in range(weapon.dice))
    return {"do": "damage", "target": aimed[0]["name"], "amount": amount}


def targets(seen: Seen, who: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the opponents who can still shoot, best target first (`aiming`): finish one, aces before others.

    Those who prevent blood loss come last, because they don't shoot.
    """
    aces = {one["name"] for one in seen.view["order"]["characters"] if RANK[one["card"]] == FRESH_ACE}
    side = side_of(seen, who["name"])
    foes = [one for one in seen.view["fight"]["characters"] if can_shoot(one) and side_of(seen, one["name"]) != side]
    return sorted(foes, key=lambda one: (finish(one), one["name"] not in aces))


def finish(who: dict[str, Any]) -> int:
    """Return the sort key of a target for finishing those who are down (docs/findings-gunfight.md)."""
    return target_key(FINISH, who["down"], who["hp"], who["death_score"], who["blood"], False, holds(who), 0, 0)


def can_shoot(who: dict[str, Any]) -> bool:
    """Return whether a character can still act."""
    return who["alive"] and who["idle"] is None


def side_of(seen: Seen, name: str) -> str | None:
    """Return a character's side; its own name if it is on none, or dead."""
    found = (one["side"] for one in seen.view["order"]["characters"] if one["name"] == name)
    return next(found, None) or name
