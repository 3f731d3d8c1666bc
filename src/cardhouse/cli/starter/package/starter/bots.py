"""The game's bots: a bot is sent what its seat is sent, and answers like a person."""

from random import Random
from typing import Any

from cardhouse.engine import Seen

ENOUGH = 15


def careful(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Stop once there are enough points. A bot that plays at random should use `rng`."""
    may = [offer["do"] for offer in seen.offers]
    if "stop" in may and seen.view["points"] >= ENOUGH:
        return {"do": "stop"}
    return {"do": "more"} if "more" in may else None
