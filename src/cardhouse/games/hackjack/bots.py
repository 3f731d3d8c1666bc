"""The bots of Hackjack, and the host of a practice table."""

from collections.abc import Callable
from random import Random
from typing import Any, Final

from cardhouse.cards import STANDARD, Card
from cardhouse.engine import GM, Seen
from cardhouse.engine.game import hosting
from cardhouse.games.hackjack.state import card_value
from cardhouse.games.hackjack.wounds.data import wounds_from
from cardhouse.games.hackjack.wounds.schema import Wounds, is_dice

HIGHEST: Final = max(map(card_value, STANDARD))
HP: Final = 4
HIT: Final = 3
"""The number of sides of the die that hits each character in a round."""
ROUNDS: Final = 12
BOTH_SIDES: Final = 2
HURTS: Final = ("hurt", "goes_down", "draws", "no_card", "killed_outright", "dies")
"""The events that report a hit on a character."""


def steady(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Prevent blood loss unless a ten would then save the character, and choose the wound that costs less."""
    return declare(seen, seen.view["characters"], prevention_rule(seen)) or choose_wound(seen) or strike_any(seen, rng)


def strike_any(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Strike a random foe (HJ-33)."""
    open_to = [hosting.say(offer) for offer in hosting.own(seen) if offer["do"] == "strike"]
    return rng.choice(open_to) if open_to else None


def prevention_rule(seen: Seen) -> Callable[[int], bool]:
    """Return a rule for preventing blood loss, by the sum of death-score and pool, that maximises survival.

    It fights on only where the sum is 11, from which most cards lead to exactly 21. In docs/findings-hackjack.md no
    other rule that a player can remember comes closer to the best.
    """
    saved_by_ten = seen.view["limit"] - HIGHEST
    return lambda together: together != saved_by_ten


def declare(seen: Seen, people: list[dict[str, Any]], holds: Callable[[int], bool]) -> dict[str, Any] | None:
    """Return a declaration for the first of the seat's characters that is asked.

    `holds` decides by death-score plus pool.
    """
    sheets = {who["name"]: who for who in people}
    for offer in hosting.own(seen):
        who = sheets.get(offer["fields"].get("name", {}).get("const", ""))
        if offer["do"] == "prevent" and who is not None and who["controller"] == seen.seat:
            return {"do": "prevent", "name": who["name"], "yes": holds(who["death_score"] + who["blood"])}
    return None


def choose_wound(seen: Seen) -> dict[str, Any] | None:
    """Choose the wound that costs less."""
    offers = [offer for offer in hosting.own(seen) if offer["do"] == "choose_wound"]
    if not offers:
        return None
    wounds = wounds_from(seen.options.get("wounds", {}))
    return min(map(hosting.say, offers), key=lambda answer: wound_cost(answer["card"], wounds))


def wound_cost(card: Card, wounds: Wounds) -> tuple[bool, float]:
    """Return a sort key for a wound: whether it takes the character out of the fight, then Trauma plus mean Blood."""
    if card not in STANDARD:
        return False, 0.0
    wound = wounds[card]
    out = any(condition in wound.conditions for condition in ("unconscious", "helpless"))
    blood = _mean(str(wound.blood)) if is_dice(wound.blood) else float(wound.blood)
    return out, wound.trauma + blood


def _mean(dice: str) -> float:
    count, sides = map(int, dice.split("d"))
    return count * (sides + 1) / 2


def host(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Give each player a character and play rounds in which each is hit, until the last one is dead.

    With strikes (HJ-33) the host's own characters strike instead, until one side can't act any more; then it ends the
    table.
    """
    people = seen.view["characters"]
    if seen.asks["key"] == "choose":
        return choose_wound(seen)
    if seen.options.get("strikes", "off") != "off" and any(who["controller"] == GM for who in people):
        return lead_scene(seen, people, rng)
    if seats := hosting.seats_without(seen, people):
        name = hosting.new_name(hosting.NAMES, people)
        return {"do": "add_character", "name": name, "hp": HP, "max_hp": HP, "controller": seats[0]}
    if seen.asks["key"] == "declare":
        return declare(seen, people, prevention_rule(seen))
    living = [who for who in people if who["alive"]]
    if seen.asks["key"] != "fight" or not living:
        return None
    return hit_next(seen, living, rng) or roll_check(living) or begin_next(seen)


def lead_scene(seen: Seen, people: list[dict[str, Any]], rng: Random) -> dict[str, Any] | None:
    """Play the rounds of a fight against the host's own characters, which never prevent blood loss."""
    if seen.asks["key"] == "declare":
        return declare(seen, people, lambda together: False)
    if seen.asks["key"] != "fight":
        return strike_any(seen, rng)
    standing = [who for who in people if who["idle"] is None]
    if len({who["controller"] == GM for who in standing}) < BOTH_SIDES:
        return dict(hosting.END)
    return roll_check(standing) or hosting.first_of(seen, "begin_round")


def hit_next(seen: Seen, living: list[dict[str, Any]], rng: Random) -> dict[str, Any] | None:
    """Hit the first character that hasn't been hit in this round."""
    events = list(hosting.since(seen, "new_round"))
    if not events or events[0]["key"] != "new_round":
        return None
    hurt = {event["name"] for event in events if event["key"] in HURTS}
    due = next((who["name"] for who in living if who["name"] not in hurt), None)
    return None if due is None else {"do": "damage", "target": due, "amount": rng.randint(1, HIT)}


def roll_check(living: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the first open check of a wound."""
    for who in living:
        for wound in who["wounds"]:
            if wound["check"] == "open":
                return {"do": "check", "name": who["name"], "wound": wound["card"]}
    return None


def begin_next(seen: Seen) -> dict[str, Any] | None:
    """Begin the next round, up to `ROUNDS`."""
    return hosting.first_of(seen, "begin_round") if seen.view["round"] < ROUNDS else None
