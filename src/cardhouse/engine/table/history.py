"""The answers of a log that are in effect, and the game they lead to, replayed from a snapshot."""

from collections import deque
from collections.abc import Generator, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from cardhouse.engine.chance.dealers import Dealer
from cardhouse.engine.diagnostics.declarations import decode_state
from cardhouse.engine.game.game import Game
from cardhouse.engine.game.overrides import read_override
from cardhouse.engine.table.runner import Runner, Snapshot
from cardhouse.engine.table.snapshots import PlacedSnapshot, Snapshots
from cardhouse.engine.values.questions import CLOCK, GM, Meanwhile
from cardhouse.engine.values.transcript import RIGHT, body_of

if TYPE_CHECKING:
    from cardhouse.engine.table.log import Entry


class EffectiveLog:
    """The entries of a log that aren't undone: answers and added seats.

    `answers` counts those that an undo can take back, `replayed` the entries replayed so far, which
    engine/table/snapshots.py bounds.
    """

    def __init__(self, kind: type[Game], actions: Any, snapshot: Snapshot) -> None:
        """Start empty, after this snapshot of a game of `kind`, whose answers are read as one of `actions`."""
        self.answers = 0
        self.replayed = 0
        self.snapshots = Snapshots(snapshot)
        self._kind = kind
        self._actions = actions
        self._stack: list[tuple[Entry, int]] = []  # with the number of draws when it was added
        self._undone: list[tuple[Entry, int]] = []
        """Undone entries that a redo can apply again, the next one last; any other entry clears it."""
        self._undos: list[int] = []
        """The number of these that each undo took back, the latest last."""
        self._dropped: list[PlacedSnapshot] = []
        """The snapshots dropped with them, the highest first."""

    @property
    def last_snapshot(self) -> Snapshot:
        """The latest snapshot of the game.

        Its number is that of an answer in effect. Anything before it that an undo took back has been redone since, so
        it is the game after that answer, whenever it was taken.
        """
        return self.snapshots.last.snapshot

    def who_may_undo(self) -> str | None:
        """Return the seat of the latest entry, if that revealed nothing; None for the clock's."""
        if not self._stack:
            return None
        last, _ = self._stack[-1]
        return None if not last.counts or last.learned or last.by == CLOCK else last.by

    def moves_to_redo(self, seat: str) -> int:
        """Return how many moves this seat can redo at once: the game master the latest undo, others one of their own.

        A seat may redo its move if it could undo that move again afterwards.
        """
        if not self._undone:
            return 0
        if seat == GM:
            return self._undos[-1]
        first, _ = self._undone[-1]
        own = first.by == seat and not first.learned and self.with_what_is_revealed(1) == 1
        return 1 if own and seat != CLOCK else 0

    @property
    def redoable(self) -> int:
        """The number of entries that can be redone."""
        return len(self._undone)

    def add(self, entry: "Entry", runner: Runner) -> None:
        """Add an answer that brought the game to the runner's present state."""
        self._forget_undone()
        self._stack.append((entry, runner.draws))
        self.answers += 1
        top = len(self._stack)
        if top >= self.snapshots.due:
            self.snapshots.pass_by(runner, entry.number, top, top)

    def add_seat(self, entry: "Entry", runner: Runner) -> None:
        """Add a seat, which no undo takes back."""
        self._forget_undone()
        self._stack.append((entry, runner.draws))

    def with_what_was_revealed(self, count: int) -> int:
        """Return how many answers an undo of `count` takes back: simultaneous choices only all together.

        Otherwise a seat could choose again knowing what the others chose. The result is greater than the number of
        answers here if some of them precede the initial snapshot.
        """
        reached, revealed = 0, False
        for place, entry in enumerate((one for one, _ in reversed(self._stack) if one.counts), start=1):
            if place > count and not (revealed and (entry.meanwhile or entry.is_hidden)):
                return max(reached, count)
            if place <= count or entry.is_hidden:
                reached = place
            revealed = entry.revealed or (revealed and (entry.secret or entry.meanwhile))
        return self.answers + 1 if revealed and self.snapshots.kept[0].snapshot.number else max(reached, count)

    def with_what_is_revealed(self, count: int) -> int:
        """Return how many answers a redo of `count` applies: simultaneous choices only all together.

        Otherwise a seat could make its choice knowing those that were redone.
        """
        chosen = False
        for place, (entry, _) in enumerate(reversed(self._undone), start=1):
            if place > count and not chosen:
                return count
            if entry.revealed:
                if chosen:
                    count = max(count, place)
                chosen = False
            elif entry.secret or entry.meanwhile:
                chosen = chosen or (entry.is_hidden and place <= count)
            else:
                chosen = False
        return count

    def undo(self, count: int) -> "list[Entry]":
        """Take back `count` answers, of which there must be enough; return them in order. The game needs a rebuild."""
        taken: list[tuple[Entry, int]] = []
        seats: list[tuple[Entry, int]] = []
        while len(taken) < count:
            place = self._stack.pop()
            (taken if place[0].counts else seats).append(place)
        self._dropped += self.snapshots.drop_above(len(self._stack))
        self._stack += reversed(seats)
        self.answers -= count
        self._undone += taken
        self._undos.append(count)
        entries = [entry for entry, _ in reversed(taken)]
        for entry in entries:
            entry.undone = True
        return entries

    def redo(self, count: int) -> "list[Entry]":
        """Redo `count` undone answers, of which there must be enough; return them in order.

        Entries in effect, seats included, stay in their original order. The game needs a rebuild.
        """
        again = [self._undone.pop() for _ in range(count)]
        entries = [entry for entry, _ in again]
        while self._stack and self._stack[-1][0].number > entries[0].number:
            again.append(self._stack.pop())  # a seat, which outlives the answers undone before it
        self._stack += sorted(again, key=lambda place: place[0].number)
        self.answers += count
        self.snapshots.restore(self._dropped, entries[-1].number)
        for entry in entries:
            entry.undone = False
        while count:
            part = min(count, self._undos[-1])
            count -= part
            self._undos[-1] -= part
            if not self._undos[-1]:
                self._undos.pop()
        return entries

    def _forget_undone(self) -> None:
        """Clear what can be redone, because another entry follows the undo."""
        if self._undone:
            self._undone, self._undos, self._dropped = [], [], []

    @property
    def to_replay(self) -> int:
        """The number of entries that `rebuild` would replay."""
        return len(self._stack) - self.snapshots.last.place

    def rebuild(self, runner: Runner) -> None:
        """Rebuild a game from the last snapshot and the entries in effect; logged draws are reused."""
        draws = runner.draws
        runner.enter(self._game())
        deque(self._play_again(runner), maxlen=0)
        runner.draws = draws

    def rebuilding(self, before: Runner) -> Generator[None, None, Runner]:
        """Rebuild into a new runner, one entry a step, and return it with the other settings of the one before."""
        runner = Runner(self._game(), before.dealer, before.decks)
        yield from self._play_again(runner)
        runner.draws, runner.asks_devices, runner.watch = before.draws, before.asks_devices, before.watch
        return runner

    def _play_again(self, runner: Runner) -> Iterator[None]:
        for place, (entry, drawn) in self._since_snapshot():
            self._answer_again(runner, entry)
            runner.draws = drawn
            if entry.counts:  # a seat may be in effect although an earlier entry is undone
                self.snapshots.pass_by(runner, entry.number, place, len(self._stack))
            yield

    def copy(self, dealer: Dealer, decks: Mapping[str, str]) -> Runner:
        """Return another copy of the game, to play on with this dealer."""
        runner = Runner(self._game(), dealer, decks)
        for _, (entry, _) in self._since_snapshot():
            self._answer_again(runner, entry)
        return runner

    def _game(self) -> Game:
        return decode_state(self.last_snapshot.game, self._kind)

    def _since_snapshot(self) -> "list[tuple[int, tuple[Entry, int]]]":
        """Return the entries in effect since the last snapshot, each with its place."""
        place = self.snapshots.last.place
        return list(enumerate(self._stack[place:], start=place + 1))

    def _answer_again(self, runner: Runner, entry: "Entry") -> None:
        """Replay an answer, discarding its events, which were logged before."""
        self._replay_entry(runner, entry)
        runner.take_events()

    def _replay_entry(self, runner: Runner, entry: "Entry") -> None:
        self.replayed += 1
        line = entry.lines[0]
        if entry.kind == "seat":
            runner.add_seat(line["seat"])
            return
        if entry.kind == RIGHT:
            value: Any = Meanwhile(read_override(body_of(line)))
        elif entry.kind == "do":
            value = msgspec.convert(body_of(line), self._actions)
            value = Meanwhile(value) if entry.meanwhile else value
        else:
            value = line["card"] if entry.kind == "draw" else line["dice"]
        runner.send(value, deque(entry.lines[1:]), "", entry.by)
