"""The game master's tools: Fast NPCs, floating traits, Demonic Influence, initiation (DV-31 to DV-37)."""

from __future__ import annotations

from typing import NamedTuple

from cardhouse.games.dogs.people.sheet import FastType, Kind, Stats, mark_of

FAST_STATS = Stats(2, 2, 2, 2)
"""DV-34: a Fast NPC's Stats, where one is needed."""


class Draws(NamedTuple):
    """The type and significance of a thing to draw for."""

    kind: Kind
    significant: bool = False

    @property
    def mark(self) -> str:
        """The mark of its type and significance."""
        return mark_of(self.kind, self.significant)


class Line(NamedTuple):
    """One escalation of a Fast NPC: a number of cards, and things."""

    cards: int
    things: tuple[Draws, ...]

    @property
    def written(self) -> list[int | str]:
        """The number of cards, unless it is 0, and the marks of the things."""
        marks = [thing.mark for thing in self.things]
        return [self.cards, *marks] if self.cards else [*marks]


MINUS, PLAIN, PLUS = Draws("-"), Draws("o"), Draws("+")
MINUS_STAR, PLAIN_STAR, PLUS_STAR = Draws("-", True), Draws("o", True), Draws("+", True)

FAST: dict[FastType, tuple[Line, ...]] = {
    "A": (Line(3, (PLUS,)), Line(2, (PLAIN,)), Line(1, (PLAIN,)), Line(0, (PLAIN, MINUS))),
    "B": (Line(2, (PLUS,)), Line(2, (PLAIN_STAR,)), Line(1, (PLAIN,)), Line(0, (PLAIN, PLUS))),
    "C": (Line(3, (MINUS_STAR,)), Line(2, (MINUS,)), Line(1, (PLUS,)), Line(1, (PLAIN,))),
    "D": (Line(4, (PLUS, PLAIN)), Line(2, (PLAIN_STAR,)), Line(2, (MINUS,)), Line(0, (PLAIN, PLUS_STAR))),
}
"""DV-34: the lines of each type."""

FLOATS: dict[str, Draws] = {"-": MINUS, "o": PLAIN, "+": PLUS, "o*": PLAIN_STAR}
"""DV-36: the floating traits, by mark, each once per Town."""

DEMONIC_DRAWS: dict[int, Line] = {
    1: Line(0, (PLAIN,)),
    2: Line(0, (PLUS,)),
    3: Line(0, (PLAIN_STAR,)),
    4: Line(0, (PLUS_STAR,)),
    5: Line(1, (PLUS_STAR,)),
}
"""DV-31: draws by the number of dice in the dice game; with five, one more card."""

INITIATION = Line(0, (PLAIN_STAR, PLUS_STAR))
"""DV-37: the draws of an initiation."""
