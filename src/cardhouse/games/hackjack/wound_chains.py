"""How wounds bend the flow of the draw, HJ-22 to HJ-27, once: rules, odds, exact numbers and kernels go by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from cardhouse.cards import Card
from cardhouse.games.hackjack.wound import Special, Wounds


def lower(one: int, other: int, given: int) -> int:
    """The lower of two: where one has none it counts 0, or, if only what is `given` counts, nothing (HJ-23)."""
    if one and other:
        return min(one, other)
    return one + other if given else 0


class Harm(msgspec.Struct, frozen=True):
    """What a wound does at once: so much Blood (HJ-9), a Trauma of so much (HJ-14)."""

    blood: int = 0
    trauma: int = 0

    def __add__(self, other: Harm) -> Harm:
        return Harm(self.blood + other.blood, max(self.trauma, other.trauma))

    @classmethod
    def lower(cls, harms: Sequence[Harm], *, given: bool) -> Harm:
        """The lower Blood and the lower Trauma of two, each for itself (HJ-23)."""
        one, other = (*harms, cls(), cls())[:2]
        return cls(lower(one.blood, other.blood, given), lower(one.trauma, other.trauma, given))


class Let(msgspec.Struct, frozen=True):
    """What counts of a card that another card's text has had drawn (HJ-26)."""

    value: bool = True
    blood: bool = True
    trauma: bool = True

    def __and__(self, other: Let) -> Let:
        """What both let through."""
        return Let(self.value and other.value, self.blood and other.blood, self.trauma and other.trauma)


class Suffered(msgspec.Struct, frozen=True):
    """What was really suffered from a card, so that it can be suffered again (HJ-26).

    A card's own wound, with the Blood (a number or dice) and Trauma that were let through, or, where it made others be
    suffered, `parts`: one after another, or, if `lower`, with the lower Blood and Trauma of them (HJ-23).
    """

    card: Card | None = None
    blood: int | str = 0
    trauma: int = 0
    parts: tuple[Suffered, ...] = ()
    lower: bool = False

    def under(self, let: Let) -> Suffered:
        """The same with no more than is let through."""
        return Suffered(
            self.card,
            self.blood if let.blood else 0,
            self.trauma if let.trauma else 0,
            tuple(part.under(let) for part in self.parts),
            self.lower,
        )


class Further(NamedTuple):
    """The further cards that a wound draws: how many, and what counts of them.

    `own` says whether it is a wound beside those that it draws.
    """

    cards: int
    let: Let
    own: bool = False


FURTHER: dict[Special | None, Further] = {
    "choose": Further(2, Let(value=False)),
    "both": Further(2, Let(value=False)),
    "another": Further(1, Let(blood=False, trauma=False), own=True),
    "again": Further(1, Let(value=False)),
}
"""HJ-22 to HJ-24, HJ-26: by what bends the flow; `again` draws where nothing was suffered before."""


def adding(wounds: Wounds) -> frozenset[Card]:
    """The cards whose wounds have another drawn that adds its value, too (HJ-24)."""
    return frozenset(
        card
        for card, wound in wounds.items()
        if (further := FURTHER.get(wound.special)) is not None and further.let.value
    )
