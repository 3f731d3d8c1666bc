"""The gap between a question's own policies and best play (HJ-10, HJ-22)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cardhouse.cards import STANDARD
from cardhouse.games.hackjack.state import card_value
from cardhouse.lab.questions.optimality import BestPlay, strategy_with
from cardhouse.lab.questions.question import finding_of

if TYPE_CHECKING:
    from cardhouse.games.hackjack.lab.wound_question import TableQuestion

HIGHEST = max(card_value(card) for card in STANDARD)
ABOUT = "The best play found prevents blood loss by the cards that are left, and takes the better of two wounds."


def compare_with_best(question: TableQuestion, key: str, more: str, less: str) -> BestPlay:
    """Return how a question's finding compares with best play and with rules of thumb."""
    finding = finding_of(question, key)
    saved_by_ten = question.limit - HIGHEST

    way = partial(strategy_with, question, finding)
    return BestPlay(
        finding,
        more,
        less,
        ABOUT,
        asked=way("as asked"),
        best=way("best", prevent="best", c7="best"),
        thumbs=(
            way(f"prevent unless score and pool make exactly {saved_by_ten}", prevent=f"unless {saved_by_ten}"),
            way("always prevent", prevent="always"),
            way("never prevent", prevent="never"),
        ),
    )
