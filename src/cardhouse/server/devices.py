"""The devices at one table that deals together, asked for a link each before cards are drawn."""

import asyncio

from cardhouse.engine import CardhouseError
from cardhouse.engine.together import Together, steps_to
from cardhouse.engine.transcript import Line
from cardhouse.server import frames
from cardhouse.server.telling import Client

MOMENT = 2.0
"""So many seconds a device has to give its link; then it is left out, and the others are asked anew."""
ROUNDS_AHEAD = 1000
"""What devices say of rounds they were asked in is believed so far."""


class Devices:
    """Who is there of a table's devices, and the round in which they are being asked.

    `asked` is the last round in which any device was asked, whether it came into the log or not: no round is asked
    for twice, so that a device can hold to answering for one answer only.
    """

    def __init__(self) -> None:
        self.asked = 0
        self._there: dict[int, Client] = {}
        self._together = Together()
        self._round: _Round | None = None
        self._kept: tuple[str, str, list[Line]] | None = None

    def arrive(self, client: Client, number: int, asked: int, together: Together) -> None:
        """A device takes part from now on; `asked` is the last round that it knows of.

        Raises CardhouseError if the table has no such device of this seat.
        """
        if not 1 <= number <= len(together.devices) or together.devices[number - 1].seat != client.seat:
            raise CardhouseError("This table doesn't know this device; it takes part as a new one.", "no_such_device")
        self.asked = max(self.asked, min(asked, together.rounds + ROUNDS_AHEAD))
        self._there[number] = client
        client.say(frames.DeviceNow(number))

    def leave(self, client: Client) -> None:
        """A client has gone; nobody waits for its devices any more."""
        for number in [number for number, there in self._there.items() if there is client]:
            del self._there[number]
            if self._round is not None:
                self._round.gone(number)

    def give(self, client: Client, frame: frames.Link) -> None:
        """A device gives its link; one for another round than is being asked comes too late, and is no mistake.

        Raises CardhouseError if it is no link of the device's chain.
        """
        asking = self._round
        if asking is None or frame.round != asking.round:
            return
        for number in [number for number, there in self._there.items() if there is client]:
            if number in asking.waiting:
                if steps_to(frame.link, self._together.devices[number - 1].latest) is None:
                    raise CardhouseError("This is no link of this device's hash chain.")
                asking.gave(number, frame.link)

    async def ask(self, together: Together, id: str, by: str, fixed: str) -> list[Line]:
        """The lines of links for an answer: of each round in which somebody was left out, and of the last.

        `fixed` is what devices are told of the answer beside its `id`. Asked again about the same answer, after what
        was drawn could not be saved, the same links are given: nothing is drawn anew.
        """
        if self._kept is not None and self._kept[:2] == (id, fixed):
            return self._kept[2]
        self._together = together
        self.asked = max(self.asked, together.rounds)
        lines: list[Line] = []
        while not lines or lines[-1].get("away"):
            lines.append(await self._ask_once(id, by, fixed))
            self._believe(lines[-1])
        self._kept = id, fixed, lines
        return lines

    async def _ask_once(self, id: str, by: str, fixed: str) -> Line:
        self.asked += 1
        asking = self._round = _Round(self.asked, set(self._there))
        try:
            for number, client in self._there.items():
                client.say(frames.Round(asking.round, id, by, fixed, number))
            await asking.over(MOMENT)
        finally:
            self._round = None
        for number in asking.waiting:
            self._there.pop(number, None)
        return asking.line()

    def _believe(self, line: Line) -> None:
        """Go on from the links that were given, whether or not the round counts."""
        self._together = self._together.after(line)


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
