"""The questions that rules ask: a choice, a card, a roll. People, dealers, logs and searches all answer them."""

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec

from cardhouse.cards import Card
from cardhouse.engine.values.documents import OfferDoc
from cardhouse.engine.values.fields import Field, JsonSchema, OneOf

GM = "gm"
"""The game master's seat."""
CLOCK = "clock"
"""The sender of the clock's answers; no player has this seat."""
SCREEN = "screen"
"""The audience without a seat: the table screen and spectators."""

T = TypeVar("T")


def _word(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Action(
    msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag_field="do", tag=_word
):
    """An answer. A subclass `AddCharacter` is the line `{"do": "add_character", ...}`."""

    @classmethod
    def word(cls) -> str:
        """Return the `do` of this action's lines."""
        return str(cls.__struct_config__.tag)


@cache
def _defaults(action: type[Action]) -> tuple[tuple[str, str, Any], ...]:
    """Return each field's attribute, its name in a line (`as` can't be an attribute), and its default."""
    return tuple((field.name, field.encode_name, field.default) for field in msgspec.structs.fields(action))


@cache
def _usual(action: type[Action]) -> dict[str, Any]:
    """Return each field's default as plain data, by its name in a line.

    Defaults that are None, `False` or empty are left out, since forms start with those.
    """
    return {
        name: msgspec.to_builtins(default)
        for _, name, default in _defaults(action)
        if default not in (msgspec.NODEFAULT, None, "", ()) and default is not False
    }


class Step(Action, frozen=True):
    """A clerical step, done by hand."""

    step: str


class Offer(msgspec.Struct, frozen=True, gc=False):
    """A kind of answer that would be accepted now.

    `by` lists the seats that may give it, the one being waited for first. Each field of the action must fit its entry
    in `fields`. A field without an entry keeps its default; one named in `optional` may keep it.

    If the fields must also fit each other, `also` returns what is wrong with an action whose fields are each valid, as
    the rest of a sentence, or None. `examples` then has some valid choices of fields. If there are none, nothing is
    valid: the offer isn't shown, and only explains why.

    `host` restricts it to the host: the game master, or any of `by` if a bot plays the game master's seat. A server
    enforces that; a log may have it from any of `by`.

    `certain` says that the roll can't change the result. Pages then don't call it a roll, and leave it out if nothing
    waits for it, unless the words have a name for it (`actions."check.certain"`).
    """

    by: tuple[str, ...]
    do: type[Action]
    fields: Mapping[str, Field] = {}
    optional: frozenset[str] = frozenset()
    also: Callable[[Any], str | None] | None = None
    examples: Sequence[Mapping[str, Any]] = ()
    host: bool = False
    certain: bool = False

    @property
    def is_open(self) -> bool:
        """Whether any action fits it."""
        return self.also is None or bool(self.examples)

    def problems(self, action: Action) -> list[str]:
        """Return why this action doesn't fit the offer, a sentence for each field; empty if it fits."""
        return [f"{name} {problem}" if name else problem for name, problem in self.faults(action)]

    def faults(self, action: Action) -> list[tuple[str, str]]:
        """Return the faults as field name and rest of the sentence; the name is empty if no single field is wrong."""
        found = []
        for attribute, name, default in _defaults(self.do):
            value = getattr(action, attribute)
            allowed = self.fields.get(name)
            if value == default and (allowed is None or name in self.optional):
                continue
            if allowed is None:
                found.append((name, "can't be given here"))
            elif (problem := allowed.wrong(value)) is not None:
                found.append((name, problem))
        if not found and self.also is not None and (problem := self.also(action)) is not None:
            found.append(("", problem))
        return found

    def meant(self, action: Action) -> Action:
        """Return the action that the sender means: see `Field.meant`."""
        changed: dict[str, Any] = {}
        for attribute, name, default in _defaults(self.do):
            value = getattr(action, attribute)
            field = self.fields.get(name)
            if field is not None and value != default and (meant := field.meant(value)) != value:
                changed[attribute] = meant
        return msgspec.structs.replace(action, **changed) if changed else action

    def distance(self, action: Action) -> tuple[int, int]:
        """Return how far this action is from fitting; smaller is nearer.

        An action is near if it matches the fields that have a single value; then fewer problems are nearer. Of several
        offers of the same action, the nearest one explains best what is wrong.
        """
        given = {name: getattr(action, attribute) for attribute, name, _ in _defaults(self.do)}
        same = sum(
            isinstance(field, OneOf) and len(field.values) == 1 and given[name] == field.values[0]
            for name, field in self.fields.items()
        )
        return -same, len(self.problems(action))

    def as_json(self) -> OfferDoc:
        """Return the offer as the protocol and the page's forms use it."""
        offer: OfferDoc = {
            "do": self.do.word(),
            "fields": {name: self._schema(name, field) for name, field in self.fields.items()},
        }
        if self.optional:
            offer["optional"] = sorted(self.optional)
        if self.examples:
            offer["examples"] = [dict(one) for one in self.examples]
        if self.host:
            offer["host"] = True
        if self.certain:
            offer["certain"] = True
        return offer

    def _schema(self, name: str, field: Field) -> JsonSchema:
        """Return the schema of a field, with its default if that is allowed."""
        usual = _usual(self.do)
        if name in usual and (name in self.optional or field.wrong(usual[name]) is None):
            return {**field.schema(), "default": usual[name]}
        return field.schema()


class Ask(msgspec.Struct, frozen=True, gc=False):
    """A choice for one or more seats.

    `key` names the question in the game's words, `rule` is the rule that asks it, and `about` has the values for its
    words; everyone sees all three. `rest` says that the game is at rest: its whole state is in its attributes.
    `together` says that several may answer, each for themselves, so that an answer sent without having seen another's
    isn't too late. `waits_for` is for questions that nothing answers directly, until some seat does something else;
    and, with `together`, where more seats may answer than have to. `secret` is set by `Game.ask_simultaneously`: no
    answer is revealed before all are given.
    """

    key: str
    rule: str
    offers: Sequence[Offer]
    about: Mapping[str, Any] = {}
    rest: bool = False
    together: bool = False
    waits_for: tuple[str, ...] = ()
    secret: bool = False

    def seats(self) -> list[str]:
        """Return the seats that may answer, the one being waited for first."""
        return list(dict.fromkeys([*(seat for offer in self.offers for seat in offer.by), *self.waits_for]))


class Draw(msgspec.Struct, frozen=True, gc=False):
    """A card to draw: each of `cards` is equally likely.

    `may_be` returns the cards that it may be as far as the people who are asked for it know, if they don't know where
    each of the others is; by seat if they know different things. A card drawn `face_down` is looked at by nobody: the
    answer is None, and the card is drawn when it is turned over; only a log can name it at once.

    If the deck is real, `key` names the question in the game's words, `rule` is the rule that has the card drawn, and
    `about` has the values for its words: whose card it is, its purpose, its number. `waits_for` lists the seats that
    name the card, if others may do so only in their place. Everyone sees all of it.
    """

    deck: str
    cards: Sequence[Card]
    may_be: Callable[[], Sequence[Card] | Mapping[str, Sequence[Card]]] = tuple
    face_down: bool = False
    key: str = "draw"
    rule: str = ""
    waits_for: tuple[str, ...] = ()
    about: Mapping[str, Any] = {}

    def field(self, seat: str = "") -> OneOf:
        """Return the cards that it may be, as far as this seat knows."""
        may_be = self.may_be()
        known = may_be.get(seat, ()) if isinstance(may_be, Mapping) else may_be
        return OneOf(known or self.cards, "card")


class Roll(msgspec.Struct, frozen=True, gc=False):
    """Dice to roll: `2d6` is two dice of six sides."""

    dice: str

    def count_and_sides(self) -> tuple[int, int]:
        """Return the number of dice and of their sides.

        Raises ValueError if `dice` isn't written like `2d6`.
        """
        count, _, sides = self.dice.partition("d")
        return int(count), int(sides)


class Now(msgspec.Struct, frozen=True):
    """A request for the time, in Unix seconds; None without a clock, as in a replay of a game played without one."""


class Over(msgspec.Struct, frozen=True):
    """The end: nothing more is asked."""


class Meanwhile(msgspec.Struct, frozen=True):
    """A question's result, in place of an answer, when an action offered at any time comes in between."""

    action: Action


class Again(msgspec.Struct, frozen=True):
    """A question's result, in place of an answer, when it must be put again because a seat was added."""


Question = Ask | Draw | Roll
"""The questions that can stay open."""
Rules = Generator[Question | Now, Any, T]
"""Rules that ask questions on the way to a result."""

Questioner = Callable[[], Ask | None]
