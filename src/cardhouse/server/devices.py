"""The devices at one table that deals together, asked for a link each before cards are drawn."""

import asyncio
from collections.abc import Awaitable, Callable

from cardhouse.engine import CardhouseError
from cardhouse.engine.together import Together, steps_to
from cardhouse.engine.transcript import Line
from cardhouse.server import protocol
from cardhouse.server.broadcast import Client
from cardhouse.server.elsewhere import AnyWhere, Ask, Elsewhere, Gave, Gone, Here, Who

MOMENT = 2.0
"""So many seconds a device has to give its link; then it is left out, and the others are asked anew."""
ROUNDS_AHEAD = 1000
"""What devices say of rounds they were asked in is believed so far."""


class Devices:
    """Who is there of a table's devices, and the round in which they are being asked.

    No round is asked for twice, so that a device can hold to answering for one answer only: `next_round` is given the
    last one that is known here and tells the next. `elsewhere` is the way to the devices that sit at other servers.
    """

    def __init__(self, next_round: Callable[[int], Awaitable[int]], elsewhere: Elsewhere) -> None:
        self._next_round = next_round
        self._elsewhere = elsewhere
        self._asked = 0
        self._here: dict[int, Client] = {}
        self._there: dict[int, str] = {}
        """Devices at other servers, with the server's name."""
        self._asked_from: dict[int, str] = {}
        """Rounds that other servers asked for here."""
        self._together = Together()
        self._round: _Round | None = None
        self._drawn: tuple[str, str, list[Line]] | None = None
        """The last answer's id, what was fixed of it, and its lines: unused, unless they came into the log."""

    async def open(self) -> None:
        """Ask the other servers which devices sit there, before the first card is drawn here."""
        await self._elsewhere.ask_all(Who())

    async def arrive(self, client: Client, number: int, asked: int, together: Together) -> None:
        """A device takes part from now on; `asked` is the last round that it knows of.

        Raises CardhouseError if the table has no such device of this seat.
        """
        if not 1 <= number <= len(together.devices) or together.devices[number - 1].seat != client.seat:
            raise CardhouseError("This table doesn't know this device; it takes part as a new one.", "no_such_device")
        self._asked = max(self._asked, min(asked, together.rounds + ROUNDS_AHEAD))
        await self._elsewhere.ask_all(Here([number], self._asked))
        self._there.pop(number, None)
        self._here[number] = client
        client.say(protocol.DeviceNow(number))

    def leave(self, client: Client) -> None:
        """A client has gone; nobody waits for its devices any more."""
        gone = [number for number, here in self._here.items() if here is client]
        for number in gone:
            del self._here[number]
            self._lost(number)
        if gone:
            self._elsewhere.tell(Gone(gone))

    def give(self, client: Client, frame: protocol.Link) -> None:
        """A device gives its link; one for another round than is being asked comes too late, and is no mistake.

        Raises CardhouseError if it is no link of the device's chain.
        """
        for number in [number for number, here in self._here.items() if here is client]:
            if frame.round in self._asked_from:
                self._elsewhere.tell(Gave(number, frame.round, frame.link))
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

    def hear(self, server: str, said: AnyWhere) -> Here | None:
        """Another server says something of this table's devices; what is to be answered."""
        if isinstance(said, Who):
            return Here(sorted(self._here), self._asked)
        if isinstance(said, Here):
            self._asked = max(self._asked, said.asked)
            self._there |= dict.fromkeys(said.numbers, server)
        elif isinstance(said, Gone):
            for number in said.numbers:
                if self._there.get(number) == server:
                    del self._there[number]
                    self._lost(number)
        elif isinstance(said, Ask):
            self._asked = max(self._asked, said.round)
            self._asked_from = {said.round: server}
            self._say_round(said, said.numbers)
        elif isinstance(said, Gave):
            self._take(said.number, said.round, said.link)
        return None

    # Asking.

    async def ask(self, together: Together, id: str, by: str, fixed: str) -> list[Line]:
        """The lines of links for an answer: those of rounds that came to nothing first, the one that counts last.

        `fixed` is what devices are told of the answer beside its `id`. Asked again about the same answer, after what
        was drawn could not be saved, the same links are given: nothing is drawn anew.
        """
        if self._drawn is not None and self._drawn[:2] == (id, fixed):
            return self._drawn[2]
        lines = self._unused(together)
        while True:
            lines.append(await self._ask_once(id, by, fixed))
            self._together = self._together.after(lines[-1])
            if not lines[-1].get("away"):
                self._drawn = id, fixed, lines
                return lines

    def _unused(self, together: Together) -> list[Line]:
        """Rounds of an answer that was not saved, to be logged with the next: what was asked is not kept quiet."""
        self._together, lines = together, []
        self._asked = max(self._asked, together.rounds)
        for line in self._drawn[2] if self._drawn else []:
            if line["round"] > together.rounds:
                lines.append(line)
                self._together = self._together.after(line)
        return lines

    async def _ask_once(self, id: str, by: str, fixed: str) -> Line:
        self._asked = await self._next_round(self._asked)
        asking = self._round = _Round(self._asked, {*self._here, *self._there})
        try:
            ask = Ask(asking.round, id, by, fixed, sorted(self._there))
            if self._there:
                self._elsewhere.tell(ask)
            self._say_round(ask, sorted(self._here))
            await asking.over(MOMENT)
        finally:
            self._round = None
        for number in asking.waiting:
            self._here.pop(number, None)
            self._there.pop(number, None)
        return asking.line()

    def _say_round(self, ask: Ask, numbers: list[int]) -> None:
        for number in numbers:
            if number in self._here:
                self._here[number].say(protocol.Round(ask.round, ask.id, ask.by, ask.fixed, number))


class _Round:
    """One round: who has given a link, and who is still waited for."""

    def __init__(self, round: int, waiting: set[int]) -> None:
        self.round = round
        self.waiting = waiting
        self._links: dict[int, str] = {}
        self._away: list[int] = []
        self._done = asyncio.Event()
        self._look()

    def gave(self, number: int, link: str) -> None:
        self.waiting.discard(number)
        self._links[number] = link
        self._look()

    def gone(self, number: int) -> None:
        if number in self.waiting:
            self.waiting.discard(number)
            self._away.append(number)
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

    def line(self) -> Line:
        links = {str(number): self._links[number] for number in sorted(self._links)}
        away = sorted((*self._away, *self.waiting))
        return {"links": links, "round": self.round, **({"away": away} if away else {})}
