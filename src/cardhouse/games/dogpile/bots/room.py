"""Room for later players: the cards they could lay, as far as a bot can tell."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cardhouse.cards import Cell
from cardhouse.games.dogpile.bots.fits import Fits, touching
from cardhouse.games.dogpile.bots.hidden import MayLie


class Room(msgspec.Struct, frozen=True):
    """The public knowledge of a pack, and the cards certain to fit it.

    `may_lie` has the cards that may lie on each cell, `fitting` those certain to fit on each empty cell beside the
    pack. `among` are the cards of which each laid card is one, `unseen` those that others may hold, as bit sets.
    `to_come` is the number of cards of each player still to lay.
    """

    may_lie: MayLie
    fitting: MayLie
    among: int
    unseen: int
    to_come: Sequence[int]

    @classmethod
    def of(cls, may_lie: MayLie, among: int, unseen: int, to_come: Sequence[int], fits: Fits) -> Room:
        """Return the room beside a pack."""
        edge = {beside for cell in may_lie for beside, _ in touching(cell)} - may_lie.keys()
        fitting = {}
        for cell in edge:
            here = [fits.all_of(may_lie[other], beside) for other, beside in touching(cell) if other in may_lie]
            some = unseen
            for each in here:
                some &= each
            fitting[cell] = some if len(here) == 1 else some & ~fits.wild
        return cls(may_lie, fitting, among, unseen, to_come)

    def with_card(self, cell: Cell, fits: Fits) -> Room:
        """Return the room once a card lies on this cell, too. Others don't see which card it is."""
        may_lie, fitting = dict(self.may_lie), dict(self.fitting)
        some = self.among
        for other, beside in touching(cell):
            if other in may_lie:
                some &= fits.any_of(may_lie[other], beside)
        may_lie[cell] = some
        fitting.pop(cell, None)
        for other, beside in touching(cell):
            if other in fitting:
                fitting[other] &= fits.all_of(some, beside) & ~fits.wild
            elif other not in may_lie:
                fitting[other] = fits.all_of(some, beside) & self.unseen
        return msgspec.structs.replace(self, may_lie=may_lie, fitting=fitting)

    def share_of(self, cards: int) -> float:
        """Return the share of the unseen cards that these are."""
        return cards.bit_count() / max(self.unseen.bit_count(), 1)

    def dogs(self) -> float:
        """Return the expected dogs of later players: the cards of each hand that fit, until one player has none."""
        somewhere = 0
        for cards in self.fitting.values():
            somewhere |= cards
        share = self.share_of(somewhere)
        dogs, reached = 0.0, 1.0
        for hand in self.to_come:
            reached *= 1 - (1 - share) ** hand
            dogs += reached * hand * share
        return dogs
