"""What the page is told of Hackjack, and the tables it goes by: what each is, its TypeScript type, what it holds."""

from cardhouse.cards import RANKS, SUITS
from cardhouse.games.hackjack.odds import FighterOdds
from cardhouse.games.hackjack.state import Sheet, card_value
from cardhouse.games.hackjack.view import HackjackView
from cardhouse.games.hackjack.wound import Wound
from cardhouse.games.hackjack.wounding import RULE_OF

TOLD = (HackjackView, FighterOdds, Wound, Sheet)
"""A wound and a sheet the page draws itself."""
CONSTANTS = {
    "CARD_VALUES": (
        "HJ-2: what a card of each rank adds to the death-score.",
        "Record<string, number>",
        {rank: card_value(SUITS[0] + rank) for rank in RANKS},
    ),
    "WOUND_RULES": (
        "The rule that a wound is suffered by, as it bends the flow; `plain` is one that doesn't.",
        "Record<string, string>",
        {special or "plain": rule for special, rule in RULE_OF.items()},
    ),
}
