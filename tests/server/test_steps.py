"""No text in a frame costs the event loop, in which all tables are played, more than some steps: never by the clock."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, get_args
from zlib import crc32

import pytest

from cardhouse.engine import GM, find_game, game_names, read_transcript
from cardhouse.engine.values.transcript import body_of, by_answer, kind_of, write_transcript
from cardhouse.server.management.table_manager import TableManager
from cardhouse.server.transcripts.transcript_import import read_in
from cardhouse.server.wire.protocol import FRAME_BYTES, Frame
from tests.server.insiders import Visitor, open_house
from tests.server.steps import SHAPES, SHORT, Put, Spot, Steps, encoded, hostile, leaves, nested, sample, spots, type_of
from tests.server.talking import SECONDS, new_id
from tests.thorough import many

TRANSCRIPTS = Path(__file__).resolve().parents[1] / "transcripts"
MOST_STEPS = 100_000
"""Four milliseconds of a slow machine; the bound is 50."""
GROWTH, NOISE = 1.15, 2_000
"""Steps per character may grow by this share when a text doubles; beside what all that is said costs."""
AGAIN = 2
"""How often a text that seems dear is said again: what a server does now and then may have come in between."""
SIZES = [2.0**-halved for halved in reversed(range(many(5, 1)))]
"""Shares of the longest text."""
DEAREST = ("marks", "letters")
Cost = Callable[[Any], Awaitable[int]]


class Situation(NamedTuple):
    """A transcript, and an answer that is possible after it."""

    before: str
    by: str
    answer: dict[str, Any]


class Guest(Visitor):
    """Somebody who says what they say, and counts the steps of it."""

    n = 0

    async def sit(self, house: TableManager, table: str, token: str) -> None:
        await self.say({"t": "sit", "table": table, "token": token})
        self.n = json.loads(self.texts[0])["n"]

    async def cost(self, text: bytes) -> int:
        async with asyncio.timeout(SECONDS):
            with Steps() as steps:
                await self.say(text.decode())
        return steps.count

    def hears(self) -> list[dict[str, Any]]:
        """The frames since it was last asked."""
        frames, self.texts[:] = [json.loads(text) for text in self.texts], []
        self.n = max(self.n, *(frame.get("n", 0) for frame in frames), 0)
        return frames


async def check_growth(name: str, put: Callable[[str], Any], room: int, cost: Cost, longest: int | None = None) -> None:
    """No shape of text costs more than `MOST_STEPS`, nor more than in proportion to its size."""
    base = await cost(put(SHORT))
    for shape in _shapes(name):
        before: tuple[int, int] | None = None
        for share in SIZES:
            text = hostile(shape, int(room * share), longest)
            steps = await cost(put(text))
            assert steps <= MOST_STEPS, f"{name}: {len(text)} {shape} cost {steps} steps"
            if before is not None:
                allowed = GROWTH * len(text) / before[0] * max(before[1] - base, 0) + NOISE
                for _ in range(AGAIN):
                    if steps - base > allowed:
                        steps = min(steps, await cost(put(text)))
                assert steps - base <= allowed, (
                    f"{name}: {before[0]} {shape} cost {before[1]} steps, {len(text)} {steps}"
                )
            before = len(text), steps


def _shapes(name: str) -> list[str]:
    """All in the second tier; in the first the dearest ones, and every fourth of the others, other ones per field."""
    turn = crc32(name.encode()) % 4
    return [one for place, one in enumerate(SHAPES) if many(1, 0) or one in DEAREST or place % 4 == turn]


# Answers.


def situations(game: str) -> dict[str, Situation]:
    """A situation for each of the game's own actions that has a text, and for each other kind of answer."""
    actions = [one for one in find_game(game).actions if [*spots(type_of(one))]]
    elsewhere = tuple(f"cardhouse.games.{name}." for name in game_names() if name != game)
    wanted = {one.word() for one in actions if not one.__module__.startswith(elsewhere)}
    found: dict[str, Situation] = {}
    # From the last rule on: a timer of the first ones has rung by the time its table is read in.
    for file in sorted(TRANSCRIPTS.glob(f"{game}/**/*.jsonl"), reverse=True):
        header, lines = read_transcript(file.read_text("utf-8").splitlines())
        said: list[dict[str, Any]] = []
        for group in by_answer(lines):
            line = group[0][1]
            word = line["do"] if kind_of(line) == "do" else kind_of(line)
            if word is not None and word not in found and line["by"] in header.seats:
                found[word] = Situation("".join(write_transcript(header, said)), line["by"], body_of(line))
            said.extend(one for _, one in group)
    assert wanted <= {*found}, f"nobody does {wanted - {*found}} in {TRANSCRIPTS}/{game}"
    return found


def places(game: str, word: str, answer: dict[str, Any]) -> Iterator[Spot]:
    """Where an answer has texts, or may have."""
    yield from leaves(answer)
    for action in find_game(game).actions:
        if action.word() == word:
            for path, put, most in spots(type_of(action)):
                top = re.findall(r"\w+", path)[0]
                yield path, _within(answer, top, put), most


def _within(answer: dict[str, Any], field: str, put: Put) -> Put:
    return lambda text: {**answer, field: put(text)[field]}


@pytest.mark.parametrize("game", game_names())
def test_no_text_of_an_answer_costs_many_steps(game: str, tmp_path: Path) -> None:
    async def play() -> None:
        async with open_house(f"sqlite:///{tmp_path}/cards.db") as house:
            for word, situation in situations(game).items():
                await answer_all(house, game, word, situation)

    asyncio.run(play())


async def answer_all(house: TableManager, game: str, word: str, situation: Situation) -> None:
    made = await house.add(read_in(situation.before.encode()))
    gm, guest = Guest(house), Guest(house)
    await gm.sit(house, made.table, made.links[GM])
    await guest.sit(house, made.table, made.links[situation.by])

    async def cost(answer: Any) -> int:
        own = new_id()
        steps = await guest.cost(encoded({"t": "answer", "id": own, "at": guest.n, "answer": answer}))
        if any(frame.get("ack") == own for frame in guest.hears()):
            gm.hears()
            await gm.say({"t": "answer", "id": new_id(), "at": guest.n, "answer": {"undo": 1}})
            await guest.sync()
            guest.hears()
        return steps

    for path, put, most in {
        path: (path, put, most) for path, put, most in places(game, word, situation.answer)
    }.values():
        room = FRAME_BYTES - 100 - len(encoded(put(SHORT)))
        await check_growth(f"{game} {word}{path}", put, room, cost, most)
    own = new_id()
    await guest.say({"t": "answer", "id": own, "at": guest.n, "answer": situation.answer})
    told = guest.hears()
    assert any(frame.get("ack") == own for frame in told), (game, word, situation.answer, told)
    for one in (gm, guest):
        await one.leave()


# Frames.


def test_no_text_of_a_frame_costs_many_steps(tmp_path: Path) -> None:
    """Those of answers apart; what is no text at all is tried, too."""

    async def play() -> None:
        async with open_house(f"sqlite:///{tmp_path}/cards.db") as house:
            made = await house.create("hackjack", [GM, "p1", "p2"], odds="off")

            async def cost(frame: Any) -> int:
                guest = Guest(house)  # who says much that is wrong is thrown out
                await guest.sit(house, made.table, made.links[GM])
                steps = await guest.cost(frame if isinstance(frame, bytes) else encoded(frame))
                await guest.leave()
                return steps

            for kind in get_args(Frame):
                word = sample(type_of(kind))["t"]
                for path, put, most in spots(type_of(kind)):
                    room = FRAME_BYTES - len(encoded(put("")))
                    await check_growth(f"{word}{path}", put, room, cost, most)
            own = new_id().encode()
            for how, value in nested(FRAME_BYTES - 100):
                for frame in (value, b'{"t":"answer","id":"%s","at":0,"answer":%s}' % (own, value)):
                    assert await cost(frame) <= MOST_STEPS, how

    asyncio.run(play())
