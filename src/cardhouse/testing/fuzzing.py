"""Random sessions until an error is found, and its shortening."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, count
from random import Random
from typing import Any, NamedTuple

import msgspec

from cardhouse.engine import CardhouseError, Entry, Header, Refused, SeededDealer, Table, find_game, write_line
from cardhouse.engine.diagnostics.watchdog import watching
from cardhouse.engine.values.transcript import body_of, by_answer, read_transcript
from cardhouse.testing.evenings import USUAL_SEATS, Move, RandomSession, some_table
from cardhouse.testing.playing import accepted
from cardhouse.testing.second_process import second_process
from cardhouse.testing.trouble import (
    BOTS,
    CHECKS,
    NEVER_ENDS,
    SECOND_PROCESS,
    SOURCE,
    Trouble,
    trouble_of,
    try_one,
    try_some,
)

_LOOPS_SECONDS, _LOOPS_AT_MOST = 1.0, 20
"""While shortening, an endless loop is recognised after this time, and tried at most this often."""
STUMBLES = "stumbles"
"""The check name of an error that an answer itself causes, in addition to those of `CHECKS`."""


class Failure(NamedTuple):
    """An error, the transcript that shows it, and the seed for draws that it leaves out."""

    trouble: Trouble
    transcript: str
    seed: int


class Fuzzed(NamedTuple):
    """The amount of play, and the failure if one was found."""

    evenings: int
    answers: int
    finding: Failure | None


def fuzz(
    game: str,
    seed: int = 0,
    *,
    evenings: int | None = None,
    minutes: float | None = None,
    answers: int = 60,
    often: float = 0.1,
    shrink_at_most: int = 400,
    patience: float = 20.0,
    report: Callable[[int, int], None] = lambda evenings, answers: None,
) -> Fuzzed:
    """Play random sessions until an error is found, and shorten that.

    It ends after `evenings` sessions or `minutes`. `often` is the probability of each slow check after an answer. Code
    that computes for more than `patience` seconds counts as endless. `report` is called after each session with the
    numbers of sessions and answers so far. The same seed plays the same. Raises CardhouseError if there is no such
    game.
    """
    find_game(game)
    until = None if minutes is None else time.monotonic() + 60 * minutes
    given = 0
    with second_process(USUAL_SEATS, patience):
        for number in count():
            if number == evenings or (until is not None and time.monotonic() > until):
                return Fuzzed(number, given, None)
            dealt = seed * 1_000_003 + number
            played = _Playing(game, dealt, answers, often)
            with watching(patience):
                finding = played.run(is_first=number == 0)
            given += len(played.said)
            if finding is not None:
                slow = finding.trouble.mark == NEVER_ENDS
                with watching(min(patience, _LOOPS_SECONDS) if slow else patience):
                    return Fuzzed(
                        number + 1,
                        given,
                        shrunk(finding, played.header, played.said, _LOOPS_AT_MOST if slow else shrink_at_most),
                    )
            report(number + 1, given)
    raise AssertionError


class _Playing:
    """One session."""

    def __init__(self, game: str, seed: int, answers: int, often: float) -> None:
        self.game, self.seed, self.answers, self.often = game, seed, answers, often
        self.rng = Random(f"{game} {seed}")
        self.said: list[Move] = []
        self.header = Header(cardhouse=1, game=game, seats=list(USUAL_SEATS))

    def run(self, *, is_first: bool) -> Failure | None:
        """Play it and return the failure, if any; if it `is_first`, also check the rules' source code."""
        try:
            table = some_table(self.game, USUAL_SEATS, self.rng, SeededDealer(self.seed))
        except Exception as error:  # noqa: BLE001 (a game's own code)
            return Failure(trouble_of(STUMBLES, error), write_line(self.header) + "\n", self.seed)
        self.header = table.header
        evening = RandomSession(table, self.rng)
        trouble = (try_one(table, SOURCE) if is_first else None) or try_some(table, self.rng, 0)
        while trouble is None and len(self.said) < self.answers:
            try:
                move = evening.next()
            except Exception as error:  # noqa: BLE001 (a bot's own code)
                trouble = trouble_of(BOTS, error)
                break
            if move is None:
                break
            try:
                self.said.append(move)
                entry = _apply(table, move)
                if entry is None:
                    self.said.pop()
                    continue
                self.said[-1] = move._replace(chance=entry.lines[1:])
            except Exception as error:  # noqa: BLE001 (a game's own code)
                trouble = trouble_of(STUMBLES, error)
                break
            trouble = try_some(table, self.rng, self.often)
        trouble = trouble or try_one(table, SECOND_PROCESS)
        return None if trouble is None else Failure(trouble, "", self.seed)


def _apply(table: Table, move: Move) -> Entry | None:
    """Return the answer's entry; None if it names an impossible card, which its seat can't always know."""
    if "draw" not in move.answer:
        return accepted(table, move.by, move.answer, time=move.time)
    try:
        return table.answer(move.by, move.answer, time=move.time)
    except Refused:
        return None


# Shortening.


def shrunk(finding: Failure, header: Header, moves: Sequence[Move], at_most: int) -> Failure:
    """Return the same error with as few answers as `at_most` attempts find, and its transcript."""
    best, tries = list(moves), 0
    found = _again(header, best, finding)
    if found is None:  # the error isn't in the answers alone, for example a bot's own
        return finding._replace(transcript=finding.transcript or _plainly(header, moves))
    for plain in _plainer(header):
        if again := _again(plain, best, finding):
            header, found = plain, again
            break
    size = len(best)
    while size and tries < at_most:
        shorter = None
        for start in range(0, len(best), size):
            tries += 1
            fewer = best[:start] + best[start + size :]
            if again := _again(header, fewer, finding):
                shorter, found = fewer, again
                break
        best, size = (best, size // 2) if shorter is None else (shorter, min(size, len(shorter)))
    return found


def _plainer(header: Header) -> Iterator[Header]:
    """Yield the header without optional parts, the plainest first."""
    plain = msgspec.structs.replace(header, commitment="", options={}, decks={}, by_hand=[])
    kept: list[dict[str, Any]] = [{"options": header.options}, {"decks": header.decks}, {"by_hand": header.by_hand}]
    for count_kept in range(len(kept) + 1):
        for some in combinations(kept, count_kept):
            yield msgspec.structs.replace(plain, **{name: value for one in some for name, value in one.items()})


def _again(header: Header, moves: Sequence[Move], finding: Failure) -> Failure | None:
    """Return the failure if these answers lead to the same error; impossible ones are skipped."""
    try:
        table = Table(header, SeededDealer(finding.seed))
    except CardhouseError:
        return None
    for one in moves:
        trouble = _answer(table, one)
        if trouble is not None:
            same = trouble.mark == finding.trouble.mark
            return Failure(trouble, table.transcript() + _answer_line(one) + "\n", finding.seed) if same else None
    if finding.trouble.check == STUMBLES:
        return None
    trouble = try_one(table, finding.trouble.check)
    if trouble is None or trouble.mark != finding.trouble.mark:
        return None
    return Failure(trouble, table.transcript(), finding.seed)


def _answer(table: Table, move: Move) -> Trouble | None:
    """Give an answer with its recorded draws, or else with others; return the error of the game's code, if any."""
    for chance in (move.chance, ()):
        try:
            table.answer(move.by, move.answer, chance=chance, time=move.time)
            return None
        except CardhouseError as error:
            if not isinstance(error, Refused) and error.code == "bad_game":
                return trouble_of(STUMBLES, error)
        except Exception as error:  # noqa: BLE001 (a game's own code)
            return trouble_of(STUMBLES, error)
    return None


def _plainly(header: Header, moves: Sequence[Move]) -> str:
    lines = [line for one in moves for line in ({"by": one.by, **one.answer}, *one.chance)]
    return "".join(f"{line}\n" for line in [write_line(header), *map(write_line, map(dict, lines))])


def _answer_line(move: Move) -> str:
    return write_line({"by": move.by, **move.answer})


# Replaying a failure.


def again(texts: Sequence[str | bytes], seed: int, patience: float = 20.0) -> Trouble | None:
    """Return the error at the table of a transcript from `fuzz`, dealt from the same seed; None if there is none.

    Raises BadTranscript if it is no transcript, or has an answer that isn't possible any more.
    """
    header, lines = read_transcript(texts)
    with watching(patience):
        try:
            table = Table(header, SeededDealer(seed))
            for group in by_answer(lines):
                body = body_of(group[0][1])
                table.answer(group[0][1]["by"], body, chance=[line for _, line in group[1:]])
        except Refused:
            raise
        except Exception as error:  # noqa: BLE001 (a game's own code)
            return trouble_of(STUMBLES, error)
        return next(filter(None, (try_one(table, check) for check in CHECKS)), None)
