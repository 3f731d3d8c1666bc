"""Histories: what everyone at a table received and had acknowledged, compared with its one log.

Every view is a prefix of one log, every acknowledged answer stands in it once, and every seat was told what the rules,
played again from the log alone, let it know at that entry: no more, no less, nothing else.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from msgspec import Raw

from cardhouse.engine import BadTranscript, FairDealer, SeededDealer, Table
from cardhouse.engine.values.transcript import by_answer, is_answer, read_transcript, write_line
from cardhouse.server.table.broadcaster import offers_of
from cardhouse.server.wire.protocol import encode
from tests.server.talking import Frame, Told

LOST, DOUBLED, STRANGE, TOLD_WRONG, UNPLAYABLE = "lost", "doubled", "strange", "told wrong", "unplayable"
FAULTS = (LOST, DOUBLED, STRANGE, TOLD_WRONG, UNPLAYABLE)


class Fault(NamedTuple):
    """What is wrong with a history: one of `FAULTS`, and a sentence."""

    kind: str
    what: str


@dataclass
class History:
    """What is known of a table beside its log.

    `lives` are connections, each with the texts of the frames it was told; `acknowledged` are the numbers of answers by
    their ids, and `unsure` the ids of those whose fate nobody was told. `others` answers more were given first, and the
    table may have been ended besides.
    """

    lives: list[list[str]] = field(default_factory=list)
    acknowledged: dict[str, int] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)
    others: int = 0

    def faults(self, transcript: Sequence[Frame]) -> list[Fault]:
        """All that is wrong, the log being this, its header first."""
        return [*self._of_answers(transcript[1:]), *_of_views(transcript, self.lives)]

    def _of_answers(self, lines: Sequence[Frame]) -> Iterator[Fault]:
        answers = [line for line in lines if is_answer(line)]
        ids = [line.get("id", "") for line in answers]
        for own, times in Counter(ids).items():
            if times > 1:
                yield Fault(DOUBLED, f"The answer {own} stands in the log {times} times.")
        places = {own: number for number, own in enumerate(ids, start=1)}
        for own, number in self.acknowledged.items():
            if places.get(own) != number:
                yield Fault(LOST, f"The answer {own} was acknowledged as entry {number}; it is {places.get(own)}.")
        for line, own in list(zip(answers, ids, strict=True))[self.others :]:
            if own not in self.acknowledged and own not in self.unsure and "end" not in line:
                yield Fault(STRANGE, f"The answer {own} stands in the log, and nobody gave it.")


class Seen(NamedTuple):
    """What somebody in a seat had before them, who had been told of everything up to entry `n`.

    `story` is what was told of entries then, from `first` on, and `head` the log's, empty where none was told.
    """

    seat: str
    n: int
    first: int
    head: str
    shown: dict[str, Any]
    story: list[Frame]


def seen_in(texts: Iterable[str]) -> Iterator[Seen | Fault]:
    """What somebody had before them after each frame that told of the table."""
    told, seat, before = Told(), "", 0
    for text in texts:
        try:
            frame = told.take_in(text)
        except ValueError as error:
            yield Fault(TOLD_WRONG, f"{seat} was told after entry {before} a delta that doesn't fit: {error}")
            return
        if frame["t"] == "table":
            seat, before = frame["you"], frame["n"] - len(frame["story"])
            if frame["more"] != (before > 0):
                yield Fault(TOLD_WRONG, f"{seat} was told that there is more before entry {before + 1}, or isn't.")
        elif frame["t"] != "change":
            continue
        elif len(frame["story"]) != frame["n"] - before:
            yield Fault(TOLD_WRONG, f"{seat} was told of {len(frame['story'])} entries from {before} to {frame['n']}.")
        shown = {"doc": told.doc, "offers": told.offers, "mine": told.mine}
        yield Seen(seat, frame["n"], before + 1, frame.get("head", ""), shown, frame["story"])
        before = frame["n"]


def _of_views(transcript: Sequence[Frame], lives: Iterable[Iterable[str]]) -> Iterator[Fault]:
    seen_at: dict[int, list[Seen]] = {}
    for texts in lives:
        for seen in seen_in(texts):
            if isinstance(seen, Fault):
                yield seen
            else:
                seen_at.setdefault(seen.n, []).append(seen)
    try:
        for replayed in _replayed(transcript):
            yield from _unlike(replayed, seen_at.pop(replayed.number, []))
    except BadTranscript as error:
        yield Fault(UNPLAYABLE, f"The log can't be played again: {error}")
        return
    for number, people in seen_at.items():
        yield Fault(TOLD_WRONG, f"{people[0].seat} was told of entry {number}, which is not in the log.")


def _replayed(transcript: Sequence[Frame]) -> Iterator[Table]:
    """The table before its first entry, and after each; with its heads, if the seed has been told."""
    header, below = read_transcript(map(write_line, transcript))
    seed = transcript[-1].get("seed")
    table = Table(header, FairDealer(bytes.fromhex(seed)) if seed else SeededDealer())
    yield table
    for group in by_answer(below):
        table.replay(group)
        yield table


def _unlike(table: Table, people: Sequence[Seen]) -> Iterator[Fault]:
    """What these people were told otherwise, who have been told of everything that this table has."""
    head = table.log_state(table.number).head
    right: dict[str, dict[str, Any]] = {}
    stories: dict[tuple[str, int], Any] = {}
    for seen in people:
        if head and seen.head and head != seen.head:
            yield Fault(TOLD_WRONG, f"{seen.seat} was told another head of the log at entry {seen.n}.")
        if seen.seat not in right:
            right[seen.seat] = _as_told(_shown(table, seen.seat))
        for name, shown in right[seen.seat].items():
            if shown != seen.shown[name]:
                yield Fault(
                    TOLD_WRONG, f"{seen.seat} was told at entry {seen.n} as {name} {seen.shown[name]}; right is {shown}"
                )
        key = seen.seat, seen.first
        if key not in stories:
            stories[key] = _as_told([table.story(entry, seen.seat) for entry in table.entries[seen.first - 1 :]])
        if stories[key] != seen.story:
            yield Fault(
                TOLD_WRONG, f"{seen.seat} was told at entry {seen.n} the story {seen.story}; right is {stories[key]}"
            )


def _shown(table: Table, seat: str) -> dict[str, Any]:
    return {
        "doc": {"view": table.view(seat), "asks": table.asks()},
        "offers": Raw(offers_of(table, seat)),
        "mine": table.may_take_back(seat),
    }


def _as_told(what: Any) -> Any:
    return json.loads(encode(what))
