"""A page's record of what it received, compared with a transcript (docs/trust.md)."""

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec
import rfc8785
from msgspec import Struct

from cardhouse.engine.chance.shared_randomness import LINKS, Hash
from cardhouse.engine.table.hash_chain import digest_of, fixed
from cardhouse.engine.table.log import Entry
from cardhouse.engine.table.table import Table
from cardhouse.engine.values.errors import CardhouseError
from cardhouse.engine.values.transcript import Header, Line
from cardhouse.engine.values.whole_numbers import Ordinal

FORMAT = 1


class HeardRun(Struct, frozen=True):
    """A page's record of consecutive entries: the first, the last, and a hash of all of them."""

    first: Ordinal
    last: Ordinal
    hash: Hash


class SubmittedLink(Struct, frozen=True):
    """A link that a device gave: its round, and its answer (a digest of the id, and the commitment to the answer).

    Older devices received the id itself.
    """

    device: Ordinal
    round: Ordinal
    id: str
    fixed: Hash
    link: Hash


class Witness(Struct, frozen=True):
    """A page's record: `log` of the log's heads, `told` of the story, `gave` of its devices' links.

    `devices` lists the numbers of these devices. `commitment` and `header` (game, options, decks, by_hand, deal) are as
    received on joining.
    """

    cardhouse_witness: Ordinal
    table: str
    seat: str
    commitment: Hash
    header: dict[str, Any]
    log: list[HeardRun] = []
    told: list[HeardRun] = []
    gave: list[SubmittedLink] = []
    devices: list[Ordinal] = []


def read_witness(text: bytes) -> Witness:
    """Read a witness file.

    Raises CardhouseError if it isn't one.
    """
    try:
        witness = msgspec.json.decode(text, type=Witness)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CardhouseError(f"This isn't a witness file that a page saved: {error}.") from None
    if witness.cardhouse_witness != FORMAT:
        raise CardhouseError(f"This witness is of form {witness.cardhouse_witness}; this Cardhouse knows {FORMAT}.")
    return witness


def add_to_run(hash: str, told: str) -> str:
    """Return a run's hash with one more text; the first continues an empty hash."""
    return hashlib.sha256(f"{hash}:{told}".encode()).hexdigest()


def story_text(story: dict[str, Any]) -> str:
    """Return an entry of the story as it is hashed: canonical JSON (RFC 8785), without later changes."""
    return rfc8785.dumps({name: value for name, value in story.items() if name != "undone"}).decode()


class Testimony:
    """The comparison of a witness with the table of a transcript, entry by entry."""

    def __init__(self, witness: Witness, table: Table) -> None:
        """Raises CardhouseError if the transcript is that of another table."""
        self._witness = witness
        self._table = table
        _check_header(witness, table.header)
        self._log = _Runs(witness.log, "entries {} of the log differ from those this page received")
        self._told = _Runs(witness.told, "the log's entries {} differ from what this page received")
        self._gave = {(gave.round, gave.device): gave for gave in witness.gave}
        self._notes: list[str] = []

    def hear(self) -> None:
        """Compare the table's latest entry.

        Raises CardhouseError, with the code `unfair`, if it differs from what the page received.
        """
        entry = self._table.entries[-1]
        self._log.add(entry.number, lambda: self._table.log_state(entry.number).head)
        self._told.add(entry.number, lambda: story_text(self._table.story(entry, self._witness.seat)))
        rounds = [line for line in entry.lines[1:] if LINKS in line]
        for line in rounds:
            self._hear_round(entry, line, counts=line is rounds[-1])

    def _hear_round(self, entry: Entry, line: Line, *, counts: bool) -> None:
        """Compare a round of links; `counts` if the entry's cards were drawn from it."""
        for place in [place for place in self._gave if place[0] == line["round"]]:
            gave = self._gave.pop(place)
            if str(gave.device) in line.get("withheld", ()) or gave.device in line.get("away", ()):
                self._notes.append(
                    f"Round {gave.round}: the log says that this device withheld its link, but it had given it. "
                    "(That happens when the link comes too late.)"
                )
                continue
            if line[LINKS].get(str(gave.device)) != gave.link:
                raise CardhouseError(
                    f"Round {gave.round} of the log doesn't have the link that this device gave.", "unfair"
                )
            is_same = self._is_for(entry, gave, line.get("fixed"))
            if counts and not is_same:
                raise CardhouseError(
                    f"In round {gave.round} this device gave its link for another answer than entry {entry.number}, or "
                    "with other devices.",
                    "unfair",
                )
            if not counts and not (is_same and (line.get("withheld") or line.get("away"))):
                self._notes.append(
                    f"Round {gave.round}: this device gave its link, but the log has no draw for it. "
                    "A card may have been drawn and not played. (That happens when a table can't save.)"
                )

    def _is_for(self, entry: Entry, gave: SubmittedLink, right: str | None) -> bool:
        """Return whether a link was given for the answer of this entry, and after this log.

        `right` is what the round says it was given for, which `verify` checks; None if an older version logged it.
        """
        if right is None:
            head = self._table.log_state(entry.number - 1).head
            right = fixed(self._table.committed_seed or b"", head, entry.lines[:1], None)
        own = str(entry.lines[0].get("id", ""))
        return gave.id in (digest_of(own), own) and gave.fixed == right

    def conclude(self) -> Sequence[str]:
        """Finish at the end of the transcript, and return notes on what isn't unfair in itself.

        Raises CardhouseError if the page received more than there is.
        """
        self._log.conclude()
        self._told.conclude()
        self._notes += [
            f"Round {gave.round}: this device gave a link that isn't in the log, so a card may have been drawn with it "
            "and not played. (That happens when a server is stopped in the middle of a draw.)"
            for gave in self._gave.values()
        ]
        return self._notes


class _Runs:
    """A page's runs, checked in the order of the entries."""

    def __init__(self, runs: Sequence[HeardRun], problem: str) -> None:
        self._runs = sorted(runs, key=lambda run: run.first)
        self._problem = problem
        self._hash = ""

    def add(self, number: int, told: Any) -> None:
        """Add an entry, with a function that returns the text the page must have received for it."""
        if not self._runs or number < self._runs[0].first:
            return
        self._hash = add_to_run(self._hash, told())
        if number == self._runs[0].last:
            if self._hash != self._runs[0].hash:
                self._fail()
            self._runs.pop(0)
            self._hash = ""

    def conclude(self) -> None:
        """Raise CardhouseError if there are runs left."""
        if self._runs:
            self._fail()

    def _fail(self) -> None:
        run = self._runs[0]
        which = f"{run.first} to {run.last}"
        raise CardhouseError(f"This is not what was played: {self._problem.format(which)}.", "unfair")


def _check_header(witness: Witness, header: Header) -> None:
    header_shown = msgspec.to_builtins(header)
    for name in ("game", "options", "decks", "by_hand", "deal"):
        default: Any = {"options": {}, "decks": {}, "by_hand": []}.get(name, "")
        if name in witness.header and witness.header[name] != header_shown.get(name, default):
            raise CardhouseError(f"This is not the table that was played: they differ in {name}.", "unfair")
