"""A host who cheats at a shared deal: a server that was changed so that the cards it wishes for are dealt.

It knows the seed, and it has devices of its own, whose secrets it knows. For each draw it asks the honest devices for
their links, works out the card that each way to go on would deal, and takes one that suits it. `Cheats` has a method
for each way. The server checks nothing of its own log.
"""

import asyncio
import json
import random
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain, combinations
from pathlib import Path
from typing import Any, Final

from cardhouse.engine import FairDealer, Table
from cardhouse.engine.chance.shared_randomness import CommitReveal, Device, hash_of_link
from cardhouse.engine.values.transcript import Line
from cardhouse.server.cluster.pubsub import LinksRequested
from cardhouse.server.core.compression import run_and_gzip
from cardhouse.server.management.table_documents import TableDocuments
from cardhouse.server.table import devices as module
from cardhouse.server.table.devices import Devices, Fix
from cardhouse.server.table.handler import CommandHandler
from cardhouse.server.transcripts.transcript_export import export_deal
from cardhouse.server.wire import protocol

TRIES: Final = 8
"""Most times that the host asks again for one draw."""
NEVER: Final = 2**31
"""A round that never comes."""
LENGTH: Final = 400
"""The number of links of each of the host's devices."""
SECONDS: Final = 10.0
"""How long the host waits for an honest device."""


def anchor_of(secret: str) -> str:
    """The last hash of the chain of one of the host's devices."""
    return next(iter(_preimages(secret).keys() - _preimages(secret).values()))


@cache
def _preimages(secret: str) -> Mapping[str, str]:
    """The values of a chain before each of its hashes."""
    found, value = {}, secret
    for _ in range(LENGTH):
        found[hash_of_link(value)] = value
        value = hash_of_link(value)
    return found


class Plan:
    """What the host is to do: how it cheats, the card it wishes for, and the secrets of its devices, by number."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def write(self, how: str, wish: str = "", secrets: Mapping[int, str] | None = None) -> None:
        self.file.write_text(json.dumps({"how": how, "wish": wish, "secrets": secrets or {}}))

    def read(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.file.read_text()) if self.file.exists() else {"how": "honest"}
        return found


def bend_the_deal(plan: Plan) -> None:
    """Change this process's server."""
    honest_links, honest_now = CommandHandler._links, protocol.DeviceNow

    async def links(self: CommandHandler, table: Table, lines: list[Line]) -> list[Line]:
        now = plan.read()
        if now["how"] == "honest" or lines[0].get("do") != "start_round":
            return await honest_links(self, table, lines)
        cheats = Cheats(self._devices, table, lines, now)
        self._devices.ask = cheats.ask  # type: ignore[method-assign]
        return await honest_links(self, table, lines)

    def device_now(number: int, round: int = 0) -> protocol.DeviceNow:
        return honest_now(
            number, NEVER if number and plan.read()["how"] in ("leave_out", "as_an_older_server") else round
        )

    async def deal(self: TableDocuments, visitor: str, id: str, token: str) -> bytes:
        async def make(table: Any) -> bytes:
            return await asyncio.to_thread(run_and_gzip, export_deal, self._url, table.record.now)

        return await self._document(id, token, "deal", make)

    def unchecked(self: CommitReveal, line: Line) -> CommitReveal:
        devices = list(self.devices)
        for number, link in line["links"].items():
            devices[int(number) - 1] = Device(self.device(int(number)).seat, link)
        return CommitReveal(line["round"], tuple(devices))

    def all_unchecked(self: CommitReveal, lines: Iterable[Line]) -> CommitReveal:
        for line in lines:
            self = unchecked(self, line)
        return self

    CommandHandler._links = links  # type: ignore[method-assign]
    protocol.DeviceNow = device_now  # type: ignore[assignment,misc]
    TableDocuments.deal = deal  # type: ignore[method-assign]
    CommitReveal.after = unchecked  # type: ignore[method-assign]
    CommitReveal.after_all = all_unchecked  # type: ignore[method-assign]


class Cheats:
    """One draw of a cheating host: the lines of links that it logs before an answer."""

    def __init__(self, devices: Devices, table: Table, lines: list[Line], plan: dict[str, Any]) -> None:
        self._devices, self._table, self._lines = devices, table, lines
        self._how, self._wish = plan["how"], plan["wish"]
        self._own = {int(number): secret for number, secret in plan["secrets"].items()}
        self._gave: dict[int, str] = {}
        """The last links that devices gave in this draw."""

    async def ask(self, together: CommitReveal, id: str, by: str, fix: Fix) -> list[Line]:
        """Return the lines of links, in place of those that an honest server would ask for."""
        self._together, self._id, self._by, self._fix = together, id, by, fix
        devices = self._devices
        devices._together, devices._asked = together, max(devices._asked, together.rounds)
        found: list[Line] = await getattr(self, self._how)()
        return found

    # What all ways need.

    def _honest(self) -> list[int]:
        return sorted(self._devices._here.keys() - self._own.keys())

    def _expected(self, numbers: Iterable[int]) -> dict[int, str]:
        """The value that each device's next link must hash to."""
        return {
            number: self._gave.get(number)
            or (self._together.device(number).latest if number in self._own else self._devices._next_value(number))
            for number in sorted(numbers)
        }

    async def _round(self, listed: Iterable[int], after: Iterable[Line] = ()) -> tuple[Line, dict[int, str]]:
        """Ask the honest devices among those listed for their links; the complete line, and all links."""
        expected = self._expected(listed)
        number = self._devices._asked = await self._devices._next_round(self._devices._asked)
        asked = {one: value for one, value in expected.items() if one not in self._own}
        fixed = self._fix(expected)
        asking = self._devices._round = module._Round(number, asked)
        request = LinksRequested(number, self._id, self._by, fixed, sorted(expected), [])
        self._devices._send_round(request, asked)
        await asking.over(SECONDS)
        self._devices._round = None
        links = asking.links | {
            one: _preimages(self._own[one])[value] for one, value in expected.items() if one in self._own
        }
        self._gave |= links
        return self._line(number, fixed, expected, links, after), links

    def _line(
        self, number: int, fixed: str, expected: dict[int, str], links: dict[int, str], after: Iterable[Line] = ()
    ) -> Line:
        """A complete round as an honest server would log it, after the void ones of its draw."""
        logged = self._together.after_all(after)
        resumed = {one: value for one, value in expected.items() if value != logged.device(one).latest}
        line: Line = {"links": _texts(links), "round": number, "fixed": fixed}
        return line | ({"resumed": _texts(resumed)} if resumed else {})

    def _suits(self, chance: list[Line]) -> bool:
        """Whether these lines of links would deal the card that the host wishes for."""
        table, seed = self._table, self._table.committed_seed
        assert seed is not None
        tried = Table(table.header, FairDealer(seed))
        tried.replay((entry.number, line) for entry in table.entries for line in entry.lines)
        answer = {name: value for name, value in self._lines[0].items() if name not in ("by", "id")}
        entry = tried.answer(self._by, answer, id=self._lines[0]["id"], chance=chance)
        return bool(next(line["card"] for line in entry.lines if "draw" in line) == self._wish)

    def _first_that_suits(self, ways: Iterable[list[Line]]) -> list[Line]:
        tried: list[Line] = []
        for way in ways:
            tried = way
            if self._suits(tried):
                break
        return tried

    def _parts_of_own(self) -> Iterable[tuple[int, ...]]:
        """All choices of the host's own devices."""
        return chain.from_iterable(combinations(self._own, size) for size in range(len(self._own), -1, -1))

    # The ways.

    async def choose_afterwards(self) -> list[Line]:
        """Say afterwards which of the host's devices were there."""
        line, links = await self._round([*self._honest(), *self._own])
        parts = (
            {one: link for one, link in links.items() if one not in self._own or one in own}
            for own in self._parts_of_own()
        )
        return self._first_that_suits([{**line, "links": _texts(part)}] for part in parts)

    async def choose_and_commit_again(self) -> list[Line]:
        """The same, with a commitment made afterwards as well."""
        values = self._expected([*self._honest(), *self._own])
        [line] = await self.choose_afterwards()
        part = {int(number): values[int(number)] for number in line["links"]}
        return [{**line, "fixed": self._fix(part)}]

    async def give_a_later_link(self) -> list[Line]:
        """Give another link of a device's chain than the next one."""
        line, links = await self._round([*self._honest(), *self._own])
        number, secret = next(iter(self._own.items()))

        def later() -> Iterable[dict[int, str]]:
            link = links[number]
            for _ in range(5 * TRIES):
                yield {**links, number: link}
                link = _preimages(secret)[link]

        return self._first_that_suits([{**line, "links": _texts(one)}] for one in later())

    async def withhold_again(self) -> list[Line]:
        """Withhold a link of one seat until the card suits."""
        return await self._withhold(can_return=True)

    async def withhold_by_seats(self) -> list[Line]:
        """Withhold a link of each of the host's seats in turn, which no protocol can prevent."""
        return await self._withhold(can_return=False)

    async def _withhold(self, *, can_return: bool) -> list[Line]:
        lines: list[Line] = []
        own = list(self._own)
        for _ in range(TRIES):
            line, links = await self._round([*self._honest(), *own], lines)
            if not own or self._suits([*lines, line]):
                break
            late, seat = own[0], self._together.device(own[0]).seat
            kept = {one: link for one, link in links.items() if one != late}
            self._gave.pop(late)
            lines.append({**line, "links": _texts(kept), "withheld": {str(late): seat}})
            if not can_return:
                own = [one for one in own if self._together.device(one).seat != seat]
        return [*lines, line]

    async def leave_out(self) -> list[Line]:
        """Ask no honest device, each of which takes part in later rounds only, as it was told."""
        return await self._draw_alone([])

    async def _draw_alone(self, after: list[Line]) -> list[Line]:
        number = self._devices._asked = await self._devices._next_round(self._devices._asked)
        ways = []
        for own in self._parts_of_own():
            expected = self._expected(own)
            links = {one: _preimages(self._own[one])[value] for one, value in expected.items()}
            ways.append([*after, self._line(number, self._fix(expected), expected, links, after)])
        return self._first_that_suits(ways)

    async def replace_the_honest(self) -> list[Line]:
        """Say to the honest devices that others have taken their places."""
        for number in self._honest():
            self._devices._displace(number)
        return await self._draw_alone([])

    async def as_an_older_server(self) -> list[Line]:
        """The same, in a log like that of a version which fixed no devices."""
        return [{name: value for name, value in line.items() if name != "fixed"} for line in await self.leave_out()]

    async def stop_and_ask_again(self) -> list[Line]:
        """Forget a round that doesn't suit, as if the server had been stopped, and ask for another."""
        for place in range(TRIES):
            line, _ = await self._round([*self._honest(), *list(self._own)[place % len(self._own) :]])
            if self._suits([line]):
                break
        return [line]

    async def blame_the_honest(self) -> list[Line]:
        """Say that honest devices withheld their links until the host is alone."""
        lines: list[Line] = []
        honest = self._honest()
        while honest:
            line, links = await self._round([*honest, *self._own], lines)
            if self._suits([*lines, line]):
                return [*lines, line]
            late = honest.pop()
            kept = {one: link for one, link in links.items() if one != late}
            lines.append({**line, "links": _texts(kept), "withheld": {str(late): self._together.device(late).seat}})
        return await self._draw_alone(lines)

    async def come_and_go(self) -> list[Line]:
        """Have the host's devices there only sometimes, as they were listed beforehand: it is no choice of a card."""
        line, _ = await self._round(
            [*self._honest(), *random.sample(list(self._own), random.randint(0, len(self._own)))]
        )
        return [line]


def _texts(links: Mapping[int, str]) -> dict[str, str]:
    return {str(number): links[number] for number in sorted(links)}
