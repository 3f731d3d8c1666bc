"""Par: the dogs that careful bots bring home, by jokers, players and rounds.

    python -m cardhouse.games.dogpile.lab.par > src/cardhouse/games/dogpile/par.toml

It plays `GAMES` whole games for each number of jokers and players. Seeds are fixed, so it always prints the same.
"""

import sys
from collections.abc import Iterator
from statistics import fmean

from cardhouse.games.dogpile.lab.whole_games import Setting, table_of_game
from cardhouse.games.dogpile.rules import Dogpile
from cardhouse.games.dogpile.state import MOST_JOKERS

GAMES = 100
PLAYERS = range(1, 7)
ROUNDS = 10
"""The most rounds: the deck then runs down."""


def dogs_by_round(setting: Setting, seed: int) -> list[int]:
    """Return the dogs in the Dogpile after each round of a game; a game that ended early keeps its dogs."""
    game = table_of_game(setting, seed).game
    assert isinstance(game, Dogpile)
    return [sum(done.size for done in game.rounds[:number] if done.joined) for number in range(1, ROUNDS + 1)]


def lines() -> Iterator[str]:
    """Yield the data file, line by line."""
    yield "# The mean number of dogs that careful bots bring home in 1, 2, … rounds, by jokers and players."
    yield "# Made by python -m cardhouse.games.dogpile.lab.par"
    for jokers in reversed(range(MOST_JOKERS + 1)):
        yield f"\n[jokers_{jokers}]"
        for players in PLAYERS:
            setting = Setting(("sure",) * players, {"jokers": jokers}, ROUNDS)
            games = [dogs_by_round(setting, seed) for seed in range(GAMES)]
            means = [round(fmean(after), 1) for after in zip(*games, strict=True)]
            yield f"players_{players} = {means}"


if __name__ == "__main__":
    for line in lines():
        sys.stdout.write(line + "\n")
