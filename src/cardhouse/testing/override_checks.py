"""Tests of edits by hand: random edits, and that they reveal nothing to the seats."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from cardhouse.engine import GM, SCREEN, BadGame, Table, catalogue_of
from cardhouse.engine.chance.sample_answers import sample
from cardhouse.engine.game.catalogue import no_words
from cardhouse.engine.table.visibility import editable_now
from cardhouse.testing.differing import compare, first_difference
from cardhouse.testing.playing import Answer, accepted
from cardhouse.testing.twins import undo_both

_FEW = 3
"""Most cards put in a place without limit, most of the time."""


def check_editable(table: Table) -> None:
    """Raises BadGame unless every editable value has its words."""
    words = catalogue_of(table.kind).words
    for one in table.editable(GM):
        if one["what"] not in words.fields:
            raise BadGame(no_words(table.kind, "fields", one["what"]))


def random_edit(table: Table, rng: Random) -> Answer | None:
    """Return a random valid edit by the game master; None if the attempt found none."""
    there = table.editable(GM)
    if not there:
        return None
    one = rng.choice(there)
    value = _some_value(one, rng)
    found = next(may for may in editable_now(table.game) if (may.of, may.what) == (one.get("of", ""), one["what"]))
    return None if found.wrong(value) is not None else _edit(one, value)


_NEVER: tuple[Answer, ...] = (
    {"put_right": 5, "to": 5},
    {"put_right": "no such thing", "to": 5},
    {"put_right": "no such thing", "of": "nobody", "to": 5},
    {"put_right": "no such thing"},
)


def invalid_edit(table: Table, rng: Random) -> tuple[str, Answer]:
    """Return a seat and an edit that it may not make."""
    there = table.editable(GM)
    if not there or rng.random() < 0.2:
        return GM, rng.choice(_NEVER)
    one = rng.choice(there)
    others = [seat for seat in table.seats if seat != GM]
    if others and rng.random() < 0.3:
        return rng.choice(others), _edit(one, one["now"])
    junk = rng.choice([one["now"], 1.5, -1, {}, "", ["no such card"], 10**12, {"a": [None]}])
    return GM, _edit(one, junk)


def _some_value(one: dict[str, Any], rng: Random) -> Any:
    schema = one["schema"]
    if schema.get("type") == "array" and rng.random() < 0.8:
        schema = {**schema, "maxItems": min(schema["maxItems"], max(schema["minItems"], _FEW))}
    if schema.get("type") == "integer" and rng.random() < 0.6:
        near = one["now"] if isinstance(one["now"], int) else schema["minimum"]
        return max(schema["minimum"], min(schema["maximum"], near + rng.randint(-3, 3)))
    return sample(schema, rng)


def _edit(one: dict[str, Any], value: Any) -> Answer:
    return {"put_right": one["what"], **({"of": one["of"]} if "of" in one else {}), "to": value}


def compare_edits(one: Table, other: Table, seats: Sequence[str], rng: Random) -> None:
    """Make the same edit at two tables, or of something hidden at each, compare what these seats see, and undo it.

    Raises BadGame if a seat can tell the two apart by it.
    """
    if GM in seats and (apart := first_difference(*({"editable": table.editable(GM)} for table in (one, other)))):
        raise BadGame(f"The game master can edit different things at two tables that nobody may tell apart: {apart}.")
    answers = _alike(one, other, seats, rng)
    if answers is None:
        return
    for table, answer in zip((one, other), answers, strict=True):
        accepted(table, GM, answer)
    compare(one, other, [*seats, SCREEN])
    undo_both(one, other, GM, 1)


def _alike(one: Table, other: Table, seats: Sequence[str], rng: Random) -> tuple[Answer, Answer] | None:
    """Return the same edit for both tables, or edits of a hidden value that none of these seats may know."""
    chosen = random_edit(one, rng)
    if chosen is None:
        return None
    there = {(may.of, may.what): may for may in editable_now(other.game)}
    here = next(m for m in editable_now(one.game) if (m.of, m.what) == (chosen.get("of", ""), chosen["put_right"]))
    if (same := there.get((here.of, here.what))) is not None and not here.to:
        return None if same.wrong(chosen["to"]) is not None else (chosen, chosen)
    hidden = [may for may in there.values() if may.to and may.what == here.what and not {*may.to} & {*seats}]
    piles = isinstance(here.now, list)  # the number of cards in a pile is public
    if not here.to or piles or {*here.to} & {*seats} or not hidden:
        return None
    may = rng.choice(hidden)
    value = next((v for v in (_some_value(may.as_json(), rng) for _ in range(9)) if may.wrong(v) is None), None)
    return None if value is None else (chosen, _edit(may.as_json(), value))
