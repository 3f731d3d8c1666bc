"""The exact odds of fallout: what so many cards, turned over from a full deck, do to somebody (DV-26 to DV-29).

The cards of a pile are any of the deck, each set of them as likely as the others; so the odds are counts of sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import get_args

import msgspec

from cardhouse.cards import SECOND_DECK, STANDARD, Card, is_red, number_of
from cardhouse.games.dogs.fallout.aftermath import REDS_TO_LEARN, is_experience, severity_of
from cardhouse.games.dogs.state import Pile, Severity

SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""From the mildest to the worst."""
DECKS: dict[int, tuple[Card, ...]] = {1: STANDARD, 2: (*STANDARD, *SECOND_DECK)}
"""A full deck, or two."""


class Chances(msgspec.Struct, frozen=True):
    """What becomes of somebody: the chance of each severity, and of gaining Experience."""

    severity: dict[Severity, Fraction]
    experience: Fraction


class Pack:
    """The cards that may lie on a pile, as far as they matter: how many go where, and how bad they are."""

    def __init__(self, pile: Pile, deck: Sequence[Card]) -> None:
        self.all = len(deck)
        experience = [card for card in deck if is_experience(card, pile)]
        self.fallout = [card for card in deck if not is_experience(card, pile)]
        self.red = sum(map(is_red, experience))
        self.experience = len(experience)
        self.dying = sum(severity_of(card) == "dying" for card in self.fallout)

    def share(self, of: int, cards: int) -> Fraction:
        """The share of the sets of so many cards that are all among `of` of them."""
        return Fraction(comb(of, cards), comb(self.all, cards))

    def no_worse(self, severity: Severity, cards: int) -> Fraction:
        """The chance that it is this bad at most."""
        worst = SEVERITIES.index(severity)
        milder = [card for card in self.fallout if SEVERITIES.index(severity_of(card)) <= worst]
        return self.share(self.experience + len(milder), cards)

    def gains(self, cards: int) -> Fraction:
        """The chance of enough red cards for Experience, and not to be dying (DV-27)."""
        alive = self.all - self.dying
        few = range(min(REDS_TO_LEARN, cards + 1))
        too_few = sum(comb(self.red, reds) * comb(alive - self.red, cards - reds) for reds in few)
        return Fraction(comb(alive, cards) - too_few, comb(self.all, cards))


def chances(pile: Pile, cards: int, deck: Sequence[Card] = STANDARD) -> Chances:
    """What so many fallout cards of one pile do, one at least, without the option that a Jack draws a card."""
    pack = Pack(pile, deck)
    up_to = [Fraction(0), *(pack.no_worse(severity, cards) for severity in SEVERITIES)]
    severity = {name: up_to[place + 1] - up_to[place] for place, name in enumerate(SEVERITIES)}
    return Chances(severity, pack.gains(cards))


def needs_healing(pile: Pile, cards: int, body: int, deck: Sequence[Card] = STANDARD) -> Fraction:
    """The chance to need a healing conflict: mortally wounded, or injured and no card for Body is high enough (DV-29).

    The cards for Body come from the same deck.
    """
    pack = Pack(pile, deck)
    mortally = chances(pile, cards, deck).severity["mortally_wounded"]
    injuring = {number_of(card) for card in pack.fallout if severity_of(card) == "injured"}
    return mortally + sum(_not_coped_with(pack, rank, cards, body, deck) for rank in injuring)


def _not_coped_with(pack: Pack, rank: int, cards: int, body: int, deck: Sequence[Card]) -> Fraction:
    """The chance that this is the highest rank of the Fallout pile, and that all cards for Body are lower.

    So many of the cards are `equal` to it, and so many are for `experience`, all of which are higher.
    """
    equals = sum(number_of(card) == rank for card in pack.fallout)
    lower = sum(number_of(card) < rank for card in deck)
    left, drawn = pack.all - cards, min(body, pack.all - cards)
    found = 0
    for equal in range(1, min(equals, cards) + 1):
        for experience in range(min(pack.experience, cards - equal) + 1):
            below = cards - equal - experience
            ways = comb(equals, equal) * comb(pack.experience, experience) * comb(lower, below)
            found += ways * comb(lower - below, drawn) if below <= lower else 0
    return Fraction(found, comb(pack.all, cards) * comb(left, drawn))
