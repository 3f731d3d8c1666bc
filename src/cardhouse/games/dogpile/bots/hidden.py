"""What may lie face down, for all that a bot can tell, and the chance that cards laid there fit."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from cardhouse.cards import Cell
from cardhouse.games.dogpile.bots.board import fitting
from cardhouse.games.dogpile.bots.fits import Fits, touching
from cardhouse.games.dogpile.judge import pieces_of
from cardhouse.games.dogpile.state import PACK_LEADER

MayLie = Mapping[Cell, int]
"""The cards that may lie on each cell, as bits."""
Laid = Mapping[Cell, int]
"""The card that a bot has laid, or thinks of laying, on each cell."""


def beside_leader(leader: int, cards: MayLie, fits: Fits) -> dict[Cell, int]:
    """Of the cards that may lie on each cell, beside the Pack Leader those that fit to it."""
    found = dict(cards)
    for cell, beside in touching(PACK_LEADER):
        if cell in found:
            found[cell] = found[cell] & fits.card(leader, beside) or found[cell]
    return {**found, PACK_LEADER: 1 << leader}


def all_round(leader: int, cards: MayLie, fits: Fits) -> dict[Cell, int]:
    """Of the cards that may lie on each cell, those that fit to something that may lie on each cell it touches.

    One of these it is if nobody has made a mistake; where somebody must have, it is any that may lie there.
    """
    found = {**cards, PACK_LEADER: 1 << leader}
    todo = list(cards)
    while todo:
        cell = todo.pop(0)
        some = found[cell]
        for other, beside in touching(cell):
            if other in found:
                some &= fits.one_of(found[other], beside)
        if some and some != found[cell]:
            found[cell] = some
            todo += [other for other, _ in touching(cell) if other in cards and other not in todo]
    return found


def gaps(cells: AbstractSet[Cell]) -> list[Cell]:
    """The empty cells on each of which a card would join a piece of the pack to the Pack Leader's."""
    pieces = pieces_of(cells)
    if len(pieces) == 1:
        return []
    leading = next(set(piece) for piece in pieces if PACK_LEADER in piece)
    edges = {beside for cell in leading for beside, _ in touching(cell)}
    apart = {beside for cell in cells - leading for beside, _ in touching(cell)}
    return sorted((edges & apart) - cells)


class Guess:
    """A bot's guess at the cards that lie there: the Pack Leader, and on each other cell one of those that may.

    What lies on one cell is taken to tell nothing of another; and the pack to be legal so far, for if it isn't, it
    doesn't matter what is laid.
    """

    def __init__(self, leader: int, may_lie: MayLie, fits: Fits) -> None:
        self.may_lie = may_lie
        self._leader, self._fits = leader, fits
        self._count = {cell: cards.bit_count() for cell, cards in may_lie.items()}
        self._open = {PACK_LEADER: leader} if fits.wild >> leader & 1 else {}
        self._before = self._together({}) or 1.0

    def chance(self, laid: Laid, cell: Cell, card: int, before: float) -> float:
        """The chance that all fits if this card is laid, beside what the bot has `laid` so far with its own chance."""
        wild = self._fits.wild >> card & 1
        chance = before
        for other, beside in touching(cell):
            fitting = self._fits.card(card, beside)
            known = self._leader if other == PACK_LEADER else laid.get(other)
            if known is not None:
                if not fitting >> known & 1:
                    return 0.0
                wild |= self._fits.wild >> known & 1
            elif other in self.may_lie:
                chance *= (self.may_lie[other] & fitting).bit_count() / self._count[other]
        return self._together({**laid, cell: card}) / self._before if wild else chance

    def _together(self, laid: Laid) -> float:
        """The chance for all cards at once, with wild ones among them, which are each of one kind to all they touch."""
        known = {**laid, **self._open}
        kinds = self._settled(known)
        chance = float(all(kinds.values()))
        for cell in known:
            for other, beside in touching(cell):
                if other in self.may_lie and other != PACK_LEADER:
                    fitting = self._fits.kinds(kinds[cell], beside)
                    chance *= (self.may_lie[other] & fitting).bit_count() / self._count[other]
        return chance

    def _settled(self, known: Laid) -> dict[Cell, int]:
        """The kinds that each known card can be of, beside the other known cards; none where one can't be."""
        deck, may_be = self._fits.deck, self._fits.may_be
        kinds = {cell: may_be[card] for cell, card in known.items()}
        fixed = {PACK_LEADER: may_be[self._leader]}
        todo = list(known)
        while todo:
            cell = todo.pop()
            some = kinds[cell]
            for other, beside in touching(cell):
                if other in kinds or other in fixed:
                    some &= fitting(deck, kinds.get(other, fixed.get(other, 0)), beside)
            if some != kinds[cell]:
                kinds[cell] = some
                todo += [other for other, _ in touching(cell) if other in kinds]
        return kinds
