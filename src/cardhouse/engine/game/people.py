"""The characters of a role-playing table: they join, leave, change player, hide, are shown and act.

A game keeps them in a list in its state and applies the actions. This module has the offers, and their seats.
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
    """Anything with a name."""

    @property
    def name(self) -> str:
        """The name."""


class HasController(HasName, Protocol):
    """Anything with a name that a seat plays."""

    @property
    def controller(self) -> str:
        """The seat that plays it."""


class Hiding(HasController, Protocol):
    """Anything that a seat plays and that may be hidden from the others."""

    @property
    def hidden(self) -> bool:
        """Whether it is hidden."""


_Who = TypeVar("_Who", bound=HasName)


# Actions.


class NamedAction(Action, frozen=True):
    """An action by or on the character of this name."""

    name: str


class Strike(NamedAction, frozen=True):
    """Strike at a target; the table rolls for the result."""

    target: str


class HandOver(NamedAction, frozen=True):
    """Give a character to another seat."""

    controller: str


class RemoveCharacter(NamedAction, frozen=True):
    """Remove a character that is dead or has fled."""


class Show(NamedAction, frozen=True):
    """Show a hidden character to everyone."""


# Characters and seats.


def named(people: Iterable[_Who], name: str) -> _Who:
    """Return the character of this name.

    Raises KeyError if there is none.
    """
    for who in people:
        if who.name == name:
            return who
    raise KeyError(name)


def choosers(controller: str) -> tuple[str, ...]:
    """Return the seats that may choose for a character: the seat that plays it, and the game master."""
    return (GM,) if controller == GM else (controller, GM)


def controllers(people: Iterable[HasController]) -> tuple[str, ...]:
    """Return the seats that play these characters, each once, for a question that waits for all of them."""
    return tuple(dict.fromkeys(who.controller for who in people))


def knows_of(audience: str, who: Hiding) -> bool:
    """Return whether a seat or the screen may know of a character. Only its choosers know of a hidden one."""
    return not who.hidden or audience in choosers(who.controller)


def told_of(who: Hiding) -> Audience:
    """Return the `to` of events about a character: everyone, or, while it is hidden, its choosers."""
    return choosers(who.controller) if who.hidden else ()


# Field values.


def one_of(people: Iterable[HasName]) -> OneOf:
    """Allow one of these, by name."""
    return OneOf(tuple(who.name for who in people))


def new_name(people: Iterable[HasName], reserved: Sequence[str] = ()) -> Text:
    """Allow a name that none of these has and that isn't reserved."""
    return Text(taken=(*(who.name for who in people), *reserved))


def any_seat(game: Game) -> OneOf:
    """Allow any seat at the table, the game master's included."""
    return OneOf(tuple(game.seats), "seat")


# Offers.


def acting(who: HasController, do: type[Action], **fields: Field) -> Offer:
    """Offer an action of a character, with its `name`, to its controller and to the game master."""
    return Offer(choosers(who.controller), do, {"name": OneOf((who.name,)), **fields})


def befalling(do: type[Action], people: Collection[HasName], **fields: Field) -> list[Offer]:
    """Offer the game master an action on one of these, with its `name`; nothing if there are none."""
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
    """Offer the game master to add a character.

    The action has a `name`, the game's `own` fields, of which those in `optional` have defaults, a `controller`, by
    default the game master, and, if `may_hide`, `hidden`.
    """
    always: dict[str, Field] = {"controller": any_seat(game), **({"hidden": YesNo()} if may_hide else {})}
    return Offer((GM,), do, {"name": new_name(people), **own, **always}, frozenset((*optional, *always)))


def showing(people: Iterable[Hiding]) -> list[Offer]:
    """Offer to show the hidden ones of these."""
    return befalling(Show, [who for who in people if who.hidden])


def handing_over(game: Game, people: Collection[HasName]) -> list[Offer]:
    """Offer to give one of these to another seat."""
    return befalling(HandOver, people, controller=any_seat(game))


def leaving(people: Collection[HasName]) -> list[Offer]:
    """Offer to remove one of these."""
    return befalling(RemoveCharacter, people)
