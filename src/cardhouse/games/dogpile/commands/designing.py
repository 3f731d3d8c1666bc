"""Designing a deck on the terminal: what was asked, what the deck does, and the file it is written to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from cardhouse.cli import words
from cardhouse.cli.transcripts import print_json
from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile.commands.asked import Asked
from cardhouse.lab.estimate import Estimate
from cardhouse.lab.settings import settings_of
from cardhouse.lab.study import need_the_extra

if TYPE_CHECKING:
    from cardhouse.games.dogpile.lab.design.designed import Claim, Designed


def design(asked: Asked, rounds: int, output: str, json: bool, cores: int | None) -> None:
    """Design a deck, write its file and print what it does.

    Raises CardhouseError, before anything is searched, for what can't be wanted or a file that can't be written.
    """
    need_the_extra()
    from cardhouse.games.dogpile.lab.design import designed
    from cardhouse.games.dogpile.lab.design.making import deck_text
    from cardhouse.games.dogpile.lab.design.search import Candidate

    wanted = _wanted(asked)
    wanted.check()
    if output != "-" and not Path(output).resolve().parent.is_dir():
        raise CardhouseError(f"{output} can't be written: there is no folder {Path(output).parent}.")
    terminal = Console(stderr=True)
    columns = (TextColumn("starts"), BarColumn(), TextColumn("{task.fields[so_far]}"))
    with Progress(*columns, console=terminal, transient=True, disable=json or not terminal.is_terminal) as bar:
        task = bar.add_task("", total=wanted.starts, so_far="making ready")

        def tell(done: int, best: Candidate) -> None:
            bar.update(task, completed=done, so_far=f"{best.mean_pack:.2f} dogs join")

        found = designed.design(wanted, workers=cores, rounds=rounds, tell=tell)
    text = deck_text(found.data, [asked.command(), "", *_in_words(found)])
    if output == "-":
        typer.echo(text, nl=False)
        return
    try:
        Path(output).write_text(text, "utf-8")
    except OSError as error:
        raise CardhouseError(f"{output} can't be written: {error.strerror or error}.") from None
    if json:
        print_json(_as_json(found, output))
    else:
        _print(found, output)


# What was asked.


def _wanted(asked: Asked) -> Any:
    from cardhouse.games.dogpile.lab.design.wanted import Span, Wanted
    from cardhouse.games.dogpile.lab.questions import Silence

    settings = settings_of(Silence)

    def span(name: str, text: str, scale: float = 1) -> Span:
        first, dash, last = text.replace("%", "").partition("-")
        return Span(_number(name, first) / scale, _number(name, last if dash else first) / scale)

    return Wanted(
        cards=asked.cards,
        pairs=_percent("pairs", asked.pairs),
        stack=_percent("stack", asked.stack),
        mean_pack=asked.mean_pack,
        hardest=_percent("hardest", asked.hardest),
        players=tuple(settings["players"].read_all(asked.players)),
        hand_size=asked.hand_size,
        passing=settings["passing"].read(asked.passing),
        bot=settings["bot"].read(asked.bot),
        wild=asked.wild,
        numbers=span("numbers", asked.numbers),
        suits=span("suits", asked.suits),
        two_numbers=span("two-numbers", asked.two_numbers, 100),
        two_suits=span("two-suits", asked.two_suits, 100),
        alike=asked.alike,
        starts=asked.starts,
        seed=asked.seed,
    )


def _percent(name: str, text: str) -> float | None:
    return _number(name, text.strip().removesuffix("%"), "a percentage such as 18%") / 100 if text else None


def _number(name: str, text: str, takes: str = "a number, or a range such as 5-40") -> float:
    try:
        return float(text)
    except ValueError:
        raise CardhouseError(f"{name} takes {takes}, not {text[:40] or 'nothing'}.") from None


# What it does.


def _in_words(found: Designed) -> Iterator[str]:
    """A line for each thing that was asked, and what could not be had."""
    for claim in found.claims:
        how = "counted" if claim.exact else f"{found.rounds:,} rounds"
        yield f"{claim.text}: {_asked(claim)} asked, {_value(claim)} ({how}){'' if claim.met else ': not met'}"
    yield from found.advice


def _print(found: Designed, output: str) -> None:
    out = words.console()
    made = found.made
    out.print(Text(f"{len(found.data['cards'])} cards: the best of {words.count(found.starts, 'start')}.", "bold"))
    out.print(
        f"{made.numbers} numbers and {made.suits} suits; {words.count(made.two_numbers, 'card')} with two numbers, "
        f"{made.two_suits} with two suits.\n"
    )
    if found.claims:
        grid = words.grid(None, None, None, None)
        grid.add_row("", "Asked", "It does", "")
        for claim in found.claims:
            how = "counted" if claim.exact else "played"
            grid.add_row(claim.text, _asked(claim), _value(claim), how if claim.met else f"{how}; not met")
        out.print(grid)
    out.print(f"\n{found.rounds:,} rounds for each number of players, on deals on which no deck was searched:")
    grid = words.grid(*[None] * 5)
    grid.add_row("Players", "Dogs that join", "Packs lost", "Hardest card", "is laid")
    for one in found.tables:
        laid = _estimate(one.laid, 100, " %")
        grid.add_row(str(one.players), _estimate(one.dogs), _estimate(one.lost, 100, " %"), one.hardest, laid)
    out.print(grid)
    for sentence in found.advice:
        out.print(f"\n{sentence}")
    out.print(f"\nWritten: {output}", soft_wrap=True)


def _asked(claim: Claim) -> str:
    if claim.key == "mean_pack":
        return f"{claim.asked:g}"
    return f"{'at least ' if claim.is_bound else ''}{100 * claim.asked:g} %"


def _value(claim: Claim) -> str:
    if claim.exact:
        return f"{100 * claim.value:.2f} %"
    arm = max(claim.high - claim.value, claim.value - claim.low)
    if claim.key == "mean_pack":
        return f"{claim.value:.3f} ±{arm:.3f}"
    return f"{100 * claim.value:.1f} ±{100 * arm:.1f} %"


def _estimate(number: Estimate, scale: float = 1, unit: str = "") -> str:
    if number.value is None:
        return words.NOTHING
    places = 1 if unit else 2
    return f"{scale * number.value:.{places}f} ±{scale * (number.error or 0):.{places}f}{unit}"


def _as_json(found: Designed, output: str) -> dict[str, Any]:
    return {
        "met": found.met,
        "deck": output,
        "made": found.made._asdict(),
        "contacts": {name: float(chance) for name, chance in found.contacts._asdict().items()},
        "claims": found.claims,
        "players": found.tables,
        "alike": found.alike,
        "advice": found.advice,
        "starts": found.starts,
        "rounds": found.rounds,
    }
