"""The gap between a policy and the best play found."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from cardhouse.games.dogs.bots.best import worlds
from cardhouse.lab.questions.optimality import BestPlay, strategy_with
from cardhouse.lab.questions.question import Question, finding_of

if TYPE_CHECKING:
    from cardhouse.games.dogs.lab.opponents import Side

ABOUT: Final = (
    "The policy best draws all it can at once. It plays by the rule of thumb while the hands are too large to solve. "
    "Then it solves them, in several worlds where cards may yet come. It counts only the stakes, not the fallout."
)
BY_HEART: Final = "draw all you can at once, Raise with your second-best card, give when you must"


def compare_with_best(question: Question, *, proven: bool) -> BestPlay:
    """Return the comparison of the hero's wins with those of the policy `best`.

    The opponent's policy stays the same. `proven` says whether no other policy wins more against it.
    """
    wins = finding_of(question, "wins")

    way = partial(strategy_with, question, wins)
    thumbs = [way(BY_HEART, policy="thumb")]
    more, less = "win {} points more often", "win {} points less often"
    return BestPlay(wins, more, less, ABOUT, way("as asked"), way("best", policy="best"), thumbs, proven=proven)


def is_solved(one: Side, other: Side, improvised: int) -> bool:
    """Return whether `best` is proven for `one`: hands that nothing is added to, solved whole, against `best`."""
    if improvised or one.things or other.things or not (one.dealt and other.dealt):
        return False
    return other.policy == "best" and next(worlds(one.dealt, other.dealt, 0), None) is not None
