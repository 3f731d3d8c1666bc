"""A stand-in until the real module is written: overwrite it."""

import msgspec

from cardhouse.cards import Placed


class Largest(msgspec.Struct, frozen=True):
    layout: list[Placed]
    bound: int

    @property
    def size(self) -> int:
        return len(self.layout)

    @property
    def proven(self) -> bool:
        return self.size == self.bound


def largest_pack(leader, cards, deck, *, work=100_000, seconds=None) -> Largest:
    return Largest([Placed(leader, 0, 0)], len(cards) + 1)
