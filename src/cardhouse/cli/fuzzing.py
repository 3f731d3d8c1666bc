"""`cardhouse fuzz`: random sessions of a game, and the transcript of a failure."""

import secrets
from pathlib import Path

import typer

from cardhouse.cli.transcripts import read_file
from cardhouse.cli.words import count
from cardhouse.engine import CardhouseError, find_game, read_header
from cardhouse.testing.fuzzing import Failure, again, fuzz

FOUND = 1
"""The exit status if an error was found."""


def run_fuzz(game: str, minutes: float, seed: int | None, evenings: int | None, output: str) -> int:
    """Play random sessions for a time or a number of them; return the exit status.

    Raises CardhouseError if there is no such game, or the file can't be written.
    """
    find_game(game)
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    found = fuzz(game, seed, evenings=evenings, minutes=None if evenings else minutes)
    played = f"{count(found.evenings, 'session')}, {count(found.answers, 'move')}, seed {seed}"
    if found.finding is None:
        typer.echo(f"Random play found nothing wrong with {game}: {played}.")
        return 0
    file = output or f"{game}-fuzz.jsonl"
    _write(file, found.finding.transcript)
    _tell(found.finding, played, game, file)
    return FOUND


def _tell(finding: Failure, played: str, game: str, file: str) -> None:
    answers = count(sum('"by"' in line for line in finding.transcript.splitlines()), "move")
    typer.echo(f"Random play found an error in {game} ({played}):")
    typer.echo(finding.trouble.message)
    typer.echo(f"{file} leads to it in {answers}. To replay it:")
    typer.echo(f"  cardhouse fuzz {game} --again {file} --seed {finding.seed}")


def _write(file: str, text: str) -> None:
    try:
        Path(file).write_text(text, "utf-8")
    except OSError as error:
        raise CardhouseError(f"{file} can't be written: {error.strerror}.") from None


def look_again(game: str, file: str, seed: int) -> int:
    """Print the error at the end of a transcript; return the exit status.

    Raises CardhouseError if the transcript can't be read, or is of another game.
    """
    texts = read_file(file)
    of = read_header(texts[0]).game
    if of != game:
        raise CardhouseError(f"{file} is a transcript of {of}, not of {game}.")
    trouble = again(texts, seed)
    if trouble is None:
        typer.echo(f"The error at the end of {file} is gone.")
        return 0
    typer.echo(trouble.message)
    return FOUND
