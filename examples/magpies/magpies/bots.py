"""The bots. A bot receives what its seat receives, and so nothing of the others' secret choices."""

from random import Random
from typing import Any

from cardhouse.engine import Seen
from magpies.trick import points_of, worth

USUAL = 8
"""The mean points of a prize."""


def shrewd(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Play high for a valuable prize and low for a poor one, a little off the obvious card."""
    if seen.asks["key"] != "choose":
        return None
    hand = sorted(seen.view["hand"], key=worth)
    wanted = len(hand) * points_of(seen.view["prizes"]) / (2 * USUAL)
    place = round(wanted + rng.choice((-1, 0, 0, 1)))
    return {"do": "choose", "card": hand[max(0, min(place, len(hand) - 1))]}


def hoarder(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Play the lowest card until the prize has a court card or an ace, and then the highest."""
    if seen.asks["key"] != "choose":
        return None
    hand = sorted(seen.view["hand"], key=worth)
    shiny = points_of(seen.view["prizes"]) > 10
    return {"do": "choose", "card": hand[-1] if shiny else hand[0]}
