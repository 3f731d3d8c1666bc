"""The reader: it reads from where others laid what they must have laid, and leaves room for those who follow."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from random import Random
from typing import Any

from cardhouse.cards import Placed
from cardhouse.engine import Seen
from cardhouse.games.dogpile.bots.cautious import sure
from cardhouse.games.dogpile.bots.fits import Fits, fits_of, touching
from cardhouse.games.dogpile.bots.hidden import Guess, all_round, gaps
from cardhouse.games.dogpile.bots.room import Room
from cardhouse.games.dogpile.bots.turn import Turn, lay
from cardhouse.games.dogpile.bots.weighing import Weighing


def reader(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """What makes the pack largest in the end, with what others may still lay, weighed with the chance that it joins.

    Others lay what fits, so that from the Pack Leader on each card tells something of the next. Who has nothing that
    fits lays a card apart, to which one that somebody else may have leads over; and a card that lies apart is one to
    which such a card leads.
    """
    turn = Turn.of(seen)
    if turn is None or not (turn.theirs or turn.to_come):
        return sure(seen, rng)
    fits = fits_of(turn.deck)
    return lay(_Reading(turn, fits, *_read(turn, fits)).best(), turn)


def _read(turn: Turn, fits: Fits) -> tuple[Guess, Room]:
    """What this bot can tell of the cards that lie there, and what anybody can tell."""
    leader, unseen, hand = fits.number[turn.leader], fits.bits(turn.unseen), fits.bits(turn.hand)
    bridges = gaps(turn.pack)
    bridge = dict.fromkeys(bridges if len(bridges) == 1 else (), unseen | hand)
    mine = all_round(leader, {**dict.fromkeys(turn.theirs, unseen), **bridge}, fits)
    anybodys = all_round(leader, {**dict.fromkeys(turn.theirs, unseen | hand), **bridge}, fits)
    for cell in bridge:
        del mine[cell], anybodys[cell]
    return Guess(leader, mine, fits), Room.of(anybodys, unseen | hand, unseen, turn.to_come, fits)


class _Reading(Weighing):
    """A weighing with room for others, and with a card laid apart."""

    def best(self) -> list[Placed]:
        """The cards to lay beside the pack; if there are none, one apart from it where that is better than nothing."""
        best = super().best()
        if best or self.turn.touching or not self.turn.to_come or gaps(self.turn.pack):
            return best
        worth, placed = max(self._apart(), key=itemgetter(0), default=(0.0, None))
        return [placed] if placed and worth > self.worth(self.passing) else []

    def _apart(self) -> Iterator[tuple[float, Placed]]:
        """Each card that can be laid one cell away from the pack, and what it brings if somebody leads over."""
        assert self.passing.room
        room, pack = self.passing.room, self.turn.pack
        for bridge, fitting in sorted(room.fitting.items()):
            for cell, beside in touching(bridge):
                if not fitting or not self.turn.is_free(cell) or gaps({*pack, cell}) != [bridge]:
                    continue
                somebody = 1 - (1 - room.share_of(fitting)) ** sum(room.to_come)
                for card in self.turn.hand:
                    right = fitting & self.fits.card(self.fits.number[card], beside)
                    chance = somebody * right.bit_count() / fitting.bit_count()
                    yield chance * (len(pack) + 2 + room.dogs()), Placed(card, *cell)
