"""The end of a table is announced, and takes effect once the time to cancel is over."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from cardhouse.server.table import scheduler
from cardhouse.server.table.scheduler import END_SECONDS
from tests.server.insiders import Insider, Scene, StoppedClock, open_house, scene
from tests.server.talking import Frame, Server

Story = Callable[[Scene], Coroutine[Any, Any, None]]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Story], None]:
    """Has a story happen at a new table, in a house whose clock we set."""
    monkeypatch.setattr(scheduler, "LOOK_SECONDS", 0.002)  # of the real time, which goes on

    async def run(story: Story) -> None:
        async with scene(f"sqlite:///{tmp_path}/cards.db") as at:
            await story(at)

    return lambda story: asyncio.run(run(story))


def announced(person: Insider) -> int | None:
    """When the table is going to end, by the last that was said of it."""
    said = [frame for frame in person.frames if frame["t"] == "settings"]
    at: int | None = said[-1].get("ends_at") if said else person.frames[0]["table"].get("ends_at")
    return at


def endings(at: Scene) -> list[Frame]:
    """Those in the log."""
    return [line for line in at.log() if "end" in line]


async def hears_of(person: Insider, ends_at: float | None) -> None:
    """Somebody is told that the table ends then, or goes on."""
    await person.until(lambda: announced(person) == (None if ends_at is None else int(ends_at * 1000)))


def test_everyone_is_warned_before_the_end(play: Callable[[Story], None]) -> None:
    async def story(at: Scene) -> None:
        await at["gm"].say({"t": "end", "on": True})
        for person in at.people.values():
            await hears_of(person, at.clock.now + END_SECONDS)
        at.clock.go_on(END_SECONDS - 0.1)
        await at.clock.looked_at()
        assert (at["gm"].n, endings(at)) == (0, [])
        at.clock.go_on(0.1)
        for person in at.people.values():
            await person.catch_up(1)
            assert person.doc["asks"]["key"] == "ended"
        (end,) = endings(at)
        assert (end["by"], end["end"], len(end["seed"])) == ("gm", True, 64)
        late = await at.come("p1")
        assert (late.frames[0]["table"]["ended"], announced(late)) == (True, None)
        await at["gm"].say({"t": "end", "on": False})
        assert at["gm"].last()["code"] == "ended"

    play(story)


def test_an_end_taken_back_in_time_never_comes_and_play_goes_on_meanwhile(play: Callable[[Story], None]) -> None:
    async def story(at: Scene) -> None:
        await at["gm"].say({"t": "end", "on": True})
        await at["gm"].do("begin")
        at.clock.go_on(END_SECONDS - 0.1)
        await at["gm"].say({"t": "end", "on": False})
        await hears_of(at["p1"], None)
        at.clock.go_on(END_SECONDS)
        await at.clock.looked_at()
        assert (at["p1"].n, endings(at)) == (1, [])

    play(story)


def test_the_end_is_the_game_masters_to_announce(play: Callable[[Story], None]) -> None:
    async def story(at: Scene) -> None:
        for on in (True, False):
            await at["p1"].say({"t": "end", "on": on})
            assert at["p1"].last()["code"] == "not_yours"
        assert announced(at["gm"]) is None

    play(story)


def test_a_second_announcement_does_not_delay_the_end(play: Callable[[Story], None]) -> None:
    async def story(at: Scene) -> None:
        await at["gm"].say({"t": "end", "on": True})
        first = at.clock.now + END_SECONDS
        at.clock.go_on(5)
        await at["gm"].say({"t": "end", "on": True})
        await hears_of(at["gm"], first)
        at.clock.go_on(5)
        await at["gm"].catch_up(1)

    play(story)


def test_who_comes_meanwhile_is_told_and_it_comes_though_nobody_stays(play: Callable[[Story], None]) -> None:
    async def story(at: Scene) -> None:
        await at["gm"].say({"t": "end", "on": True})
        ends_at = at.clock.now + END_SECONDS
        await hears_of(await at.come("p2"), ends_at)
        for person in [*Insider.there]:
            await person.leave()
        at.clock.go_on(END_SECONDS)
        await at.clock.looked_at()
        back = await at.come("gm")
        await back.until(lambda: back.doc["asks"]["key"] == "ended")
        assert len(endings(at)) == 1

    play(story)


def test_a_restart_forgets_no_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "LOOK_SECONDS", 0.002)
    database, clock = f"sqlite:///{tmp_path}/cards.db", StoppedClock()

    async def story() -> None:
        async with open_house(database, clock) as house:
            made = await house.create("dogpile", ["gm", "p1"], odds="off")
            await (await Insider(house).sit(made, "gm")).say({"t": "end", "on": True})
        clock.go_on(END_SECONDS / 2)
        async with open_house(database, clock) as house:
            gm = await Insider(house).sit(made, "gm")
            await hears_of(gm, clock.now + END_SECONDS / 2)
            await clock.looked_at()
            assert gm.n == 0
            clock.go_on(END_SECONDS / 2)
            await gm.catch_up(1)
            assert gm.doc["asks"]["key"] == "ended"

    asyncio.run(story())


@pytest.mark.soak
def test_either_of_two_servers_can_cancel_the_end(two: tuple[Server, Server]) -> None:
    table = two[0].make_table()
    gm, other, p1 = table.sit("gm"), table.sit("gm", server=two[1]), table.sit("p1", server=two[1])
    gm.say(t="end", on=True)
    for person in (gm, other, p1):
        assert person.hear("settings")["ends_at"] > person.frames[0]["now"]
    other.say(t="end", on=False)
    for person in (gm, other, p1):
        assert "ends_at" not in person.hear("settings")
