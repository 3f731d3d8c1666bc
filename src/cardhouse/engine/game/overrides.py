"""Edits by hand: the game master sets a number, a card or a condition, visibly for everyone.

A game declares the editable values (`Game.editable`). Others, and those hidden from the game master, can't be edited.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from cardhouse.engine.values.errors import BadGame, Refused
from cardhouse.engine.values.fields import Field, OneOf, Several
from cardhouse.engine.values.names import find as find_name
from cardhouse.engine.values.questions import Action
from cardhouse.engine.values.transcript import RIGHT, Line

if TYPE_CHECKING:
    from cardhouse.engine.game.game import Game

BY_HAND: Final = "by_hand"
"""The citation, in place of a rule, of events that an override causes."""


class Override(Action, frozen=True):
    """Set `what` of a character, or of the table, `to` a value."""

    what: str
    to: Any
    of: str = ""


class Editable(msgspec.Struct, frozen=True):
    """A value in a game's state that the game master may edit by hand.

    `what` is its name among the fields of the words, `of` the character it belongs to, empty for the table's own. `now`
    is its value, as plain data. A new value must fit `may_be`, and `also` returns None for it, or else the end of a
    sentence that begins with the name. `put` sets it, with all consequences. `to` lists the seats and audiences that
    may know of it, empty for all; the others only see that something hidden was edited.
    """

    what: str
    now: Any
    may_be: Field
    put: Callable[[Any], None]
    of: str = ""
    to: Sequence[str] = ()
    also: Callable[[Any], str | None] | None = None

    def wrong(self, value: Any) -> str | None:
        """Return why it can't have this value, as the end of a sentence that begins with its name; None if it can."""
        problem = self.may_be.wrong(value)
        if problem is None and self.also is not None:
            problem = self.also(value)
        return f"is {_shown(value)} already" if problem is None and value == self.now else problem

    def as_json(self) -> dict[str, Any]:
        """Return it as the protocol sends it."""
        document = {"what": self.what, "now": self.now, "schema": self.may_be.schema()}
        return {"of": self.of, **document} if self.of else document

    @property
    def is_cards(self) -> bool:
        """Whether it is a card, or several."""
        return isinstance(self.may_be, OneOf | Several) and self.may_be.format == "card"


def editable_fields(
    thing: Any,
    fields: Mapping[str, Field],
    *,
    of: str = "",
    to: Sequence[str] = (),
    **also: Callable[[Any], str | None],
) -> list[Editable]:
    """Make these attributes of a struct editable, each within its field's values.

    Fields without any allowed value are left out. `also` has further checks, by attribute.
    """
    return [
        Editable(name, _plain(getattr(thing, name)), field, partial(setattr, thing, name), of, to, also.get(name))
        for name, field in fields.items()
        if not field.is_empty
    ]


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value)


def editable_of(game: Game) -> Sequence[Editable]:
    """Return what can be edited by hand now.

    Raises BadGame if the game names something twice.
    """
    found = list(game.editable())
    keys = [(one.of, one.what) for one in found]
    if twice := next((key for place, key in enumerate(keys) if key in keys[:place]), None):
        raise BadGame(f"{type(game).__name__}.editable names {twice[1]} of {twice[0] or 'the table'} twice.")
    return found


def read_override(line: Mapping[str, Any]) -> Override:
    """Read an override from a line of the transcript without `by` and `id`.

    Raises Refused if the line is malformed.
    """
    what, of = line[RIGHT], line.get("of", "")
    if not isinstance(what, str) or not isinstance(of, str) or "to" not in line or set(line) - {RIGHT, "of", "to"}:
        raise Refused(
            f'To edit by hand, send {{"{RIGHT}": "hp", "of": "Rosa", "to": 9}}, without "of" for the table.',
            "malformed",
        )
    return Override(what, line["to"], of)


def line_of(action: Override) -> Line:
    """Return an override as a line of the transcript."""
    return {RIGHT: action.what, **({"of": action.of} if action.of else {}), "to": action.to}


def resolve_override(found: Iterable[Editable], action: Override) -> Override:
    """Return the override with its names as they are stored: see `Field.meant`."""
    of = find_name(action.of, list(dict.fromkeys(one.of for one in found))) or action.of
    one = _find(found, meant := Override(action.what, action.to, of))
    return meant if one is None else Override(action.what, one.may_be.meant(action.to), of)


def check_override(game: Game, found: Iterable[Editable], action: Override) -> None:
    """Raise Refused, with the reason, unless this override is allowed among those found."""
    one = _find(found, action)
    if one is None:
        raise Refused(_why_not(game, found, action))
    if problem := one.wrong(action.to):
        refused = Refused(f"{_called(action)} {problem}.")
        refused.field, refused.fault = action.what, problem
        raise refused


def _why_not(game: Game, found: Iterable[Editable], action: Override) -> str:
    if why := game.why_not_editable(action.of, action.what):
        return f"{_called(action)} can't be edited by hand: {why}."
    there = [one.what for one in found if one.of == action.of]
    if there:
        return f"{_called(action)} can't be edited by hand now. You can edit {', '.join(there)}."
    owners = list(dict.fromkeys(one.of or "the table" for one in found))
    return f"Nothing of {action.of or 'the table'} can be edited by hand now; {_there_is(owners)}."


def _there_is(owners: Sequence[str]) -> str:
    return f"you can edit {', '.join(owners)}" if owners else "and nothing else either"


def _called(action: Override) -> str:
    return f"{action.what} of {action.of}" if action.of else action.what


def _shown(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _find(found: Iterable[Editable], action: Override) -> Editable | None:
    return next((one for one in found if one.what == action.what and one.of == action.of), None)


def apply_override(game: Game, action: Override) -> None:
    """Apply an override and log it, with every other editable value that it changes.

    Seats that may not know of it see a single event: something hidden was edited.
    """
    before = editable_of(game)
    one = _find(before, action)
    if one is None:
        raise Refused(_why_not(game, before, action))
    one.put(action.to)
    after = {(now.of, now.what): now for now in editable_of(game)}
    _tell(game, one, after[one.of, one.what].now if (one.of, one.what) in after else action.to)
    if one.to:
        game.tell(BY_HAND, "put_right_hidden", but=one.to, by=game.whole.by)
    for other in before:
        now = after.get((other.of, other.what))
        if other is not one and now is not None and now.now != other.now:
            _tell(game, other, now.now)


def _tell(game: Game, one: Editable, now: Any) -> None:
    was = one.now
    key = "put_right_of" if one.of else "put_right"
    if one.is_cards:
        key, was, now = f"{key}_cards", _listed(was), _listed(now)
    about = (
        {"name": one.of, "what": one.what, "was": was, "now": now}
        if one.of
        else {"what": one.what, "was": was, "now": now}
    )
    game.tell(BY_HAND, key, to=one.to, by=game.whole.by, **about)


def _listed(cards: Any) -> list[Any]:
    return list(cards) if isinstance(cards, list | tuple) else [] if cards is None else [cards]
