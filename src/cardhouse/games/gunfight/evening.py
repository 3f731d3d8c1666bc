"""The evening of a gunfight: the fights of it, and then the rounds (GF-1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardhouse.engine import Evening
from cardhouse.games.hackjack.evening import Fights
from cardhouse.games.initiative.evening import Rounds

if TYPE_CHECKING:
    from cardhouse.engine import Passages


def evening_of(log: Passages) -> Evening:
    """What there is to tell of it."""
    fights, rounds = Fights(), Rounds()
    for passage in log:
        fights.see(passage, passage.game.fight)
        rounds.see(passage)
    fought, order = fights.told(), rounds.told()
    return Evening([*fought.figures, *order.figures], [*fought.moments, *order.moments])
