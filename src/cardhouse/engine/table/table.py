"""A table: a game, the log of its answers, and what each seat may see and do."""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, overload

import msgspec

from cardhouse.engine.chance.dealers import Dealer, FairDealer, SeededDealer
from cardhouse.engine.chance.shared_randomness import LINKS, TOGETHER, CommitReveal, NeedsLinks
from cardhouse.engine.diagnostics.declarations import encode_state
from cardhouse.engine.diagnostics.registry import find_game, made_by
from cardhouse.engine.diagnostics.watchdog import methods_end
from cardhouse.engine.game.administration import check_new_device, ending, moves_in, new_seat, too_few
from cardhouse.engine.game.game import Event, Game, no_roster
from cardhouse.engine.game.overrides import check_override, line_of, read_override, resolve_override
from cardhouse.engine.table.actions import ActionReader, match_action
from cardhouse.engine.table.hash_chain import LogState
from cardhouse.engine.table.headers import check_header
from cardhouse.engine.table.history import EffectiveLog
from cardhouse.engine.table.log import Entry, Log
from cardhouse.engine.table.runner import Pick, Runner, Snapshot
from cardhouse.engine.table.visibility import (
    always_of,
    answers,
    asked,
    at_any_time,
    doc_of,
    editable_now,
    odds_of,
    refused,
    story_of,
    view_of,
)
from cardhouse.engine.values.bots import Seen
from cardhouse.engine.values.documents import OfferDoc, QuestionDoc
from cardhouse.engine.values.errors import BadGame, BadTranscript, CardhouseError, Refused
from cardhouse.engine.values.portraits import NO_FACES, Portraits
from cardhouse.engine.values.questions import CLOCK, GM, SCREEN, Action, Ask, Meanwhile, Offer, Over, Question
from cardhouse.engine.values.roster import write_roster
from cardhouse.engine.values.transcript import (
    FORMAT,
    RIGHT,
    Header,
    Line,
    body_of,
    by_answer,
    is_answer,
    kind_of,
    read_transcript,
    write_line,
    write_transcript,
)

V = TypeVar("V")


@methods_end("__init__", "answer", "view", "odds", "offers")
class Table:
    """A game in progress. Every change is one call of `answer`; a refused answer changes nothing.

    `number` is that of the last entry, `asked_at` that of the entry that put the open question, and `settled_at` that
    of the last entry that is more than a secret choice.

    An undo, and an answer that is refused midway, replay the entries since the game was last at rest. If there are more
    than `replay_at_most`, the table becomes `stale` instead: its log is right, its game is as before (or, after a
    refusal, undefined), and `catch_up` replays them.
    """

    replay_at_most = sys.maxsize
    stale = False
    _replays = False

    def __init__(self, header: Header, dealer: Dealer, snapshot: Snapshot | None = None) -> None:
        """Start a table, or open it from a snapshot.

        Raises CardhouseError if the header doesn't fit the game, BadGame if the game can't start.
        """
        self.header = header
        self.dealer = dealer
        self.kind = find_game(header.game)
        check_header(header, self.kind)
        self._reader = ActionReader(self.kind)
        self.ended = False
        if snapshot is None:
            options = self.kind.read_options(header.options)
            game = self.kind(
                seats=list(header.seats),
                options=options,
                by_hand=list(header.by_hand),
                edition=header.edition(self.kind.version),
            )
            snapshot = Snapshot(0, 0, encode_state(game))
        else:
            snapshot = msgspec.structs.replace(snapshot, game=self.kind.as_kept_now(snapshot.game))
        self.asked_at = self.settled_at = snapshot.number
        self._standing = EffectiveLog(self.kind, self._reader.type, snapshot)
        self._runner = self._standing.copy(dealer, header.decks)
        if not snapshot.number and isinstance(self._runner.question, Over):
            raise BadGame(f"{self.kind.__name__}.play ends before it asks a question: it must ask at least one.")
        self._runner.draws = snapshot.draws
        self._log = Log(snapshot.number, snapshot.log if snapshot.number else LogState(header.commitment))
        self._always: tuple[Runner | None, int, Sequence[Offer]] = (None, 0, ())

    @classmethod
    def new(
        cls,
        game: str,
        seats: Sequence[str] = (GM,),
        options: Mapping[str, Any] | None = None,
        dealer: Dealer | None = None,
        **header: Any,
    ) -> "Table":
        """Make a new table of this game; further header fields (`decks`, `by_hand`, `names`, `name`) are keywords.

        Raises CardhouseError for an unknown game, option, deck or step.
        """
        dealer = FairDealer() if dealer is None else dealer
        if isinstance(dealer, FairDealer):
            header.setdefault("commitment", dealer.commitment)
        header = {"version": find_game(game).version, "package": made_by(game), **header}
        return cls(
            Header(cardhouse=FORMAT, game=game, seats=list(seats), options=dict(options or {}), **header), dealer
        )

    @classmethod
    def read(cls, texts: Iterable[str | bytes], dealer: Dealer | None = None) -> "Table":
        """Read a table from a transcript's lines; chance that they lack is dealt by `dealer`, or from seed 0.

        Raises BadTranscript at the first line that can't be applied.
        """
        header, lines = read_transcript(texts)
        try:
            table = cls(header, SeededDealer() if dealer is None else dealer)
        except CardhouseError as error:
            raise BadTranscript(1, error) from None
        table.replay(lines)
        return table

    # Answers.

    @property
    def number(self) -> int:
        """The number of the last entry; 0 before the first."""
        return self._log.number

    @property
    def base(self) -> int:
        """The number of the last entry before those in memory; 0 if all are."""
        return self._log.base

    @property
    def entries(self) -> list[Entry]:
        """The entries in memory, undone ones included."""
        return self._log.entries

    @property
    def together(self) -> CommitReveal:
        """The state of the shared deal."""
        return self._log.together

    @property
    def game(self) -> Game:
        """The game in its present state."""
        return self._runner.game

    @property
    def question(self) -> Question | Over:
        """The open question."""
        return Over() if self.ended else self._runner.question

    @property
    def is_at_rest(self) -> bool:
        """Whether the game's whole state is in its attributes now."""
        return isinstance(self.question, Ask) and self.question.rest

    @property
    def seats(self) -> list[str]:
        """The seats, which may answer."""
        return self.game.seats

    def watch_picks(self, watch: Callable[[Pick], None]) -> None:
        """Call a function for each pick of this table's dealer from now on."""
        self._runner.watch = watch

    def ask_devices(self) -> None:
        """Deal only with links of the devices, if the deal is shared; `answer` then raises NeedsLinks."""
        self._runner.asks_devices = self.header.deal == TOGETHER

    def answer(
        self,
        by: str,
        line: Mapping[str, Any] | Action,
        *,
        id: str = "",
        at: int | None = None,
        chance: Iterable[Line] = (),
        time: int | None = None,
    ) -> Entry:
        """Apply an answer: an action, or a line of the transcript without `by` and `id`.

        `at` is the number of the last entry that its sender had seen, None for the latest. `chance` has draws and rolls
        that are already known from a log, used in order before the dealer. `time` is in Unix seconds, for rules that
        ask for it; a replay has it among its lines instead.

        Raises Refused, changing nothing, if the answer isn't offered.
        """
        if self.ended:
            raise Refused("The table has ended; nothing more can be done at it.", "ended")
        if by not in self.seats and by != CLOCK and not _is_device_of_screen(by, line):
            raise Refused(f'There is no seat "{by}" at this table; there are {", ".join(self.seats)}.', "no_such_seat")
        if not isinstance(id, str):
            raise Refused("An id is a text.", "malformed")
        if isinstance(line, Action) or (kind := kind_of(line)) == "do":
            return self._act(by, line, id, at, chance, time)
        if kind in ("draw", "roll"):
            return self._name_chance(by, line, id, at, chance, time)
        if kind == RIGHT:
            return self._edit_by_hand(by, line, id, chance, time)
        about_the_table = {"seat": self._add_seat, "device": self._add_device, "end": self._end}
        for extra in chance:
            error = _unasked(extra)
            error.chance = 1
            raise error
        if kind in ("undo", "redo"):
            return (self._undo if kind == "undo" else self._redo)(by, line, id, at)
        if kind in about_the_table:
            return about_the_table[kind](by, line, id)
        raise Refused(
            'An answer has one of "do", "draw", "roll", "put_right", "undo", "redo", "seat", "device" or "end".',
            "malformed",
        )

    def check_action(self, by: str, line: Mapping[str, Any]) -> None:
        """Raise Refused unless a seat is offered this action, given as a line of the transcript; changes nothing."""
        self._match(by, {"do": None, **line})

    def is_for_host(self, answer: Mapping[str, Any] | Action) -> bool:
        """Return whether an answer, as `read_action` read it, is an action that only the host may take now."""
        offers = self.question.offers if isinstance(self.question, Ask) else ()
        return any(offer.host and offer.do is type(answer) for offer in offers)

    def read_action(self, text: bytes) -> Mapping[str, Any] | Action:
        """Read an answer from its JSON text: the action, if it is one, otherwise the object.

        Raises Refused if it is neither.
        """
        return self._reader.read_text(text)

    def _act(
        self,
        by: str,
        line: Mapping[str, Any] | Action,
        id: str,
        at: int | None,
        chance: Iterable[Line],
        time: int | None,
    ) -> Entry:
        value = self._match(by, line)
        meanwhile = type(value) is Meanwhile
        if not meanwhile:
            self._check_fresh(by, at)
        logged = {"by": by, **msgspec.to_builtins(value.action if isinstance(value, Meanwhile) else value)}
        return self._append(logged, id, value, chance, meanwhile, time)

    def _match(self, by: str, line: Mapping[str, Any] | Action) -> Action | Meanwhile:
        """Return what to send the rules for an action.

        Raises Refused, with what is offered instead.
        """
        try:
            action = line if isinstance(line, Action) else self._reader.read_line(line)
            return match_action(self.game, self.question, self._always_offered, by, action, as_logged=self._replays)
        except Refused as error:
            raise self._refusal(by, error) from None

    def _name_chance(
        self, by: str, line: Mapping[str, Any], id: str, at: int | None, chance: Iterable[Line], time: int | None
    ) -> Entry:
        """Apply a card or roll of a real deck or real dice that a seat names."""
        try:
            given = self._runner.named_chance(by, line)
        except Refused as error:
            raise self._refusal(by, error) from None
        self._check_fresh(by, at)
        return self._append({"by": by, **line}, id, given, chance, False, time)

    def _edit_by_hand(
        self, by: str, line: Mapping[str, Any], id: str, chance: Iterable[Line], time: int | None
    ) -> Entry:
        """Apply the game master's override; the rules continue from there."""
        if by != GM:
            raise Refused("Only the game master can edit by hand.", "not_yours")
        action = read_override(line)
        if type(self.question) is Over:
            raise Refused("The game is over: undo what ended it, then edit this.")
        found = editable_now(self.game)
        if not self._replays:
            action = resolve_override(found, action)
        check_override(self.game, found, action)
        return self._append({"by": by, **line_of(action)}, id, Meanwhile(action), chance, True, time)

    def _check_fresh(self, by: str, at: int | None) -> None:
        if at is not None and at < self.asked_at:
            raise Refused("Another player was quicker. That question has been answered.", "stale", self.offers(by))

    def _append(
        self, line: Line, id: str, value: Any, chance: Iterable[Line], meanwhile: bool, time: int | None
    ) -> Entry:
        """Send a value to the rules and log the result.

        Raises CardhouseError, changing nothing, if the given chance doesn't fit.
        """
        if id:  # set now, because devices are asked for links to the answer's id
            line["id"] = id
        given, draws = deque(chance), self._runner.draws
        count, asked = len(given), self.question
        try:
            dealt = self._runner.send(value, given, id, line["by"], time)
            if given:
                raise _unasked(given.popleft())
            if dealt:
                self._log.together = self.together.after_all(line for line in dealt if LINKS in line)
        except BaseException as error:
            if isinstance(error, CardhouseError):
                error.chance = count - len(given)
            if isinstance(error, NeedsLinks):
                error.lines = [line, *error.lines]
            self._runner.draws = draws
            self._rebuild()
            raise
        events, learned, revealed = self._runner.take_events()
        secret = type(asked) is Ask and asked.secret and not meanwhile
        entry = self._log.add([line, *dealt], events, learned, meanwhile, secret, revealed)
        if revealed or not (meanwhile or _goes_on(asked, self._runner.question)):
            self.asked_at = entry.number
        if revealed or not secret:
            self.settled_at = entry.number
        self._standing.add(entry, self._runner)
        return entry

    # Snapshots and copies.

    @property
    def last_snapshot(self) -> Snapshot:
        """The latest snapshot of the game at rest; a table can be opened from it."""
        return self._standing.last_snapshot

    def snapshot_before(self, number: int) -> Snapshot:
        """Return the latest snapshot of the game before entry `number`; `entries` has everything since."""
        return self._standing.snapshots.before(number)

    def with_log(self, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot with the state of the log, to be stored elsewhere."""
        return msgspec.structs.replace(snapshot, log=self.log_state(snapshot.number))

    def running_copy(self, dealer: Dealer) -> Runner:
        """Return a copy of the running game, to play on with another dealer; this table doesn't change."""
        return self._standing.copy(dealer, self.header.decks)

    # Undo, redo, seats and the end.

    def may_take_back(self, seat: str) -> bool:
        """Return whether the last answer is this seat's own and revealed nothing."""
        return seat == self.who_may_take_back()

    def who_may_take_back(self) -> str | None:
        """Return the seat of the last answer, if that revealed nothing; None for the clock's."""
        return None if self.ended else self._standing.who_may_undo()

    def _undo(self, by: str, line: Mapping[str, Any], id: str, at: int | None) -> Entry:
        count = moves_in(line, "undo")
        if at is not None and at != self.number:
            raise Refused("Something else has happened since; look again before you undo.", "stale", self.offers(by))
        if by != GM and not (count == 1 and self.may_take_back(by)):
            raise Refused(
                "You can only undo your own last move, and only until it reveals something. "
                "The game master can undo more.",
                "nothing_to_undo",
            )
        count = self._standing.with_what_was_revealed(count)
        if count > (standing := self._standing.answers):
            if self.base:
                raise NeedsHistory
            raise too_few("undo", standing)
        taken = self._standing.undo(count)
        entry = self._plain_entry({"by": by, "undo": count}, id, Event("table", "undone", {"by": by, "count": count}))
        entry.undoes = [entry.number for entry in taken]
        self._rebuild()
        self._ask_again(taken)
        return entry

    def moves_to_undo_from(self, number: int) -> int:
        """Return how many moves an undo back to before entry `number` takes back; 0 for none.

        Raises NeedsHistory if it may reach behind the snapshot this table was opened from.
        """
        first = max(number, 1)
        if self.ended or first > self.number:
            return 0
        if first <= self.base:
            raise NeedsHistory
        count = sum(entry.counts for entry in self.entries[first - self.base - 1 :])
        count = self._standing.with_what_was_revealed(count) if count else 0
        if count > self._standing.answers:
            raise NeedsHistory  # never if the whole log is in memory
        return count

    def moves_to_redo(self, seat: str) -> int:
        """Return how many moves this seat can redo at once: the game master the latest undo, others their own move."""
        return 0 if self.ended else self._standing.moves_to_redo(seat)

    def _redo(self, by: str, line: Mapping[str, Any], id: str, at: int | None) -> Entry:
        """Redo undone answers with their logged chance; nothing is dealt."""
        count = moves_in(line, "redo")
        if at is not None and at != self.number:
            raise Refused("Something else has happened since; look again before you redo.", "stale", self.offers(by))
        if by != GM and count > self.moves_to_redo(by):
            raise Refused(
                "You can only redo your own move, right after it was undone. The game master can redo more.",
                "nothing_to_redo",
            )
        count = self._standing.with_what_is_revealed(count)
        if count > (there := self._standing.redoable):
            raise too_few("redo", there)
        again = self._standing.redo(count)
        entry = self._plain_entry({"by": by, "redo": count}, id, Event("table", "redone", {"by": by, "count": count}))
        entry.redoes = [entry.number for entry in again]
        self._rebuild()
        self._ask_again(again)
        return entry

    def _ask_again(self, moved: Iterable[Entry]) -> None:
        """Update `asked_at` after entries were undone or redone; secret choices leave the question as it is."""
        if not all(one.is_hidden for one in moved):
            self.asked_at = self.number

    def _rebuild(self) -> None:
        """Rebuild the game from the entries in effect, or mark the table as stale."""
        if self._standing.to_replay > self.replay_at_most:
            self.stale = True
        else:
            self._standing.rebuild(self._runner)

    def catch_up(self) -> Iterator[None]:
        """Replay what a stale table lacks, an entry a step; `game` changes at the last step."""
        if self.stale:
            self._runner = yield from self._standing.rebuilding(self._runner)
            self.stale = False

    def _add_seat(self, by: str, line: Mapping[str, Any], id: str) -> Entry:
        seat = new_seat(by, line, self.seats, as_written=self._replays)
        self._runner.add_seat(seat)
        entry = self._plain_entry({"by": by, "seat": seat}, id, Event("table", "seat_added", {"seat": seat}))
        self._standing.add_seat(entry, self._runner)
        return entry

    def _add_device(self, by: str, line: Mapping[str, Any], id: str) -> Entry:
        """Let a device take part in the deals."""
        check_new_device(line, self.header)
        self._log.together = self.together.join(by, line["device"], line.get("number"))
        event = Event("table", "device_added", {"seat": by})
        return self._plain_entry({"by": by, **line}, id, event)

    def _end(self, by: str, line: Mapping[str, Any], id: str) -> Entry:
        logged = ending(by, line, self.committed_seed)
        self.ended = True
        return self._plain_entry(logged, id, Event("table", "ended", {}))

    def _plain_entry(self, line: Line, id: str, event: Event) -> Entry:
        """Log an entry about the table rather than the game."""
        self.settled_at = self.number + 1
        if id:
            line["id"] = id
        return self._log.add([line], [event])

    # The log as a whole.

    @property
    def committed_seed(self) -> bytes | None:
        """The seed that the header commits to, if this table's dealer deals from it."""
        dealer = self.dealer
        return dealer.seed if isinstance(dealer, FairDealer) and dealer.commitment == self.header.commitment else None

    def log_state(self, number: int) -> LogState:
        """Return the log's state after an entry in memory; its head is empty without a commitment."""
        return self._log.state(number, self.committed_seed)

    # Replaying logs.

    def replay(self, lines: Iterable[tuple[int, Line]]) -> None:
        """Replay the lines of a log, each with its number in the file.

        Raises BadTranscript at the first that can't be applied.
        """
        self._replays = True
        try:
            for group in by_answer(lines):
                self._replay_group(group)
        finally:
            self._replays = False

    def _replay_group(self, group: list[tuple[int, Line]]) -> None:
        _, line = group[0]
        try:
            if not is_answer(line):
                raise CardhouseError('This line doesn\'t say whose answer it is: "by" is missing.')
            self.answer(line["by"], body_of(line), id=line.get("id", ""), chance=[chance for _, chance in group[1:]])
        except CardhouseError as error:
            raise BadTranscript(group[error.chance][0], error) from None

    def transcript(self) -> str:
        """Return the whole table as text.

        Raises NeedsHistory if it was opened from a snapshot and its beginning isn't in memory.
        """
        if self.base:
            raise NeedsHistory
        return "".join(write_transcript(self.header, (line for entry in self.entries for line in entry.lines)))

    def roster(self, faces: Mapping[str, int] = NO_FACES) -> bytes:
        """Return the roster file: what each character takes along to another table, hidden things included.

        `faces` has the number of each chosen portrait, by the name in lower case. Raises CardhouseError if the game
        keeps no roster.
        """
        sheets = self.game.roster()
        if sheets is None:
            raise no_roster(self.kind)
        return write_roster(sheets, Portraits(self.kind.people, faces))

    # Views.

    @overload
    def view(self, seat: str) -> dict[str, Any]: ...
    @overload
    def view(self, seat: str, kind: type[V]) -> V: ...
    def view(self, seat: str, kind: type[V] | None = None) -> dict[str, Any] | V:
        """Return this seat's view of the game: as plain data, or as the type that the game's `view` returns."""
        seen = view_of(self.game, seat)
        return seen if kind is None else msgspec.convert(seen, kind)

    def doc(self, seat: str) -> bytes:
        """Return a seat's document as JSON: its view, and the open question (docs/protocol.md)."""
        return doc_of(self.game, seat, self.asks())

    def editable(self, seat: str) -> list[dict[str, Any]]:
        """Return what a seat may edit by hand now, as the protocol writes it; empty except for the game master."""
        if seat != GM or isinstance(self.question, Over):
            return []
        return [one.as_json() for one in editable_now(self.game)]

    def odds(self, seat: str, **what_if: int) -> dict[str, Any]:
        """Return the chances that matter now, from what this seat may know; the game decides which.

        Raises CardhouseError if the game's odds don't accept one of `what_if`.
        """
        return odds_of(self.game, self.header.game, seat, what_if)

    def asks(self) -> QuestionDoc:
        """Return the open question, as everyone may know it."""
        return asked(self.question, self._runner.may_answer(), ended=self.ended)

    def offers(self, seat: str, *, anytime: bool = False) -> list[OfferDoc]:
        """Return what this seat may answer now, as the protocol writes it.

        With `anytime`, also what it may always do.
        """
        found = answers(self.question, self._runner.may_answer(), seat)
        if anytime and not isinstance(self.question, Over):
            found += at_any_time(self._always_offered(), seat)
        return found

    def _always_offered(self) -> Sequence[Offer]:
        """Return what is offered at any time in the present state, cached for all seats and the next answer."""
        runner, number, offers = self._always
        if runner is not self._runner or number != self.number:
            offers = always_of(self.game)
            self._always = (self._runner, self.number, offers)
        return offers

    def seen(self, seat: str, entries: int = 0) -> Seen:
        """Return what a bot in this seat sees, with the story of up to `entries` of the last entries."""
        story = [self.story(entry, seat) for entry in self.entries[-entries:] if not entry.undone] if entries else []
        return Seen(seat, self.view(seat), self.asks(), self.offers(seat), self.header.options, list(self.seats), story)

    def story(self, entry: Entry, seat: str) -> dict[str, Any]:
        """Return an entry's events, as this seat may know them."""
        return story_of(entry, self.game, seat)

    def _refusal(self, by: str, error: Refused) -> Refused:
        """Return a refusal that also says what is offered to this seat."""
        return refused(error, self.offers(by, anytime=True), self.asks()["seats"])


class NeedsHistory(Exception):
    """An undo reaches behind the snapshot this table was opened from; open it from its beginning."""


def _unasked(chance: Line) -> CardhouseError:
    return CardhouseError(f"Nothing asks for {write_line(chance)} here.")


def _is_device_of_screen(by: str, line: Mapping[str, Any] | Action) -> bool:
    """Return whether this is a screen whose device joins the deals; a screen can answer nothing else."""
    return by == SCREEN and not isinstance(line, Action) and kind_of(line) == "device"


def _goes_on(asked: Question | Over, now: Question | Over) -> bool:
    """Return whether a question to several seats is still the same after one has answered."""
    return type(asked) is Ask and asked.together and type(now) is Ask and now.together and asked.key == now.key
