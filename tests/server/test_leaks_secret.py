"""No secret choice leaks on the wire: not before the reveal, and not one that was changed.

Twin tables (`twins`) differ in what p1 bids, again and again; before the bids are revealed, p1 bids the same at both or
takes it back. The others, the game master and the screen among them, can tell nothing, whatever they try meanwhile.
"""

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cardhouse.engine import Ask, Over, Table
from cardhouse.server.table import scheduler as schedulers
from cardhouse.server.table.scheduler import BOT_SECONDS
from tests.engine.conftest import TOYS
from tests.installed import look_anew
from tests.server import twins as twin_tables
from tests.server.insiders import Scene, scene
from tests.server.talking import Frame
from tests.server.twins import COMMITMENT, ID, Playing, Say, compare

HOLDER = "p1"
STEPS = 60
ENOUGH = 200
"""Steps at all tables."""


@pytest.fixture(autouse=True)
def _sealed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The toys are installed."""
    monkeypatch.syspath_prepend(str(TOYS))
    monkeypatch.setattr(schedulers, "LOOK_SECONDS", 0.002)  # of the real time, which goes on
    look_anew()
    yield
    monkeypatch.undo()
    look_anew()


class Twin(twin_tables.Twin):
    """One of the two tables."""

    def __init__(self, path: Path, which: int, seed: int) -> None:
        header: dict[str, Any] = {"commitment": COMMITMENT, "deal": twin_tables.deal_of(seed)}
        table = Table.new("sealed", ["gm", "p1", "p2", "p3"], {"rounds": 6}, **header)
        super().__init__(path, which, seed, table)

    def may_come(self, table: Table, draw: Any) -> list[str]:
        return list(draw.cards)

    @property
    def is_secret(self) -> bool:
        return isinstance(self.table.question, Ask) and self.table.question.secret


class Play(Playing[Twin]):
    """What is said next, at random; the same at both tables but for what the holder bids."""

    def __init__(self, seed: int, twins: tuple[Twin, Twin]) -> None:
        super().__init__(seed, twins)
        self.curious = [seat for seat in twins[0].seats if seat != HOLDER]

    @property
    def differs(self) -> bool:
        """Whether the holder has bid something else at each, by now."""
        one, other = (twin.table.game.in_secret for twin in self.twins)
        return one != other

    def next(self) -> Say:
        kinds = ("secret",) * 5 + ("offered",) * 4 + ("wrong",) * 3 + ("look", "look", "undo", "hurry")
        return getattr(self, f"_{self.random.choice(kinds)}")()  # type: ignore[no-any-return]

    def _bid(self, seat: str, *numbers: int) -> Say:
        return self._answer(seat, *({"do": "bid", "whose": seat, "number": number} for number in numbers))

    def _secret(self) -> Say:
        """The holder bids otherwise, unless the bids would be revealed by it."""
        if self.table.asks().get("waits_for") in (None, [HOLDER]):
            return self._offered()
        return self._bid(HOLDER, *self.random.sample((1, 2, 3), 2))

    def _offered(self) -> Say:
        """Somebody bids the same at both: the holder itself, where the last bid of another would reveal it."""
        if not self.twins[0].is_secret:
            return self._answer("gm", {"do": "go"})
        seat = self.random.choice(self.table.asks()["seats"])
        if self.differs and self.table.asks()["waits_for"] == [seat]:
            seat = HOLDER
        return self._bid(seat, self.random.randint(1, 3))

    def _hurry(self) -> Say:
        """The limit is raised, or the bids are called for, if there is no secret among them."""
        calls = self.random.random() < 0.3 and self.twins[0].is_secret and not self.differs
        return self._answer("gm", {"do": "call" if calls else "raise"})

    def _undo(self) -> Say:
        """Take something back; of what was revealed, all."""
        return self._answer(self.random.choice(("gm", "gm", HOLDER, "p2")), {"undo": 1})

    def _wrong(self) -> Say:
        """A curious seat tries what might be told apart."""
        seat = self.random.choice(self.curious)
        number = self.random.randint(1, 3)
        tries: list[Frame] = [
            {"do": "bid", "whose": HOLDER if seat != "gm" else "p9", "number": number},
            {"do": "bid", "whose": seat, "number": 99},
            {"do": "bid", "number": number},
            {"do": "go", "number": number},
            {"do": "reveal"},
            {"undo": 99},
            {"seat": HOLDER},
            {"draw": "prizes", "card": "CA"},
        ]
        return self._answer(seat, self.random.choice(tries))

    def _look(self) -> Say:
        seat = self.random.choice(self.curious)
        frames: list[Any] = [
            {"t": "offers"},
            {"t": "story", "before": self.random.randint(0, 50)},
            {"t": "odds", "on": True},
            {"t": "sit", "table": ID, "token": seat, "since": 0},
            {"t": "let_bot", "bot": "sure"},
            {"t": "answer"},
        ]
        frame = self.random.choice(frames)
        return Say(seat, frame, frame)


class Played(NamedTuple):
    """How many steps twin tables went, and at how many of them they differed."""

    steps: int
    secret: int


async def play_twins(path: Path, seed: int) -> Played:
    """Play and compare."""
    twins = Twin(path, 0, seed), Twin(path, 1, seed)
    secret = 0
    for twin in twins:
        await twin.open()
    play = Play(seed, twins)
    try:
        for step in range(STEPS):
            seat, *frames = play.next()
            comes = play.random.choice(play.curious)
            asks = "gm" if step % 2 else "p2"
            for twin, frame in zip(twins, frames, strict=True):
                await twin.people[seat].say(frame)
                await twin.settle()
                if asks == "p2" or twin.is_secret:  # else the game master may know all, as this game has it
                    await twin.download(asks, ("transcript", "roster", "replay")[step % 3])
                if step % 10 == 9:
                    await twin.come(comes)
                await twin.settle()
            if isinstance(play.table.question, Over):
                break
            compare(twins, play.curious, f"seed {seed}, step {step}: {seat} says {frames}")
            secret += play.differs
    finally:
        for twin in twins:
            await twin.close()
    return Played(step + 1, secret)


@pytest.mark.slow
def test_twin_tables_send_the_same_bytes(tmp_path: Path) -> None:
    """Until there have been enough steps, and enough of them with a secret."""
    first = random.randrange(2**32)
    steps = secret = 0
    while steps < ENOUGH or secret < ENOUGH / 4:
        folder = tmp_path / str(first)
        folder.mkdir()
        played = asyncio.run(play_twins(folder, first))
        steps, secret, first = steps + played.steps, secret + played.secret, first + 1


def test_no_one_gets_the_transcript_during_a_secret_choice(tmp_path: Path) -> None:
    """Not the game master either, who has it at any other time at a table of this game."""

    async def play() -> list[str]:
        twin = Twin(tmp_path, 0, 1)
        await twin.open()
        for number, seat in enumerate(("gm", "p1", "p2", "p3")):
            await twin.download("gm", "transcript")
            answer = {"do": "bid", "whose": seat, "number": 2}
            frame = {"t": "answer", "id": f"{number:022}", "at": number, "answer": answer}
            await twin.people[seat].say(frame)
            await twin.settle()
        await twin.download("gm", "transcript")
        told = [text for text in twin.people["gm"].texts if text.startswith(("not_yours", "b'{"))]
        await twin.close()
        return told

    *refused, given = asyncio.run(play())
    assert refused == ["not_yours: The transcript shows hidden cards, so no one may have it until all have chosen."] * 4
    assert given.count('"do":"bid"') == 4


def test_who_has_chosen_is_told_and_acknowledged(tmp_path: Path) -> None:
    """As frames: the change has no word of the bid, but for whoever made it."""

    async def play() -> dict[str, list[Frame]]:
        twin = Twin(tmp_path, 0, 1)
        await twin.open()
        bid = {"do": "bid", "whose": "p1", "number": 3}
        await twin.people["p1"].say({"t": "answer", "id": "i" * 22, "at": 0, "answer": bid})
        await twin.settle()
        heard = {seat: [json.loads(text) for text in person.texts] for seat, person in twin.people.items()}
        await twin.close()
        return heard

    heard = asyncio.run(play())
    changes = {seat: next(frame for frame in frames if frame["t"] == "change") for seat, frames in heard.items()}
    assert changes["p2"] == changes["screen"]
    assert changes["p2"]["story"] == [
        {"n": 1, "by": "p1", "events": [{"key": "has_chosen", "rule": "S-1", "seat": "p1"}]}
    ]
    assert (changes["p1"]["ack"], changes["p1"]["mine"]) == ("i" * 22, True)
    assert changes["p2"]["doc"]["view"] == {"chosen": [["p1"]]}
    assert changes["p1"]["doc"]["view"]["own"] == [3]


# Bots choose in secret, too.


def with_bots(path: Path, story: Any) -> None:
    async def play() -> None:
        bots = {"p1": "bold", "p2": "bold", "p3": "bold"}
        seats = ("gm", "p1", "p2", "p3")
        async with scene(f"sqlite:///{path}/cards.db", seats, ["gm"], "sealed", bots=bots) as at:
            await story(at)

    asyncio.run(play())


async def until_they_know(at: Scene) -> Any:
    """Until all have been asked and have made up their minds; what they were asked."""
    asked = (await at.house.table(at.made.table))._scheduler._asked
    for thought in asked.thoughts.values():
        assert thought is not None
        await asyncio.wait([thought])
    return asked


def test_all_bots_choose_when_one_pause_is_over(tmp_path: Path) -> None:
    """Each thinks once: that another has chosen is nothing to think of."""

    async def story(at: Scene) -> None:
        scheduler = (await at.house.table(at.made.table))._scheduler
        asked = await until_they_know(at)
        await at["gm"].do("bid", whose="gm", number=1)
        at.clock.go_on(BOT_SECONDS)
        await at["gm"].catch_up(4)
        assert scheduler._asked.number != asked.number
        assert at["gm"].doc["view"]["revealed"] == {"gm": 1, "p1": 3, "p2": 3, "p3": 3}
        assert [line["by"] for line in at.log()] == ["gm", "p1", "p2", "p3"]

    with_bots(tmp_path, story)


def test_bots_that_have_chosen_are_asked_no_more(tmp_path: Path) -> None:
    async def story(at: Scene) -> None:
        await until_they_know(at)
        at.clock.go_on(BOT_SECONDS)
        await at["gm"].catch_up(3)
        attending = (await at.house.table(at.made.table))._scheduler._attending
        assert attending is not None
        await attending  # until nothing more is due
        assert at["gm"].n == 3
        await at["gm"].do("raise")  # they may bid more than before, and think anew
        await at.clock.looked_at()
        await until_they_know(at)
        at.clock.go_on(BOT_SECONDS)
        await at["gm"].catch_up(7)
        await at["gm"].do("bid", whose="gm", number=1)
        assert at["gm"].doc["view"]["revealed"] == {"gm": 1, "p1": 4, "p2": 4, "p3": 4}

    with_bots(tmp_path, story)
