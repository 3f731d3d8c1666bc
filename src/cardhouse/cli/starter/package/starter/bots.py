"""Who plays by themselves: a bot is sent what its seat is sent, and answers as a person would."""

from random import Random
from typing import Any

from cardhouse.engine import Seen

ENOUGH = 15


def careful(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Stops once there are enough points; whatever is left to luck comes from `rng`."""
    may = [offer["do"] for offer in seen.offers]
    if "stop" in may and seen.view["points"] >= ENOUGH:
        return {"do": "stop"}
    return {"do": "more"} if "more" in may else None
