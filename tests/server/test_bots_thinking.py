"""Bots that think: when they answer, what happens if they fail, and what may happen meanwhile."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardhouse.engine import HOUSE, Seen
from cardhouse.games.dogpile.rules import Dogpile
from cardhouse.games.gunfight.rules import Gunfight
from cardhouse.server.management import table_manager
from cardhouse.server.table import scheduler
from cardhouse.server.wire.protocol import Pace
from tests.server.insiders import Insider, Scene, Threads, open_house, scene
from tests.server.talking import SECONDS

Line = dict[str, Any]


class Trained:
    """A bot of the tests. It lays its first card; `does` may have it do something else first.

    `asked` is how often it was asked in its turn; `begun` says that it is thinking.
    """

    def __init__(self) -> None:
        self.asked = 0
        self.begun = threading.Semaphore(0)
        self.may_go_on = threading.Event()
        self.does: Callable[[Seen], Line | None] = lambda seen: None

    def __call__(self, seen: Seen, chance: Random) -> Line | None:
        if seen.asks["key"] != "turn":
            return None
        self.asked += 1
        self.begun.release()
        return self.does(seen) or self.lay(seen)

    def lay(self, seen: Seen) -> Line:
        (card, *_) = seen.view["hands"][seen.seat]
        return {"do": "lay", "cards": [{"card": card, "x": len(seen.view["laid"]) + 1, "y": 0}]}

    def wait(self, seen: Seen) -> None:
        """Think until somebody lets it go on."""
        assert self.may_go_on.wait(SECONDS)

    async def until_it_thinks(self) -> None:
        assert await asyncio.to_thread(self.begun.acquire, True, SECONDS)

    async def until_it_knows(self, at: Scene) -> None:
        """Until it has been asked and has made up its mind."""
        await self.until_it_thinks()
        for thought in (await at.house.table(at.made.table))._scheduler._asked.thoughts.values():
            assert thought is not None
            await asyncio.wait([thought])


@pytest.fixture
def rex(monkeypatch: pytest.MonkeyPatch) -> Iterator[Trained]:
    """A bot that plays Dogpile for one test."""
    trained = Trained()
    monkeypatch.setitem(Dogpile.bots, "rex", trained)
    yield trained
    trained.may_go_on.set()


Story = Callable[[Scene], Coroutine[Any, Any, None]]
Play = Callable[..., None]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Has a story happen at a table whose game has just begun; p1 is to lay, played by Rex, if nothing else is said."""
    monkeypatch.setattr(scheduler, "LOOK_SECONDS", 0.002)  # of the real time, which goes on

    async def run(story: Story, wanted: dict[str, Any]) -> None:
        begin = wanted.pop("begin", {})
        usual: dict[str, Any] = {"bots": {"p1": "rex"}, "options": {"rounds": 3}}
        async with scene(f"sqlite:///{tmp_path}/cards.db", **{**usual, **wanted}) as at:
            await at["gm"].do("begin", **begin)
            await story(at)

    return lambda story, **wanted: asyncio.run(run(story, wanted))


async def nothing_more_is_due(at: Scene) -> None:
    """Until clock and bots have done what they had to."""
    attending = (await at.house.table(at.made.table))._scheduler._attending
    assert attending is not None
    async with asyncio.timeout(SECONDS):
        await attending


@pytest.mark.soak
def test_a_whole_game_of_bots_with_one_person(play: Play, rex: Trained) -> None:
    seats = [f"p{number}" for number in range(1, 9)]

    async def story(at: Scene) -> None:
        person = at["p8"]
        while person.phase != "over":
            n = person.n
            if person.phase == "judged":
                await person.do("next_round")
            elif person.doc["view"]["turn"] == "p8":
                await person.do("pass")
            else:
                await rex.until_it_knows(at)
                at.clock.since += scheduler.BOT_SECONDS
            await person.catch_up(n + 1)
        assert len(person.says("lays")) == rex.asked == 7 + 6 + 5
        said = [line["by"] for line in at.log() if line["do"] in ("begin", "next_round")]
        assert said == ["gm", "p8", "p8"]

    play(story, seats=("gm", *seats), come=("gm", "p8"), bots=dict.fromkeys(seats[:7], "rex"))


# When they answer: at the end of a pause, whatever they hold and however long they think.


@pytest.mark.parametrize("slow", [False, True])
def test_a_bot_answers_when_the_pause_is_over_and_thinks_meanwhile(play: Play, rex: Trained, slow: bool) -> None:
    async def story(at: Scene) -> None:
        await rex.until_it_thinks()
        at.clock.since += scheduler.BOT_SECONDS - 0.01
        rex.may_go_on.set()
        await at.clock.looked_at()
        assert at["p2"].n == 1
        at.clock.since += 0.01
        await at["p2"].until(lambda: at["p2"].n == 2)
        assert len(at["p2"].says("lays")) == 1
        assert rex.asked == 1

    rex.does = rex.wait if slow else rex.does
    play(story)


@pytest.mark.parametrize("pace", ["slow", "fast"])
def test_people_can_choose_the_pause(play: Play, rex: Trained, pace: Pace) -> None:
    async def story(at: Scene) -> None:
        await at["gm"].say({"t": "pace", "pace": pace})
        await rex.until_it_knows(at)
        at.clock.since += scheduler.PACES[pace] - 0.01
        await at.clock.looked_at()
        assert at["p2"].n == 1
        at.clock.since += 0.01
        await at["p2"].until(lambda: at["p2"].n == 2)

    play(story)


@pytest.mark.parametrize("how", ["it may go on", "somebody else comes"])
def test_a_bot_waits_for_the_one_who_plays_alone_until(play: Play, rex: Trained, how: str) -> None:
    async def story(at: Scene) -> None:
        await at["gm"].leave()
        await at["p2"].say({"t": "pace", "pace": "wait"})
        await rex.until_it_knows(at)
        at.clock.since += scheduler.PACES["slow"]
        await nothing_more_is_due(at)
        assert at["p2"].n == 1
        if how == "somebody else comes":
            await at.come("gm")
        else:
            await at["p2"].say({"t": "pace", "pace": "wait", "go": True})
        await at["p2"].until(lambda: at["p2"].n == 2)

    play(story)


def test_at_a_fast_pace_a_bot_still_has_the_usual_time(play: Play, rex: Trained) -> None:
    async def story(at: Scene) -> None:
        await at["gm"].say({"t": "pace", "pace": "fast"})
        await rex.until_it_thinks()
        at.clock.since += scheduler.BOT_SECONDS - 0.01
        await at.clock.looked_at()
        assert at["p2"].n == 1
        rex.may_go_on.set()
        await at["p2"].until(lambda: len(at["p2"].says("lays")) == 1)

    rex.does = rex.wait
    play(story)


def complaints(caplog: pytest.LogCaptureFixture, bot: str = "rex") -> list[str]:
    """What the server's log says of a bot."""
    return [record.getMessage().partition(f" {bot} ")[2] for record in caplog.records if bot in record.getMessage()]


def test_one_that_thinks_longer_than_the_pause_passes_at_its_end(
    play: Play, rex: Trained, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(at: Scene) -> None:
        gm, p2 = at["gm"], at["p2"]
        for n in (1, 5):  # each of them Player One in turn
            await p2.catch_up(n)
            if n == 1:
                await rex.until_it_thinks()
            at.clock.since += scheduler.BOT_SECONDS
            await p2.catch_up(n + 1)
            assert p2.story[-1]["events"][0]["key"] == "forfeit"
            await gm.do("next_round")
            await p2.catch_up(n + 2)
            await p2.do("pass")
            await gm.do("next_round")
        assert rex.asked == 1  # for it is still busy with its first question
        rex.may_go_on.set()
        attending = (await at.house.table(at.made.table))._scheduler
        await asyncio.wait([attending._late["p1"]])
        rex.begun = threading.Semaphore(0)
        await gm.ask({"undo": 1})
        await gm.do("next_round")
        await rex.until_it_knows(at)
        at.clock.since += scheduler.BOT_SECONDS
        await p2.until(lambda: bool(p2.says("lays")))

    rex.does = rex.wait
    play(story, options={"rounds": 9})
    assert complaints(caplog) == ["made no move within 1.5 seconds."]


@pytest.mark.parametrize("at_all", [True, False])
def test_the_pause_counts_from_when_it_can_think(
    play: Play, rex: Trained, caplog: pytest.LogCaptureFixture, at_all: bool
) -> None:
    async def story(at: Scene) -> None:
        workers = at.house.workers
        assert isinstance(workers, Threads)
        p2 = at["p2"]
        await rex.until_it_knows(at)
        workers.may_load.clear()  # as if the server had just been started
        at.clock.since += scheduler.BOT_SECONDS
        await p2.until(lambda: p2.n == 2)
        at.clock.since += scheduler.HELD_UP_SECONDS - 0.01
        await at.clock.looked_at()
        assert p2.n == 2
        if at_all:
            workers.may_load.set()
            await rex.until_it_knows(at)
            at.clock.since += scheduler.BOT_SECONDS - 0.01
            await at.clock.looked_at()
            assert p2.n == 2
        at.clock.since += 0.01
        await p2.until(lambda: p2.n == 3)
        assert len(p2.says("lays")) == (2 if at_all else 1)

    play(story, bots={"p1": "rex", "p2": "rex"})
    assert complaints(caplog) == ([] if at_all else ["could not start to think within 5 seconds."])


# Going wrong.


def test_one_without_whom_nothing_goes_on_is_heard_however_late_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(scheduler, "LOOK_SECONDS", 0.002)
    may_answer, host = threading.Event(), Gunfight.host

    def slow_host(seen: Seen, chance: Random) -> Line | None:
        assert may_answer.wait(SECONDS)
        return host(seen, chance)

    async def story() -> None:
        async with scene(f"sqlite:///{tmp_path}/cards.db", ("gm", "p1"), ["p1"], "gunfight", bots={"gm": HOUSE}) as at:
            at.clock.since += scheduler.BOT_SECONDS
            await nothing_more_is_due(at)
            assert at["p1"].n == 0
            may_answer.set()
            await at["p1"].until(lambda: bool(at["p1"].says("joins_side")))
        assert not complaints(caplog, HOUSE)  # there was nothing else it could have said

    monkeypatch.setattr(Gunfight, "host", slow_host)
    try:
        asyncio.run(story())
    finally:
        may_answer.set()


def bark(seen: Seen) -> Line:
    raise RuntimeError("woof")


def lay_twice(seen: Seen) -> Line:
    (card, *_) = seen.view["hands"][seen.seat]
    return {"do": "lay", "cards": [{"card": card, "x": 1, "y": 0}, {"card": card, "x": 2, "y": 0}]}


@pytest.mark.parametrize(
    ("does", "says"),
    [
        (bark, "had an internal error"),
        (lay_twice, 'made a move that was refused: "lay" was refused: cards can'),
        (lambda seen: {"do": "begin"}, "made a move that was refused"),
        (lambda seen: {"do": "fetch"}, "made a move that was refused"),
        (lambda seen: {"stick": 1}, "made a move that was refused"),
        (lambda seen: ["pass"], "made a move that was refused"),
        (lambda seen: {"undo": 10**6}, "made a move that was refused"),
        (lambda seen: {"do": object()}, "had an internal error"),
    ],
)
def test_one_that_errs_passes_and_is_complained_of_once(
    play: Play, rex: Trained, caplog: pytest.LogCaptureFixture, does: Callable[[Seen], Any], says: str
) -> None:
    async def story(at: Scene) -> None:
        gm, p2 = at["gm"], at["p2"]
        for n in (1, 5):
            await rex.until_it_knows(at)
            at.clock.since += scheduler.BOT_SECONDS
            await p2.catch_up(n + 1)
            assert p2.story[-1]["events"][0]["key"] == "forfeit"
            assert p2.story[-1]["by"] == "p1"
            await gm.do("next_round")
            await p2.catch_up(n + 2)
            await p2.do("pass")
            if n == 1:
                await gm.do("next_round")
        assert rex.asked == 2

    rex.does = does
    play(story, options={"rounds": 4})
    (complaint,) = complaints(caplog)
    assert complaint.startswith(says)


def test_where_others_may_answer_one_that_errs_leaves_it_to_them(
    play: Play, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked = {"judged": threading.Event(), "turn": threading.Event()}

    def mad(seen: Seen, chance: Random) -> Line:
        asked[seen.asks["key"]].set()
        raise RuntimeError(seen.asks["key"])

    monkeypatch.setitem(Dogpile.bots, "mad", mad)

    async def story(at: Scene) -> None:
        await at["p2"].do("pass")
        assert at["p2"].phase == "judged"
        assert await asyncio.to_thread(asked["judged"].wait, SECONDS)
        at.clock.since += scheduler.BOT_SECONDS
        await nothing_more_is_due(at)
        assert at["p2"].n == 2
        await at["p2"].do("next_round")
        assert await asyncio.to_thread(asked["turn"].wait, SECONDS)
        at.clock.since += scheduler.BOT_SECONDS
        await at["p2"].catch_up(4)  # in its own turn it passes

    play(story, bots={"p1": "mad"}, begin={"first": "p2"})
    assert complaints(caplog, "mad") == ["had an internal error"]


# What may happen while one thinks.


def test_an_undo_while_it_thinks_has_it_think_again(play: Play, rex: Trained) -> None:
    async def story(at: Scene) -> None:
        gm, p2 = at["gm"], at["p2"]
        await rex.until_it_knows(at)
        at.clock.since += scheduler.BOT_SECONDS
        await p2.catch_up(2)
        await gm.ask({"undo": 1})
        await rex.until_it_knows(at)
        at.clock.since += 1.0
        await gm.ask({"undo": 1})
        await gm.do("begin", first="p2")
        await p2.do("lay", cards=[{"card": p2.doc["view"]["hands"]["p2"][0], "x": 0, "y": 4}])
        await rex.until_it_knows(at)
        at.clock.since += 1.0  # from the first question it would be time
        await at.clock.looked_at()
        assert p2.n == 6
        at.clock.since += 0.5
        await p2.catch_up(7)
        assert [(laid["seat"], laid["x"]) for laid in p2.doc["view"]["laid"]] == [("p2", 0), ("p1", 2)]

    play(story)


def test_set_in_its_turn_and_taken_away_while_it_thinks(play: Play, rex: Trained) -> None:
    async def story(at: Scene) -> None:
        gm = at["gm"]
        await gm.say({"t": "bot", "seat": "p1", "bot": "rex"})
        await rex.until_it_knows(at)
        at.clock.since += 1.0
        await gm.say({"t": "bot", "seat": "p1", "bot": None})
        at.clock.since += 1.0
        await gm.say({"t": "name", "name": "Mo"})  # which changes nothing for bots
        p1 = await at.come("p1")
        assert p1.n == 1
        await gm.say({"t": "bot", "seat": "p1", "bot": "rex"})
        await rex.until_it_knows(at)
        at.clock.since += 1.0
        for name in "abc":
            await gm.say({"t": "name", "name": name})
        at.clock.since += 0.5  # however often somebody is renamed, the pause is the same
        await p1.catch_up(2)
        assert (rex.asked, p1.story[-1]["by"]) == (2, "p1")

    play(story, bots={}, come=("gm", "p2"))


def test_the_seats_player_may_be_quicker(play: Play, rex: Trained) -> None:
    async def story(at: Scene) -> None:
        await rex.until_it_knows(at)
        await at["p1"].do("lay", cards=[{"card": at["p1"].doc["view"]["hands"]["p1"][2], "x": 9, "y": 9}])
        at.clock.since += scheduler.BOT_SECONDS
        await at["p2"].do("pass")
        assert [line["by"] for line in at.log()] == ["gm", "p1", "p2"]
        assert rex.asked == 1

    play(story)


def test_the_end_while_it_thinks(play: Play, rex: Trained, caplog: pytest.LogCaptureFixture) -> None:
    async def story(at: Scene) -> None:
        await rex.until_it_knows(at)
        assert (await at["gm"].ask({"end": True}))["t"] == "change"
        at.clock.since += scheduler.BOT_SECONDS
        await at["gm"].say({"t": "name", "name": "Mo"})
        assert at["gm"].n == 2

    play(story)
    assert not caplog.records


def test_a_table_deleted_while_it_thinks(play: Play, rex: Trained, caplog: pytest.LogCaptureFixture) -> None:
    async def story(at: Scene) -> None:
        await rex.until_it_knows(at)
        at.house.store.delete(at.made.table)
        at.clock.since += scheduler.BOT_SECONDS
        await nothing_more_is_due(at)
        assert (await at["gm"].ask({"do": "begin"}))["code"] == "no_such_seat"

    play(story)
    assert not caplog.records


def test_nobody_plays_at_a_table_that_all_have_left(play: Play, rex: Trained, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is forgotten after a while, and goes on when somebody comes."""
    monkeypatch.setattr(table_manager, "IDLE_SECONDS", 0.004)

    async def story(at: Scene) -> None:
        await rex.until_it_knows(at)
        for person in at.people.values():
            await person.leave()
        other = await at.house.create("dogpile", ["gm"], odds="off")
        elsewhere = await Insider(at.house).sit(other, "gm")
        async with asyncio.timeout(SECONDS):
            while at.made.table in at.house._tables:
                await elsewhere.sync()
        at.clock.since += scheduler.BOT_SECONDS
        await elsewhere.sync()
        assert len(at.log()) == 1
        p2 = await at.come("p2")
        await rex.until_it_knows(at)
        at.clock.since += scheduler.BOT_SECONDS
        await p2.catch_up(2)

    play(story)


@pytest.mark.soak
def test_two_houses_of_one_database_play_one_game(
    postgres_url: str, rex: Trained, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(table_manager, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(scheduler, "LOOK_SECONDS", 0.002)
    wanted: dict[str, Any] = {"bots": {"p1": "rex", "p2": "rex"}, "options": {"rounds": 4}}

    async def run() -> None:
        async with scene(postgres_url, come=("gm",), **wanted) as at, open_house(postgres_url, at.clock) as other:
            there = replace(at, house=other, people={})
            people = (at["gm"], await there.come("p2"))
            await at["gm"].do("begin")
            for n in range(1, 12):
                for person in people:
                    await person.catch_up(n)
                if at["gm"].phase == "judged":
                    await people[n % 2].do("next_round")
                else:
                    await rex.until_it_knows(at)
                    await rex.until_it_knows(there)
                    at.clock.since += scheduler.BOT_SECONDS
            for person in people:
                await person.catch_up(12)
                assert person.phase == "over"
            said = [line["by"] for line in at.log() if line["do"] == "lay"]
            assert said == ["p1", "p2", "p2", "p1", "p1", "p2", "p2", "p1"]

    asyncio.run(run())
    assert rex.asked == 2 * 8
    assert not caplog.records
