"""What the game master has at hand: Fast NPCs, floating traits, Demonic Influence, the initiation (DV-31 to DV-37)."""

from __future__ import annotations

from typing import NamedTuple

from cardhouse.games.dogs.people.sheet import FastType, Kind, Stats, mark_of

FAST_STATS = Stats(2, 2, 2, 2)
"""DV-34: a Fast NPC's Stats, where one is needed."""


class Draws(NamedTuple):
    """A thing as it is drawn for."""

    kind: Kind
    significant: bool = False

    @property
    def mark(self) -> str:
        """Its mark as it is spoken of."""
        return mark_of(self.kind, self.significant)


class Line(NamedTuple):
    """An escalation of a Fast NPC: so many cards, and things."""

    cards: int
    things: tuple[Draws, ...]

    @property
    def written(self) -> list[int | str]:
        """The number of cards, if it isn't 0, and the marks of the things."""
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
"""DV-34."""

FLOATS: dict[str, Draws] = {"-": MINUS, "o": PLAIN, "+": PLUS, "o*": PLAIN_STAR}
"""DV-36: each once a Town."""

DEMONIC_DRAWS: dict[int, Line] = {
    1: Line(0, (PLAIN,)),
    2: Line(0, (PLUS,)),
    3: Line(0, (PLAIN_STAR,)),
    4: Line(0, (PLUS_STAR,)),
    5: Line(1, (PLUS_STAR,)),
}
"""DV-31: by the dice it has in the dice game; with five, one more card."""

INITIATION = Line(0, (PLAIN_STAR, PLUS_STAR))
"""DV-37."""
