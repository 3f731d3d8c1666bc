"""Going through what can be laid, and weighing what it brings."""

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
"""Of the plans with so many cards the best are kept, and go on with one more."""
ADDED = 0.75
"""Another card that leaves less than this of the chance of those before it is not thought of."""


class Plan(NamedTuple):
    """Cards to be laid, by cell, the chance that all of them fit, and the room they leave for others if it matters."""

    laid: Laid
    chance: float
    room: Room | None


class Weighing:
    """What a bot can lay in its turn, by its guess at the hidden cards, and what it brings.

    Plans grow card by card, beside what lies there. Not all are gone through: of each size the best go on.
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
        """The cards to lay, none if it is best to pass."""
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
        """The dogs it brings, on average; those of others, too, where there is room for them."""
        if not plan.laid:
            return self._as_it_is()
        dogs = len(self.turn.pack) + len(plan.laid) + (plan.room.dogs() if plan.room else 0)
        return plan.chance * dogs * self._joined(plan)

    def _as_it_is(self) -> int:
        """The dogs in the pack if nobody lays any more."""
        if self._gaps:
            return 0
        return len(self.turn.pack) if self.turn.theirs else self.turn.alone

    def _joined(self, plan: Plan) -> float:
        """The chance that the pack is one piece in the end."""
        if not self._gaps or len(pieces_of(self.turn.pack | plan.laid.keys())) == 1:
            return 1.0
        return self._bridged

    def _bridge(self) -> float:
        """The chance that somebody who follows has the card that joins the pack, for all that this bot guesses."""
        unseen = self.fits.bits(self.turn.unseen)
        fitting = [sum(self.guess.chance({}, cell, card, 1.0) for card in bits_of(unseen)) for cell in self._gaps]
        return 1 - (1 - max(fitting, default=0) / max(unseen.bit_count(), 1)) ** sum(self.turn.to_come)

    def _places(self, plan: Plan) -> Iterator[tuple[Cell, int]]:
        """Where which card may be laid next."""
        if not plan.laid:
            yield from self._first
            return
        hand = [card for card in self._hand if card not in plan.laid.values()]
        near = {cell for there in plan.laid for cell, _ in touching(there)}
        near = {cell for cell in near if cell not in plan.laid and self.turn.is_free(cell)}
        yield from ((cell, card) for cell, card in self._likely if card in hand and cell not in {*near, *plan.laid})
        yield from ((cell, card) for cell in near for card in hand)

    def _with(self, plan: Plan, cell: Cell, card: int) -> Plan | None:
        """The plan with one more card, unless that is too bold."""
        chance = self.guess.chance(plan.laid, cell, card, plan.chance)
        adds = bool(plan.laid) and cell not in self._gaps
        if not chance or (adds and chance < ADDED * plan.chance):
            return None
        return Plan({**plan.laid, cell: card}, chance, plan.room.with_card(cell, self.fits) if plan.room else None)
