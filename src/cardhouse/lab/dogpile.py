"""Dogpile in the lab: what can silence build?"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

import msgspec

from cardhouse.engine import GM, CardhouseError, Over, SeededDealer, Table
from cardhouse.games.dogpile.bots import BASELINE, BOTS
from cardhouse.games.dogpile.rules import Dogpile
from cardhouse.games.dogpile.state import MOST_PLAYERS
from cardhouse.lab.sampling import Mean, on_all_cores

MOST_GAMES = 1_000_000
"""So many games a study has at most: the seeds of two studies of neighbouring seeds don't meet."""
PLAYERS = {**BOTS, **BASELINE}
"""Who can play in a study: the bots of the table, and what they are measured against."""
AT_ONCE = 8
"""So many games a process plays before it tells of them."""


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


class Silence(msgspec.Struct, frozen=True):
    """What came of many games of one setting: means a round or a pack, with the game as the independent sample.

    `dogs_a_round` counts the dogs that joined, `lost` is the share of rounds whose pack strayed, and `pack` the mean
    size of a pack that joined, None if none did. `rounds` is how many there were, for a game is over when no card is
    left for a Pack Leader (DG-17), and `score` the dogs in the Dogpile then.
    """

    bots: tuple[str, ...]
    jokers: int
    hand_size: int
    games: int
    dogs_a_round: Mean
    lost: Mean
    pack: Mean | None
    rounds: Mean
    score: Mean


def play_game(setting: Setting, seed: int) -> Played:
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
    game = table.game
    assert isinstance(game, Dogpile)
    packs = tuple(done.size for done in game.rounds if done.joined)
    return Played(len(game.dogpile), len(game.rounds), len(game.rounds) - len(packs), packs)


def _play_some(setting: Setting, seeds: Sequence[int]) -> list[Played]:
    return [play_game(setting, seed) for seed in seeds]


def games_of(setting: Setting, games: int, seed: int, workers: int | None = None) -> Generator[Played, None, None]:
    """So many games, in the order of their seeds, whatever the number of processes.

    Raises CardhouseError if there can be no such games.
    """
    setting.check()
    if not 1 <= games <= MOST_GAMES:
        raise CardhouseError(f"A study has 1 to {MOST_GAMES} games, not {games}.")
    seeds = range(seed * MOST_GAMES, seed * MOST_GAMES + games)
    parts = (seeds[start : start + AT_ONCE] for start in range(0, games, AT_ONCE))
    for some in on_all_cores(partial(_play_some, setting), parts, workers):
        yield from some


def summed_up(setting: Setting, played: Sequence[Played]) -> Silence:
    """What came of these games.

    Raises ValueError if there are none.
    """
    game = setting.table(0).game
    assert isinstance(game, Dogpile)
    packs = [sum(one.packs) / len(one.packs) for one in played if one.packs]
    return Silence(
        setting.bots,
        game.options.jokers,
        game.options.hand_size,
        len(played),
        Mean.of([one.dogs / one.rounds for one in played]),
        Mean.of([one.lost / one.rounds for one in played]),
        Mean.of(packs) if packs else None,
        Mean.of([one.rounds for one in played]),
        Mean.of([one.dogs for one in played]),
    )
