"""A table of Dogs can be verified: face-down cards are dealt when they are turned over (DV-25)."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from cardhouse.engine import GM, BadTranscript, FairDealer, Table
from cardhouse.engine.integrity.verify import verify
from tests.games.dogs.playing import BEN, game_of, next_answer

Line = dict[str, Any]
FACE_DOWN = {"draw": "dogs", "card": None}


def played() -> list[Line]:
    """The lines of a table that was dealt fairly: a blow is undone and taken again, and turned over at the end."""
    table = Table.new("dogs", (GM, "ada"), dealer=FairDealer(bytes(range(32))), by_hand=["fallout"])
    rng = Random(0)

    def answer(by: str, line: Line) -> None:
        table.answer(by, line, id=f"id {table.number}")

    for name in ("Ada", "Ben"):
        answer(GM, {"do": "create", **BEN, "name": name})
    answer(GM, {"do": "open_conflict", "stakes": "Who?", "sides": [["Ada"], ["Ben"]], "arena": "guns"})
    undone = 0
    while game_of(table).under_way or game_of(table).busy:
        answer(*next_answer(table, rng))
        if FACE_DOWN in table.entries[-1].lines and undone < 2:
            answer(GM, {"undo": 1})
            undone += 1
    answer(GM, {"end": True})
    return [json.loads(line) for line in table.transcript().splitlines()]


LINES = played()
LAST = max(place for place, line in enumerate(LINES) if line.get("card") and "by" not in line)
"""Where the last card is that was turned over."""


def verified(lines: list[Line]) -> Any:
    return verify(map(json.dumps, lines))


def test_a_fair_table_with_fallout():
    found = verified(LINES)
    cards = sum("draw" in line and line["card"] is not None for line in LINES)
    assert (found.cards, found.named) == (cards, 0)
    down, undone = LINES.count(FACE_DOWN), sum("undo" in line for line in LINES)
    assert down > undone == 2
    step = next(place for place, line in enumerate(LINES) if line.get("do") == "step")
    assert step < LAST


def swap_turned_up(lines: list[Line]) -> int:
    """Another card is turned up than lay there."""
    drawn = {line.get("card") for line in lines}
    lines[LAST]["card"] = next(card for card in ("SJ", "C2", "D9") if card not in drawn)
    return LAST


def name_face_down(lines: list[Line]) -> int:
    """Somebody knew what lay face down."""
    place = lines.index(FACE_DOWN)
    lines[place] = {"draw": "dogs", "card": lines[LAST]["card"]}
    return place


def leave_out_face_down(lines: list[Line]) -> int:
    """One card fewer was drawn face down."""
    place = lines.index(FACE_DOWN)
    del lines[place]
    return place if lines[place] == FACE_DOWN else place - 1


def one_more_face_down(lines: list[Line]) -> int:
    """One card more was drawn face down."""
    place = lines.index(FACE_DOWN)
    while lines[place] == FACE_DOWN:
        place += 1
    lines.insert(place, dict(FACE_DOWN))
    return place


@pytest.mark.parametrize("cheat", [swap_turned_up, name_face_down, leave_out_face_down, one_more_face_down])
def test_a_table_that_is_not_fair(cheat: Callable[[list[Line]], int]):
    lines = [dict(line) for line in LINES]
    place = cheat(lines)
    with pytest.raises(BadTranscript) as error:
        verified(lines)
    assert error.value.code == "unfair"
    assert error.value.line in (place + 1, place + 2)
