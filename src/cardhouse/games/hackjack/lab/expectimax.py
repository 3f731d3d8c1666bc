"""Exact best play with few cards left: every order of them, and every choice after each.

The solution for the whole deck (`kernels/ahead.py`) draws each hit from all its cards. With few cards left whose wounds
draw no others, every sequence can be enumerated without approximation.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cardhouse.games.hackjack.lab.exact import blood_of
from cardhouse.games.hackjack.state import card_value
from cardhouse.games.hackjack.thresholds import is_exact, is_too_much

if TYPE_CHECKING:
    from cardhouse.cards import Card
    from cardhouse.games.hackjack.wounds.schema import Wounds

MOST_CARDS = 10


def survives(
    cards: tuple[Card, ...], score: int, blood: int, wounds: Wounds, limit: int, holds: bool | None = None
) -> float:
    """Return the expected hits survived under best play, until all these cards are drawn.

    With `holds` the choice to prevent blood loss before the first hit is fixed. No hit is massive. Raises ValueError
    for too many cards, and for a wound with a special effect (HJ-12, HJ-13, HJ-22 to HJ-27).
    """
    if len(cards) > MOST_CARDS:
        raise ValueError(f"{len(cards)} cards have too many orders; at most {MOST_CARDS} can be counted.")
    if bending := [card for card in cards if wounds[card].special is not None]:
        raise ValueError(f"{bending[0]} does more than its own harm.")

    @cache
    def best(left: frozenset[Card], score: int, blood: int) -> float:
        if not left:
            return 0.0
        return max(after(left, score, blood), after(left, score + blood, 0))

    def after(left: frozenset[Card], score: int, blood: int) -> float:
        return sum(drawn(left - {card}, score + card_value(card), blood, card) for card in sorted(left)) / len(left)

    def drawn(left: frozenset[Card], score: int, blood: int, card: Card) -> float:
        if is_too_much(score, limit):
            return 0.0
        score = 0 if is_exact(score, limit) else score
        spread = enumerate(blood_of(wounds[card].blood))
        return 1 + sum(chance * best(left, score, blood + bled) for bled, chance in spread if chance)

    if holds is None:
        return best(frozenset(cards), score, blood)
    return after(frozenset(cards), score if holds else score + blood, blood if holds else 0)
