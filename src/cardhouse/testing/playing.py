"""Random play by the protocol: answers made from offers, and answers that nothing offers."""

from __future__ import annotations

from inspect import signature
from random import Random
from typing import Any

import msgspec

from cardhouse.cards import touches
from cardhouse.engine import CLOCK, BadGame, Entry, Game, Over, Refused, Table
from cardhouse.engine.chance.sample_answers import Answer as Answer
from cardhouse.engine.chance.sample_answers import some_answer, some_roll
from cardhouse.engine.values import names
from cardhouse.engine.values.documents import OfferDoc
from cardhouse.engine.values.transcript import body_of


def quickly(kind: type[Game]) -> dict[str, int]:
    """Return the fastest settings for a game's odds, for tests that don't need precision."""
    return {"trials": 1} if "trials" in signature(kind.odds).parameters else {}


def shown_now(table: Table, seat: str, **what_if: int) -> bytes:
    """Return everything a seat (or the screen) sees now, may do now and is asked, and the odds with `what_if`."""
    offers = table.offers(seat), table.offers(seat, anytime=True)
    return msgspec.json.encode([table.view(seat), table.asks(), *offers, table.odds(seat, **what_if)])


def shown(table: Table, seat: str, **what_if: int) -> bytes:
    """Return everything a seat (or the screen) has been sent of a table so far."""
    stories = [table.story(entry, seat) for entry in table.entries]
    return msgspec.json.encode([table.may_take_back(seat), stories]) + shown_now(table, seat, **what_if)


# Offered answers.


def accepted(table: Table, seat: str, answer: Answer, **more: Any) -> Entry:
    """Give an answer that is offered; `more` is passed to `Table.answer`.

    Raises BadGame if it is refused.
    """
    try:
        return table.answer(seat, answer, **more)
    except Refused as error:
        raise BadGame(
            f"{seat} is offered {msgspec.json.encode(answer).decode()} but it is refused: {error.problem} An offer "
            f"must allow only valid moves: if its fields depend on each other, give it also and examples."
        ) from error


def answer_like(table: Table, entry: Entry, **more: Any) -> Entry:
    """Give the answer of an entry again, with the same draws."""
    return table.answer(entry.by, body_of(entry.lines[0]), chance=entry.lines[1:], **more)


def check_goes_on(table: Table) -> None:
    """Raises BadGame at a dead end: a question for which nobody has an offer."""
    if isinstance(table.question, Over) or any(table.offers(seat, anytime=True) for seat in (*table.seats, CLOCK)):
        return
    raise BadGame(
        f"The game can't go on: nobody has an offer for the open question {table.asks()['key']}. Leave the question "
        f"out, or offer something else."
    )


def ask_somebody(table: Table, rng: Random, anytime: float = 0.2) -> tuple[str, Answer] | None:
    """Return a random seat and an answer offered to it; None if nothing is offered to anybody.

    `anytime` is the probability of an action that is possible at any time.
    """
    asked: list[tuple[str, OfferDoc]] = []
    always: list[tuple[str, OfferDoc]] = []
    for seat in (*table.seats, CLOCK):
        for offer in table.offers(seat, anytime=True):
            (always if offer.get("anytime") else asked).append((seat, offer))
    if not asked and not always:
        return None
    seat, offer = rng.choice(always if always and (not asked or rng.random() < anytime) else asked)
    return seat, answer_to(table, offer, rng)


def answer_to(table: Table, offer: OfferDoc, rng: Random) -> Answer:
    """Return an answer that fits an offer."""
    return some_roll(table.question, rng) if "roll" in offer else some_answer(offer, rng)


# Answers that aren't offered.


def fits(schema: dict[str, Any], value: Any) -> bool:
    """Return whether a value fits an offer's field, by its JSON Schema, independently of the engine.

    Names that look the same are equal.
    """
    if "const" in schema or "enum" in schema:
        allowed = schema.get("enum", [schema.get("const")])
        is_name = isinstance(value, str) and "format" not in schema
        return any(type(value) is type(item) and value == item for item in allowed) or (
            is_name and names.find(value, allowed) is not None
        )
    if "examples" in schema:  # only the engine knows which objects fit
        return value in schema["examples"]
    if schema["type"] == "boolean":
        return isinstance(value, bool)
    if schema["type"] == "integer":
        return type(value) is int and schema["minimum"] <= value <= schema["maximum"]
    if schema.get("format") == "laying":
        return isinstance(value, list) and _can_be_laid(schema, value)
    if schema["type"] == "array":
        return (
            isinstance(value, list)
            and schema["minItems"] <= len(value) <= schema["maxItems"]
            and all(fits(schema["items"], item) for item in value)
            and len({repr(item) for item in value}) == len(value)
        )
    return (
        isinstance(value, str)
        and schema["minLength"] <= len(value) <= schema["maxLength"]
        and value not in schema.get("not", {}).get("enum", ())
        and value == value.strip()
        and (value.replace("\n", "") if schema.get("format") == "lines" else value).isprintable()
    )


def _can_be_laid(schema: dict[str, Any], value: list[Any]) -> bool:
    """Return whether these cards may be laid this way, one after the other."""
    wanted = schema["items"]["properties"]
    taken = {tuple(cell) for cell in schema["taken"]}
    for one in value:
        if not isinstance(one, dict) or set(one) != set(wanted) or not all(fits(wanted[key], one[key]) for key in one):
            return False
        cell = one["x"], one["y"]
        if cell in taken or (schema["touching"] and not touches(cell, taken)):
            return False
        taken.add(cell)
    return bool(schema["minItems"] <= len(value) == len({one["card"] for one in value}))


def is_offered(table: Table, seat: str, answer: Answer) -> bool:
    """Return whether an answer fits one of this seat's offers, as the protocol describes them.

    Raises ValueError for a roll, and where fields depend on each other: the offer doesn't say what fits.
    """
    for offer in table.offers(seat, anytime=True):
        if "roll" in answer and "roll" in offer:
            raise ValueError("an offer of a roll doesn't show which dice are valid")
        kind = next(word for word in ("do", "draw", "roll") if word in offer)
        given = {name: value for name, value in answer.items() if name != kind}
        required = set(offer["fields"]) - set(offer.get("optional", ()))
        if (
            answer.get(kind) == offer[kind]
            and required <= set(given) <= set(offer["fields"])
            and all(
                fits(schema := offer["fields"][name], value) or ("examples" in offer and "examples" in schema)
                for name, value in given.items()
            )
        ):
            if "examples" in offer and given not in offer["examples"]:
                raise ValueError("an offer with examples doesn't show what else is valid")
            return True
    return False


JUNK: tuple[Any, ...] = (
    *(True, 0, -1, 1, 10**9, 1.5, "", " x", "x ", "x" * 200, "a\nb", "\u0000", "RJ", "HA", "gm", "screen"),
    *([], ["HA"], {}, {"do": "act"}),
)
"""Values that are rarely valid."""

NEVER: tuple[Answer, ...] = (
    {},
    {"do": "no such thing"},
    {"do": 5},
    {"do": ["step"]},
    {"do": "step", "step": "no such step"},
    {"draw": "no such deck", "card": "HA"},
    {"draw": 7},
    {"roll": "1d1", "dice": [2]},
    {"undo": 0},
    {"undo": True},
    {"undo": "1"},
    {"undo": 1, "extra": 1},
    {"redo": 0},
    {"redo": 1, "undo": 1},
    {"redo": 10**9},
    {"seat": ""},
    {"seat": 5},
    {"seat": "screen"},
    {"end": False},
    {"say": "hello"},
)
"""Answers that are never offered."""


def wrong_answer(table: Table, rng: Random, seats: list[str]) -> tuple[str, Answer] | None:
    """Return a seat and an answer that isn't offered to it; None if the attempt found none."""
    seat = rng.choice(seats)
    if rng.random() < 0.2:
        return seat, dict(rng.choice(NEVER))
    if (right := ask_somebody(table, rng, 0.5)) is None or "roll" in right[1]:
        return None
    answer = _bent(right[1], rng)
    try:
        known_wrong = not is_offered(table, seat, answer)
    except ValueError:
        return None
    return (seat, answer) if known_wrong and not _leaves_out_defaults(table, answer) else None


def _bent(answer: Answer, rng: Random) -> Answer:
    """Return the answer with an error, or unchanged, so that it is wrong for other seats only."""
    fields = [name for name in answer if name not in ("do", "draw")]
    how = rng.randrange(4)
    if how == 0 and fields:
        return {**answer, rng.choice(fields): rng.choice(JUNK)}
    if how == 1 and fields:
        gone = rng.choice(fields)
        return {name: value for name, value in answer.items() if name != gone}
    if how == 2:
        return {**answer, rng.choice(["extra", "by", "id", "card", "name"]): rng.choice(JUNK)}
    return answer


def _leaves_out_defaults(table: Table, answer: Answer) -> bool:
    """Return whether a field has its default value, which the engine takes for an omitted field."""
    for action in table.kind.actions:
        if answer.get("do") == action.word():
            defaults = {field.name: field.default for field in msgspec.structs.fields(action)}
            return any(defaults.get(name, msgspec.NODEFAULT) == value for name, value in answer.items())
    return False
