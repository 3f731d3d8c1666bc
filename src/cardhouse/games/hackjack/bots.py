"""Who plays a seat of Hackjack by themselves, and the host of a practice table."""

from collections.abc import Callable
from random import Random
from typing import Any, Final

from cardhouse.cards import STANDARD, Card
from cardhouse.engine import GM, Seen
from cardhouse.engine.game import hosting
from cardhouse.games.hackjack.state import card_value
from cardhouse.games.hackjack.wound import Wounds, is_dice
from cardhouse.games.hackjack.wounds import wounds_from

HIGHEST: Final = max(map(card_value, STANDARD))
HP: Final = 4
HIT: Final = 3
"""What hits somebody in a round is a die of so many sides."""
ROUNDS: Final = 12
BOTH_SIDES: Final = 2
HURTS: Final = ("hurt", "goes_down", "draws", "no_card", "killed_outright", "dies")
"""What is told of somebody who has been hit."""


def steady(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Holds its wounds unless a ten would save it then, and of two wounds takes the one that costs least."""
    return declares(seen, seen.view["characters"], holds_for_long(seen)) or chooses(seen) or strikes(seen, rng)


def strikes(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """A strike at any foe (HJ-33)."""
    open_to = [hosting.say(offer) for offer in hosting.own(seen) if offer["do"] == "strike"]
    return rng.choice(open_to) if open_to else None


def holds_for_long(seen: Seen) -> Callable[[int], bool]:
    """Whether to hold one's wound with so much death-score and pool together, to live as long as one can.

    It is let go where both make 11, from which most cards lead to exactly 21: in docs/findings-hackjack.md no rule that
    one can remember comes nearer to the best.
    """
    saved_by_ten = seen.view["limit"] - HIGHEST
    return lambda together: together != saved_by_ten


def declares(seen: Seen, people: list[dict[str, Any]], holds: Callable[[int], bool]) -> dict[str, Any] | None:
    """Whether one holds one's wound, by death-score and pool together, for the first of its own that is asked."""
    sheets = {who["name"]: who for who in people}
    for offer in hosting.own(seen):
        who = sheets.get(offer["fields"].get("name", {}).get("const", ""))
        if offer["do"] == "prevent" and who is not None and who["controller"] == seen.seat:
            return {"do": "prevent", "name": who["name"], "yes": holds(who["death_score"] + who["blood"])}
    return None


def chooses(seen: Seen) -> dict[str, Any] | None:
    """The wound of two that costs least."""
    offers = [offer for offer in hosting.own(seen) if offer["do"] == "choose_wound"]
    if not offers:
        return None
    wounds = wounds_from(seen.options.get("wounds", {}))
    return min(map(hosting.say, offers), key=lambda answer: cost(answer["card"], wounds))


def cost(card: Card, wounds: Wounds) -> tuple[bool, float]:
    """How bad a wound is, less first: whether it takes one out of the fight, then its Trauma and Blood."""
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
    """A character for each player, and rounds in which something hits each of them, until the last one is dead.

    Where strikes are rolled (HJ-33), its own characters do that, until one side can do nothing any more; then the table
    is over.
    """
    people = seen.view["characters"]
    if seen.asks["key"] == "choose":
        return chooses(seen)
    if seen.options.get("strikes", "off") != "off" and any(who["controller"] == GM for who in people):
        return leads_scene(seen, people, rng)
    if seats := hosting.seats_without(seen, people):
        name = hosting.new_name(hosting.NAMES, people)
        return {"do": "add_character", "name": name, "hp": HP, "max_hp": HP, "controller": seats[0]}
    if seen.asks["key"] == "declare":
        return declares(seen, people, holds_for_long(seen))
    living = [who for who in people if who["alive"]]
    if seen.asks["key"] != "fight" or not living:
        return None
    return hits(seen, living, rng) or checks(living) or begins(seen)


def leads_scene(seen: Seen, people: list[dict[str, Any]], rng: Random) -> dict[str, Any] | None:
    """The rounds of a fight against its own characters, which never hold a wound."""
    if seen.asks["key"] == "declare":
        return declares(seen, people, lambda together: False)
    if seen.asks["key"] != "fight":
        return strikes(seen, rng)
    standing = [who for who in people if who["idle"] is None]
    if len({who["controller"] == GM for who in standing}) < BOTH_SIDES:
        return dict(hosting.END)
    return checks(standing) or hosting.first_of(seen, "begin_round")


def hits(seen: Seen, living: list[dict[str, Any]], rng: Random) -> dict[str, Any] | None:
    """The first of them who hasn't been hit in this round."""
    told = list(hosting.since(seen, "new_round"))
    if not told or told[0]["key"] != "new_round":
        return None
    hurt = {event["name"] for event in told if event["key"] in HURTS}
    due = next((who["name"] for who in living if who["name"] not in hurt), None)
    return None if due is None else {"do": "damage", "target": due, "amount": rng.randint(1, HIT)}


def checks(living: list[dict[str, Any]]) -> dict[str, Any] | None:
    """A check that a wound asks for."""
    for who in living:
        for wound in who["wounds"]:
            if wound["check"] == "open":
                return {"do": "check", "name": who["name"], "wound": wound["card"]}
    return None


def begins(seen: Seen) -> dict[str, Any] | None:
    """The next round, until there were enough."""
    return hosting.first_of(seen, "begin_round") if seen.view["round"] < ROUNDS else None
