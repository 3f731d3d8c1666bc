"""The server's own actions at a table: its alarm rings, and bots answer for their seats.

The time of a bot's answer reveals nothing about its hand. A bot starts to compute as soon as a process has its modules
loaded. It answers exactly when a pause counted from then is over; a bot that isn't ready by then does something that
needs no thought.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import NamedTuple

import msgspec

from cardhouse.engine import CLOCK, GM, Ask, CardhouseError, Refused, Table, may_play
from cardhouse.engine.values.documents import OfferDoc
from cardhouse.server.core.clock import Clock
from cardhouse.server.jobs.pool import Workers
from cardhouse.server.jobs.queue import BOTS
from cardhouse.server.jobs.tasks import BotTask, bot_task
from cardhouse.server.persistence.group_commit import NotSaved
from cardhouse.server.table.factory import check_bot
from cardhouse.server.wire.protocol import Pace

BOT_SECONDS = 1.5
"""The pause after which a bot answers, counted from the start of its computation."""
PACES: dict[Pace, float] = {"slow": 5.0, "normal": BOT_SECONDS, "fast": 0.3, "wait": 0.3}
"""The pauses that people can choose; at the fast one a bot that still computes has the usual time."""
HELD_UP_SECONDS = 5.0
"""How long to wait for a bot that can't start, because its process is still starting or all are busy."""
LOOK_SECONDS = 20.0
"""The longest sleep, in case the system time is changed."""
END_SECONDS = 10.0
"""How long the announced end of a table can be cancelled; it reveals the seed, which can't be undone."""
_THINKING_SECONDS = 2 * BOT_SECONDS
"""Time limit of a bot. An answer that comes too late is useless, but waiting costs less than a new process."""
RETRY_SECONDS = 2.0
"""The pause before a retry after a failure to save."""
END = b'{"end":true}'
log = logging.getLogger("cardhouse.server")


class Due(NamedTuple):
    """The next action of the server at a table: seconds until then, the seat, and the answer as JSON.

    `ends` marks the announced end of the table.
    """

    seconds: float
    seat: str = ""
    answer: bytes = b""
    ends: bool = False


class _Asked:
    """The bots asked by entry `number`, with their computations and answers.

    `at` is the monotonic time of the question, and `began` the time at which each bot started, by seat. `answers` are a
    bot's decision and, in case that is refused, an answer that needs no thought; empty for a bot that leaves the answer
    to others.
    """

    def __init__(self, number: int, bots: dict[str, str], at: float) -> None:
        self.number = number
        self.bots = bots
        self.at = at
        self.began: dict[str, float] = {}
        self.thoughts: dict[str, asyncio.Task[bytes | None] | None] = {}
        self.answers: dict[str, list[bytes]] = {}
        self.clock_refused = False

    def until(self, pause: float) -> float:
        """Return when the bots answer, as far as is known now, after a pause in seconds."""
        computing = [seat for seat, thought in self.thoughts.items() if thought is not None and not thought.done()]
        if any(seat not in self.began for seat in computing):
            return self.at + HELD_UP_SECONDS
        return max([self.at, *self.began.values()]) + (max(pause, BOT_SECONDS) if computing else pause)


class Scheduler:
    """The alarm and the bots of one table.

    `bots` returns the bots that play, by seat; `alone` tells whether at most one person plays; `ends_at` returns the
    announced end in Unix milliseconds, or 0. `say_due` takes a function that finds the next action of the saved table;
    it applies the action if it is due, and returns the seconds until the next one, None for none. It raises Refused if
    the answer is refused.
    """

    def __init__(
        self,
        table_id: str,
        bots: Callable[[], dict[str, str]],
        alone: Callable[[], bool],
        ends_at: Callable[[], int],
        say_due: Callable[[Callable[[Table], Due | None]], Awaitable[float | None]],
        clock: Clock,
        workers: Workers,
    ) -> None:
        self._id = table_id
        self._bots = bots
        self._alone = alone
        self._ends_at = ends_at
        self._apply_due = say_due
        self._clock = clock
        self._workers = workers
        self._changed = asyncio.Event()
        self._attending: asyncio.Task[None] | None = None
        self._asked = _Asked(-1, {}, 0)
        self._late: dict[str, asyncio.Task[bytes | None]] = {}
        self._speaker = ""
        self._complained: set[str] = set()
        self._pace: Pace = "normal"
        self._let_go = -1

    def set_pace(self, pace: Pace, *, go: bool = False) -> None:
        """Set how long bots pause before they answer. Those that wait answer one question after each `go`."""
        self._pace = pace
        if go:
            self._let_go = self._asked.number
        self.wake()

    def wake(self) -> None:
        """Look for due actions: the table, its clients or its bots have changed."""
        self._changed.set()
        if self._attending is None or self._attending.done():
            self._attending = asyncio.get_running_loop().create_task(self._attend())

    def stop(self) -> None:
        """Stop all activity."""
        if self._attending is not None:
            self._attending.cancel()
            self._attending = None
        self._cancel_all()

    async def _attend(self) -> None:
        """Apply due actions until none is to come."""
        while True:
            self._changed.clear()
            try:
                wait = await self._apply_due(self.due)
            except NotSaved:
                wait = RETRY_SECONDS
            except Refused as error:
                self._on_refusal(error)
                continue
            except CardhouseError as error:
                log.info("The scheduler of table %s has stopped: %s", self._id, error)
                return
            except Exception:
                log.exception("Internal error in a scheduled task of table %s", self._id)
                return
            if wait is not None:
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(wait, LOOK_SECONDS)):
                        await self._changed.wait()
            elif not self._changed.is_set():
                return

    def due(self, table: Table) -> Due | None:
        """Return the next action, if there is one."""
        if table.ended:
            return None
        found = [due for due in (self._end(), self.ring(table), self._bots_answer(table)) if due is not None]
        due = min(found, key=lambda one: one.seconds, default=None)
        self._speaker = "" if due is None else due.seat
        return due

    def _on_refusal(self, error: Refused) -> None:
        if self._speaker == CLOCK:
            self._asked.clock_refused = True
            self._complain("the clock", "made a move that was refused:", refused=error)
        else:
            self._asked.answers[self._speaker].pop(0)
            self._complain(self._asked.bots[self._speaker], "made a move that was refused:", refused=error)

    def _complain(
        self, who: str, problem: str, error: BaseException | None = None, *, refused: Refused | None = None
    ) -> None:
        """Log a problem, once per table and actor."""
        if who not in self._complained:
            self._complained.add(who)
            if refused is None:
                log.warning("At table %s %s %s", self._id, who, problem, exc_info=error)
            else:
                log.warning("At table %s %s %s %s", self._id, who, problem, refused, exc_info=error)

    # The end.

    def _end(self) -> Due | None:
        """Return the end of the table, if it was announced."""
        ends_at = self._ends_at()
        return Due(max(ends_at / 1000 - self._clock.time(), 0), GM, END, ends=True) if ends_at else None

    # The alarm.

    def ring(self, table: Table) -> Due | None:
        """Return the alarm's action, if the game has set one."""
        alarm = table.game.alarm()
        if alarm is None or (self._asked.clock_refused and self._asked.number == table.settled_at):
            return None
        for offer in table.game.at_any_time():
            if CLOCK in offer.by:
                wait = max(alarm - self._clock.time(), 0)
                return Due(wait, CLOCK, msgspec.json.encode({"do": offer.do.word()}))
        return None

    # Bots.

    def _bots_answer(self, table: Table) -> Due | None:
        """Return the answer of the first bot that has one, due when the pause is over."""
        asked = self._ask(table)
        # Where another person has come, bots no longer wait for the one who wanted it.
        pace = "normal" if self._pace == "wait" and not self._alone() else self._pace
        if not asked.bots or (pace == "wait" and self._let_go != asked.number):
            return None
        if (wait := asked.until(PACES[pace]) - self._clock.monotonic()) > 0:
            return Due(wait)
        for seat in asked.bots:
            if seat not in asked.answers and not self._should_wait(asked, seat, table):
                asked.answers[seat] = self._decided(asked, seat, table)
            if asked.answers.get(seat):
                return Due(0, seat, asked.answers[seat][0])
        return None

    def _ask(self, table: Table) -> _Asked:
        """Start the bots that the table asks, unless they have been started."""
        playing = self._bots()
        bots = {seat: bot for seat in _waited_for(table) if may_play(table.kind.bots, bot := playing.get(seat, ""))}
        if _is_secret(table) and self._asked.number == table.settled_at and bots.items() <= self._asked.bots.items():
            self._asked.bots = bots  # some have chosen, which doesn't change the question for the others
        if (self._asked.number, self._asked.bots) != (table.settled_at, bots):
            self._cancel_all()
            self._asked = _Asked(table.settled_at, bots, self._clock.monotonic())
            self._asked.thoughts = {seat: self._think(self._asked, table, seat, bot) for seat, bot in bots.items()}
        return self._asked

    def _think(self, asked: _Asked, table: Table, seat: str, bot: str) -> asyncio.Task[bytes | None] | None:
        """Start a worker's computation; None while the seat's bot is busy with an earlier one that came too late."""
        if seat in self._late and not self._late[seat].done():
            return None

        def begin() -> None:
            asked.began[seat] = self._clock.monotonic()
            self.wake()

        what = bot_task(table, seat, bot)
        thought = self._workers.run(
            *(self._id, what.function, *what.arguments),
            seconds=_THINKING_SECONDS,
            priority=BOTS,
            loaded=begin,
        )
        task = asyncio.get_running_loop().create_task(thought)
        task.add_done_callback(self._on_thought)
        return task

    def _on_thought(self, thought: asyncio.Task[bytes | None]) -> None:
        """Look for due actions. An error is logged when the pause is over, unless the result isn't needed any more.

        A late result may arrive when nothing is due, after the scheduler's task has ended.
        """
        if not thought.cancelled():
            thought.exception()
            if self._attending is not None:
                self.wake()

    def _cancel_all(self) -> None:
        for seat, thought in self._asked.thoughts.items():
            if thought is not None and thought is not self._late.get(seat):
                thought.cancel()
        self._asked = _Asked(-1, {}, 0)

    def _should_wait(self, asked: _Asked, seat: str, table: Table) -> bool:
        """Return whether to wait for a late bot: nobody else can continue, and no answer works without thought."""
        thought, others = asked.thoughts[seat], [one for one in table.asks()["seats"] if one not in asked.bots]
        is_late = thought is not None and not thought.done()
        return is_late and not others and not _trivial_answer(table.offers(seat))

    def _decided(self, asked: _Asked, seat: str, table: Table) -> list[bytes]:
        """Return the answers for a bot whose time is up."""
        others = [] if _is_secret(table) else [one for one in table.asks()["seats"] if one not in asked.bots]
        thoughtless = [] if others else _trivial_answer(table.offers(seat))
        thought, bot = asked.thoughts[seat], asked.bots[seat]
        if thought is None:
            return thoughtless
        if not thought.done():
            self._late[seat] = thought
            late = f"made no move within {BOT_SECONDS:g}"
            held_up = f"could not start to think within {HELD_UP_SECONDS:g}"
            self._complain(bot, f"{late if seat in asked.began else held_up} seconds.")
            return thoughtless
        if (error := thought.exception()) is not None:
            self._complain(bot, "had an internal error", error)
            return thoughtless
        answer = thought.result()
        return [] if answer is None else [answer, *thoughtless]


def asked_once(table: Table, seat: str, bot: str) -> BotTask:
    """Return the task of a bot that answers once for this seat.

    Raises CardhouseError if there is no such bot, or the seat isn't asked anything.
    """
    check_bot(table, bot)
    asks = table.asks()
    if asks["kind"] in ("draw", "roll"):
        raise Refused("A bot can't draw from a real deck or roll real dice. Draw the card or roll yourself.")
    if seat not in asks["seats"]:
        raise Refused(f"The {bot} bot has nothing to answer: {seat} isn't asked anything.")
    return bot_task(table, seat, bot)


def _is_secret(table: Table) -> bool:
    """Return whether everyone asked chooses secretly, so that nobody can answer for another, and all choose at once."""
    return isinstance(table.question, Ask) and table.question.secret


def _waited_for(table: Table) -> list[str]:
    """Return the seats that a bot may answer for: those asked, except players who have already chosen secretly."""
    asks = table.asks()
    seats: list[str] = asks["waits_for"] if _is_secret(table) else asks["seats"]
    return seats


def _trivial_answer(offers: list[OfferDoc]) -> list[bytes]:
    """Return the first answer that involves no choice, if there is one."""
    for offer in offers:
        needed = {name: field for name, field in offer["fields"].items() if name not in offer.get("optional", ())}
        if "do" in offer and all("const" in field for field in needed.values()):
            chosen = {name: field["const"] for name, field in needed.items()}
            return [msgspec.json.encode({"do": offer["do"], **chosen})]
    return []
