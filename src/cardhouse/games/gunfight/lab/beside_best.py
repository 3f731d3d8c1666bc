"""How a side could aim and wait at best, beside what it was told to do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cardhouse.lab.questions.optimality import BestPlay, way_by
from cardhouse.lab.questions.question import finding_of

if TYPE_CHECKING:
    from cardhouse.games.gunfight.lab.questions import Last

ABOUT = "Best play, as far as it was found, shoots where the fewest hits save the most shots, and never waits."
PART = 40
"""A fight of many takes long: one in so many is played by all ways."""


def at_best(question: Last) -> BestPlay:
    """How often your side would be left; who bleeds and who chooses wounds does so as it was asked, on both sides."""
    won = finding_of(question, "won")

    way = partial(way_by, question, won)
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
