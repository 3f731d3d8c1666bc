"""A game whose feel is known: points for a choice, for a die, or for choosing at all."""

from random import Random
from typing import Annotated, Any, Literal

import msgspec

from cardhouse.engine import GM, Action, Ask, Game, Offer, OneOf, Options, Rules, Seen

HIGHEST = 3


class TallyOptions(Options, frozen=True):
    """So many `turns` each, and what gives `points`: the number chosen, a die, or nothing that one could help."""

    turns: Annotated[int, msgspec.Meta(ge=1, le=20)] = 4
    points: Literal["choice", "die", "same"] = "choice"


class Take(Action, frozen=True):
    """Take a number (T-1)."""

    number: Literal[1, 2, 3]


class TallyView(msgspec.Struct, frozen=True):
    """The view of every seat; nothing is hidden."""

    taken: dict[str, int]


def greedy(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Takes the most."""
    return {"do": "take", "number": HIGHEST} if seen.asks["key"] == "take" else None


class Tally(Game):
    """In turn each takes a number."""

    name = "tally"
    actions = (Take,)
    bots = {"greedy": greedy}

    options: TallyOptions = TallyOptions()
    turn: int = 0
    taken: dict[str, int] = {}

    def play(self) -> Rules[None]:
        """Turn by turn, the game master is no player (T-1)."""
        players = [seat for seat in self.seats if seat != GM]
        while self.turn < self.options.turns * len(players):
            took = yield from self.ask(self.whose_turn)
            seat = self.player()
            points = took.number
            if self.options.points == "die":
                (points,) = yield from self.roll("1d6")
            elif self.options.points == "same":
                points = 1
            self.taken[seat] = self.taken.get(seat, 0) + points
            self.turn += 1
            self.tell("T-1", "takes", seat=seat, points=points)

    def player(self) -> str:
        """Whose turn it is."""
        players = [seat for seat in self.seats if seat != GM]
        return players[self.turn % len(players)]

    def whose_turn(self) -> Ask:
        """The player whose turn it is takes a number (T-1)."""
        seat = self.player()
        return Ask("take", "T-1", [Offer((seat,), Take, {"number": OneOf((1, 2, 3))})], {"seat": seat}, rest=True)

    def view(self, audience: str) -> TallyView:
        """The same for everybody."""
        return TallyView(self.taken)

    def returns(self) -> dict[str, int]:
        """The points of each player."""
        return {seat: self.taken.get(seat, 0) for seat in self.seats if seat != GM}
