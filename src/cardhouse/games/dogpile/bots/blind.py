"""The random baseline that every bot must beat."""

from random import Random
from typing import Any

from cardhouse.cards import Placed, around
from cardhouse.engine import Seen
from cardhouse.games.dogpile.bots.turn import Turn, lay


def lay_randomly(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Lay a random number of cards, each on a random empty cell beside the pack."""
    turn = Turn.of(seen)
    if turn is None:
        return None
    taken, cards = set(turn.pack), []
    for card in rng.sample(turn.hand, rng.randint(1, len(turn.hand))):
        beside = {beside for cell in taken for beside in around(cell) if turn.is_free(beside)} - taken
        cell = rng.choice(sorted(beside))
        taken.add(cell)
        cards.append(Placed(card, *cell))
    return lay(cards, turn)
