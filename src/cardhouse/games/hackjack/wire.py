"""The types and tables that the page needs of Hackjack; each table has a text, its TypeScript type and its content."""

from cardhouse.cards import RANKS, SUITS
from cardhouse.games.hackjack.odds import FighterOdds
from cardhouse.games.hackjack.state import Sheet, card_value
from cardhouse.games.hackjack.view import HackjackView
from cardhouse.games.hackjack.wounding import RULE_OF, CardCounts
from cardhouse.games.hackjack.wounds.schema import Wound

TOLD = (HackjackView, FighterOdds, CardCounts, Wound, Sheet)
"""`Wound` and `Sheet` are here because the page draws them itself."""
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
