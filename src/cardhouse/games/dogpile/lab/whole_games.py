"""Whole games of Dogpile in the lab."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec

from cardhouse.engine import GM, CardhouseError, Over, SeededDealer, Table
from cardhouse.games.dogpile.bots import BASELINE, BOTS
from cardhouse.games.dogpile.rules import Dogpile
from cardhouse.games.dogpile.state import MOST_PLAYERS

PLAYERS = {**BOTS, **BASELINE}
"""The bots that can play in a study: those of the table, and the baseline."""


class Played(msgspec.Struct, frozen=True):
    """A whole game: dogs in the Dogpile, rounds, packs lost, and the dogs in each pack made."""

    dogs: int
    rounds: int
    lost: int
    packs: tuple[int, ...]


class Setting(msgspec.Struct, frozen=True):
    """The bots, clockwise from the first seat, and the options of the table."""

    bots: tuple[str, ...]
    options: Mapping[str, Any] = {}
    rounds: int = 10

    def check(self) -> None:
        """Raise CardhouseError if no such table is possible."""
        if not 1 <= len(self.bots) <= MOST_PLAYERS:
            raise CardhouseError(f"1 to {MOST_PLAYERS} play Dogpile, not {len(self.bots)}.")
        for bot in self.bots:
            if bot not in PLAYERS:
                raise CardhouseError(f'There is no bot "{bot[:40]}" for dogpile; there are {", ".join(PLAYERS)}.')
        self.table(0)

    def table(self, seed: int) -> Table:
        """Return a new table, dealt from a seed."""
        seats = [GM, *(f"p{number}" for number in range(1, len(self.bots) + 1))]
        options = {**self.options, "rounds": self.rounds}
        return Table.new("dogpile", seats, options, SeededDealer(seed))


def table_of_game(setting: Setting, seed: int) -> Table:
    """Return a whole game by the rules, in which each bot sees only its seat's view. A seed always gives the same game.

    The draft deck of a seed has the same order for all bots until the Strays are shuffled. The next round is dealt
    right after a reveal.
    """
    table = setting.table(seed)
    chance = Random(seed)
    seats = dict(zip(table.seats[1:], setting.bots, strict=True))
    table.answer(GM, {"do": "begin"})
    while not isinstance(table.question, Over):
        question = table.asks()
        seat = question["seats"][0]
        if question["key"] == "judged":
            table.answer(GM, {"do": "next_round"})
            continue
        answer = PLAYERS[seats[seat]](table.seen(seat), chance)
        assert answer is not None, f"{seats[seat]} says nothing"
        table.answer(seat, answer)
    return table


def summed_up(table: Table) -> Played:
    """Return the result of a finished game."""
    game = table.game
    assert isinstance(game, Dogpile)
    packs = tuple(done.size for done in game.rounds if done.joined)
    return Played(len(game.dogpile), len(game.rounds), len(game.rounds) - len(packs), packs)


def play_game(setting: Setting, seed: int) -> Played:
    """Play a whole game and return its result."""
    return summed_up(table_of_game(setting, seed))
