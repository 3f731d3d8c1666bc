"""Random answers, made from an offer in the form of the protocol alone."""

from __future__ import annotations

from random import Random
from typing import Any

from cardhouse.cards import around
from cardhouse.engine.values.documents import OfferDoc
from cardhouse.engine.values.questions import Over, Question, Roll

Answer = dict[str, Any]
"""A line of a transcript without `by` and `id`."""


def some_roll(question: Question | Over, rng: Random) -> Answer:
    """Return random faces for an open roll."""
    assert isinstance(question, Roll)
    count, sides = question.count_and_sides()
    return {"roll": question.dice, "dice": [rng.randint(1, sides) for _ in range(count)]}


def some_answer(offer: OfferDoc, rng: Random) -> Answer:
    """Return a random answer that fits an offer of an action or a card."""
    answer = {"do": offer["do"]} if "do" in offer else {"draw": offer["draw"]}
    if "examples" in offer:
        return {**answer, **rng.choice(offer["examples"])}
    optional = offer.get("optional", ())
    fields = {
        name: sample(schema, rng)
        for name, schema in offer["fields"].items()
        if name not in optional or rng.random() < 0.5
    }
    return {**answer, **fields}


def sample(schema: dict[str, Any], rng: Random) -> Any:
    """Return a random value that fits a field of an offer."""
    if "const" in schema:
        return schema["const"]
    if "examples" in schema:
        return rng.choice(schema["examples"])
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if schema["type"] == "boolean":
        return rng.random() < 0.5
    if schema["type"] == "integer":
        return rng.choice([schema["minimum"], schema["maximum"], rng.randint(schema["minimum"], schema["maximum"])])
    if schema.get("format") == "laying":
        return _laying(schema, rng)
    if schema["type"] == "array":
        items = schema["items"].get("enum", [schema["items"].get("const")])
        return rng.sample(items, rng.randint(schema["minItems"], min(schema["maxItems"], len(items))))
    while True:  # a text
        letters = rng.choices("abcdefghijklmnopqrstuvwxyzÄéß'東", k=rng.randint(1, min(8, schema["maxLength"])))
        if (text := "".join(letters)) not in schema.get("not", {}).get("enum", ()):
            return text


def _laying(schema: dict[str, Any], rng: Random) -> list[dict[str, Any]]:
    """Lay cards on free cells, most of them next to occupied ones."""
    item = schema["items"]["properties"]
    cards = item["card"].get("enum", [item["card"].get("const")])
    reach = item["x"]["maximum"]
    cells = {tuple(cell) for cell in schema["taken"]}
    laid = []
    for card in rng.sample(cards, rng.randint(schema["minItems"], schema["maxItems"])):
        near = [cell for there in sorted(cells) for cell in around(there) if cell not in cells]
        if schema["touching"] or (near and rng.random() < 0.8):
            x, y = rng.choice([(x, y) for x, y in near if max(abs(x), abs(y)) <= reach])
        else:
            x, y = rng.choice([-reach, reach, rng.randint(-reach, reach)]), rng.randint(-reach, reach)
        if (x, y) not in cells:
            cells.add((x, y))
            laid.append({"card": card, "x": x, "y": y})
    return laid if len(laid) >= schema["minItems"] else _laying(schema, rng)
