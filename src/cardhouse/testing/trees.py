"""An exhaustive count of a small game: all possible draws times all possible answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import msgspec

from cardhouse.cards import Placed
from cardhouse.engine import Action, Ask, Field, Game, Laying, Offer, OneOf, Table, Whole, YesNo
from cardhouse.engine.table.enumerate import walk


def count_tree(table: Table) -> dict[str, int]:
    """Return in how many ways a table can reach its next rest or its end, and how often they produce each event.

    Every offered answer is given, except actions possible at any time. If the numbers change, the rules have changed;
    the events whose counts changed show where to look. Raises ValueError if an answer has a field that can't be
    counted, such as a text.
    """
    counts: Counter[str] = Counter()
    for way in walk(table, _Everything()):
        counts["ways"] += 1
        counts.update(f"{event.rule} {event.key}" for event in way.events)
    return dict(sorted(counts.items()))


class _Everything:
    """Gives every answer to every question, until the game rests again."""

    def __init__(self) -> None:
        self.game: Game | None = None

    def __call__(self, game: Game, question: Ask) -> Sequence[Action] | None:
        begun, self.game = self.game is game, game
        if begun and question.rest:
            return None
        return [action for offer in question.offers for action in _answers(offer)]


def _answers(offer: Offer) -> Iterator[Action]:
    names = [name for name in offer.fields if name not in offer.optional]
    for values in product(*(values_of(offer.fields[name]) for name in names)):
        yield offer.do(**dict(zip(names, values, strict=True)))


def values_of(field: Field) -> Sequence[Any]:
    """Return all values of a field.

    Raises ValueError if they can't be counted.
    """
    if isinstance(field, OneOf):
        return field.values
    if isinstance(field, YesNo):
        return (False, True)
    if isinstance(field, Whole):
        return range(field.least, field.most + 1)
    if isinstance(field, Laying):
        return [laid for laid in _layings(msgspec.structs.replace(field, least=0), []) if len(laid) >= field.least]
    raise ValueError(f"The values of a {type(field).__name__} can't be counted.")


def _layings(field: Laying, laid: list[Placed]) -> Iterator[list[Placed]]:
    """Yield what was laid, and all ways to lay more after it: each card, on each cell, in each order."""
    yield laid
    span = range(-field.reach, field.reach + 1)
    for card, x, y in product(field.cards, span, span):
        longer = [*laid, Placed(card, x, y)]
        if field.wrong(longer) is None:
            yield from _layings(field, longer)
