"""The baseline that every bot must beat: cards laid at random."""

from random import Random
from typing import Any

from cardhouse.cards import Placed, around
from cardhouse.engine import Seen
from cardhouse.games.dogpile.bots.turn import Turn, lay


def lays_at_random(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Any number of cards, each on any empty cell beside what lies there."""
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
