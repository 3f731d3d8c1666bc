"""Offers open at any time in a gunfight: those of both games, for one roster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from cardhouse.engine import HandOver, Offer, OneOf, RemoveCharacter, Show, Text
from cardhouse.games.gunfight.state import AddCharacter, BringCharacter
from cardhouse.games.hackjack.offers import OF_A_CHARACTER, OPTIONAL
from cardhouse.games.hackjack.sheets import sheet_field
from cardhouse.games.hackjack.state import AddCharacter as Wounded
from cardhouse.games.hackjack.state import BringCharacter as BroughtWounded
from cardhouse.games.hackjack.state import Damage, Drain, DrawFor
from cardhouse.games.initiative.state import AddCharacter as Ordered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardhouse.games.gunfight.rules import Gunfight

SHOWS_ITSELF = (Damage, Drain, DrawFor)
"""GF-4: actions that affect a hidden character too, and reveal it."""


def at_any_time(game: Gunfight) -> list[Offer]:
    """Return the offers to join with a card and a sheet, and all other offers of either game."""
    return [*_of_the_order(game), *_of_the_fight(game)]


def _of_the_order(game: Gunfight) -> Iterator[Offer]:
    """Yield the order's offers; a new character has both a card and a sheet (GF-1)."""
    taken = tuple(who.name for who in game.fight.characters)
    for offer in game.order.at_any_time():
        if offer.do is Ordered:
            card = {name: field for name, field in offer.fields.items() if name != "name"}
            new = {"name": Text(taken=taken), **OF_A_CHARACTER, **card}
            yield Offer(offer.by, AddCharacter, new, offer.optional | OPTIONAL)
            yield Offer(offer.by, BringCharacter, {"sheet": sheet_field(taken), **card}, offer.optional)
        elif offer.do is Show:
            yield offer


def _of_the_fight(game: Gunfight) -> Iterator[Offer]:
    """Yield the fight's offers, without those that would reveal a hidden character's healing, rest or cure (GF-4)."""
    hidden = game.hidden()
    for offer in game.fight.at_any_time():
        if offer.do in (Wounded, BroughtWounded):
            continue
        if offer.do in (*SHOWS_ITSELF, HandOver, RemoveCharacter):
            yield offer
        elif (seen := _without(offer, hidden)) is not None:
            yield seen


def _without(offer: Offer, hidden: Sequence[str]) -> Offer | None:
    """Return the offer without these characters; None if nobody is left."""
    fields = dict(offer.fields)
    for name in ("target", "name"):
        if isinstance(names := fields.get(name), OneOf):
            seen = tuple(value for value in names.values if value not in hidden)
            if not seen:
                return None
            fields[name] = OneOf(seen)
    return msgspec.structs.replace(offer, fields=fields)
