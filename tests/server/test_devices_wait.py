"""The longest wait of a draw for devices, measured on a test clock without waiting."""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from cardhouse.engine.chance.shared_randomness import CommitReveal, hash_of_link
from cardhouse.engine.values.transcript import Line
from cardhouse.server.cluster.pubsub import TableChannel
from cardhouse.server.table.broadcaster import Client
from cardhouse.server.table.devices import HURRY, WAIT_AT_MOST, Devices
from cardhouse.server.wire import protocol
from cardhouse.server.wire.frames import Outgoing
from tests.server.dealing import Chain


class ClockThatIsSet(asyncio.SelectorEventLoop):
    """A loop whose time passes only when nothing is left to be done, and then at once."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        selector: Any = self._selector  # type: ignore[attr-defined]
        look: Callable[[float | None], list[Any]] = selector.select

        def look_and_set(timeout: float | None) -> list[Any]:
            found = look(0)
            if not found:
                self.now += timeout or 0
            return found

        selector.select = look_and_set

    def time(self) -> float:
        return self.now


class Draw:
    """A draw at a table with a device in each seat; of the first `late` ones another says nothing in each round."""

    def __init__(self, late: int, seats: int) -> None:
        self.late, self.round = late, 0
        self.chains = [Chain() for _ in range(seats)]
        self.devices = Devices(self.next_round, TableChannel())

    async def next_round(self, last: int) -> int:
        self.round = last + 1
        return self.round

    async def no_round(self) -> int:
        return 0

    def heard(self, clients: list[Client], place: int, frame: Outgoing) -> None:
        told = json.loads(frame.content)
        if told["t"] == "round" and (place + 1 != self.round or place >= self.late):
            link = protocol.Link(told["round"], self.chains[place].next())
            asyncio.get_running_loop().call_soon(self.devices.give, clients[place], link)

    async def lines(self) -> list[Line]:
        together, clients = CommitReveal(), list[Client]()
        for place, chain in enumerate(self.chains):
            together = together.join(f"p{place}", chain.anchor, place + 1)
            clients.append(Client(partial(self.heard, clients, place)))
            clients[place].seat = f"p{place}"
        for number, client in enumerate(clients, start=1):
            await self.devices.arrive(client, number, None, together, self.no_round)
        return await self.devices.ask(together, "an id", "gm", lambda values: hash_of_link("".join(values.values())))


@pytest.mark.parametrize(("late", "seconds"), [(0, 0), (1, 2), (2, 3), (3, 3.5), (4, 3.75), (12, 3.75 + 8 * HURRY)])
def test_however_many_are_late_one_after_the_other_a_draw_has_a_most_that_it_waits(late: int, seconds: float) -> None:
    draw = Draw(late, seats=13)
    with asyncio.Runner(loop_factory=ClockThatIsSet) as runner:
        lines = runner.run(draw.lines())
        waited = runner.get_loop().time()
    withheld = [{str(number): f"p{number - 1}"} for number in range(1, late + 1)]
    assert [line.get("withheld") for line in lines] == [*withheld, None]
    assert len(lines[-1]["links"]) == 13 - late
    assert waited == pytest.approx(seconds, abs=0.01)
    assert waited <= WAIT_AT_MOST + late * HURRY
