"""The answers of a log that stand, and the game they lead to, played again from a snapshot."""

from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec

from cardhouse.engine.dealers import Dealer
from cardhouse.engine.game import Game
from cardhouse.engine.questions import Ask, Meanwhile
from cardhouse.engine.running import Rest, Running
from cardhouse.engine.transcript import body_of

if TYPE_CHECKING:
    from cardhouse.engine.table import Entry

REST_EVERY: Final = 16
"""A copy of the state is kept at the first rest after so many entries, so that an undo is a short replay."""
RESTS_KEPT: Final = 8
"""So many of the latest copies, beside the first."""


class Standing:
    """The entries of a log that no undo took back: answers, and the seats that were added.

    `answers` is how many of them an undo can take back.
    """

    def __init__(self, kind: type[Game], actions: Any, rest: Rest) -> None:
        """Nothing stands yet after this rest of a game of that `kind`, whose answers are read as one of `actions`."""
        self.answers = 0
        self._kind = kind
        self._actions = actions
        self._entries: list[Entry] = []
        self._rests = [rest]

    @property
    def last_rest(self) -> Rest:
        """The latest copy that was kept of the game at rest."""
        return self._rests[-1]

    @property
    def last(self) -> "Entry | None":
        """The latest entry that stands."""
        return self._entries[-1] if self._entries else None

    def add(self, entry: "Entry", running: Running) -> None:
        """An answer was given, which brought the game to where it is running now."""
        self._entries.append(entry)
        self.answers += 1
        question = running.question
        if type(question) is Ask and question.rest and entry.number - self.last_rest.number >= REST_EVERY:
            self._rests.append(running.rest(entry.number))
            del self._rests[1:-RESTS_KEPT]

    def add_seat(self, entry: "Entry") -> None:
        """A seat was added, which no undo takes back."""
        self._entries.append(entry)

    def take_back(self, count: int) -> "list[Entry]":
        """Take back so many answers, of which there are enough; returns them in order. The game is to be rebuilt."""
        taken: list[Entry] = []
        seats: list[Entry] = []
        while len(taken) < count:
            entry = self._entries.pop()
            (taken if entry.counts else seats).append(entry)
        self._entries += reversed(seats)
        self.answers -= count
        taken.reverse()
        for entry in taken:
            entry.undone = True
        self._rests = [rest for rest in self._rests if rest.number < taken[0].number]
        return taken

    def rebuild(self, running: Running) -> None:
        """Bring a game to where the standing entries lead, from the last copy; no draw is dealt anew."""
        draws = running.draws
        running.enter(self._game())
        self._play_again(running)
        running.draws = draws

    def copy(self, dealer: Dealer, decks: Mapping[str, str]) -> Running:
        """The game that the standing entries lead to, once more, to be run on with this dealer."""
        running = Running(self._game(), dealer, decks)
        self._play_again(running)
        return running

    def _game(self) -> Game:
        return msgspec.json.decode(self.last_rest.game, type=self._kind)

    def _play_again(self, running: Running) -> None:
        """Give a game that is at the last rest all the answers that stand since."""
        for entry in self._entries:
            if entry.number > self.last_rest.number:
                self._answer_again(running, entry)
        running.take_events()

    def _answer_again(self, running: Running, entry: "Entry") -> None:
        line = entry.lines[0]
        if entry.kind == "seat":
            running.add_seat(line["seat"])
            return
        if entry.kind == "do":
            value: Any = msgspec.convert(body_of(line), self._actions)
            value = Meanwhile(value) if entry.meanwhile else value
        else:
            value = line["card"] if entry.kind == "draw" else line["dice"]
        running.send(value, deque(entry.lines[1:]), "", entry.by)
