"""Search over the cards that a bot can lay, by their expected value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cardhouse.cards import Cell, Placed
from cardhouse.games.dogpile.bots.fits import Fits, touching
from cardhouse.games.dogpile.bots.hidden import Guess, Laid, gaps
from cardhouse.games.dogpile.bots.room import Room
from cardhouse.games.dogpile.bots.turn import Turn
from cardhouse.games.dogpile.deck import bits_of
from cardhouse.games.dogpile.judge import pieces_of

KEPT = 12
"""The beam width: the number of plans of each size that are extended by one more card."""
ADDED = 0.75
"""A further card must keep at least this share of the chance so far."""


class Plan(NamedTuple):
    """The cards to lay by cell, the chance that all of them fit, and the room they leave for others, or None."""

    laid: Laid
    chance: float
    room: Room | None


class Weighing:
    """A beam search over the moves of a turn, given a guess at the hidden cards.

    Plans grow card by card next to the pack. Only the best of each size are extended.
    """

    def __init__(self, turn: Turn, fits: Fits, guess: Guess, room: Room | None = None) -> None:
        self.turn, self.fits, self.guess = turn, fits, guess
        self.passing = Plan({}, 1.0, room)
        self._hand = [fits.number[card] for card in turn.hand]
        self._gaps = gaps(turn.pack)
        self._bridged = self._bridge()
        edge = {cell for there in turn.pack for cell, _ in touching(there) if turn.is_free(cell)}
        chances = {(cell, card): guess.chance({}, cell, card, 1.0) for cell in sorted(edge) for card in self._hand}
        self._first = [place for place, chance in chances.items() if chance]
        self._likely = [place for place in self._first if chances[place] >= ADDED or place[0] in self._gaps]

    def best(self) -> list[Placed]:
        """Return the cards to lay, none if passing is best."""
        best = self.worth(self.passing), self.passing
        plans = [self.passing]
        while plans:
            larger: dict[frozenset[tuple[Cell, int]], tuple[float, Plan]] = {}
            for plan in plans:
                for cell, card in self._places(plan):
                    laid = frozenset((*plan.laid.items(), (cell, card)))
                    if laid not in larger and (more := self._with(plan, cell, card)) is not None:
                        larger[laid] = self.worth(more), more
            kept = sorted(larger.values(), key=lambda found: (-found[0], sorted(found[1].laid.items())))[:KEPT]
            if kept and kept[0][0] > best[0]:
                best = kept[0]
            plans = [plan for _, plan in kept]
        return [Placed(self.fits.cards[card], *cell) for cell, card in best[1].laid.items()]

    def worth(self, plan: Plan) -> float:
        """Return the expected dogs of a plan, including those of later players if it has room for them."""
        if not plan.laid:
            return self._worth_of_passing()
        dogs = len(self.turn.pack) + len(plan.laid) + (plan.room.dogs() if plan.room else 0)
        return plan.chance * dogs * self._joined(plan)

    def _worth_of_passing(self) -> int:
        """Return the dogs in the pack if no more cards are laid."""
        if self._gaps:
            return 0
        return len(self.turn.pack) if self.turn.theirs else self.turn.alone

    def _joined(self, plan: Plan) -> float:
        """Return the chance that the pack ends as one piece."""
        if not self._gaps or len(pieces_of(self.turn.pack | plan.laid.keys())) == 1:
            return 1.0
        return self._bridged

    def _bridge(self) -> float:
        """Return the chance, by this bot's guess, that a later player has the card that joins the pack."""
        unseen = self.fits.bits(self.turn.unseen)
        fitting = [sum(self.guess.chance({}, cell, card, 1.0) for card in bits_of(unseen)) for cell in self._gaps]
        return 1 - (1 - max(fitting, default=0) / max(unseen.bit_count(), 1)) ** sum(self.turn.to_come)

    def _places(self, plan: Plan) -> Iterator[tuple[Cell, int]]:
        """Yield the cells and cards that may be laid next."""
        if not plan.laid:
            yield from self._first
            return
        hand = [card for card in self._hand if card not in plan.laid.values()]
        near = {cell for there in plan.laid for cell, _ in touching(there)}
        near = {cell for cell in near if cell not in plan.laid and self.turn.is_free(cell)}
        yield from ((cell, card) for cell, card in self._likely if card in hand and cell not in {*near, *plan.laid})
        yield from ((cell, card) for cell in near for card in hand)

    def _with(self, plan: Plan, cell: Cell, card: int) -> Plan | None:
        """Return the plan with one more card, or None if that is too risky."""
        chance = self.guess.chance(plan.laid, cell, card, plan.chance)
        adds = bool(plan.laid) and cell not in self._gaps
        if not chance or (adds and chance < ADDED * plan.chance):
            return None
        return Plan({**plan.laid, cell: card}, chance, plan.room.with_card(cell, self.fits) if plan.room else None)
