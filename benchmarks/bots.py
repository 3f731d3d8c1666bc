"""The strength of the Standard bot: each game in which play matters, with it in a seat, and with random play instead.

    python -m benchmarks.bots [EVENINGS] [GAME ...]
    python -m benchmarks.bots own [EVENINGS] [GAME ...]

All other seats are played by the game's first bot, and the game master's by the Standard bot as the host. A session is
played three times from the same seed, with the Standard bot, random play, and the game's best known bot in the first
player's seat, so that the differences are paired; `±` is the 95 % interval of their mean. The Standard bot has a fixed
number of playouts for each answer, fewer than it has time for at a table, so its play is the same on any machine.
`own`: each of the game's own bots in the seat, compared with the first of them, without the Standard bot, which takes
only a moment.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from statistics import mean, stdev
from typing import Any, NamedTuple

from cardhouse.engine import GM, HOUSE, SeededDealer, Table, find_game, game_names
from cardhouse.games.initiative.state import actions_owed
from cardhouse.player.selfplay import CHANCE, FIRST_SEATS, Playthrough, find_player, leading, new_table

EVENINGS, PLAYOUTS, MOST = 60, 60, 900
SEAT, PLAYERS = FIRST_SEATS[0], 2


class Match(NamedTuple):
    """The setup of a game, the seat's score for a session, and the best known bot."""

    options: dict[str, Any]
    score: Callable[[Table], float]
    best: str
    unit: str
    times: int = 1
    """The multiple of sessions that it needs: short ones, decided mostly by luck."""


def outlook(table: Table) -> float:
    """Return the game's own outlook."""
    return table.game.outlook(SEAT) or 0.0


def lived(table: Table) -> int:
    """Return how many rounds the seat's character survived, with a hit in each."""
    events = [event for entry in table.entries for event in entry.events]
    own = next(event.about["name"] for event in events if event.key == "joins_table")
    keys = [event.key for event in events if event.key == "new_round" or event.about.get("name") == own]
    alive = keys[: keys.index("dies")] if "dies" in keys else keys
    return alive.count("new_round")


def turns(table: Table) -> float:
    """Return the value of the character's turns: 1 for the first of its round, evenly less for each later one."""
    events = [event for entry in table.entries for event in entry.events]
    mine = next(str(who["name"]) for who in table.view(GM)["characters"] if who["controller"] == SEAT)
    worth, place = 0.0, 0
    for event in events:
        place = 0 if event.key == "round_begins" else place + (event.key == "acts")
        worth += (1 - (place - 1) / 6) * (event.key == "acts" and event.about["name"] == mine)
    return worth


def side(table: Table) -> float:
    """Return the value of the side's turns, 1 for the first of a round and less for later ones, minus the others'."""
    events = [event for entry in table.entries for event in entry.events]
    people = table.view(GM)["characters"]
    own = next(who["side"] for who in people if who["controller"] == SEAT)
    due = sum(actions_owed(who["card"]) for who in people)
    sides, worth, place = {who["name"]: who["side"] for who in people}, 0.0, 0
    for event in events:
        if event.key == "round_begins":
            place = 0
        elif event.key == "acts":
            worth += (1 - place / due) * (1 if sides[str(event.about["name"])] == own else -1)
            place += 1
    return worth


MATCHES = {
    "dogpile": Match({"rounds": 3}, outlook, "sure", "dogs brought home"),
    "dogs": Match({}, outlook, "bold", "stakes, from -1 to 1, less fallout"),
    "gunfight": Match({}, outlook, "gunfighter", "fighters able, less those of the others"),
    "hackjack": Match({}, lived, "steady", "rounds lived through", 25),
    "initiative": Match({}, turns, "prompt", "turns, more the earlier", 10),
    "magpies": Match({"deals": 1}, outlook, "shrewd", "points, less half of the best other's", 3),
}


def evening(game: str, seed: int, player: str, score: Callable[[Table], float] | None = None) -> float:
    """Return the first player's score for a session that this player plays, by its name."""
    kind, match = find_game(game), MATCHES[game]
    table = new_table(kind, PLAYERS, match.options, SeededDealer(seed))
    others = find_player(kind, next(iter(kind.bots)), PLAYOUTS)
    players = dict.fromkeys(table.seats, others)
    players |= {GM: leading(others, kind, PLAYOUTS), SEAT: find_player(kind, player, PLAYOUTS)}
    session = Playthrough(table, players, Random(seed))
    while table.number < MOST and (move := session.next_answer()) is not None:
        session.give_answer(*move)
    return (score or match.score)(table)


def told(values: list[float]) -> str:
    """Return the mean with its interval."""
    return f"{mean(values):6.2f} ±{1.96 * stdev(values) / len(values) ** 0.5:.2f}"


def bench(game: str, evenings: int) -> None:
    """Print how the Standard bot compares with random play and with the best known bot."""
    match = MATCHES[game]
    by: dict[str, list[float]] = {}
    for name, player in (("house", HOUSE), ("chance", CHANCE), ("best", match.best)):
        by[name] = [evening(game, seed, player) for seed in range(evenings * match.times)]
    more = [one - other for one, other in zip(by["house"], by["chance"], strict=True)]
    less = [one - other for one, other in zip(by["house"], by["best"], strict=True)]
    beats = "beats chance" if mean(more) > 1.96 * stdev(more) / len(more) ** 0.5 else "does not beat chance for sure"
    of_each = f"house {told(by['house'])}   chance {told(by['chance'])}   {match.best} {told(by['best'])}"
    print(
        f"  {game:<11} {evenings * match.times} evenings: {of_each} ({match.unit})\n"
        f"  {'':<11} house - chance {told(more)}, house - {match.best} {told(less)}: {beats}",
        flush=True,
    )


def bench_own(game: str, evenings: int) -> None:
    """Print how each of the game's own bots compares with the first."""
    score = SIDES.get(game, MATCHES[game].score)
    first, *others = find_game(game).bots
    by = {bot: [evening(game, seed, bot, score) for seed in range(evenings)] for bot in (first, *others)}
    print(f"  {game:<11} {evenings} evenings: {first} {told(by[first])}", flush=True)
    for bot in others:
        more = [one - other for one, other in zip(by[bot], by[first], strict=True)]
        print(f"  {'':<11} {bot} {told(by[bot])}, {bot} - {first} {told(more)}", flush=True)


SIDES: dict[str, Callable[[Table], float]] = {"initiative": side}
"""The scores for comparing the game's own bots, where they differ."""


def main(evenings: int = EVENINGS, games: tuple[str, ...] = ()) -> None:
    """Run all installed games."""
    print(
        f"The house in one seat, {PLAYOUTS} games played on for each answer; {evenings} evenings from the same seeds:"
    )
    for game in games or tuple(name for name in MATCHES if name in game_names()):
        bench(game, evenings)


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[:1] == ["own"]:
        evenings = next((int(word) for word in words if word.isdigit()), EVENINGS)
        for one in [word for word in words[1:] if not word.isdigit()] or [
            name for name in MATCHES if name in game_names()
        ]:
            bench_own(one, evenings)
        sys.exit()
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    main(numbers[0] if numbers else EVENINGS, tuple(word for word in sys.argv[1:] if not word.isdigit()))
