"""Checks that a table's cards were dealt fairly, from its transcript alone (docs/transcript.md, the fair deal)."""

from collections import Counter, deque
from collections.abc import Iterable, Sequence

import msgspec

from cardhouse.engine.chance.dealers import FairDealer
from cardhouse.engine.chance.shared_randomness import LINKS, TOGETHER, CommitReveal, is_older, read_round
from cardhouse.engine.integrity.client_audit import Testimony, Witness
from cardhouse.engine.table.hash_chain import fixed, lines_before_links
from cardhouse.engine.table.log import Entry
from cardhouse.engine.table.runner import TIME, Pick
from cardhouse.engine.table.table import Table
from cardhouse.engine.values.errors import BadTranscript, CardhouseError
from cardhouse.engine.values.transcript import Header, Line, by_answer, read_transcript, write_line

_Numbered = tuple[int, Line]


class Undone(msgspec.Struct, frozen=True):
    """A card or roll that was dealt and undone: its line, its text, and the seat that undid it."""

    line: int
    what: str
    by: str


class TookPart(msgspec.Struct, frozen=True):
    """A device's part in the deals: the entries of all `draws` while it had its number, and those it `missed`."""

    number: int
    seat: str
    draws: list[int]
    missed: list[int]


class Verified(msgspec.Struct, frozen=True):
    """The findings in a fair transcript, including draws and rolls that were undone later.

    `cards` and `dice` count those dealt from the seed; `named` counts the cards and rolls that people named, which no
    seed can vouch for. `undone` lists those that were undone and not redone.

    At a table with a shared deal, `rounds` counts the answers that drew, and `alone` those that drew without a link of
    any device. `older` counts those that an older version logged, which can't show that its devices were fixed
    beforehand. `withheld` counts the draws that each seat broke off by withholding a link, and `left` how often one of
    its devices was missing from a draw after one that listed it. `unused` counts the rounds that were asked for another
    answer, which the log lacks (for example one that could not be saved). `gaps` has the first and last of consecutive
    rounds that are missing from the log: links may have been given in them. `devices` lists each device's draws; the
    deal is fair for those that took part.
    """

    commitment: str
    cards: int
    dice: int
    named: int
    undone: Sequence[Undone] = ()
    together: bool = False
    rounds: int = 0
    alone: int = 0
    older: int = 0
    withheld: dict[str, int] = {}
    left: dict[str, int] = {}
    unused: int = 0
    gaps: Sequence[tuple[int, int]] = ()
    devices: Sequence[TookPart] = ()
    notes: Sequence[str] = ()
    """A witness's notes on what isn't unfair in itself."""


def verify(texts: Iterable[str | bytes], commitment: str = "", witness: Witness | None = None) -> Verified:
    """Deal a table's cards and dice again from the seed published at its end, and compare each one.

    `commitment` is the one shown when the table was made, from another source than this transcript; `witness` is a
    page's record.

    Raises BadTranscript at the first line that is not what the seed deals (its code is `unfair`) or can't be checked;
    CardhouseError if the whole can't be checked, because no seed was committed to, it hasn't been published yet, it
    isn't the one that was shown, or the witness received another story.
    """
    header, below = read_transcript(texts)
    lines = list(below)
    _check_commitment(header, commitment, witness)
    dealer = _dealer(header, lines)
    try:
        table = Table(header, dealer)
    except CardhouseError as error:
        raise BadTranscript(1, error) from None
    testimony = None if witness is None else Testimony(witness, table)
    check = _Check(table)
    for group in by_answer(lines):
        check.entry(group)
        if testimony is not None:
            testimony.hear()
    notes = [] if testimony is None else testimony.conclude()
    return check.verified(notes)


class Dealt(msgspec.Struct, frozen=True):
    """A card or die that the dealer gave, and its possible outcomes, in order.

    `line` is its line in the transcript, 1 for the header; `die` the index of a die in a roll, from 0. It was drawn
    from `number` and `id`: the answer's, with any links of devices after a colon. `taken_back_by` is the seat that
    undid it, empty if it is in effect.
    """

    line: int
    number: int
    id: str
    outcomes: tuple[str, ...] | int
    die: int = 0
    taken_back_by: str = ""


def dealt(texts: Iterable[str | bytes]) -> list[Dealt]:
    """Return what a table's dealer was asked for, in the order of the transcript; nothing is compared.

    Raises BadTranscript and CardhouseError as `verify` does.
    """
    header, below = read_transcript(texts)
    lines = list(below)
    table = Table(header, _dealer(header, lines))
    picks: deque[Pick] = deque()
    table.watch_picks(picks.append)
    found: list[Dealt] = []
    places: list[range] = []
    for group in by_answer(lines):
        before = len(found)
        table.replay([group[0], *(given for given in group[1:] if TIME in given[1] or LINKS in given[1])])
        numbered = list(zip([number for number, _ in group], table.entries[-1].lines, strict=False))
        for number, line in numbered[1:]:
            for die in range(len(line["dice"]) if "roll" in line else int(line.get("card") is not None)):
                pick = picks.popleft()
                outcomes = len(pick.outcomes) if isinstance(pick.outcomes, range) else pick.outcomes
                found.append(Dealt(number, pick.number, pick.id, outcomes, die))
        places.append(range(before, len(found)))
        entry = table.entries[-1]
        for place in (place for moved in (*entry.undoes, *entry.redoes) for place in places[moved - 1]):
            by = entry.by if entry.undoes else ""
            found[place] = msgspec.structs.replace(found[place], taken_back_by=by)
    return found


class _Check:
    """A pass over a transcript's entries that counts what it finds."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._seed = table.committed_seed or b""
        self._together = table.header.deal == TOGETHER
        self._ids: dict[str, int] = {}
        self._cards = self._dice = self._named = self._rounds = self._alone = self._older = self._unused = 0
        self._withheld: Counter[str] = Counter()
        self._left: Counter[str] = Counter()
        self._listed: set[int] = set()
        """The devices of the last round, without those of seats that withheld a link."""
        self._gaps: list[tuple[int, int]] = []
        self._last_round = 0
        self._devices: list[TookPart] = []
        self._places: list[int] = []
        """The index in `_devices` of each numbered device, starting with number 1."""
        self._undone: dict[int, list[Undone]] = {}
        self._lines: dict[int, list[int]] = {}

    def entry(self, group: list[_Numbered]) -> None:
        """Deal an entry again.

        Raises BadTranscript if the result differs.
        """
        together, before = self.table.together, self.table.log_state(self.table.number).head
        self.table.replay([group[0], *(given for given in group[1:] if TIME in given[1] or LINKS in given[1])])
        number, answer = group[0]
        entry = self.table.entries[-1]
        dealt = entry.lines[1:]
        self._lines[entry.number] = [number for number, _ in group]
        if any(TIME not in line for line in dealt):
            self._check_id(number, answer.get("id", ""))
        _compare(group, dealt)
        if "device" in answer:
            self._join(answer)
        self._count(group, dealt)
        self._check_rounds(number, entry, together, before)
        for undone in entry.undoes:
            self._undone[undone] = self._dealt_in(self.table.entries[undone - 1], entry.by)
        for redone in entry.redoes:
            del self._undone[redone]

    def _check_id(self, number: int, id: str) -> None:
        """Check that an answer with draws has an id that nobody could know in advance."""
        if not id:
            problem = "This answer caused draws and carries no id, so they can't be checked."
        elif id in self._ids:
            problem = (
                f"This answer caused draws and carries the id of line {self._ids[id]} again, which was known by then."
            )
        else:
            self._ids[id] = number
            return
        raise BadTranscript(number, CardhouseError(problem, "unfair"))

    def _join(self, answer: Line) -> None:
        """Record that a device has a number from now on, possibly in place of another device."""
        number = answer.get("number", len(self._places) + 1)
        self._places[number - 1 : number] = [len(self._devices)]
        self._devices.append(TookPart(number, answer["by"], [], []))

    def _count_devices(self, links: Line, entry: int) -> None:
        """Record which devices took part in a draw."""
        for place in self._places:
            one = self._devices[place]
            one.draws.append(entry)
            if str(one.number) not in links:
                one.missed.append(entry)

    def _count(self, group: list[_Numbered], dealt: list[Line]) -> None:
        number, answer = group[0]
        cards = sum(line.get("card") is not None for line in dealt)
        dice = sum(len(line["dice"]) for line in dealt if "roll" in line)
        self._cards += cards
        self._dice += dice
        self._named += "draw" in answer or "roll" in answer
        rounds = [line for line in dealt if LINKS in line]
        if self._together and (cards or dice):
            if not rounds:
                problem = "This answer drew without asking the devices at the table for their links."
                raise BadTranscript(number, CardhouseError(problem, "unfair"))
            self._rounds += 1
            self._alone += not rounds[-1][LINKS]
            self._count_devices(rounds[-1][LINKS], self.table.number)

    def _check_rounds(self, number: int, entry: Entry, together: CommitReveal, head: str) -> None:
        """Count an entry's rounds of links, after the log with this `head` and with the devices `together`.

        Raises BadTranscript if the cards weren't drawn from what was fixed beforehand.
        """
        rounds = [line for line in entry.lines[1:] if LINKS in line]
        for line in rounds:
            given, is_last = read_round(line), line is rounds[-1]
            expected, out = together.expected(given), together.out_in(given)
            together = together.after(line)
            if given.round > self._last_round + 1:
                self._gaps.append((self._last_round + 1, given.round - 1))
            self._last_round = given.round
            if is_older(given):
                self._older += is_last
                is_own = bool(given.away)
            else:
                is_own = given.fixed == fixed(self._seed, head, lines_before_links(entry.lines), expected)
            if is_last and not (is_own or is_older(given)):
                problem = f"Round {given.round} of links was asked for another answer, or for other devices."
                raise BadTranscript(number, CardhouseError(problem, "unfair"))
            self._unused += not (is_last or (is_own and out))
            self._withheld.update(out)
            self._left.update(together.device(device).seat for device in self._listed.difference(given.listed))
            self._listed = {device for device in given.listed if together.device(device).seat not in out}

    def _dealt_in(self, entry: Entry, by: str) -> list[Undone]:
        dealt = list(zip(self._lines[entry.number], entry.lines, strict=True))[1:]
        return [
            Undone(number, write_line(line), by)
            for number, line in dealt
            if line.get("card") is not None or "roll" in line
        ]

    def verified(self, notes: Sequence[str]) -> Verified:
        """Return the findings."""
        return Verified(
            self.table.header.commitment,
            self._cards,
            self._dice,
            self._named,
            sorted((undone for some in self._undone.values() for undone in some), key=lambda undone: undone.line),
            self._together,
            self._rounds,
            self._alone,
            self._older,
            dict(self._withheld),
            dict(self._left),
            self._unused,
            self._gaps,
            self._devices,
            notes,
        )


def _check_commitment(header: Header, commitment: str, witness: Witness | None) -> None:
    """Raise CardhouseError if the header commits to no seed, or to another one than was shown."""
    if not header.commitment:
        raise CardhouseError("No commitment was made to a seed, so nothing can be checked.", "no_commitment")
    shown = commitment.strip().lower() or (witness.commitment if witness else header.commitment)
    if shown != header.commitment or (witness and witness.commitment != shown):
        other = witness.commitment if witness and shown == header.commitment else shown
        raise CardhouseError(
            f"This transcript commits to the seed {header.commitment}, but {other} was shown at the table: "
            "its cards were dealt from another seed than the one promised.",
            "unfair",
        )


def _dealer(header: Header, lines: list[_Numbered]) -> FairDealer:
    """Return the table's dealer, after checking its seed against the commitment."""
    number, end = lines[-1] if lines else (1, {})
    if "end" not in end:
        raise CardhouseError("The table hasn't ended. Its seed is published at its end.", "not_ended")
    seed = end.get("seed")
    if not seed:
        raise BadTranscript(number, CardhouseError("The table ended without publishing its seed.", "not_ended"))
    try:
        dealer = FairDealer(bytes.fromhex(seed if isinstance(seed, str) else "?"))
    except ValueError:
        raise BadTranscript(number, CardhouseError("The seed is not written in hex.")) from None
    except CardhouseError as error:
        raise BadTranscript(number, CardhouseError(error.message, "unfair")) from None
    if dealer.commitment != header.commitment:
        problem = f"This is not the seed that was committed to: its SHA-256 is {dealer.commitment}."
        raise BadTranscript(number, CardhouseError(problem, "unfair"))
    return dealer


def _compare(group: list[_Numbered], dealt: list[Line]) -> None:
    """Compare an answer's lines of chance with those that the seed deals."""
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
