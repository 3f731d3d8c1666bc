"""The cards that may lie face down, by a bot's knowledge, and the chance that cards laid next to them fit."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from cardhouse.cards import Cell
from cardhouse.games.dogpile.bots.board import fitting
from cardhouse.games.dogpile.bots.fits import Fits, touching
from cardhouse.games.dogpile.judge import pieces_of
from cardhouse.games.dogpile.state import PACK_LEADER

MayLie = Mapping[Cell, int]
"""The cards that may lie on each cell, as bit sets."""
Laid = Mapping[Cell, int]
"""The card that a bot has laid, or considers laying, on each cell."""


def constrain_beside_leader(leader: int, cards: MayLie, fits: Fits) -> dict[Cell, int]:
    """Restrict the cards beside the Pack Leader to those that fit it."""
    found = dict(cards)
    for cell, beside in touching(PACK_LEADER):
        if cell in found:
            found[cell] = found[cell] & fits.card(leader, beside) or found[cell]
    return {**found, PACK_LEADER: 1 << leader}


def constrain_all(leader: int, cards: MayLie, fits: Fits) -> dict[Cell, int]:
    """Restrict the cards on each cell to those that fit some card of each cell it touches.

    The card is one of these unless a player has made a mistake. If that must have happened, all cards are kept.
    """
    found = {**cards, PACK_LEADER: 1 << leader}
    todo = list(cards)
    while todo:
        cell = todo.pop(0)
        some = found[cell]
        for other, beside in touching(cell):
            if other in found:
                some &= fits.any_of(found[other], beside)
        if some and some != found[cell]:
            found[cell] = some
            todo += [other for other, _ in touching(cell) if other in cards and other not in todo]
    return found


def gaps(cells: AbstractSet[Cell]) -> list[Cell]:
    """Return the empty cells where a single card would join a piece of the pack to the Pack Leader's."""
    pieces = pieces_of(cells)
    if len(pieces) == 1:
        return []
    leading = next(set(piece) for piece in pieces if PACK_LEADER in piece)
    edges = {beside for cell in leading for beside, _ in touching(cell)}
    apart = {beside for cell in cells - leading for beside, _ in touching(cell)}
    return sorted((edges & apart) - cells)


class Guess:
    """A bot's model of the cards on the grid: the Pack Leader, and on each other cell one of the possible cards.

    Cells are assumed independent, and the pack legal so far: if it isn't, the bot's move doesn't matter.
    """

    def __init__(self, leader: int, may_lie: MayLie, fits: Fits) -> None:
        self.may_lie = may_lie
        self._leader, self._fits = leader, fits
        self._count = {cell: cards.bit_count() for cell, cards in may_lie.items()}
        self._open = {PACK_LEADER: leader} if fits.wild >> leader & 1 else {}
        self._before = self._joint_chance({}) or 1.0

    def chance(self, laid: Laid, cell: Cell, card: int, before: float) -> float:
        """Return the chance that all fits with this card, next to `laid`, which fits with the chance `before`."""
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
        return self._joint_chance({**laid, cell: card}) / self._before if wild else chance

    def _joint_chance(self, laid: Laid) -> float:
        """Return the joint chance of all cards, in which each wild card has one kind for all that it touches."""
        known = {**laid, **self._open}
        kinds = self._settled_kinds(known)
        chance = float(all(kinds.values()))
        for cell in known:
            for other, beside in touching(cell):
                if other in self.may_lie and other != PACK_LEADER:
                    fitting = self._fits.kinds(kinds[cell], beside)
                    chance *= (self.may_lie[other] & fitting).bit_count() / self._count[other]
        return chance

    def _settled_kinds(self, known: Laid) -> dict[Cell, int]:
        """Return the possible kinds of each known card, given the other known cards. No kinds mean a conflict."""
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
