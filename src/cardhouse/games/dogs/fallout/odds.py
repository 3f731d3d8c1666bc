"""The exact odds of fallout: the effect of a number of cards turned over from a full deck (DV-26 to DV-29).

Every set of cards of a pile's size is equally likely, so each chance is a ratio of counts of sets.
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
"""Severities, mildest first."""
DECKS: dict[int, tuple[Card, ...]] = {1: STANDARD, 2: (*STANDARD, *SECOND_DECK)}
"""A full deck, or two, by the number of decks."""


class Chances(msgspec.Struct, frozen=True):
    """The chance of each severity, and of gaining Experience."""

    severity: dict[Severity, Fraction]
    experience: Fraction


class Pack:
    """The possible cards of a pile, counted by what they do: experience or fallout, and how severe."""

    def __init__(self, pile: Pile, deck: Sequence[Card]) -> None:
        self.all = len(deck)
        experience = [card for card in deck if is_experience(card, pile)]
        self.fallout = [card for card in deck if not is_experience(card, pile)]
        self.red = sum(map(is_red, experience))
        self.experience = len(experience)
        self.dying = sum(severity_of(card) == "dying" for card in self.fallout)

    def share(self, of: int, cards: int) -> Fraction:
        """Return the proportion of sets of `cards` cards that lie within a subset of `of` cards."""
        return Fraction(comb(of, cards), comb(self.all, cards))

    def no_worse(self, severity: Severity, cards: int) -> Fraction:
        """Return the chance that the fallout is at most this severe."""
        worst = SEVERITIES.index(severity)
        milder = [card for card in self.fallout if SEVERITIES.index(severity_of(card)) <= worst]
        return self.share(self.experience + len(milder), cards)

    def gains(self, cards: int) -> Fraction:
        """Return the chance to gain Experience: enough red cards, and not dying (DV-27)."""
        alive = self.all - self.dying
        few = range(min(REDS_TO_LEARN, cards + 1))
        too_few = sum(comb(self.red, reds) * comb(alive - self.red, cards - reds) for reds in few)
        return Fraction(comb(alive, cards) - too_few, comb(self.all, cards))


def chances(pile: Pile, cards: int, deck: Sequence[Card] = STANDARD) -> Chances:
    """Return the effect of one or more fallout cards in one pile, without the `jack_draw` option."""
    pack = Pack(pile, deck)
    up_to = [Fraction(0), *(pack.no_worse(severity, cards) for severity in SEVERITIES)]
    severity = {name: up_to[place + 1] - up_to[place] for place, name in enumerate(SEVERITIES)}
    return Chances(severity, pack.gains(cards))


def needs_healing(pile: Pile, cards: int, body: int, deck: Sequence[Card] = STANDARD) -> Fraction:
    """Return the chance of needing a healing conflict (DV-29).

    That means mortally wounded, or injured without a Body card high enough. The Body cards come from the same deck.
    """
    pack = Pack(pile, deck)
    mortally = chances(pile, cards, deck).severity["mortally_wounded"]
    injuring = {number_of(card) for card in pack.fallout if severity_of(card) == "injured"}
    return mortally + sum(_not_coped_with(pack, rank, cards, body, deck) for rank in injuring)


def _not_coped_with(pack: Pack, rank: int, cards: int, body: int, deck: Sequence[Card]) -> Fraction:
    """Return the chance that `rank` is the highest of the Fallout pile and every Body card is lower.

    The sum runs over the number of cards `equal` to it, and of `experience` cards, which are all higher.
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
