"""Checks that a table's cards were dealt fairly, from its transcript alone (docs/transcript.md, the fair deal)."""

from collections.abc import Iterable

import msgspec

from cardhouse.engine.dealers import FairDealer
from cardhouse.engine.errors import BadTranscript, CardhouseError
from cardhouse.engine.running import TIME
from cardhouse.engine.table import Table
from cardhouse.engine.transcript import Header, Line, by_answer, read_transcript, write_line


class Verified(msgspec.Struct, frozen=True):
    """What a fair transcript was found to hold, draws and rolls since undone included.

    `cards` and `dice` are those dealt from the seed; `named` are the cards and rolls that people named, which no seed
    can vouch for.
    """

    commitment: str
    cards: int
    dice: int
    named: int


def verify(texts: Iterable[str | bytes]) -> Verified:
    """Deal a table's cards and dice again from the seed it told at its end, and compare every one.

    Raises BadTranscript at the first line that is not what the seed deals (its code is `unfair`) or can't be checked,
    CardhouseError if the whole can't be: no seed was committed to, or it has not been told yet.
    """
    header, below = read_transcript(texts)
    lines = list(below)
    dealer = _dealer(header, lines)
    try:
        table = Table(header, dealer)
    except CardhouseError as error:
        raise BadTranscript(1, error) from None
    ids: dict[str, int] = {}
    cards = dice = named = 0
    for group in by_answer(lines):
        table.replay([group[0], *(timed for timed in group[1:] if TIME in timed[1])])
        (number, answer), dealt = group[0], table.entries[-1].lines[1:]
        if any(TIME not in line for line in dealt):
            _check_id(number, answer.get("id", ""), ids)
        _compare(group, dealt)
        cards += sum(line.get("card") is not None for line in dealt)
        dice += sum(len(line["dice"]) for line in dealt if "roll" in line)
        named += "draw" in answer or "roll" in answer
    return Verified(header.commitment, cards, dice, named)


def _dealer(header: Header, lines: list[tuple[int, Line]]) -> FairDealer:
    """The dealer the table had, once its seed is known to be the one committed to."""
    if not header.commitment:
        raise CardhouseError("No commitment was made to a seed, so nothing can be checked.", "no_commitment")
    number, end = lines[-1] if lines else (1, {})
    if "end" not in end:
        raise CardhouseError("The table has not ended: its seed is told at its end, and only then.", "not_ended")
    seed = end.get("seed")
    try:
        dealer = FairDealer(bytes.fromhex(seed if isinstance(seed, str) else ""))
    except ValueError:
        raise BadTranscript(number, CardhouseError("The seed is not written in hex.")) from None
    if not dealer.seed:
        raise BadTranscript(number, CardhouseError("The table ended without telling its seed.", "not_ended"))
    if dealer.commitment != header.commitment:
        problem = f"This is not the seed that was committed to: its SHA-256 is {dealer.commitment}."
        raise BadTranscript(number, CardhouseError(problem, "unfair"))
    return dealer


def _check_id(number: int, id: str, ids: dict[str, int]) -> None:
    """An answer that caused draws must carry an id nobody could know beforehand."""
    if not id:
        problem = "This answer caused draws and carries no id, so they can't be checked."
    elif id in ids:
        problem = f"This answer caused draws and carries the id of line {ids[id]} again, which was known by then."
    else:
        ids[id] = number
        return
    raise BadTranscript(number, CardhouseError(problem, "unfair"))


def _compare(group: list[tuple[int, Line]], dealt: list[Line]) -> None:
    """An answer's lines of chance against those the seed deals."""
    written = group[1:]
    for (number, line), right in zip(written, dealt, strict=False):
        if line != right:
            problem = f"{write_line(line)} was not dealt fairly: the seed gives {write_line(right)}."
            raise BadTranscript(number, CardhouseError(problem, "unfair"))
    if len(written) > len(dealt):
        number, line = written[len(dealt)]
        raise BadTranscript(number, CardhouseError(f"Nothing asks for {write_line(line)} here.", "unfair"))
    if len(written) < len(dealt):
        number, _ = group[-1]
        problem = f"After this line {write_line(dealt[len(written)])} is missing, which the seed gives."
        raise BadTranscript(number, CardhouseError(problem, "unfair"))
