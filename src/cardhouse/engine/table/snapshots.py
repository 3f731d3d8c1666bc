"""The choice of snapshots to keep, so that going back is a short replay however long the game has been.

The entries in effect are a stack: answers are pushed, an undo pops some, and a redo pushes those again. There is a
snapshot for about every 256th place of the stack, for every 64th of the latest 512, and for every 16th of the latest
128. After a pop, the entries since the nearest snapshot below are replayed, and snapshots are taken on the way as if
that place had always been the top. A redo restores the snapshots that its undo dropped. For `a` answers, counting
redone ones again, and `u` undos and redos in any order, in a game that is at rest at least once in `r` entries and gets
at most `s` further seats, this costs at most

    256 + r + s            entries replayed for one undo or redo,
    (16 + r + s) u + 2 a   for all of them,
    20 + a / 256           snapshots.

The reason: a block of 64 or 256 places is replayed from its start only if snapshots within it are missing. It then has
them, and loses the first of them only after all of the next block has been pushed. So each push pays for one entry of
one block of either size, once, and 16 are left to the undo or redo itself. If a game isn't at rest, nothing shortens
the replay: the rules are in the middle of something, and can't be entered there.
"""

import sys
from itertools import pairwise
from typing import Final, NamedTuple

from cardhouse.engine.table.runner import Runner, Snapshot
from cardhouse.engine.values.questions import Ask

SNAPSHOT_SPACINGS: Final = (16, 64, 256)
"""The distances between snapshots in entries, nearest to the top first, if the game is at rest there."""


class PlacedSnapshot(NamedTuple):
    """A snapshot after the first `place` entries in effect, kept while the top is at most `reach` above it."""

    place: int
    reach: int
    snapshot: Snapshot


class Snapshots:
    """The snapshots of one game, the lowest first; the initial one is always kept.

    No further one is taken before place `due`.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        """Start with this one, of the game before its first entry."""
        self.kept = [PlacedSnapshot(0, sys.maxsize, snapshot)]
        self._pass(0)

    @property
    def last(self) -> PlacedSnapshot:
        """The one nearest to the top."""
        return self.kept[-1]

    def before(self, number: int) -> Snapshot:
        """Return the latest one of the game before entry `number`, or the first of all."""
        earlier = [placed.snapshot for placed in self.kept if placed.snapshot.number < number]
        return earlier[-1] if earlier else self.kept[0].snapshot

    def drop_above(self, place: int) -> list[PlacedSnapshot]:
        """Drop the snapshots after more than `place` entries; return them, the highest first."""
        dropped: list[PlacedSnapshot] = []
        while self.last.place > place:
            dropped.append(self.kept.pop())
        self._pass(self.last.place)
        return dropped

    def restore(self, dropped: list[PlacedSnapshot], number: int) -> None:
        """Restore from `dropped` (the highest first) the snapshots up to entry `number`, which is in effect again."""
        while dropped and dropped[-1].snapshot.number <= number:
            self.kept.append(dropped.pop())
        self._pass(self.last.place)

    def pass_by(self, runner: Runner, number: int, place: int, top: int) -> None:
        """Take a snapshot at a place on the way to the top, if the game is at rest and one belongs there.

        The last of the first `place` entries is an answer with the number `number`.
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
        """Mark this place as passed, whether or not a snapshot was taken there."""
        self._passed = place
        self.due = (place // SNAPSHOT_SPACINGS[0] + 1) * SNAPSHOT_SPACINGS[0]


def _reach(passed: int, place: int) -> int:
    """Return how far the top may be above a snapshot here: twice the next wider spacing, unlimited for the widest."""
    for _, wider in pairwise(SNAPSHOT_SPACINGS):
        if passed // wider == place // wider:
            return 2 * wider
    return sys.maxsize
