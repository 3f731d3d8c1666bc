"""The types that the server sends to the page for card initiative, and a table of constants: comment, type, value."""

from cardhouse.games.initiative.choices import ChoiceOdds, Choices
from cardhouse.games.initiative.odds import TurnOdds
from cardhouse.games.initiative.state import TIERS
from cardhouse.games.initiative.view import InitiativeView

TOLD = (InitiativeView, ChoiceOdds, Choices, TurnOdds)
CONSTANTS = {
    "TIERS": ("IN-4: the tiers, each with its ranks from the best down.", "Record<string, string[]>", TIERS),
}
