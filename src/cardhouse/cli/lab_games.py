"""Studies on the terminal: what was asked, the progress, the numbers with their intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import msgspec
import typer
from rich.console import Console
from rich.progress import Progress

from cardhouse.cli import words
from cardhouse.cli.decks import data_of
from cardhouse.cli.transcripts import print_json
from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile.state import MOST_PLAYERS
from cardhouse.lab.dogpile import PLAYERS, Setting, Silence, games_of, summed_up
from cardhouse.lab.sampling import Mean

MOST_JOKERS = 2

Kind = TypeVar("Kind")
Played = TypeVar("Played")
Found = TypeVar("Found")


class Asked(NamedTuple):
    """A question as it was typed."""

    players: str
    bots: str
    jokers: str
    hand_size: int
    rounds: int
    trials: int
    seed: int
    deck: str


def silence(asked: Asked, *, json: bool) -> None:
    """Print what comes of Dogpile played by bots.

    Raises CardhouseError if the question makes no sense, before anything is played.
    """
    settings = list(_settings(asked))
    for setting in settings:
        setting.check()
    found = gathered(
        settings,
        asked.trials,
        lambda setting: games_of(setting, asked.trials, asked.seed),
        summed_up,
        "games",
        json=json,
    )
    if json:
        print_json(
            {"rounds": asked.rounds, "seed": asked.seed, "deck": asked.deck, "found": msgspec.to_builtins(found)}
        )
    else:
        _print(found)


def gathered(
    settings: Sequence[Kind],
    each: int,
    play: Callable[[Kind], Iterable[Played]],
    sum_up: Callable[[Kind, Sequence[Played]], Found],
    what: str,
    *,
    json: bool,
) -> list[Found]:
    """What came of each setting, of which so many games (or `what` they are) are played; the progress is shown.

    Stopped with Ctrl-C, it is what came of those that were played.
    """
    found: list[Found] = []
    terminal = Console(stderr=True)
    with Progress(console=terminal, transient=True, disable=json or not terminal.is_terminal) as progress:
        task = progress.add_task(what, total=len(settings) * each)
        for setting in settings:
            played: list[Played] = []
            try:
                for one in play(setting):
                    played.append(one)
                    progress.advance(task)
            except KeyboardInterrupt:
                typer.echo(f"Stopped: these are the {what} that were played.", err=True)
                if played:
                    found.append(sum_up(setting, played))
                break
            found.append(sum_up(setting, played))
    return found


def _settings(asked: Asked) -> Iterator[Setting]:
    """Every combination that was asked for: jokers, then players, then bots."""
    bots = asked.bots.split(",") if asked.bots else list(PLAYERS)
    deck = {} if asked.deck == "standard" else {"deck": data_of(asked.deck)}
    for jokers in numbers("--jokers", asked.jokers, 0, MOST_JOKERS):
        for players in numbers("--players", asked.players, 1, MOST_PLAYERS):
            for bot in bots:
                options = {"jokers": jokers, "hand_size": asked.hand_size, **deck}
                yield Setting((bot.strip(),) * players, options, asked.rounds)


def numbers(option: str, text: str, least: int, most: int) -> list[int]:
    """The numbers of a list such as `1-3,5`.

    Raises CardhouseError if it is none, or one is too low or too high.
    """
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise CardhouseError(f"{option} takes numbers such as 2 or 1-{most} or {least},{most}, not {text[:40]}.")
        ends = int(first), int(last or first)
        if not least <= ends[0] <= ends[1] <= most:
            raise CardhouseError(
                f"{option} takes numbers from {least} to {most}, the lower one first, not {part[:40]}."
            )
        found += range(ends[0], ends[1] + 1)
    return found


def _print(found: list[Silence]) -> None:
    headings = ("Players", "Jokers", "Bot", "Games", "Rounds", "Dogs a round", "Packs lost", "Dogs a pack")
    grid = words.grid(*(None for _ in headings))
    grid.add_row(*headings)
    for one in found:
        grid.add_row(
            str(len(one.bots)),
            str(one.jokers),
            one.bots[0],
            str(one.games),
            f"{one.rounds.mean:.1f}",
            shown(one.dogs_a_round),
            shown(one.lost, percent=True),
            words.NOTHING if one.pack is None else shown(one.pack),
        )
    words.console().print(grid)


def shown(found: Mean, *, percent: bool = False) -> str:
    """A mean with its error: `4.25 ±0.08`."""
    times, form = (100, ".1f") if percent else (1, ".2f")
    error = "" if found.error is None else f" ±{found.error * times:{form}}"
    return f"{found.mean * times:{form}}{error}{' %' if percent else ''}"
