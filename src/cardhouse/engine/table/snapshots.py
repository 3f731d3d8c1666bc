"""Which snapshots of a game are kept, so that going back is a short replay however long the game has been.

What stands of a log is a stack: answers are pushed, an undo pops some, and a redo pushes those again. There is a
snapshot for about every 256th place of the stack, for every 64th of the latest 512, and for every 16th of the latest
128. Where a pop lands further down, the entries since the snapshot below are played again, and on the way snapshots are
taken as if that had always been the top. A redo brings back the snapshots that its undo dropped. For `a` answers,
counting each again when it is redone, and `u` undos and redos in any order, at a game that is at rest at least once in
`r` entries and gets no more than `s` further seats, this costs at most

    256 + r + s            entries played again for one undo or redo,
    (16 + r + s) u + 2 a   for all of them,
    20 + a / 256           snapshots.

For a block of 64 or 256 places is played from its start only if snapshots within it are missing. Then it has them, and
loses the first of them only when all of the next block has been pushed after it. So each push pays for one entry of one
block of either size, once, and 16 are left to the undo or redo itself. Where a game isn't at rest, nothing shortens the
replay: the rules are in the middle of something, and can't be entered there.
"""

import sys
from itertools import pairwise
from typing import Final, NamedTuple

from cardhouse.engine.table.runner import Runner, Snapshot
from cardhouse.engine.values.questions import Ask

SNAPSHOT_SPACINGS: Final = (16, 64, 256)
"""How many entries snapshots are apart, the nearest to the top first, if the game is at rest there."""


class PlacedSnapshot(NamedTuple):
    """A snapshot after the first `place` entries that stand, kept while the top is no more than `reach` above it."""

    place: int
    reach: int
    snapshot: Snapshot


class Snapshots:
    """The snapshots of one game, the lowest first; that which it began with is always kept.

    Before place `due` there is no further one to be taken.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        """Only this one, of the game before its first entry."""
        self.kept = [PlacedSnapshot(0, sys.maxsize, snapshot)]
        self._pass(0)

    @property
    def last(self) -> PlacedSnapshot:
        """The one nearest to the top."""
        return self.kept[-1]

    def before(self, number: int) -> Snapshot:
        """The latest one of the game before entry `number`, or the first of all."""
        earlier = [placed.snapshot for placed in self.kept if placed.snapshot.number < number]
        return earlier[-1] if earlier else self.kept[0].snapshot

    def drop_above(self, place: int) -> list[PlacedSnapshot]:
        """Forget the game after more than `place` entries; returns what was forgotten, the highest first."""
        dropped: list[PlacedSnapshot] = []
        while self.last.place > place:
            dropped.append(self.kept.pop())
        self._pass(self.last.place)
        return dropped

    def restore(self, dropped: list[PlacedSnapshot], number: int) -> None:
        """Take back from `dropped` (the highest first) the snapshots up to entry `number`, which stands again."""
        while dropped and dropped[-1].snapshot.number <= number:
            self.kept.append(dropped.pop())
        self._pass(self.last.place)

    def pass_by(self, runner: Runner, number: int, place: int, top: int) -> None:
        """A game comes by a place on its way to the top: take a snapshot if it is at rest and one is to be kept there.

        The last of the first `place` entries is an answer, and its number is `number`.
        """
        question = runner.question
        if place < self.due or type(question) is not Ask or not question.rest:
            return
        reach = _reach(self._passed, place)
        self._pass(place)
        if top - place <= reach:
            self.kept = [placed for placed in self.kept if top - placed.place <= placed.reach]
            self.kept.append(PlacedSnapshot(place, reach, runner.snapshot(number)))

    def _pass(self, place: int) -> None:
        """This was a place for a snapshot, whether or not the top is near enough for it to be taken."""
        self._passed = place
        self.due = (place // SNAPSHOT_SPACINGS[0] + 1) * SNAPSHOT_SPACINGS[0]


def _reach(passed: int, place: int) -> int:
    """Twice the next spacing, of the widest that has a block beginning between these places; the last has no end."""
    for _, wider in pairwise(SNAPSHOT_SPACINGS):
        if passed // wider == place // wider:
            return 2 * wider
    return sys.maxsize
