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
"""Who can play in a study: the bots of the table, and what they are measured against."""


class Played(msgspec.Struct, frozen=True):
    """A whole game: dogs in the Dogpile, the rounds there were, the packs lost, and the dogs in the packs made."""

    dogs: int
    rounds: int
    lost: int
    packs: tuple[int, ...]


class Setting(msgspec.Struct, frozen=True):
    """Who plays, by bot, clockwise from the first seat, and with which options of the table."""

    bots: tuple[str, ...]
    options: Mapping[str, Any] = {}
    rounds: int = 10

    def check(self) -> None:
        """Raises CardhouseError, in words, if no such table can be made."""
        if not 1 <= len(self.bots) <= MOST_PLAYERS:
            raise CardhouseError(f"1 to {MOST_PLAYERS} play Dogpile, not {len(self.bots)}.")
        for bot in self.bots:
            if bot not in PLAYERS:
                raise CardhouseError(f'There is no bot "{bot[:40]}" for dogpile; there are {", ".join(PLAYERS)}.')
        self.table(0)

    def table(self, seed: int) -> Table:
        """A new table, dealt from a seed."""
        seats = [GM, *(f"p{number}" for number in range(1, len(self.bots) + 1))]
        options = {**self.options, "rounds": self.rounds}
        return Table.new("dogpile", seats, options, SeededDealer(seed))


def table_of_game(setting: Setting, seed: int) -> Table:
    """A whole game by the rules, each bot on what its seat is shown; the same seed is the same game.

    The draft deck of a seed has the same order whoever plays, until Strays are shuffled. Nobody looks at a reveal for
    long: the next round is dealt at once.
    """
    table = setting.table(seed)
    chance = Random(seed)
    seats = dict(zip(table.seats[1:], setting.bots, strict=True))
    table.answer(GM, {"do": "begin"})
    while not isinstance(table.question, Over):
        asked = table.asks()
        seat = asked["seats"][0]
        if asked["key"] == "judged":
            table.answer(GM, {"do": "next_round"})
            continue
        answer = PLAYERS[seats[seat]](table.seen(seat), chance)
        assert answer is not None, f"{seats[seat]} says nothing"
        table.answer(seat, answer)
    return table


def summed_up(table: Table) -> Played:
    """What came of a game that is over."""
    game = table.game
    assert isinstance(game, Dogpile)
    packs = tuple(done.size for done in game.rounds if done.joined)
    return Played(len(game.dogpile), len(game.rounds), len(game.rounds) - len(packs), packs)


def play_game(setting: Setting, seed: int) -> Played:
    """What comes of a whole game."""
    return summed_up(table_of_game(setting, seed))
