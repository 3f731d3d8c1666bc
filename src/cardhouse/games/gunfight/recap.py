"""The recap of a gunfight session: its fights, then its rounds (GF-1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardhouse.engine import Recap
from cardhouse.games.hackjack.recap import Fights
from cardhouse.games.initiative.recap import Rounds

if TYPE_CHECKING:
    from cardhouse.engine import ReplaySteps
    from cardhouse.games.gunfight.rules import Gunfight


def recap_of(game: Gunfight, log: ReplaySteps) -> Recap:
    """Return the recap."""
    fights, rounds = Fights(), Rounds()
    for passage in log:
        fights.see(passage, passage.game.fight)
        rounds.see(passage)
    fought, order = fights.told(game.fight), rounds.recap(game.order)
    by_key = {one.key: one for one in (*order.figures, *fought.figures)}
    first = [by_key.pop(key) for key in ("rounds", "drawn", "died") if key in by_key]
    moments = [*fought.moments, *order.moments]
    return Recap([*first, *by_key.values()], moments, fought.headline, fought.people)
