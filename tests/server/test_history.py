"""The checker of histories finds each fault planted in a true history."""

import asyncio
import json
from collections.abc import Callable
from copy import deepcopy

import pytest

from tests.server.history import DOUBLED, LOST, STRANGE, TOLD_WRONG, UNPLAYABLE, History
from tests.server.insiders import scene
from tests.server.talking import Frame

Lived = tuple[History, list[Frame]]
"""What everybody was told, and the log."""
SEATS = ("gm", "p1", "p2", "screen")


@pytest.fixture(scope="module")
def true(tmp_path_factory: pytest.TempPathFactory) -> Lived:
    """An evening with somebody who hides, an undo, one who comes later, and an end."""
    folder = tmp_path_factory.mktemp("history")
    return asyncio.run(lived(f"sqlite:///{folder}/cards.db"))


async def lived(database: str) -> Lived:
    async with scene(database, ("gm", "p1", "p2"), come=SEATS, game="initiative") as at:
        gm = at["gm"]
        await gm.do("add_character", name="Ada", card="HA", controller="p1")
        await gm.do("add_character", name="Shade", card="SK", hidden=True)
        await gm.do("start_round")
        early = at["p1"]
        await at.come("p1")
        await gm.ask({"undo": 1})
        await gm.do("start_round")
        for _ in range(2):
            if gm.offers:
                offer = gm.offers[0]
                await gm.do(offer["do"], **{name: field["const"] for name, field in offer["fields"].items()})
        await gm.ask({"end": True})
        people = [early, *at.people.values()]
        for person in people:
            await person.catch_up(gm.n)
        given = {frame["ack"]: frame["n"] for frame in gm.frames if "ack" in frame}
        record = at.house.store.table(at.made.table)
        assert record is not None
        texts = [record.header, *(text for _, text in at.house.store.entries(at.made.table))]
        log = [json.loads(line) for text in texts for line in text.split("\n")]
        return History([person.texts for person in people], given), log


def test_a_true_history_has_no_fault(true: Lived) -> None:
    history, log = true
    assert history.faults(log) == []
    assert len(history.acknowledged) == sum("by" in line for line in log) >= 7
    assert {json.loads(texts[0])["you"] for texts in history.lives} == set(SEATS)


def place(log: list[Frame], number: int) -> int:
    """Where an entry's answer stands."""
    return [at for at, line in enumerate(log) if "by" in line][number - 1]


def lose(history: History, log: list[Frame]) -> None:
    """An acknowledged answer isn't there: the undo."""
    number = next(number for number in range(1, 99) if "undo" in log[place(log, number)])
    del log[place(log, number)]


def lose_the_last(history: History, log: list[Frame]) -> None:
    """The last one that everybody was told of isn't there."""
    del log[place(log, len(history.acknowledged)) :]


def double(history: History, log: list[Frame]) -> None:
    """An answer is there twice."""
    log.insert(place(log, 5), log[place(log, 5)])


def make_up(history: History, log: list[Frame]) -> None:
    """One is there that nobody gave."""
    log.insert(len(log) - 1, {"by": "gm", "do": "add_character", "name": "Bo", "card": "D7", "id": "x" * 22})


def reorder(history: History, log: list[Frame]) -> None:
    """Two that could as well have come the other way round."""
    one, other = place(log, 1), place(log, 2)
    log[one], log[other] = log[other], log[one]


def make_unplayable(history: History, log: list[Frame]) -> None:
    """An entry that the rules refuse."""
    log[place(log, 2)]["card"] = "HA"


def frame_of(history: History, seat: str, kind: str, last: bool = False) -> tuple[list[str], int]:
    """In which life, and where, a frame of this kind was told."""
    for texts in history.lives:
        if json.loads(texts[0])["you"] == seat:
            places = [at for at, text in enumerate(texts) if json.loads(text)["t"] == kind]
            return texts, places[-1 if last else 0]
    raise LookupError(seat)


def tell(history: History, seat: str, kind: str, alter: Callable[[Frame], None], last: bool = False) -> None:
    texts, at = frame_of(history, seat, kind, last)
    frame = json.loads(texts[at])
    alter(frame)
    texts[at] = json.dumps(frame)


def tell_anothers(history: History, log: list[Frame]) -> None:
    """Somebody is told what the game master is: the one who hides, and the card."""
    of_gm, at = frame_of(history, "gm", "change")
    texts, _ = frame_of(history, "p2", "change")
    changes = [place for place, text in enumerate(texts) if json.loads(text)["t"] == "change"]
    texts[changes[1]] = next(text for text in of_gm[at + 1 :] if json.loads(text)["t"] == "change")


def tell_another_story(history: History, log: list[Frame]) -> None:
    tell(history, "screen", "change", lambda frame: frame["story"][0].update(by="p1"))


def tell_that_it_can_be_taken_back(history: History, log: list[Frame]) -> None:
    tell(history, "p2", "change", lambda frame: frame.update(mine=True))


def tell_another_head(history: History, log: list[Frame]) -> None:
    tell(history, "p1", "change", lambda frame: frame.update(head="0" * 64))


def leave_out_a_change(history: History, log: list[Frame]) -> None:
    texts, at = frame_of(history, "p2", "change")
    del texts[at]


def tell_of_what_never_was(history: History, log: list[Frame]) -> None:
    tell(history, "p2", "change", lambda frame: frame.update(n=99), last=True)


def hide_that_there_is_more(history: History, log: list[Frame]) -> None:
    tell(history, "p1", "table", lambda frame: frame.update(more=True))


@pytest.mark.parametrize(
    ("plant", "kinds"),
    [
        (lose, {LOST, UNPLAYABLE}),
        (lose_the_last, {LOST, TOLD_WRONG}),
        (double, {DOUBLED, LOST, UNPLAYABLE}),
        (make_up, {STRANGE, LOST, TOLD_WRONG}),
        (reorder, {LOST, TOLD_WRONG}),
        (make_unplayable, {UNPLAYABLE}),
        (tell_anothers, {TOLD_WRONG}),
        (tell_another_story, {TOLD_WRONG}),
        (tell_that_it_can_be_taken_back, {TOLD_WRONG}),
        (tell_another_head, {TOLD_WRONG}),
        (leave_out_a_change, {TOLD_WRONG}),
        (tell_of_what_never_was, {TOLD_WRONG}),
        (hide_that_there_is_more, {TOLD_WRONG}),
    ],
)
def test_a_planted_fault_is_found(true: Lived, plant: Callable[[History, list[Frame]], None], kinds: set[str]) -> None:
    history, log = deepcopy(true)
    plant(history, log)
    assert {fault.kind for fault in history.faults(log)} == kinds
