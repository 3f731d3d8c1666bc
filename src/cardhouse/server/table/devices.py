"""The devices in a table's shared deal, each asked for a link of its hash chain before cards are drawn."""

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
"""Seconds a device has to give its link; then its seat is left out, and the others are asked again."""
WAIT_AT_MOST = 4.0
"""Most seconds for all rounds of one draw, plus `HURRY` for each seat that is late after that.

Each round gets half of the remaining time.
"""
HURRY = 0.25
DEVICES_A_SEAT = 4
"""Most devices of a seat that take part; a further one replaces the oldest."""
NEW_RATE, NEW_BURST = 0.1, 20
"""New devices of a seat that may be logged per second in the long run, and at once."""


class Devices:
    """A table's connected devices, and the round in which they are being asked.

    No round is asked for twice, so that a device can insist on answering for one answer only: `next_round` takes the
    last round known here and returns a new one. `elsewhere` reaches devices connected to other servers.
    """

    def __init__(self, next_round: Callable[[int], Awaitable[int]], elsewhere: TableChannel) -> None:
        self._next_round = next_round
        self._channel = elsewhere
        self._asked = 0
        self._here: dict[int, Client] = {}
        self._there: dict[int, str] = {}
        """Devices at other servers, with the server's id."""
        self._arrivals: dict[int, int] = {}
        """The order of the devices' last arrivals."""
        self._new: dict[str, TokenBucket] = {}
        """The allowance of new devices for each seat."""
        self._asked_from: dict[int, str] = {}
        """Rounds that other servers asked for here."""
        self._together = CommitReveal()
        self._round: _Round | None = None
        self._what = "", ""
        """The last answer that devices were asked about: a digest of its id, and the hash that fixes it."""
        self._lines: list[Line] = []
        """The rounds asked for it, after earlier ones that failed; some may not be in the log."""
        self._is_drawn = False
        """Whether the last of these rounds is complete."""

    async def open(self) -> None:
        """Ask the other servers for their connected devices, before the first draw here."""
        await self._channel.ask_all(DevicesQuery())

    def count_new(self, seat: str) -> None:
        """Raises CardhouseError if a seat has too many new devices in too short a time."""
        if not self._new.setdefault(seat, TokenBucket(NEW_RATE, NEW_BURST)).take():
            raise CardhouseError("Too many new devices take part from this seat. Wait ten seconds.", "too_many")

    def place_for(self, seat: str, together: CommitReveal) -> int:
        """Return the number for a new device of a seat: a new number, or that of the seat's oldest device."""
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
        """Let a device take part in all rounds after the one it is sent.

        `shown` is the last link that it gave, or its anchor; None for pages of older servers. Raises CardhouseError if
        the table has no such device of this seat.
        """
        device = together.devices[number - 1] if 1 <= number <= len(together.devices) else None
        if device is None or device.seat != client.seat or not _is_its(shown, device.latest):
            raise CardhouseError("This table doesn't know this device; it takes part as a new one.", "no_such_device")
        self._drop([other for other, here in self._here.items() if here is client and other != number])
        await self._channel.ask_all(DevicesPresent([number], self._asked))
        self._there.pop(number, None)
        if self._here.get(number) is not client:
            self._displace(number)
        self._here[number] = client
        self._note_arrival(number)
        self._asked = max(self._asked, together.rounds, await last_round())
        client.send(protocol.DeviceNow(number, self._asked))

    def _note_arrival(self, number: int) -> None:
        self._arrivals[number] = max(self._arrivals.values(), default=0) + 1

    def _displace(self, number: int) -> None:
        """Tell the client whose device has this number that another one has replaced it."""
        client = self._here.pop(number, None)
        if client is not None:
            client.send(protocol.DeviceNow(0))

    def leave(self, client: Client) -> None:
        """Remove a client's devices; nobody waits for them any more."""
        self._drop([number for number, here in self._here.items() if here is client])

    def _drop(self, gone: list[int]) -> None:
        for number in gone:
            del self._here[number]
            self._lost(number)
        if gone:
            self._channel.tell(DevicesLeft(gone))

    def give(self, client: Client, frame: protocol.Link) -> None:
        """Accept a device's link; one for a different round comes too late, which isn't an error.

        Raises CardhouseError if it isn't a link of the device's chain.
        """
        for number in [number for number, here in self._here.items() if here is client]:
            if frame.round in self._asked_from:
                self._channel.tell(LinkSubmitted(number, frame.round, frame.link))
            elif not self._take(number, frame.round, frame.link):
                raise CardhouseError("This is no link of this device's hash chain.")

    def _take(self, number: int, round: int, link: str) -> bool:
        """Accept a link that is waited for; return False if it isn't in the device's chain."""
        asking = self._round
        if asking is not None and asking.round == round and number in asking.waiting:
            if steps_to(link, self._together.devices[number - 1].latest) is None:
                return False
            asking.gave(number, link)
        return True

    def _lost(self, number: int) -> None:
        if self._round is not None:
            self._round.gone(number)

    # Messages from other servers.

    def handle(self, server: str, message: AnyTableMessage) -> DevicesPresent | None:
        """Handle another server's message about this table's devices; return the reply."""
        if isinstance(message, DevicesQuery):
            return DevicesPresent(sorted(self._here), self._asked)
        if isinstance(message, DevicesPresent):
            self._asked = max(self._asked, message.asked)
            for number in message.numbers:
                self._displace(number)
                self._there[number] = server
                self._note_arrival(number)
        elif isinstance(message, DevicesLeft):
            for number in message.numbers:
                if self._there.get(number) == server:
                    del self._there[number]
                    self._lost(number)
        elif isinstance(message, LinksRequested):
            self._asked = max(self._asked, message.round)
            self._asked_from = {message.round: server}
            self._send_round(message, message.numbers)
        elif isinstance(message, LinkSubmitted):
            self._take(message.number, message.round, message.link)
        return None

    # Asking.

    async def ask(self, together: CommitReveal, id: str, by: str, fixed: str) -> list[Line]:
        """Return the lines of links for an answer: incomplete rounds first, the complete one last.

        `id` is a digest of the answer's id, and `fixed` the hash that devices are sent with it. If the draw could not
        be saved and the same answer is asked about again, the same links are returned: nothing is drawn anew. Raises
        NotSaved.
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
        """Return the rounds of an answer that was not saved; they are logged with the next one, to keep none secret."""
        self._together, lines = together, []
        self._asked = max(self._asked, together.rounds)
        for line in self._lines:
            if line["round"] > together.rounds:
                links = {number: link for number, link in line["links"].items() if self._is_next(int(number), link)}
                lines.append(self._line(line["round"], links, line.get("away", [])))
                self._together = self._together.after(lines[-1])
        return lines

    def _is_next(self, number: int, link: str) -> bool:
        """Return whether the link is still in this device's chain; another device may have replaced it."""
        return steps_to(link, self._together.device(number).latest) is not None

    async def _ask_once(self, ask: LinksRequested, seconds: float) -> Line:
        """Ask all connected devices once; return the line with their links."""
        round = self._asked = await self._next_round(self._asked)  # noqa: A001
        known = range(1, len(self._together.devices) + 1)
        there = {number for number in (*self._here, *self._there) if number in known}
        asking = self._round = _Round(round, set(there))
        try:
            elsewhere = sorted(there & set(self._there))
            ask = msgspec.structs.replace(ask, round=round, numbers=elsewhere)
            if elsewhere:
                self._channel.tell(ask)
            self._send_round(ask, there)
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
        """Return a line of links, with the devices that have come and left since the previous one."""
        there, before = {*map(int, links), *away}, set(self._together.present)
        more = {"away": away, "came": sorted(there - before), "left": sorted(before - there)}
        return {"links": links, "round": round, **{name: numbers for name, numbers in more.items() if numbers}}

    def _send_round(self, ask: LinksRequested, numbers: Collection[int]) -> None:
        for number in sorted(numbers):
            if number in self._here:
                self._here[number].send(protocol.Round(ask.round, ask.id, ask.by, ask.fixed, number, ask.after))


def _is_its(shown: str | None, latest: str) -> bool:
    """Return whether a value is in the chain with the last known value `latest`, even if it is newer."""
    return shown is None or shown == latest or steps_to(shown, latest) is not None


class _Round:
    """One round: the links given, and the devices still waited for."""

    def __init__(self, round: int, waiting: set[int]) -> None:
        self.round = round
        self.waiting = waiting
        self._links: dict[int, str] = {}
        self._gone: list[int] = []
        self._done = asyncio.Event()
        self._look()

    @property
    def links(self) -> dict[str, str]:
        """The links given, in the order of the devices' numbers."""
        return {str(number): self._links[number] for number in sorted(self._links)}

    @property
    def late(self) -> list[int]:
        """The devices that gave no link."""
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
        """Wait until all devices have given a link, or the time is up."""
        try:
            async with asyncio.timeout(seconds):
                await self._done.wait()
        except TimeoutError:
            pass
