"""Answers as numbers: first the action, then a value for each of its fields, from a seat's offers."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from cardhouse.agents.vocabulary import NUMBERS, TEXTS, Mark, Options, RangePosition, Vocabulary, Word
from cardhouse.cards import Cell, touches
from cardhouse.engine import Action, CardhouseError

Answer = dict[str, Any]
"""A line of a transcript without `by` and `id`."""
Offered = Mapping[str, Any]
"""An offer as the protocol writes it."""

REACH = 12
"""The largest coordinate at which cards are laid, in both directions."""

T = TypeVar("T")


class NextNumber(NamedTuple):
    """A request for the next number: `place` is its place in the answer, `open` maps possible numbers to values."""

    place: tuple[str | int, ...]
    open: Options


Reading = Generator[NextNumber, Any, T]
"""A coroutine that asks for one number after another, is sent their values, and returns what they make together."""


class AnswerNumbers:
    """The translation between answers and numbers for one setting of a game."""

    def __init__(self, vocabulary: Vocabulary, actions: Sequence[type[Action]]) -> None:
        self.vocabulary = vocabulary
        self._fields = {
            action.word(): [field.encode_name for field in msgspec.structs.fields(action)] for action in actions
        }

    # From numbers to answers.

    def read(self, offers: Sequence[Offered], numbers: Sequence[int]) -> NextNumber | Answer:
        """Return the answer that these numbers make, or the request for the next one.

        A field without a choice takes no number. Raises CardhouseError if a number isn't open.
        """
        reading, left = self._answer(offers), list(numbers)
        try:
            request = next(reading)
            while True:
                if _is_forced(request):
                    (value,) = request.open.values()
                elif not left:
                    return request
                elif (number := left.pop(0)) in request.open:
                    value = request.open[number]
                else:
                    raise CardhouseError(f"The number {number} has no meaning here.")
                request = reading.send(value)
        except StopIteration as done:
            answer: Answer = done.value
            return answer

    def numbers_for(self, offers: Sequence[Offered], answer: Answer) -> list[int]:
        """Return the numbers that make an answer.

        Raises ValueError if none do.
        """
        reading, numbers = self._answer(offers), []
        try:
            request = next(reading)
            while True:
                wanted = _at(answer, request.place)
                number = next((number for number, value in request.open.items() if _is_equal(value, wanted)), None)
                if number is None:
                    raise ValueError("no numbers make this answer")
                if not _is_forced(request):
                    numbers.append(number)
                request = reading.send(request.open[number])
        except StopIteration:
            return numbers

    # An answer, from its action on.

    def _answer(self, offers: Sequence[Offered]) -> Reading[Answer]:
        """Read an answer to one of these offers."""
        left = [one for offer in offers if "do" in offer for one in _spelled_out(offer) if self._has_numbers(one)]
        words = {
            number: word.do for number, word in self.vocabulary.number_all([Word(one["do"]) for one in left]).items()
        }
        do = yield NextNumber(("do",), dict(sorted(words.items())))
        left = [offer for offer in left if offer["do"] == do]
        answer: Answer = {"do": do}
        names = [name for name in self._fields[do] if any(name in offer["fields"] for offer in left)]
        if len(left) > 1:  # fields that aren't lists come first, to determine the offer
            names.sort(key=lambda name: any(_is_list(offer, name) for offer in left))
        for name in names:
            value = yield from self._field(name, left)
            if value is not Mark.LEFT_OUT:
                answer[name] = value
            left = [offer for offer in left if _takes(offer, name, value)]
        return answer

    def _has_numbers(self, offer: Offered) -> bool:
        """Return whether each field has a possible value with a number."""
        return all(
            len(self.vocabulary.number_all(_among(schema))) >= schema.get("minItems", 1)
            for name, schema in offer["fields"].items()
            if name not in offer.get("optional", ())
        )

    def _field(self, name: str, offers: Sequence[Offered]) -> Reading[Any]:
        """Read a value for a field that fits one of these offers; LEFT_OUT for none."""
        lists = [offer["fields"][name] for offer in offers if _is_list(offer, name)]
        values = [value for offer in offers if not _is_list(offer, name) for value in _values(offer, name)]
        if not lists:
            return (yield NextNumber((name,), self._numbered(values)))
        if any(_is_optional(offer, name) for offer in offers):
            is_given = yield NextNumber((name, "given"), self._numbered([True, Mark.LEFT_OUT]))
            if is_given is Mark.LEFT_OUT:
                return is_given
        spelled = [schema["const"] for schema in lists if "const" in schema]
        if spelled:
            return (yield from self._spell(name, spelled))
        schema = yield NextNumber((name, "which"), self._numbered(lists))
        laid = schema.get("format") == "laying"
        return (yield from self._place_cards(name, schema) if laid else self._pick(name, schema))

    def _pick(self, name: str, schema: Mapping[str, Any]) -> Reading[list[Any]]:
        """Read different ones of a field's values, one after another."""
        picked: list[Any] = []
        while True:
            left = [value for value in _among(schema["items"]) if value not in picked]
            open_: list[Any] = left if len(picked) < schema["maxItems"] else []
            done = [Mark.DONE] if len(picked) >= schema["minItems"] else []
            value = yield NextNumber((name, len(picked)), self._numbered([*open_, *done]))
            if value is Mark.DONE:
                return picked
            picked.append(value)

    def _place_cards(self, name: str, schema: Mapping[str, Any]) -> Reading[list[Any]]:
        """Read cards laid on cells: each card, then its x, then its y."""
        wanted = schema["items"]["properties"]
        taken: set[Cell] = {(x, y) for x, y in schema["taken"]}
        laid: list[Any] = []
        while True:
            free = _free(taken, min(wanted["x"]["maximum"], REACH), touching=schema["touching"])
            left = set(_among(wanted["card"])) - {one["card"] for one in laid} if free else ()
            done = [Mark.DONE] if len(laid) >= schema["minItems"] else []
            card = yield NextNumber((name, len(laid), "card"), self._numbered([*sorted(left), *done]))
            if card is Mark.DONE:
                return laid
            x = yield NextNumber((name, len(laid), "x"), self._numbered([x for x, _ in free]))
            y = yield NextNumber((name, len(laid), "y"), self._numbered([y for at, y in free if at == x]))
            taken.add((x, y))
            laid.append({"card": card, "x": x, "y": y})

    def _spell(self, name: str, lists: Sequence[Sequence[Any]]) -> Reading[list[Any]]:
        """Read one of these lists, item by item."""
        items_so_far: list[Any] = []
        while True:
            left = [one for one in lists if list(one[: len(items_so_far)]) == items_so_far]
            items = [one[len(items_so_far)] if len(one) > len(items_so_far) else Mark.DONE for one in left]
            item = yield NextNumber((name, len(items_so_far)), self._numbered(items))
            if item is Mark.DONE:
                return items_so_far
            items_so_far.append(item)

    def _numbered(self, values: Iterable[Any]) -> Options:
        """Return those of a field's values that have numbers, in ascending order.

        Raises CardhouseError if none do.
        """
        found = self.vocabulary.number_all(list(values))
        if not found:
            raise CardhouseError("None of the allowed values has a number.")
        return dict(sorted(found.items()))


def _is_forced(request: NextNumber) -> bool:
    """Return whether there is only one possibility; the action is always given, even then."""
    return len(request.open) == 1 and request.place != ("do",)


def _spelled_out(offer: Offered) -> list[Offered]:
    """Return an offer, or, if it has examples, one offer without choices for each."""
    if "examples" not in offer:
        return [offer]
    examples = msgspec.to_builtins(offer["examples"])
    return [{"do": offer["do"], "fields": {name: {"const": one[name]} for name in one}} for one in examples]


def _is_list(offer: Offered, name: str) -> bool:
    """Return whether an offer takes a list for a field, which is given item by item."""
    schema = offer["fields"].get(name, {})
    return isinstance(schema.get("const"), list) or "items" in schema


def _is_optional(offer: Offered, name: str) -> bool:
    return name not in offer["fields"] or name in offer.get("optional", ())


def _values(offer: Offered, name: str) -> list[Any]:
    """Return the values that an offer allows for a field, with LEFT_OUT if it may be omitted."""
    left_out = [Mark.LEFT_OUT] if _is_optional(offer, name) else []
    return [*(_among(offer["fields"][name]) if name in offer["fields"] else ()), *left_out]


def _takes(offer: Offered, name: str, value: Any) -> bool:
    """Return whether an offer allows this value for a field, where at least one of several offers does."""
    if value is Mark.LEFT_OUT:
        return _is_optional(offer, name)
    schema = offer["fields"].get(name, {})
    if "const" in schema or "enum" in schema:
        return any(_is_equal(value, one) for one in _among(schema))
    if schema.get("type") == "integer":
        return bool(schema["minimum"] <= value <= schema["maximum"])
    return name in offer["fields"]


def _among(schema: Mapping[str, Any]) -> list[Any]:
    """Return the values of a field, or those that its list may hold; a selection if there are many."""
    if "const" in schema:
        return [schema["const"]]
    for listed in ("enum", "examples"):
        if listed in schema:
            return list(schema[listed])
    if schema["type"] == "array":
        return _among(schema["items"]["properties"]["card"] if schema.get("format") == "laying" else schema["items"])
    if schema["type"] == "boolean":
        return [True, False]
    if schema["type"] == "integer":
        return _sample_range(schema["minimum"], schema["maximum"])
    taken = schema.get("not", {}).get("enum", ())
    return [text for text in TEXTS if text not in taken]


def _sample_range(least: int, most: int) -> list[Any]:
    """Return the integers of a range that have numbers, and, if it extends beyond them, its ends and middle."""
    near: list[Any] = list(range(max(least, NUMBERS[0]), min(most, NUMBERS[-1]) + 1))
    ends = {Mark.LEAST: least, Mark.HALFWAY: (least + most) // 2, Mark.MOST: most}
    return [*near, *(RangePosition(mark, value) for mark, value in ends.items() if value not in NUMBERS)]


def _free(taken: set[Cell], reach: int, *, touching: bool) -> list[Cell]:
    """Return the cells on which a card may be laid."""
    cells = [(x, y) for x in range(-reach, reach + 1) for y in range(-reach, reach + 1) if (x, y) not in taken]
    return [cell for cell in cells if touches(cell, taken)] if touching else cells


def _at(answer: Answer, place: tuple[str | int, ...]) -> Any:
    """Return the value at this place of an answer; a mark if there is none."""
    name, *inside = place
    value = msgspec.to_builtins(answer).get(name, Mark.LEFT_OUT)
    if inside == ["given"]:
        return Mark.LEFT_OUT if value is Mark.LEFT_OUT else True
    for step in inside:
        if isinstance(step, int) and step >= len(value):
            return Mark.DONE
        value = value[step]
    return value


def _is_equal(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)
