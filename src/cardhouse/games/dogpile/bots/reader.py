"""The reader: it infers from positions what others must have laid, and leaves room for later players."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from random import Random
from typing import Any

from cardhouse.cards import Placed
from cardhouse.engine import Seen
from cardhouse.games.dogpile.bots.cautious import sure
from cardhouse.games.dogpile.bots.fits import Fits, fits_of, touching
from cardhouse.games.dogpile.bots.hidden import Guess, constrain_all, gaps
from cardhouse.games.dogpile.bots.room import Room
from cardhouse.games.dogpile.bots.turn import Turn, lay
from cardhouse.games.dogpile.bots.weighing import Weighing


def reader(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Lay the cards that maximise the expected size of the final pack, including what others may still lay.

    Other players lay cards that fit, so each card from the Pack Leader on says something about the next. A player with
    nothing that fits lays a card apart, for another player to bridge; so a card that lies apart is one that can be
    bridged.
    """
    turn = Turn.of(seen)
    if turn is None or not (turn.theirs or turn.to_come):
        return sure(seen, rng)
    fits = fits_of(turn.deck)
    return lay(_Reading(turn, fits, *_read(turn, fits)).best(), turn)


def _read(turn: Turn, fits: Fits) -> tuple[Guess, Room]:
    """Return what this bot can infer about the cards on the grid, and what any player can infer."""
    leader, unseen, hand = fits.number[turn.leader], fits.bits(turn.unseen), fits.bits(turn.hand)
    bridges = gaps(turn.pack)
    bridge = dict.fromkeys(bridges if len(bridges) == 1 else (), unseen | hand)
    mine = constrain_all(leader, {**dict.fromkeys(turn.theirs, unseen), **bridge}, fits)
    anybodys = constrain_all(leader, {**dict.fromkeys(turn.theirs, unseen | hand), **bridge}, fits)
    for cell in bridge:
        del mine[cell], anybodys[cell]
    return Guess(leader, mine, fits), Room.of(anybodys, unseen | hand, unseen, turn.to_come, fits)


class _Reading(Weighing):
    """A weighing that leaves room for others, and may lay a card apart."""

    def best(self) -> list[Placed]:
        """Return the cards to lay beside the pack or, if there are none, one apart from it if that is worth it."""
        best = super().best()
        if best or self.turn.touching or not self.turn.to_come or gaps(self.turn.pack):
            return best
        worth, placed = max(self._apart(), key=itemgetter(0), default=(0.0, None))
        return [placed] if placed and worth > self.worth(self.passing) else []

    def _apart(self) -> Iterator[tuple[float, Placed]]:
        """Yield each card that can be laid one cell away from the pack, with its expected value."""
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
