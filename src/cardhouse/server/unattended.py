"""What happens at a table though nobody does it: the clock rings, and bots answer for the seats they play."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from random import SystemRandom
from typing import Any

import msgspec

from cardhouse.engine import CLOCK, PHYSICAL, CardhouseError, Seen, Table
from cardhouse.server.frames import Answer
from cardhouse.server.saver import NotSaved
from cardhouse.server.telling import Client
from cardhouse.server.tokens import new_token

BOT_SECONDS = 1.5
"""A bot takes so long for every answer, whatever it holds: how long somebody thinks would tell something."""
LOOK_SECONDS = 20.0
"""The time of day is looked at so often at least, in case somebody sets it."""
log = logging.getLogger("cardhouse.server")


class Unattended:
    """Answers that are due at one table: `say` gives one as if a client had sent it, `table` is the table as saved.

    `look` is to be called whenever the table, or who plays its seats, has changed.
    """

    def __init__(
        self, table: Callable[[], Awaitable[Table | None]], say: Callable[[Client, Answer], Awaitable[None]]
    ) -> None:
        self._table = table
        self._say = say
        self._timer: asyncio.TimerHandle | None = None
        self._playing: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def look(self, table: Table, bots: dict[str, str]) -> None:
        """See what is due next; `bots` are those that play a seat, by seat."""
        self.stop()
        if table.ended:
            return
        if (alarm := table.game.alarm()) is not None:
            wait = min(max(alarm - time.time(), 0), LOOK_SECONDS)
            self._timer = asyncio.get_running_loop().call_later(wait, self._start, self._ring)
        asked = table.asks()["seats"]
        if any(seat in bots for seat in asked):
            self._playing = self._start(lambda: self._play(table.number, bots))

    def stop(self) -> None:
        """Let everything be."""
        if self._timer is not None:
            self._timer.cancel()
        if self._playing is not None and self._playing is not asyncio.current_task():
            self._playing.cancel()
        self._timer = self._playing = None

    def _start(self, what: Callable[[], Awaitable[None]]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(self._try(what))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _try(self, what: Callable[[], Awaitable[None]]) -> None:
        """Do it; what can't be done now is due again when the table is looked at next."""
        try:
            await what()
        except (CardhouseError, NotSaved) as error:
            log.info("What was due could not be done: %s", error)
        except Exception:
            log.exception("What was due met with an error of ours")

    # The clock.

    async def _ring(self) -> None:
        table = await self._table()
        alarm = None if table is None or table.ended else table.game.alarm()
        if table is None or alarm is None:
            return
        if time.time() < alarm:  # not yet: somebody has set the time, or only a look was due
            wait = min(alarm - time.time(), LOOK_SECONDS)
            self._timer = asyncio.get_running_loop().call_later(wait, self._start, self._ring)
            return
        for offer in table.game.at_any_time():
            if CLOCK in offer.by:
                await self._answer(CLOCK, table.number, {"do": offer.do.word()})
                return

    # Bots.

    async def _play(self, number: int, bots: dict[str, str]) -> None:
        await asyncio.sleep(BOT_SECONDS)
        table = await self._table()
        if table is None or table.number != number:
            return
        for seat in table.asks()["seats"]:
            bot = table.kind.bots.get(bots.get(seat, ""))
            if bot is None:
                continue
            answer = await asyncio.to_thread(bot, seen_by(table, seat), SystemRandom())
            if answer is not None:
                await self._answer(seat, number, answer)
                return

    async def _answer(self, seat: str, number: int, answer: dict[str, Any]) -> None:
        somebody = Client(lambda _: None)
        somebody.seat = seat
        await self._say(somebody, Answer(new_token(), number, msgspec.Raw(msgspec.json.encode(answer))))


def seen_by(table: Table, seat: str) -> Seen:
    """What a bot in this seat is given to go by."""
    return Seen(seat, table.view(seat), table.asks(), table.offers(seat), table.header.options)


def check_bots(table: Table, bots: dict[str, str]) -> None:
    """Raises CardhouseError unless each of these seats can be played by the bot it names."""
    for seat, bot in bots.items():
        if seat not in table.seats:
            raise CardhouseError(f'There is no seat "{seat[:40]}"; there are {", ".join(table.seats)}.', "no_such_seat")
        if bot not in table.kind.bots:
            known = ", ".join(table.kind.bots) or "none"
            raise CardhouseError(f'There is no bot "{bot[:40]}" for {table.header.game}; there are {known}.')
    if bots and any(how == PHYSICAL for how in table.header.decks.values()):
        raise CardhouseError("A bot has no hands to draw from a deck of paper.")
