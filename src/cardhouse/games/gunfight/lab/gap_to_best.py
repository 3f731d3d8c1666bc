"""The comparison of a side's play with the best known way to aim and wait."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec

from cardhouse.games.initiative.lab.sides import soonest
from cardhouse.lab.questions.optimality import BestPlay, strategy_with
from cardhouse.lab.questions.question import finding_of

if TYPE_CHECKING:
    from cardhouse.games.gunfight.lab.questions import Last

ABOUT = (
    "The best play found shoots where the fewest hits save the most shots, never waits, and never prevents blood loss."
)
PART = 40
"""Only one fight in this many is compared, because large fights take long."""


def compare_with_best(question: Last) -> BestPlay:
    """Return the comparison of how often your side wins; their side plays as asked."""
    won = finding_of(question, "won")
    against = msgspec.structs.replace(question, their_prevent=question.prevents(1))

    way = partial(strategy_with, against, won)
    plays = partial(way, prevent="never", wait="never")
    return BestPlay(
        won,
        "be left {} points more often",
        "be left {} points less often",
        ABOUT,
        asked=way("as asked", wait=soonest(question.wait)),
        best=plays("best", aim="best"),
        thumbs=(
            plays("first finish whoever is down with the highest death-score", aim="finish"),
            plays("shoot at the one on its feet who has the fewest hit points", aim="standing"),
        ),
        part=PART,
    )
