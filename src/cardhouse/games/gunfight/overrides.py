"""Overrides in a gunfight: those of both games, for one roster."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from cardhouse.engine import GM, Editable
from cardhouse.games.initiative.offers import free_cards
from cardhouse.games.initiative.state import AddCharacter as Ordered

if TYPE_CHECKING:
    from cardhouse.games.gunfight.rules import Gunfight
    from cardhouse.games.hackjack.state import Character as Fighter


NOT_HIDDEN = ("alive", "pile")
"""Values of a hidden character that can't change in secret: the dead leave one deck, and cards come from the other."""


def editable(game: Gunfight) -> list[Editable]:
    """Return the overrides of order and fight; those of hidden characters are only for the game master (IN-21)."""
    hidden = game.hidden()
    busy = game.fight.busy  # the character being hit is referred to by name
    found = [_of_both(game, one) for one in game.order.editable() if not (busy and one.what == "name")]
    here = {(one.of, one.what) for one in found}
    for one in game.fight.editable():
        if (one.of, one.what) in here:
            continue
        if one.of in hidden:
            if one.what not in NOT_HIDDEN:
                found.append(msgspec.structs.replace(one, to=(GM,)))
        else:
            found.append(one if one.what != "alive" else _alive(game, one))
    return found


def _of_both(game: Gunfight, one: Editable) -> Editable:
    """Return an override of both games that changes the value in both."""
    if one.of == "" and one.what == "round":
        return msgspec.structs.replace(one, put=partial(put_round, game))
    return one


def put_round(game: Gunfight, number: int) -> None:
    """Set the round in both games."""
    game.order.round = game.fight.round = number


def _alive(game: Gunfight, one: Editable) -> Editable:
    """Return the override of life and death: the dead have no card, the living have one (GF-1)."""
    who = game.fight.named(one.of)

    def also(value: Any) -> str | None:
        problem = one.also(value) if one.also else None
        if problem is None and value and not free_cards(game.order, game.side_of(who.name)):
            return "can't be yes: the deck has no card left for another character (IN-1, IN-2)"
        return problem

    return msgspec.structs.replace(one, also=also)


def revive(game: Gunfight, who: Fighter) -> None:
    """Bring a character back to life, with its former card if free, or else the best one there is (GF-1)."""
    gone = next((gone for gone in reversed(game.order.gone) if gone.name == who.name), None)
    side = game.side_of(who.name)
    free = free_cards(game.order, side)
    card = gone.card if gone is not None and gone.card in free else None
    game.order.gone = [other for other in game.order.gone if other is not gone]
    game.order.join(Ordered(who.name, card or free[0], None, side, who.controller))
