"""The recap of a gunfight session: its fights, then its rounds (GF-1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardhouse.engine import Recap
from cardhouse.engine.game.sides import losers_of, verdict_of_sides
from cardhouse.games.hackjack.recap import Fights
from cardhouse.games.hackjack.verdict import fighters_of
from cardhouse.games.initiative.recap import Rounds

if TYPE_CHECKING:
    from cardhouse.engine import ReplaySteps
    from cardhouse.games.gunfight.rules import Gunfight


def recap_of(game: Gunfight, log: ReplaySteps) -> Recap:
    """Return the recap."""
    fights, rounds = Fights(), Rounds()
    for passage in log:
        fights.see(passage, passage.game.fight, passage.game.order.round)
        rounds.see(passage, passage.game.order)
    fought, order = fights.told(game.fight), rounds.recap(game.order)
    by_key = {one.key: one for one in (*order.figures, *fought.figures)}
    first = [by_key.pop(key) for key in ("rounds", "drawn", "died") if key in by_key]
    fighters = fighters_of(game.fight, game.side_of)
    turning_point = fights.blows.turning_point(game.fight, {one.name for one in losers_of(fighters)})
    headline, verdict = verdict_of_sides(fighters, turning_point)
    figures = [*first, *by_key.values()]
    return Recap(figures, [*fought.moments, *order.moments], headline, fought.people, verdict)
