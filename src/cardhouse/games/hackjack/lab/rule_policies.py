"""The declarations and choices of policies in trials played by the rules (HJ-10, HJ-22)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from cardhouse.cards import Card, is_joker
from cardhouse.engine import GM, Action, Ask, Table
from cardhouse.games.hackjack.lab.damage import C7Policy, Damage, cost_of_wound
from cardhouse.games.hackjack.lab.policies import BEST, WRITTEN, Policy, holds, looks_ahead, read_prevent, written_rule
from cardhouse.games.hackjack.state import ChooseWound, HackjackOptions, Prevent

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cardhouse.games.hackjack.lab.kernels.ahead import Ahead
    from cardhouse.games.hackjack.rules import Hackjack
    from cardhouse.games.hackjack.state import Character


MOST_WRITTEN = 200
"""Blood above this counts as this much in a written policy."""


def tables_for(prevent: str, c7: C7Policy, options: HackjackOptions, *damages: Damage) -> Ahead:
    """Return the tables that these policies need against these damages; empty ones if they don't look ahead.

    Raises CardhouseError if there is no such policy.
    """
    from cardhouse.games.hackjack.lab.foresight import foresight, no_foresight

    kind = read_prevent(prevent).kind
    known = foresight(options, *damages) if c7 == "best" or looks_ahead(kind) else no_foresight()
    return known._replace(holds=decision_table(prevent, options)) if kind == WRITTEN else known


def decision_table(prevent: str, options: HackjackOptions) -> NDArray[np.uint8]:
    """Return a written policy's decisions by death-score and pool. The last row and column cover everything above."""
    sizes = {"score": options.limit + 1, "pool": MOST_WRITTEN + 1}
    holding: NDArray[np.uint8] = (written_rule(prevent).table(sizes) != 0).astype("uint8")
    return holding


class Policies(NamedTuple):
    """A character's policies for preventing blood loss and choosing wounds, and the tables `known` for them."""

    policy: Policy
    c7: C7Policy
    known: Ahead

    def declaration(self, table: Table, game: Hackjack, who: Character) -> Prevent:
        """Return this character's declaration (HJ-10)."""
        if self.policy.kind == WRITTEN:
            scores, pools = self.known.holds.shape
            at = min(who.death_score, scores - 1), min(who.blood, pools - 1)
            return Prevent(who.name, bool(self.known.holds[at]))
        if not looks_ahead(self.policy.kind):
            return Prevent(who.name, holds(who.death_score, who.blood, *self.policy))
        from cardhouse.games.hackjack.lab.foresight import should_prevent

        seen, counts = knows_next(table, game, who), self.policy.kind == BEST
        return Prevent(who.name, should_prevent(game, who, knows_next=seen, counts=counts, known=self.known))

    def declarations(self, table: Table, game: Hackjack) -> Iterator[tuple[str, Action]]:
        """Declare for every bleeding character (HJ-10)."""
        while isinstance(table.question, Ask) and table.question.key == "declare":
            yield GM, self.declaration(table, game, game.named(table.question.about["names"][0]))

    def wound_choices(self, table: Table, game: Hackjack) -> Iterator[tuple[str, Action]]:
        """Choose between wounds while a hit asks for it (HJ-22)."""
        while isinstance(table.question, Ask) and table.question.key == "choose":
            about: Mapping[str, Any] = table.question.about
            one, other = about["cards"]
            card = other if self.prefers_other(game, about["name"], one, other) else one
            yield GM, ChooseWound(about["name"], card)

    def prefers_other(self, game: Hackjack, name: str, one: Card, other: Card) -> bool:
        """Return whether the other of two wounds is chosen."""
        if self.c7 != "best":
            one_cost, other_cost = (0 if is_joker(c) else cost_of_wound(game.wounds[c], self.c7) for c in (one, other))
            return other_cost < one_cost
        from cardhouse.games.hackjack.lab.foresight import prefers_other

        return prefers_other(game.named(name), one, other, self.known)


def knows_next(table: Table, game: Hackjack, who: Character) -> bool:
    """Return whether this character was the last to see the top card, and it is still there (HJ-25)."""
    if not game.deck.top:
        return False
    events = (event for entry in reversed(table.entries) if not entry.undone for event in reversed(entry.events))
    return next((event.about["name"] == who.name for event in events if event.key == "peeks"), False)
