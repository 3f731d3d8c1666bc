"""What rules ask: somebody's choice, a card, a roll. Answers come from people, dealers, logs or searches alike."""

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec

from cardhouse.cards import Card
from cardhouse.engine.values.fields import Field, JsonSchema, OneOf

GM = "gm"
"""The seat of the game master."""
CLOCK = "clock"
"""Who answers for the clock: nobody sits there."""
SCREEN = "screen"
"""Who looks on without a seat: the table's big screen, spectators."""

T = TypeVar("T")


def _word(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Action(
    msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag_field="do", tag=_word
):
    """An answer somebody gives. A subclass `AddCharacter` is the line `{"do": "add_character", ...}`."""

    @classmethod
    def word(cls) -> str:
        """The `do` of this action's lines."""
        return str(cls.__struct_config__.tag)


@cache
def _defaults(action: type[Action]) -> tuple[tuple[str, str, Any], ...]:
    """Each field's attribute, its name in a line (`as` can be no attribute), and its default."""
    return tuple((field.name, field.encode_name, field.default) for field in msgspec.structs.fields(action))


@cache
def _usual(action: type[Action]) -> dict[str, Any]:
    """What each field is if it is left out, by its name in a line, as plain data.

    What is nothing, `False` or empty is left away: forms begin so anyway.
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

    `by` are the seats that may give it, the one that is being waited for first. Each field of the action must fit
    its entry in `fields`; one that has none keeps its default, and one named in `optional` may.

    Where the fields have to fit each other, `also` says what is wrong with an action whose fields fit, as the rest of a
    sentence, or None; `examples` are then some choices of fields that are right. If there are none, nothing fits: the
    offer is shown to nobody, and only says why.

    `host` says that only the host gives it: the game master, or any of `by` where a bot plays the game master's seat.
    A server holds to that; a log may have it from any of `by`.

    `certain` says that whatever is rolled for it comes to the same: pages then don't call it a roll, and leave it out
    where nothing waits for it, unless the words have a name for it (`actions."check.certain"`).
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
        """Whether anything fits it."""
        return self.also is None or bool(self.examples)

    def problems(self, action: Action) -> list[str]:
        """What keeps this action from fitting the offer, a sentence for each field; empty if it fits."""
        return [f"{name} {problem}" if name else problem for name, problem in self.faults(action)]

    def faults(self, action: Action) -> list[tuple[str, str]]:
        """The same, as the field's name and the rest of its sentence; the name is empty where no one field is wrong."""
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
        """The action that somebody means who writes this one: see `Field.meant`."""
        changed: dict[str, Any] = {}
        for attribute, name, default in _defaults(self.do):
            value = getattr(action, attribute)
            field = self.fields.get(name)
            if field is not None and value != default and (meant := field.meant(value)) != value:
                changed[attribute] = meant
        return msgspec.structs.replace(action, **changed) if changed else action

    def distance(self, action: Action) -> tuple[int, int]:
        """How far this action is from fitting, less first.

        It is near if it has what the offer leaves no choice in, and then by how few problems there are. The nearest of
        several offers of one word says best what is wrong.
        """
        given = {name: getattr(action, attribute) for attribute, name, _ in _defaults(self.do)}
        same = sum(
            isinstance(field, OneOf) and len(field.values) == 1 and given[name] == field.values[0]
            for name, field in self.fields.items()
        )
        return -same, len(self.problems(action))

    def as_json(self) -> dict[str, Any]:
        """The offer as the protocol and the page's forms know it."""
        offer: dict[str, Any] = {
            "do": self.do.word(),
            "fields": {name: self._schema(name, field) for name, field in self.fields.items()},
        }
        if self.optional:
            offer["optional"] = sorted(self.optional)
        if self.examples:
            offer["examples"] = list(self.examples)
        if self.host:
            offer["host"] = True
        if self.certain:
            offer["certain"] = True
        return offer

    def _schema(self, name: str, field: Field) -> JsonSchema:
        """The schema of a field; with its default, if that may be meant."""
        usual = _usual(self.do)
        if name in usual and (name in self.optional or field.wrong(usual[name]) is None):
            return {**field.schema(), "default": usual[name]}
        return field.schema()


class Ask(msgspec.Struct, frozen=True, gc=False):
    """Somebody is to choose.

    `key` names the question in the game's words, `rule` the rule that asks it, `about` what its words speak of; all
    three are for everybody to see. `rest` says that nobody is in the middle of anything: the game's whole state is in
    its attributes. `together` says that several may answer, each for themselves, so that one who answers after
    another, without having seen it, is not too late. `waits_for` is given where nothing answers the question itself,
    but somebody has to do something before it can be answered; and, `together`, where more may answer than have to.
    `secret` is for `Game.ask_in_secret` to say: nobody is told what the others answer before all have.
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
        """Who may answer, the one that is waited for first."""
        return list(dict.fromkeys([*(seat for offer in self.offers for seat in offer.by), *self.waits_for]))


class Draw(msgspec.Struct, frozen=True, gc=False):
    """A card is to be drawn: each of `cards` is as likely as the others.

    `may_be` gives all those that it may be as far as they know who are asked for it, where they don't know where each
    of the others is; by seat, where they don't know the same. One drawn `face_down` is looked at by nobody: the answer
    is None, and the card is drawn when it is turned over; only a log can name it at once.

    Where the deck is real, `key` names the question in the game's words, `rule` the rule that has the card drawn, and
    `about` what its words speak of: whose card it is, what it is for, which of how many. `waits_for` is given where
    somebody else may name the card only in place of these. All of it is for everybody to see.
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
        """What the card may be, for all that this seat knows."""
        may_be = self.may_be()
        known = may_be.get(seat, ()) if isinstance(may_be, Mapping) else may_be
        return OneOf(known or self.cards, "card")


class Roll(msgspec.Struct, frozen=True, gc=False):
    """Dice are to be rolled: `2d6` is two dice of six sides."""

    dice: str

    def count_and_sides(self) -> tuple[int, int]:
        """How many dice, of how many sides.

        Raises ValueError if `dice` is not written like `2d6`.
        """
        count, _, sides = self.dice.partition("d")
        return int(count), int(sides)


class Now(msgspec.Struct, frozen=True):
    """What time it is, in Unix seconds; None where nobody has a clock, as in a replay of what was played without."""


class Over(msgspec.Struct, frozen=True):
    """Nothing more is asked."""


class Meanwhile(msgspec.Struct, frozen=True):
    """What a question gets instead of its answer when somebody does what may be done at any time."""

    action: Action


class Again(msgspec.Struct, frozen=True):
    """What a question gets instead of its answer when it is to be put anew: there is a new seat at the table."""


Question = Ask | Draw | Roll
"""What can stay open."""
Rules = Generator[Question | Now, Any, T]
"""Rules that ask questions on the way to a result."""

Questioner = Callable[[], Ask | None]
