"""The devices at one table that deals together, asked for a link each before cards are drawn."""

import asyncio
from collections.abc import Awaitable, Callable, Collection

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.engine.chance.shared_randomness import DEVICES_AT_MOST, CommitReveal, steps_to
from cardhouse.engine.values.transcript import Line
from cardhouse.server.access.rate_limits import TokenBucket
from cardhouse.server.cluster.pubsub import (
    AnyTableMessage,
    DevicesLeft,
    DevicesPresent,
    DevicesQuery,
    LinksRequested,
    LinkSubmitted,
    TableChannel,
)
from cardhouse.server.table.broadcaster import Client
from cardhouse.server.wire import protocol

MOMENT = 2.0
"""A device has so many seconds to give its link; then its seat is left out, and the others are asked again."""
WAIT_AT_MOST = 4.0
"""All rounds of one draw take so many seconds at most, and `HURRY` for each seat that is late after that: each round
gets half of what is left."""
HURRY = 0.25
DEVICES_A_SEAT = 4
"""So many devices of a seat take part; another one takes the place of the oldest."""
NEW_RATE, NEW_BURST = 0.1, 20
"""So many new devices of a seat are logged a second in the long run, and at once."""


class Devices:
    """Who is there of a table's devices, and the round in which they are being asked.

    No round is asked for twice, so that a device can hold to answering for one answer only: `next_round` is given the
    last one that is known here and tells the next. `elsewhere` is the way to the devices that sit at other servers.
    """

    def __init__(self, next_round: Callable[[int], Awaitable[int]], elsewhere: TableChannel) -> None:
        self._next_round = next_round
        self._elsewhere = elsewhere
        self._asked = 0
        self._here: dict[int, Client] = {}
        self._there: dict[int, str] = {}
        """Devices at other servers, with the server's name."""
        self._arrivals: dict[int, int] = {}
        """When devices arrived last, counted."""
        self._new: dict[str, TokenBucket] = {}
        """How many new devices each seat may still have."""
        self._asked_from: dict[int, str] = {}
        """Rounds that other servers asked for here."""
        self._together = CommitReveal()
        self._round: _Round | None = None
        self._what = "", ""
        """The last answer that devices were asked about: a digest of its id, and what was fixed of it."""
        self._lines: list[Line] = []
        """The rounds that were asked for it, and those before that had come to nothing; not all are in the log."""
        self._is_drawn = False
        """Whether the last of them is the one that counts."""

    async def open(self) -> None:
        """Ask the other servers which devices sit there, before the first card is drawn here."""
        await self._elsewhere.ask_all(DevicesQuery())

    def count_new(self, seat: str) -> None:
        """Raises CardhouseError if a seat has too many new devices in too short a time."""
        if not self._new.setdefault(seat, TokenBucket(NEW_RATE, NEW_BURST)).take():
            raise CardhouseError("Too many new devices take part from this seat. Wait ten seconds.", "too_many")

    def place_for(self, seat: str, together: CommitReveal) -> int:
        """The number that a new device of a seat has: a new one, or that of the oldest of a few."""
        own = [number for number, device in enumerate(together.devices, start=1) if device.seat == seat]
        if not own or (len(own) < DEVICES_A_SEAT and len(together.devices) < DEVICES_AT_MOST):
            return len(together.devices) + 1
        there = {*self._here, *self._there}
        return min(own, key=lambda number: (number in there, self._arrivals.get(number, 0), number))

    async def arrive(
        self,
        client: Client,
        number: int,
        shown: str | None,
        together: CommitReveal,
        last_round: Callable[[], Awaitable[int]],
    ) -> None:
        """A device takes part from now on: in each round above the one that it is told.

        `shown` is the last link that it gave, or its anchor; None for pages of older servers.
        Raises CardhouseError if the table has no such device of this seat.
        """
        device = together.devices[number - 1] if 1 <= number <= len(together.devices) else None
        if device is None or device.seat != client.seat or not _is_its(shown, device.latest):
            raise CardhouseError("This table doesn't know this device; it takes part as a new one.", "no_such_device")
        self._drop([other for other, here in self._here.items() if here is client and other != number])
        await self._elsewhere.ask_all(DevicesPresent([number], self._asked))
        self._there.pop(number, None)
        if self._here.get(number) is not client:
            self._displace(number)
        self._here[number] = client
        self._note_arrival(number)
        self._asked = max(self._asked, together.rounds, await last_round())
        client.say(protocol.DeviceNow(number, self._asked))

    def _note_arrival(self, number: int) -> None:
        self._arrivals[number] = max(self._arrivals.values(), default=0) + 1

    def _displace(self, number: int) -> None:
        """A device of this number that is here has lost it to another one."""
        client = self._here.pop(number, None)
        if client is not None:
            client.say(protocol.DeviceNow(0))

    def leave(self, client: Client) -> None:
        """A client has gone; nobody waits for its devices any more."""
        self._drop([number for number, here in self._here.items() if here is client])

    def _drop(self, gone: list[int]) -> None:
        for number in gone:
            del self._here[number]
            self._lost(number)
        if gone:
            self._elsewhere.tell(DevicesLeft(gone))

    def give(self, client: Client, frame: protocol.Link) -> None:
        """A device gives its link; one for another round than is being asked comes too late, and is no mistake.

        Raises CardhouseError if it is no link of the device's chain.
        """
        for number in [number for number, here in self._here.items() if here is client]:
            if frame.round in self._asked_from:
                self._elsewhere.tell(LinkSubmitted(number, frame.round, frame.link))
            elif not self._take(number, frame.round, frame.link):
                raise CardhouseError("This is no link of this device's hash chain.")

    def _take(self, number: int, round: int, link: str) -> bool:
        """Take a link that is waited for; False if it is none."""
        asking = self._round
        if asking is not None and asking.round == round and number in asking.waiting:
            if steps_to(link, self._together.devices[number - 1].latest) is None:
                return False
            asking.gave(number, link)
        return True

    def _lost(self, number: int) -> None:
        if self._round is not None:
            self._round.gone(number)

    # What other servers say.

    def hear(self, server: str, said: AnyTableMessage) -> DevicesPresent | None:
        """Another server says something of this table's devices; what is to be answered."""
        if isinstance(said, DevicesQuery):
            return DevicesPresent(sorted(self._here), self._asked)
        if isinstance(said, DevicesPresent):
            self._asked = max(self._asked, said.asked)
            for number in said.numbers:
                self._displace(number)
                self._there[number] = server
                self._note_arrival(number)
        elif isinstance(said, DevicesLeft):
            for number in said.numbers:
                if self._there.get(number) == server:
                    del self._there[number]
                    self._lost(number)
        elif isinstance(said, LinksRequested):
            self._asked = max(self._asked, said.round)
            self._asked_from = {said.round: server}
            self._say_round(said, said.numbers)
        elif isinstance(said, LinkSubmitted):
            self._take(said.number, said.round, said.link)
        return None

    # Asking.

    async def ask(self, together: CommitReveal, id: str, by: str, fixed: str) -> list[Line]:
        """The lines of links for an answer: those of rounds that came to nothing first, the one that counts last.

        `id` is a digest of the answer's, and `fixed` what devices are told of it beside. Asked again about the same
        answer, after what was drawn could not be saved, the same links are given: nothing is drawn anew.
        Raises NotSaved.
        """
        again = self._what == (id, fixed)
        if again and self._is_drawn:
            return self._lines
        self._lines = self._unused(together)
        self._what, self._is_drawn = (id, fixed), False
        before = self._lines[-1] if again and self._lines else None
        wait, time = WAIT_AT_MOST, asyncio.get_running_loop().time
        while not self._is_drawn:
            began, after = time(), 0 if before is None else before["round"]
            before = await self._ask_once(
                LinksRequested(0, id, by, fixed, [], after), min(MOMENT, max(HURRY, wait / 2))
            )
            wait -= time() - began
            self._lines.append(before)
            self._together = self._together.after(before)
            self._is_drawn = not before.get("away")
        return self._lines

    def _unused(self, together: CommitReveal) -> list[Line]:
        """Rounds of an answer that was not saved, to be logged with the next: what was asked is not kept quiet."""
        self._together, lines = together, []
        self._asked = max(self._asked, together.rounds)
        for line in self._lines:
            if line["round"] > together.rounds:
                links = {number: link for number, link in line["links"].items() if self._is_next(int(number), link)}
                lines.append(self._line(line["round"], links, line.get("away", [])))
                self._together = self._together.after(lines[-1])
        return lines

    def _is_next(self, number: int, link: str) -> bool:
        """Whether it is still a link of this device, which another may have replaced."""
        return steps_to(link, self._together.device(number).latest) is not None

    async def _ask_once(self, ask: LinksRequested, seconds: float) -> Line:
        """Ask all who are there; the line of what they gave."""
        round = self._asked = await self._next_round(self._asked)  # noqa: A001
        known = range(1, len(self._together.devices) + 1)
        there = {number for number in (*self._here, *self._there) if number in known}
        asking = self._round = _Round(round, set(there))
        try:
            elsewhere = sorted(there & set(self._there))
            ask = msgspec.structs.replace(ask, round=round, numbers=elsewhere)
            if elsewhere:
                self._elsewhere.tell(ask)
            self._say_round(ask, there)
            await asking.over(seconds)
        finally:
            self._round = None
        late = {self._together.device(number).seat for number in asking.late}
        away = sorted(number for number in there if self._together.device(number).seat in late)
        for number in away:
            self._here.pop(number, None)
            self._there.pop(number, None)
        return self._line(
            round, {number: link for number, link in asking.links.items() if int(number) not in away}, away
        )

    def _line(self, round: int, links: dict[str, str], away: list[int]) -> Line:
        """A line of links, which says who has come and left since the one before."""
        there, before = {*map(int, links), *away}, set(self._together.present)
        more = {"away": away, "came": sorted(there - before), "left": sorted(before - there)}
        return {"links": links, "round": round, **{name: numbers for name, numbers in more.items() if numbers}}

    def _say_round(self, ask: LinksRequested, numbers: Collection[int]) -> None:
        for number in sorted(numbers):
            if number in self._here:
                self._here[number].say(protocol.Round(ask.round, ask.id, ask.by, ask.fixed, number, ask.after))


def _is_its(shown: str | None, latest: str) -> bool:
    """Whether a value is of the chain whose last value that is known is `latest`; it may have given more since."""
    return shown is None or shown == latest or steps_to(shown, latest) is not None


class _Round:
    """One round: who has given a link, and who is still waited for."""

    def __init__(self, round: int, waiting: set[int]) -> None:
        self.round = round
        self.waiting = waiting
        self._links: dict[int, str] = {}
        self._gone: list[int] = []
        self._done = asyncio.Event()
        self._look()

    @property
    def links(self) -> dict[str, str]:
        """What was given, in the order of the devices' numbers."""
        return {str(number): self._links[number] for number in sorted(self._links)}

    @property
    def late(self) -> list[int]:
        """Who gave nothing."""
        return [*self._gone, *self.waiting]

    def gave(self, number: int, link: str) -> None:
        self.waiting.discard(number)
        self._links[number] = link
        self._look()

    def gone(self, number: int) -> None:
        if number in self.waiting:
            self.waiting.discard(number)
            self._gone.append(number)
            self._look()

    def _look(self) -> None:
        if not self.waiting:
            self._done.set()

    async def over(self, seconds: float) -> None:
        """Until all have given a link, or the time is up."""
        try:
            async with asyncio.timeout(seconds):
                await self._done.wait()
        except TimeoutError:
            pass
