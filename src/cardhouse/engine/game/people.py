"""The characters of a role-playing table: they join, leave, are handed over, hide, are shown, and are acted for.

A game keeps them in a list among its state and does what was said; here is what it offers, and who may say it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

import msgspec

from cardhouse.engine.game.game import Audience, Game
from cardhouse.engine.values.fields import Field, OneOf, Text, YesNo
from cardhouse.engine.values.questions import GM, Action, Offer


class Person(msgspec.Struct, kw_only=True):
    """A character: its name, the seat that plays it (its controller), and whether it is hidden from all others.

    A game's own may be a subclass, or anything else that has a `name` and a `controller`.
    """

    name: str
    controller: str = GM
    hidden: bool = False


class HasName(Protocol):
    """Whatever goes by a name."""

    @property
    def name(self) -> str:
        """What it is called."""


class HasController(HasName, Protocol):
    """Whatever goes by a name, and is played by a seat."""

    @property
    def controller(self) -> str:
        """The seat that plays it."""


class Hiding(HasController, Protocol):
    """Whatever is played by a seat, and may be hidden from the others."""

    @property
    def hidden(self) -> bool:
        """Whether it is."""


_Who = TypeVar("_Who", bound=HasName)


# Actions.


class NamedAction(Action, frozen=True):
    """What somebody at the table does for, or to, the character of this name."""

    name: str


class Strike(NamedAction, frozen=True):
    """This character strikes at a foe; the table rolls for what comes of it."""

    target: str


class HandOver(NamedAction, frozen=True):
    """Another seat chooses for a character from now on."""

    controller: str


class RemoveCharacter(NamedAction, frozen=True):
    """A character is dead or fled, and leaves the table."""


class Show(NamedAction, frozen=True):
    """A hidden character steps into the light."""


# Who they are.


def named(people: Iterable[_Who], name: str) -> _Who:
    """The one of this name.

    Raises KeyError if there is none.
    """
    for who in people:
        if who.name == name:
            return who
    raise KeyError(name)


def choosers(controller: str) -> tuple[str, ...]:
    """Who may choose for a character: the seat that plays it, and the game master in its place."""
    return (GM,) if controller == GM else (controller, GM)


def controllers(people: Iterable[HasController]) -> tuple[str, ...]:
    """The seats that play these, each once: for whom a question waits that all of them are asked."""
    return tuple(dict.fromkeys(who.controller for who in people))


def knows_of(audience: str, who: Hiding) -> bool:
    """Whether a seat, or the screen, may know that this character is there: of a hidden one its choosers do."""
    return not who.hidden or audience in choosers(who.controller)


def told_of(who: Hiding) -> Audience:
    """Whom to tell `to` what happens to a character: everybody, or, while it is hidden, those who know of it."""
    return choosers(who.controller) if who.hidden else ()


# What may stand in a field.


def one_of(people: Iterable[HasName]) -> OneOf:
    """One of these, by name."""
    return OneOf(tuple(who.name for who in people))


def new_name(people: Iterable[HasName], reserved: Sequence[str] = ()) -> Text:
    """A name that none of these has, and that isn't reserved."""
    return Text(taken=(*(who.name for who in people), *reserved))


def any_seat(game: Game) -> OneOf:
    """A seat at the table, the game master's included."""
    return OneOf(tuple(game.seats), "seat")


# What is offered.


def acting(who: HasController, do: type[Action], **fields: Field) -> Offer:
    """An action of a character, said by its controller, or by the game master for it; the action has its `name`."""
    return Offer(choosers(who.controller), do, {"name": OneOf((who.name,)), **fields})


def befalling(do: type[Action], people: Collection[HasName], **fields: Field) -> list[Offer]:
    """What the game master may do to one of these, whose `name` the action has; nothing if there is nobody."""
    return [Offer((GM,), do, {"name": one_of(people), **fields})] if people else []


_NO_FIELDS: Mapping[str, Field] = {}


def joining(
    game: Game,
    people: Iterable[HasName],
    do: type[Action],
    own: Mapping[str, Field] = _NO_FIELDS,
    *,
    optional: Collection[str] = (),
    may_hide: bool = False,
) -> Offer:
    """A character joins beside these, by the game master's word.

    The action has a `name`, the fields of the game's `own`, those in `optional` with defaults, a `controller`, the game
    master unless somebody else is named, and, if it may hide, whether it is `hidden`.
    """
    always: dict[str, Field] = {"controller": any_seat(game), **({"hidden": YesNo()} if may_hide else {})}
    return Offer((GM,), do, {"name": new_name(people), **own, **always}, frozenset((*optional, *always)))


def showing(people: Iterable[Hiding]) -> list[Offer]:
    """The hidden ones of these are shown."""
    return befalling(Show, [who for who in people if who.hidden])


def handing_over(game: Game, people: Collection[HasName]) -> list[Offer]:
    """One of these is handed over to another seat."""
    return befalling(HandOver, people, controller=any_seat(game))


def leaving(people: Collection[HasName]) -> list[Offer]:
    """One of these leaves the table."""
    return befalling(RemoveCharacter, people)
