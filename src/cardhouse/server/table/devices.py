"""The devices in a table's shared deal, each asked for a link of its hash chain before cards are drawn."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping

from cardhouse.engine import CardhouseError
from cardhouse.engine.chance.shared_randomness import DEVICES_AT_MOST, CommitReveal, hash_of_link, steps_to
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

Fix = Callable[[Mapping[int, str]], str]
"""Returns the commitment to an answer and its devices, given the value that each device's link must hash to."""

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
        self._latest: dict[int, str] = {}
        """The last value of its chain that each device showed or gave; "" if it showed none."""
        self._arrivals: dict[int, int] = {}
        """The order of the devices' last arrivals."""
        self._new: dict[str, TokenBucket] = {}
        """The allowance of new devices for each seat."""
        self._asked_from: dict[int, str] = {}
        """Rounds that other servers asked for here."""
        self._together = CommitReveal()
        self._round: _Round | None = None
        self._what = "", ""
        """The last answer that devices were asked about: a digest of its id, and the hash that fixes it alone."""
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
        self._latest[number] = shown or ""
        await self._channel.ask_all(DevicesPresent({number: shown or ""}, self._asked))
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
                self._latest[number] = frame.link
                self._channel.tell(LinkSubmitted(number, frame.round, frame.link))
            elif not self._take(number, frame.round, frame.link):
                raise CardhouseError("This is no link of this device's hash chain.")

    def _take(self, number: int, round: int, link: str) -> bool:
        """Accept a link that is waited for; return False if it isn't in the device's chain."""
        asking = self._round
        if asking is not None and asking.round == round and number in asking.waiting:
            if hash_of_link(link) != asking.expected[number]:
                return False
            self._latest[number] = link
            asking.gave(number, link)
        return True

    def _lost(self, number: int) -> None:
        if self._round is not None:
            self._round.gone(number)

    # Messages from other servers.

    def handle(self, server: str, message: AnyTableMessage) -> DevicesPresent | None:
        """Handle another server's message about this table's devices; return the reply."""
        if isinstance(message, DevicesQuery):
            return DevicesPresent({number: self._latest.get(number, "") for number in sorted(self._here)}, self._asked)
        if isinstance(message, DevicesPresent):
            self._asked = max(self._asked, message.asked)
            for number, shown in message.shown.items():
                self._displace(number)
                self._there[number] = server
                self._latest[number] = shown
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

    async def ask(self, together: CommitReveal, id: str, by: str, fix: Fix) -> list[Line]:
        """Return the lines of links for an answer: void rounds first, the complete one last.

        `id` is a digest of the answer's id; `fix` returns the commitment that devices receive, from the value that each
        listed device's link must hash to. If the draw could not be saved and the same answer is asked about again, the
        same links are returned: nothing is drawn anew. Raises NotSaved.
        """
        what = id, fix({})
        if self._is_drawn and self._what == what:
            return self._lines
        self._lines = self._unused(together)
        self._what, self._is_drawn = what, False
        wait, time = WAIT_AT_MOST, asyncio.get_running_loop().time
        while not self._is_drawn:
            began = time()
            line = await self._ask_once(id, by, fix, min(MOMENT, max(HURRY, wait / 2)))
            wait -= time() - began
            self._lines.append(line)
            self._together = self._together.after(line)
            self._is_drawn = "withheld" not in line
        return self._lines

    def _unused(self, together: CommitReveal) -> list[Line]:
        """Return the rounds of an answer that was not saved; they are logged with the next one, to keep none secret."""
        self._together, lines = together, []
        self._asked = max(self._asked, together.rounds)
        for line in self._lines:
            if line["round"] > together.rounds:
                values = {int(number): hash_of_link(link) for number, link in line["links"].items()}
                # Another device may have replaced one of these.
                own = {number: value for number, value in values.items() if self._is_in_chain(number, value)}
                links = {number: line["links"][str(number)] for number in own}
                withheld = {int(number): seat for number, seat in line.get("withheld", {}).items()}
                lines.append(self._line(line["round"], line["fixed"], own, links, withheld))
                self._together = self._together.after(lines[-1])
        return lines

    def _is_in_chain(self, number: int, value: str) -> bool:
        """Return whether a value is the last known one of a device's chain, or comes later."""
        return _is_its(value, self._together.device(number).latest)

    async def _ask_once(self, id: str, by: str, fix: Fix, seconds: float) -> Line:
        """Ask all connected devices once; return the line with their links.

        The devices of a seat that withheld a link before are not asked: they would choose between two draws.
        """
        round = self._asked = await self._next_round(self._asked)  # noqa: A001
        known = range(1, len(self._together.devices) + 1)
        out = {seat for line in self._lines for seat in line.get("withheld", {}).values()}
        there = {number for number in (*self._here, *self._there) if number in known}
        expected = {number: self._next_value(number) for number in sorted(there) if self._seat(number) not in out}
        asking = self._round = _Round(round, expected)
        try:
            elsewhere = sorted(expected.keys() & self._there.keys())
            ask = LinksRequested(round, id, by, fix(expected), sorted(expected), elsewhere)
            if elsewhere:
                self._channel.tell(ask)
            self._send_round(ask, expected)
            await asking.over(seconds)
        finally:
            self._round = None
        withheld = {number: self._seat(number) for number in sorted(asking.late)}
        for number in [number for number in there if self._seat(number) in withheld.values()]:
            self._here.pop(number, None)
            self._there.pop(number, None)
        return self._line(round, ask.fixed, expected, asking.links, withheld)

    def _next_value(self, number: int) -> str:
        """Return the value that a device's next link must hash to: the last one it gave, or else the last logged."""
        latest = self._latest.get(number)
        return latest if latest and self._is_in_chain(number, latest) else self._together.device(number).latest

    def _seat(self, number: int) -> str:
        return self._together.device(number).seat

    def _line(
        self, round: int, fixed: str, expected: dict[int, str], links: dict[int, str], withheld: dict[int, str]
    ) -> Line:
        """Return a line of links; `resumed` are the values that aren't the last ones in the log."""
        resumed = {number: value for number, value in expected.items() if value != self._together.device(number).latest}
        line: Line = {"links": links, "round": round, "fixed": fixed, "withheld": withheld, "resumed": resumed}
        for name in ("links", "withheld", "resumed"):
            line[name] = {str(number): line[name][number] for number in sorted(line[name])}
        return {name: value for name, value in line.items() if value or name == "links"}

    def _send_round(self, ask: LinksRequested, numbers: Collection[int]) -> None:
        for number in sorted(numbers):
            if number in self._here:
                self._here[number].send(protocol.Round(ask.round, ask.id, ask.by, ask.fixed, ask.devices, number))


def _is_its(shown: str | None, latest: str) -> bool:
    """Return whether a value is in the chain with the last known value `latest`, even if it is newer."""
    return shown is None or shown == latest or steps_to(shown, latest) is not None


class _Round:
    """One round: the value that each device's link must hash to, the links given, and the devices waited for."""

    def __init__(self, round: int, expected: dict[int, str]) -> None:
        self.round = round
        self.expected = expected
        self.waiting = set(expected)
        self.links: dict[int, str] = {}
        self._gone: list[int] = []
        self._done = asyncio.Event()
        self._look()

    @property
    def late(self) -> list[int]:
        """The devices that gave no link."""
        return [*self._gone, *self.waiting]

    def gave(self, number: int, link: str) -> None:
        self.waiting.discard(number)
        self.links[number] = link
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
