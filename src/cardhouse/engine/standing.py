"""The answers of a log that stand, and the game they lead to, played again from a snapshot."""

from collections import deque
from collections.abc import Generator, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from cardhouse.engine.dealers import Dealer
from cardhouse.engine.game import Game
from cardhouse.engine.putting_right import read_put_right
from cardhouse.engine.questions import Meanwhile
from cardhouse.engine.runner import Runner, Snapshot
from cardhouse.engine.snapshots import Snapshots
from cardhouse.engine.soundness import read_back
from cardhouse.engine.transcript import RIGHT, body_of

if TYPE_CHECKING:
    from cardhouse.engine.log import Entry


class Standing:
    """The entries of a log that no undo took back: answers, and the seats that were added.

    `answers` is how many of them an undo can take back, `replayed` how many entries have been played again so far, of
    which engine/snapshots.py says how many there can be.
    """

    def __init__(self, kind: type[Game], actions: Any, snapshot: Snapshot) -> None:
        """Nothing stands yet after this snapshot of a game of `kind`, whose answers are read as one of `actions`."""
        self.answers = 0
        self.replayed = 0
        self.snapshots = Snapshots(snapshot)
        self._kind = kind
        self._actions = actions
        self._stack: list[tuple[Entry, int]] = []  # each with how much chance had been asked for when it was added

    @property
    def last_snapshot(self) -> Snapshot:
        """The latest snapshot of the game.

        Its number is that of an answer that stands, so that no undo since took back anything before it: it is the game
        as it was when that answer had been given, whenever the snapshot was taken.
        """
        return self.snapshots.last.snapshot

    @property
    def last(self) -> "Entry | None":
        """The latest entry that stands."""
        return self._stack[-1][0] if self._stack else None

    def add(self, entry: "Entry", runner: Runner) -> None:
        """An answer was given, which brought the game to where it is running now."""
        self._stack.append((entry, runner.draws))
        self.answers += 1
        top = len(self._stack)
        if top >= self.snapshots.due:
            self.snapshots.pass_by(runner, entry.number, top, top)

    def add_seat(self, entry: "Entry", runner: Runner) -> None:
        """A seat was added, which no undo takes back."""
        self._stack.append((entry, runner.draws))

    def with_what_was_revealed(self, count: int) -> int:
        """How many answers an undo of so many takes back: choices that were revealed together, all of them or none.

        Else somebody would choose once more who knows what the others have chosen. It is more than there are if some
        of them lie before the snapshot that all this began with.
        """
        reached, revealed = 0, False
        for place, entry in enumerate((one for one, _ in reversed(self._stack) if one.counts), start=1):
            if place > count and not (revealed and (entry.meanwhile or entry.is_hidden)):
                return max(reached, count)
            if place <= count or entry.is_hidden:
                reached = place
            revealed = entry.revealed or (revealed and (entry.secret or entry.meanwhile))
        return self.answers + 1 if revealed and self.snapshots.kept[0].snapshot.number else max(reached, count)

    def take_back(self, count: int) -> "list[Entry]":
        """Take back so many answers, of which there are enough; returns them in order. The game is to be rebuilt."""
        taken: list[Entry] = []
        seats: list[tuple[Entry, int]] = []
        while len(taken) < count:
            entry, draws = self._stack.pop()
            if entry.counts:
                taken.append(entry)
            else:
                seats.append((entry, draws))
        self.snapshots.drop_above(len(self._stack))
        self._stack += reversed(seats)
        self.answers -= count
        taken.reverse()
        for entry in taken:
            entry.undone = True
        return taken

    @property
    def to_replay(self) -> int:
        """How many entries `rebuild` would play again."""
        return len(self._stack) - self.snapshots.last.place

    def rebuild(self, runner: Runner) -> None:
        """Bring a game to where the standing entries lead, from the last snapshot; no draw is dealt anew."""
        draws = runner.draws
        runner.enter(self._game())
        deque(self._play_again(runner), maxlen=0)
        runner.draws = draws

    def rebuilding(self, before: Runner) -> Generator[None, None, Runner]:
        """The same with another game, an entry a step; returns it, with all else as it was in the one before."""
        runner = Runner(self._game(), before.dealer, before.decks)
        yield from self._play_again(runner)
        runner.draws, runner.asks_devices, runner.watch = before.draws, before.asks_devices, before.watch
        return runner

    def _play_again(self, runner: Runner) -> Iterator[None]:
        for place, (entry, drawn) in self._since_snapshot():
            self._answer_again(runner, entry)
            runner.draws = drawn
            if entry.counts:  # a seat may stand while what was before it is undone
                self.snapshots.pass_by(runner, entry.number, place, len(self._stack))
            yield
        runner.take_events()

    def copy(self, dealer: Dealer, decks: Mapping[str, str]) -> Runner:
        """The game that the standing entries lead to, once more, to be run on with this dealer."""
        runner = Runner(self._game(), dealer, decks)
        for _, (entry, _) in self._since_snapshot():
            self._answer_again(runner, entry)
        runner.take_events()
        return runner

    def _game(self) -> Game:
        return read_back(self.last_snapshot.game, self._kind)

    def _since_snapshot(self) -> "list[tuple[int, tuple[Entry, int]]]":
        """What stands since the last snapshot, each with its place."""
        place = self.snapshots.last.place
        return list(enumerate(self._stack[place:], start=place + 1))

    def _answer_again(self, runner: Runner, entry: "Entry") -> None:
        self.replayed += 1
        line = entry.lines[0]
        if entry.kind == "seat":
            runner.add_seat(line["seat"])
            return
        if entry.kind == RIGHT:
            value: Any = Meanwhile(read_put_right(body_of(line)))
        elif entry.kind == "do":
            value = msgspec.convert(body_of(line), self._actions)
            value = Meanwhile(value) if entry.meanwhile else value
        else:
            value = line["card"] if entry.kind == "draw" else line["dice"]
        runner.send(value, deque(entry.lines[1:]), "", entry.by)
