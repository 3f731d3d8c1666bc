"""Random evenings: a table as it could be made, and what people, bots and the clock say at it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec

from cardhouse.engine import (
    GM,
    PHYSICAL,
    STORY,
    Ask,
    BadGame,
    CardhouseError,
    Dealer,
    Refused,
    SeededDealer,
    Table,
    find_game,
)
from cardhouse.engine.diagnostics.runtime_errors import stumbled
from cardhouse.engine.diagnostics.watchdog import ends
from cardhouse.testing.playing import Answer, ask_somebody

USUAL_SEATS = (GM, "ada", "ben")
_REDONE = 0.4
"""So often an undo is redone, in part or all of it."""
_LONGEST_PAUSE = 90
"""So many seconds may pass between two answers."""


class Move(NamedTuple):
    """What somebody says, with the chance it caused where that is known, at this time in Unix seconds."""

    by: str
    answer: Answer
    chance: Sequence[dict[str, Any]] = ()
    time: int | None = None


def some_table(game: str, seats: Sequence[str], rng: Random, dealer: Dealer | None = None) -> Table:
    """A new table, with any switches, paper decks and steps by hand that the game has."""
    kind = find_game(game)
    options = next(field.type for field in msgspec.structs.fields(kind) if field.name == "options")
    switches = {field.name: rng.random() < 0.5 for field in msgspec.structs.fields(options) if field.type is bool}
    return Table.new(
        game,
        seats,
        switches,
        SeededDealer(rng.getrandbits(32)) if dealer is None else dealer,
        decks={deck: PHYSICAL for deck in (*kind.decks, "dice") if rng.random() < 0.25},
        by_hand=[step for step in kind.steps if rng.random() < 0.25],
    )


class RandomSession:
    """Who says what next at a table, at random: what is offered, what a bot would say, an undo, a redo, a new seat."""

    def __init__(self, table: Table, rng: Random, bots: float = 0.3, undo: float = 0.05, anytime: float = 0.2) -> None:
        """So often, each, it is a bot's answer, an undo, or one of those that may be given at any time."""
        self.table, self.rng = table, rng
        self.bots, self.undo, self.anytime = bots, undo, anytime
        self.time = 1_000_000_000

    def next(self) -> Move | None:
        """What is said next; None if nothing is offered to anybody.

        Raises BadGame if a bot's answer isn't offered to it, or it has none for an error of its own.
        """
        self.time += self.rng.randint(0, _LONGEST_PAUSE)
        if (undone := self.table.moves_to_redo(GM)) and self.rng.random() < _REDONE:
            return Move(GM, {"redo": self.rng.randint(1, undone)})
        standing = sum(entry.counts for entry in self.table.entries)
        if standing and self.rng.random() < self.undo:
            return Move(GM, {"undo": self.rng.randint(1, min(3, standing))})
        if self.rng.random() < self.undo / 5:
            return Move(GM, {"seat": f"seat {len(self.table.seats)}"})
        if self.rng.random() < self.bots and (said := self.of_a_bot()) is not None:
            return said
        asked = ask_somebody(self.table, self.rng, self.anytime)
        return None if asked is None else Move(*asked, time=self.time)

    def of_a_bot(self) -> Move | None:
        """What a bot of the game says in a seat that is asked; None if there is none, or it leaves that to others."""
        seats = [seat for seat in self.table.asks()["seats"] if seat in self.table.seats]
        if not self.table.kind.bots or not seats or not isinstance(self.table.question, Ask):
            return None
        seat, name = self.rng.choice(seats), self.rng.choice(list(self.table.kind.bots))
        answer = bots_answer(self.table, name, seat, Random(self.rng.getrandbits(32)))
        return None if answer is None else Move(seat, answer, time=self.time)


@ends
def bots_answer(table: Table, name: str, seat: str, rng: Random) -> Answer | None:
    """What a bot answers in a seat; None if it leaves it to others, or the seat is offered nothing.

    Raises BadGame if that isn't offered to it, if the bot raises an error, or never ends.
    """
    seen = table.seen(seat, STORY)
    try:
        answer = table.kind.bots[name](seen, rng) if seen.offers else None
    except CardhouseError:
        raise
    except Exception as error:
        raise stumbled(f"The bot {name}", error) from error
    if answer is not None:
        try:
            table.check_action(seat, answer)
        except Refused as error:
            said = msgspec.json.encode(answer).decode()
            raise BadGame(
                f"The bot {name} answers {said} for {seat}, which is not offered to it: {error.problem}"
            ) from None
    return answer
