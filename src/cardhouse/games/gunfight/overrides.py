"""What the game master may put right in a gunfight: all that may be in either game, on one roster."""

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
"""What all would see of somebody who hides: the dead leave the one deck, and cards come out of the other."""


def editable(game: Gunfight) -> list[Editable]:
    """Of the order and of the fight; of those who hide only the game master hears (IN-21)."""
    hidden = game.hidden()
    busy = game.fight.busy  # whoever is hit just now is known by its name
    found = [_of_both(game, one) for one in game.order.editable() if not (busy and one.what == "name")]
    there = {(one.of, one.what) for one in found}
    for one in game.fight.editable():
        if (one.of, one.what) in there:
            continue
        if one.of in hidden:
            if one.what not in NOT_HIDDEN:
                found.append(msgspec.structs.replace(one, to=(GM,)))
        else:
            found.append(one if one.what != "alive" else _alive(game, one))
    return found


def _of_both(game: Gunfight, one: Editable) -> Editable:
    """What both games have is put right in both."""
    if one.of == "" and one.what == "round":
        return msgspec.structs.replace(one, put=partial(put_round, game))
    return one


def put_round(game: Gunfight, number: int) -> None:
    """Both games count the rounds."""
    game.order.round = game.fight.round = number


def _alive(game: Gunfight, one: Editable) -> Editable:
    """The dead have no card, and whoever lives has one (GF-1)."""
    who = game.fight.named(one.of)

    def also(value: Any) -> str | None:
        problem = one.also(value) if one.also else None
        if problem is None and value and not free_cards(game.order, game.side_of(who.name)):
            return "can't be yes: the deck has no card left for another character (IN-1, IN-2)"
        return problem

    return msgspec.structs.replace(one, also=also)


def come_back(game: Gunfight, who: Fighter) -> None:
    """Somebody who was dead after all isn't: it has the card it had, if that is free, or the best there is (GF-1)."""
    gone = next((gone for gone in reversed(game.order.gone) if gone.name == who.name), None)
    side = game.side_of(who.name)
    free = free_cards(game.order, side)
    card = gone.card if gone is not None and gone.card in free else None
    game.order.gone = [other for other in game.order.gone if other is not gone]
    game.order.join(Ordered(who.name, card or free[0], None, side, who.controller))
