"""The cautious bot: it lays as many cards as are legal for any cards of the others."""

from random import Random
from typing import Any

from cardhouse.engine import Seen
from cardhouse.games.dogpile.bots.shapes import Shapes
from cardhouse.games.dogpile.bots.turn import Turn, lay


def sure(seen: Seen, _: Random) -> dict[str, Any] | None:
    """Lay the largest set of cards that is one legal shape with the Pack Leader for any hidden cards.

    None of them touches another player's card. Among the largest sets it prefers one that blocks the fewest sides of
    the Pack Leader for later players, then the first in order of x, y and card. A wild Pack Leader's value depends on
    hidden cards, so only the first player can be sure of it.
    """
    turn = Turn.of(seen)
    if turn is None:
        return None
    kinds = turn.deck.may_be[turn.leader]
    if turn.theirs and kinds & kinds - 1:
        return lay([], turn)
    return lay(Shapes(turn.leader, turn.hand, turn.deck, turn.theirs).largest(), turn)
