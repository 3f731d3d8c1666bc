"""A designed deck in words: its properties compared with the order, and its file."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from cardhouse.games.dogpile.lab.design.designed import Claim, Designed
from cardhouse.games.dogpile.lab.design.making import deck_text
from cardhouse.lab.questions.design import DesignedFile, MadeClaim, MadeTable
from cardhouse.lab.statistics.estimate import Estimate
from cardhouse.lab.words.numbers import how_many

NOTHING = "\N{EN DASH}"


def report(command: str, found: Designed) -> DesignedFile:
    """Return the report on a deck that was found."""
    made = found.made
    claims = tuple(_claim(found, claim) for claim in found.claims)
    lines = [
        f"{one.text}: {one.asked} asked, {one.found} ({one.how}){'' if one.met else ': not met'}" for one in claims
    ]
    return DesignedFile(
        value=dict(msgspec.to_builtins(found.data)),
        file=deck_text(found.data, [command, "", *lines, *found.advice]),
        title=f"{len(found.data['cards'])} cards: the best of {how_many(found.starts, 'start')}.",
        about=(
            f"{made.numbers} numbers and {made.suits} suits; {how_many(made.two_numbers, 'card')} with two numbers, "
            f"{made.two_suits} with two suits."
        ),
        claims=claims,
        tables=(
            MadeTable(
                f"{found.rounds:,} rounds for each number of players, on deals on which no deck was searched",
                ("Players", "Dogs that join", "Packs lost", "Hardest card", "is laid"),
                tuple(_rows(found)),
            ),
        ),
        remarks=found.advice,
        stopped=found.stopped,
    )


def _claim(found: Designed, claim: Claim) -> MadeClaim:
    how = "counted" if claim.exact else f"{found.rounds:,} rounds"
    return MadeClaim(claim.text, _asked(claim), _value(claim), how, claim.met)


def _rows(found: Designed) -> Iterator[tuple[str, ...]]:
    for one in found.tables:
        laid = _estimate(one.laid, 100, "%")
        yield str(one.players), _estimate(one.dogs), _estimate(one.lost, 100, "%"), one.hardest, laid


def _asked(claim: Claim) -> str:
    if claim.key == "mean_pack":
        return f"{claim.asked:g}"
    return f"{'at least ' if claim.is_bound else ''}{100 * claim.asked:g}%"


def _value(claim: Claim) -> str:
    if claim.exact:
        return f"{100 * claim.value:.2f}%"
    arm = max(claim.high - claim.value, claim.value - claim.low)
    if claim.key == "mean_pack":
        return f"{claim.value:.3f} ±{arm:.3f}"
    return f"{100 * claim.value:.1f} ±{100 * arm:.1f}%"


def _estimate(number: Estimate, scale: float = 1, unit: str = "") -> str:
    if number.value is None:
        return NOTHING
    places = 1 if unit else 2
    return f"{scale * number.value:.{places}f} ±{scale * (number.error or 0):.{places}f}{unit}"
