"""The log of a table: its entries, with the state of its shared deal and running hash after each."""

import msgspec

from cardhouse.engine.chance.shared_randomness import CommitReveal
from cardhouse.engine.game.game import Event
from cardhouse.engine.table.hash_chain import LogState, next_head, text_of
from cardhouse.engine.values.transcript import RIGHT, Line, kind_of


class Entry(msgspec.Struct, gc=False):  # plain data without reference cycles, and a lot of it
    """An entry of the log: an answer with the chance it caused, and its events.

    `lines[0]` is the answer. `learned`: it may have revealed something, such as a card or a roll. `meanwhile`: it
    didn't answer the open question. `secret`: it is a secret choice. `revealed`: it revealed all such choices.
    `undone`: a later entry took it back (`undoes`), and none since has redone it (`redoes`). `together` is the state of
    the shared deal after it.
    """

    number: int
    lines: list[Line]
    events: list[Event] = []
    together: CommitReveal = CommitReveal()
    learned: bool = False
    meanwhile: bool = False
    secret: bool = False
    revealed: bool = False
    undone: bool = False
    undoes: list[int] = []
    redoes: list[int] = []

    @property
    def text(self) -> str:
        """Its lines of the transcript, without the last line end."""
        return text_of(self.lines)

    @property
    def by(self) -> str:
        """The seat that gave it."""
        return str(self.lines[0]["by"])

    @property
    def counts(self) -> bool:
        """Whether an undo can take it back: it is an answer of the game, and not undone."""
        return not self.undone and self.kind in ("do", "draw", "roll", RIGHT)

    @property
    def stands(self) -> bool:
        """Whether it is in effect: neither undone nor itself an undo or redo."""
        return not self.undone and self.kind not in ("undo", "redo")

    @property
    def is_hidden(self) -> bool:
        """Whether it is a secret choice that it didn't reveal itself."""
        return self.secret and not self.revealed

    @property
    def kind(self) -> str | None:
        """Its kind, one of `transcript.ANSWERS`."""
        return kind_of(self.lines[0])


class Log:
    """The entries since a table was opened; `base` is the number of the last one before them.

    `together` is the state of the shared deal, including the devices that joined after the last entry.
    """

    def __init__(self, base: int, before: LogState) -> None:
        """`before` is the log's state at that point; its head is the commitment if there were no entries."""
        self.base = base
        self.entries: list[Entry] = []
        self.together = self._together_at_base = before.together
        self._heads = [before.head]

    @property
    def number(self) -> int:
        """The number of the last entry; 0 before the first."""
        return self.base + len(self.entries)

    def add(
        self,
        lines: list[Line],
        events: list[Event],
        learned: bool = False,
        meanwhile: bool = False,
        secret: bool = False,
        revealed: bool = False,
    ) -> Entry:
        """Log an answer with the chance it caused, and its events."""
        number = self.base + len(self.entries) + 1
        entry = Entry(number, lines, events, self.together, learned, meanwhile, secret, revealed)
        self.entries.append(entry)
        return entry

    def state(self, number: int, seed: bytes | None) -> LogState:
        """Return the log's state after an entry that is here; the head is empty without the committed seed."""
        if seed is None:
            return LogState("", self._together_at(number))
        while len(self._heads) <= number - self.base:
            entry = self.entries[len(self._heads) - 1]
            self._heads.append(next_head(seed, self._heads[-1], entry.text))
        return LogState(self._heads[number - self.base], self._together_at(number))

    def _together_at(self, number: int) -> CommitReveal:
        if number == self.base:
            return self._together_at_base
        return self.entries[number - self.base - 1].together
