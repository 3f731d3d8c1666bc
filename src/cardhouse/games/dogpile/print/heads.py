"""The dog of a card, the same as on the page."""

from __future__ import annotations

from cardhouse.games.dogpile.deck import DeckCard
from cardhouse.print.hounds import dog, dog_of
from cardhouse.print.pen import Pen


def draw_head(pen: Pen, card: DeckCard, x: float, y: float, size: float) -> None:
    """Draw the dog in a box of this size."""
    pen.drawing(dog(dog_of(card.id, card.values)), x, y, size / 104)
