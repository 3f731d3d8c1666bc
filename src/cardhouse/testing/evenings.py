"""Random sessions: a random table, and the actions of people, bots and the clock at it."""

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
from cardhouse.engine.diagnostics.runtime_errors import crash_of
from cardhouse.engine.diagnostics.watchdog import ends
from cardhouse.testing.playing import Answer, ask_somebody

USUAL_SEATS = (GM, "ada", "ben")
_REDONE = 0.4
"""Probability that an undo is redone, in part or completely."""
_LONGEST_PAUSE = 90
"""Longest pause between two answers, in seconds."""


class Move(NamedTuple):
    """An answer, with the draws and rolls it caused if they are known, at a time in Unix seconds."""

    by: str
    answer: Answer
    chance: Sequence[dict[str, Any]] = ()
    time: int | None = None


def some_table(game: str, seats: Sequence[str], rng: Random, dealer: Dealer | None = None) -> Table:
    """Return a new table with random switches, physical decks and manual steps of the game."""
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
    """A source of random moves at a table: an offered answer, a bot's answer, an undo, a redo, or a new seat."""

    def __init__(self, table: Table, rng: Random, bots: float = 0.3, undo: float = 0.05, anytime: float = 0.2) -> None:
        """`bots`, `undo` and `anytime` are the probabilities of a bot's answer, an undo, and an anytime action."""
        self.table, self.rng = table, rng
        self.bots, self.undo, self.anytime = bots, undo, anytime
        self.time = 1_000_000_000

    def next(self) -> Move | None:
        """Return the next move; None if nothing is offered to anybody.

        Raises BadGame if a bot's answer isn't offered to it, or if the bot fails.
        """
        self.time += self.rng.randint(0, _LONGEST_PAUSE)
        if (undone := self.table.moves_to_redo(GM)) and self.rng.random() < _REDONE:
            return Move(GM, {"redo": self.rng.randint(1, undone)})
        standing = sum(entry.counts for entry in self.table.entries)
        if standing and self.rng.random() < self.undo:
            return Move(GM, {"undo": self.rng.randint(1, min(3, standing))})
        if self.rng.random() < self.undo / 5:
            return Move(GM, {"seat": f"seat {len(self.table.seats)}"})
        if self.rng.random() < self.bots and (answer := self.of_a_bot()) is not None:
            return answer
        asked = ask_somebody(self.table, self.rng, self.anytime)
        return None if asked is None else Move(*asked, time=self.time)

    def of_a_bot(self) -> Move | None:
        """Return a bot's answer for a seat that is asked; None without a bot, or if it leaves the answer to others."""
        seats = [seat for seat in self.table.asks()["seats"] if seat in self.table.seats]
        if not self.table.kind.bots or not seats or not isinstance(self.table.question, Ask):
            return None
        seat, name = self.rng.choice(seats), self.rng.choice(list(self.table.kind.bots))
        answer = bots_answer(self.table, name, seat, Random(self.rng.getrandbits(32)))
        return None if answer is None else Move(seat, answer, time=self.time)


@ends
def bots_answer(table: Table, name: str, seat: str, rng: Random) -> Answer | None:
    """Return a bot's answer for a seat; None if it leaves the answer to others, or the seat has no offers.

    Raises BadGame if the answer isn't offered to it, if the bot raises an error, or never ends.
    """
    seen = table.seen(seat, STORY)
    try:
        answer = table.kind.bots[name](seen, rng) if seen.offers else None
    except CardhouseError:
        raise
    except Exception as error:
        raise crash_of(f"The bot {name}", error) from error
    if answer is not None:
        try:
            table.check_action(seat, answer)
        except Refused as error:
            shown = msgspec.json.encode(answer).decode()
            raise BadGame(
                f"The bot {name} answers {shown} for {seat}, which is not offered to it: {error.problem}"
            ) from None
    return answer
