"""Who plays by themselves: a bot is sent what its seat is sent, and nothing of what the others choose."""

from random import Random
from typing import Any

from cardhouse.engine import Seen
from magpies.trick import points_of, worth

USUAL = 8
"""What a prize is worth in the mean."""


def shrewd(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Bids high for what is worth much, low for what isn't, and not quite what others would think of."""
    if seen.asks["key"] != "choose":
        return None
    hand = sorted(seen.view["hand"], key=worth)
    wanted = len(hand) * points_of(seen.view["prizes"]) / (2 * USUAL)
    place = round(wanted + rng.choice((-1, 0, 0, 1)))
    return {"do": "choose", "card": hand[max(0, min(place, len(hand) - 1))]}


def hoarder(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Plays the lowest card until a court card or an ace lies there, and then the highest."""
    if seen.asks["key"] != "choose":
        return None
    hand = sorted(seen.view["hand"], key=worth)
    shiny = points_of(seen.view["prizes"]) > 10
    return {"do": "choose", "card": hand[-1] if shiny else hand[0]}
