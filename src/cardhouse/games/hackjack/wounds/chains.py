"""The rules for wounds that draw or repeat other wounds (HJ-22 to HJ-27), shared by the game, the odds and the lab."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from cardhouse.cards import Card
from cardhouse.games.hackjack.wounds.schema import Special, Wounds


def lower(one: int, other: int, given: int) -> int:
    """Return the lower of two amounts. A missing one counts as 0, or with `given` is ignored (HJ-23)."""
    if one and other:
        return min(one, other)
    return one + other if given else 0


class Harm(msgspec.Struct, frozen=True):
    """The immediate effect of a wound: its Blood (HJ-9) and its Trauma (HJ-14)."""

    blood: int = 0
    trauma: int = 0

    def __add__(self, other: Harm) -> Harm:
        return Harm(self.blood + other.blood, max(self.trauma, other.trauma))

    @classmethod
    def lower(cls, harms: Sequence[Harm], *, given: bool) -> Harm:
        """Return the lower Blood and the lower Trauma of two harms, each compared separately (HJ-23)."""
        one, other = (*harms, cls(), cls())[:2]
        return cls(lower(one.blood, other.blood, given), lower(one.trauma, other.trauma, given))


class EffectMask(msgspec.Struct, frozen=True):
    """The parts of a card that count when another card's text made it drawn (HJ-26)."""

    value: bool = True
    blood: bool = True
    trauma: bool = True

    def __and__(self, other: EffectMask) -> EffectMask:
        """Return the parts that both masks allow."""
        return EffectMask(self.value and other.value, self.blood and other.blood, self.trauma and other.trauma)


class Suffered(msgspec.Struct, frozen=True):
    """The wounds actually suffered from a card, kept so that they can be repeated (HJ-26).

    Either a card's own wound with the Blood (a number or dice) and Trauma that counted, or, for a card that caused
    other wounds, `parts`: one after another, or with `lower` only their lower Blood and Trauma (HJ-23).
    """

    card: Card | None = None
    blood: int | str = 0
    trauma: int = 0
    parts: tuple[Suffered, ...] = ()
    lower: bool = False

    def masked(self, mask: EffectMask) -> Suffered:
        """Return it with only the parts that `mask` allows."""
        return Suffered(
            self.card,
            self.blood if mask.blood else 0,
            self.trauma if mask.trauma else 0,
            tuple(part.masked(mask) for part in self.parts),
            self.lower,
        )


class ExtraDraws(NamedTuple):
    """The further cards that a wound draws: their number, and the parts of them that count.

    `own` says whether the wound itself also has an effect.
    """

    cards: int
    mask: EffectMask
    own: bool = False


FURTHER: dict[Special | None, ExtraDraws] = {
    "choose": ExtraDraws(2, EffectMask(value=False)),
    "both": ExtraDraws(2, EffectMask(value=False)),
    "another": ExtraDraws(1, EffectMask(blood=False, trauma=False), own=True),
    "again": ExtraDraws(1, EffectMask(value=False)),
}
"""HJ-22 to HJ-24, HJ-26: the cards each special draws; `again` draws only if there is no previous wound."""


def cards_drawing_another(wounds: Wounds) -> frozenset[Card]:
    """Return the cards whose wounds draw another card that also adds its value (HJ-24)."""
    return frozenset(
        card
        for card, wound in wounds.items()
        if (further := FURTHER.get(wound.special)) is not None and further.mask.value
    )
