"""The comparison of a side's play with the best known way to aim and wait."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cardhouse.lab.questions.optimality import BestPlay, strategy_with
from cardhouse.lab.questions.question import finding_of

if TYPE_CHECKING:
    from cardhouse.games.gunfight.lab.questions import Last

ABOUT = "Best play, as far as it was found, shoots where the fewest hits save the most shots, and never waits."
PART = 40
"""Only one fight in this many is compared, because large fights take long."""


def compare_with_best(question: Last) -> BestPlay:
    """Return the comparison of how often your side wins; both sides' wound policies stay as asked."""
    won = finding_of(question, "won")

    way = partial(strategy_with, question, won)
    return BestPlay(
        won,
        "be left {} points more often",
        "be left {} points less often",
        ABOUT,
        asked=way("as asked"),
        best=way("best", aim="best", wait="best"),
        thumbs=(
            way("first finish whoever is down with the highest death-score", aim="finish", wait="never"),
            way("shoot at the one on its feet who has the fewest hit points", aim="standing", wait="never"),
        ),
        part=PART,
    )
