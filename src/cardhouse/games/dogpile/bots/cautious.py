"""The cautious bot: it lays what is legal whatever others have laid, as much as it can."""

from random import Random
from typing import Any

from cardhouse.engine import Seen
from cardhouse.games.dogpile.bots.shapes import Shapes
from cardhouse.games.dogpile.bots.turn import Turn, lay


def sure(seen: Seen, _: Random) -> dict[str, Any] | None:
    """The largest set of cards that makes one legal shape with the Pack Leader whatever the hidden cards are.

    None of them touches another's card. Of several such sets it is one that spoils the fewest sides of the Pack Leader
    for those who follow, and of these the first in order of x, y and card. What a wild Pack Leader stands for depends
    on hidden cards, too, so that only the first to lay can be sure.
    """
    turn = Turn.of(seen)
    if turn is None:
        return None
    kinds = turn.deck.may_be[turn.leader]
    if turn.theirs and kinds & kinds - 1:
        return lay([], turn)
    return lay(Shapes(turn.leader, turn.hand, turn.deck, turn.theirs).largest(), turn)
