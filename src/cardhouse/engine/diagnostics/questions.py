"""Checks of the questions that rules ask: their seats, decks, dice, fields and actions must exist."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from functools import cache
from pathlib import Path
from types import CodeType, GeneratorType
from typing import Any

import msgspec

from cardhouse.engine.game.game import Game, no_such
from cardhouse.engine.values.errors import BadGame
from cardhouse.engine.values.fields import Field, OneOf
from cardhouse.engine.values.questions import CLOCK, GM, Action, Ask, Draw, Now, Offer, Roll, Step

_ENGINE = Path(__file__).parent.parent
_DICE = re.compile(r"[1-9]\d{0,2}d[1-9]\d{0,3}")


def check_ask(game: Game, question: Ask, rules: Generator[Any, Any, Any]) -> None:
    """Raise BadGame unless this game can ask people this question; `rules` shows where it is asked."""
    if problem := wrong_offer(game, question.offers):
        raise BadGame(f"The question {question.key} offers {problem}")
    for offer in question.offers:
        if offer.by:
            return
    if not question.waits_for:
        raise BadGame(
            f"The question {question.key} of {type(game).__name__} has nobody to answer it: name a seat in one of its "
            f"offers, or name in waits_for the seats that must do something else first.{_asked_at(rules)}"
        )


def check_question(game: Game, question: Any, rules: Generator[Any, Any, Any]) -> None:
    """Raise BadGame unless this is a question about chance or time that this game can ask."""
    kind = type(question)
    if kind is Draw:
        if question.deck not in game.decks:
            raise BadGame(no_such("deck", question.deck, game, game.decks) + _asked_at(rules))
        if not question.cards and not question.face_down:
            raise BadGame(f"A card is drawn from {question.deck}, but that deck is empty.{_asked_at(rules)}")
    elif kind is Roll:
        if not isinstance(question.dice, str) or not _DICE.fullmatch(question.dice):
            raise BadGame(
                f'Dice can\'t be written as {question.dice}: write "2d6" for two six-sided dice.{_asked_at(rules)}'
            )
    elif kind is not Now:
        raise BadGame(_not_a_question(question) + _asked_at(rules))


def wrong_offer(game: Game, offers: Iterable[Offer]) -> str | None:
    """Return why this game can't make one of these offers, as the end of a sentence; None if it can.

    Seats, action and field names are checked once, as long as the seats stay the same: the game remembers valid ones.
    Field values are checked every time.
    """
    seats, sound = game.sound_offers
    if seats != game.seats:
        game.sound_offers = seats, sound = [*game.seats], set()
    for offer in offers:
        fields = offer.fields
        shape = (offer.do, offer.by, offer.optional, *fields)
        try:
            if shape not in sound:
                if problem := _wrong_shape(game, offer):
                    return problem
                sound.add(shape)
        except TypeError:  # it contains a list or a set, which can't be looked up
            if problem := _wrong_shape(game, offer):
                return problem
        for name in fields:
            field = fields[name]
            sound_anyway = field.values if type(field) is OneOf else _is_never_empty(type(field))
            if not sound_anyway and (problem := _wrong_fields(offer)):
                return problem
    return None


def _wrong_shape(game: Game, offer: Offer) -> str | None:
    """Return what is wrong with an offer apart from its field values; None if nothing."""
    if not {*game.seats, GM, CLOCK}.issuperset(offer.by):
        return _wrong_seats(game, offer)
    return _wrong_action(type(game.whole), offer.do, tuple(offer.fields), frozenset(offer.optional))


@cache
def _is_never_empty(kind: type) -> bool:
    """Return whether fields of this type always have an allowed value."""
    return issubclass(kind, Field) and kind.is_empty is Field.is_empty


def _wrong_fields(offer: Offer) -> str | None:
    """Return what is wrong with the field values of an offer; None if nothing."""
    for name, field in offer.fields.items():
        if not isinstance(field, Field):
            return f"{_named(offer)} with {name} of type {type(field).__name__}, which is not a Field: write OneOf(…)."
        if field.is_empty and name not in offer.optional and offer.is_open:
            return f"{_named(offer)} with no allowed value for {name}: make the offer only if there is one."
    return None


def _wrong_seats(game: Game, offer: Offer) -> str:
    """Return what is wrong with an offer's seats, as the end of a sentence."""
    by: Any = offer.by
    if isinstance(by, str):
        return (
            f'{_named(offer)} to a text, not a tuple of seats: write Offer(("{by}",), {_named(offer)}), with a comma.'
        )
    seat = next(seat for seat in by if seat not in (*game.seats, GM, CLOCK))
    return f"{_named(offer)} to {seat}, which is not a seat: name one of self.seats, here {', '.join(game.seats)}."


def _named(offer: Offer) -> str:
    return getattr(offer.do, "__name__", str(offer.do))


@cache
def _wrong_action(kind: type[Game], do: type[Action], fields: tuple[str, ...], optional: frozenset[str]) -> str | None:
    """Return what is wrong with offering this action with these fields, as the end of a sentence; None if nothing."""
    named: Any = do
    if not isinstance(named, type) or not issubclass(do, Action):
        return f"{named!r}, which is not an action: name a subclass of cardhouse.engine.Action."
    if do is not Step and do not in kind.actions:
        return f"{do.__name__}, which is missing from {kind.__name__}.actions: add it there."
    there = {field.encode_name: field.required for field in msgspec.structs.fields(do)}
    has = f"its fields: {', '.join(there) or 'none'}"
    for name in fields:
        if name not in there:
            return f"{do.__name__} with a field {name}, which the action doesn't have; {has}."
    for name, required in there.items():
        if required and name not in fields:
            return f"{do.__name__} without its field {name}: add it to the offer, or give it a default in the action."
        if required and name in optional:
            return f"{do.__name__} with {name} as optional, but the field has no default: give it one in the action."
    for name in optional:
        if name not in fields:
            return f"{do.__name__} with an optional field {name} that is not in the offer's fields: add it there."
    return None


def _not_a_question(question: Any) -> str:
    if isinstance(question, GeneratorType):
        called = question.__name__
        return f"The rules yield {called}(…) itself, which runs nothing: write yield from {called}(…)."
    shown = type(question).__name__
    return (
        f"The rules yield an object of type {shown}, which is not a question: write yield from self.ask(…), "
        f"self.draw(…) or self.roll(…)."
    )


def _asked_at(rules: Generator[Any, Any, Any]) -> str:
    """Return the innermost line of the rules that isn't the engine's, as a sentence; "" if it is unknown."""
    inner: Any = rules
    found = ""
    while isinstance(inner, GeneratorType):
        if inner.gi_frame is not None and not _is_ours(inner.gi_code):
            found = f" (In {inner.gi_code.co_name}, {_file(inner.gi_code)}, line {inner.gi_frame.f_lineno}.)"
        inner = inner.gi_yieldfrom
    return found


def _is_ours(code: CodeType) -> bool:
    return Path(code.co_filename).is_relative_to(_ENGINE)


def _file(code: CodeType) -> str:
    return "/".join(code.co_filename.replace("\\", "/").split("/")[-2:])
