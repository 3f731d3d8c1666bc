"""What may be done at any time in a gunfight: what both games offer, on one roster."""

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
"""GF-4: what befalls somebody in hiding all the same, and shows who it is."""


def at_any_time(game: Gunfight) -> list[Offer]:
    """Joining with a card and a sheet, and everything else that either game offers."""
    return [*_of_the_order(game), *_of_the_fight(game)]


def _of_the_order(game: Gunfight) -> Iterator[Offer]:
    """Whoever joins has both a card and a sheet (GF-1)."""
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
    """Nobody in hiding is healed, rested or cured where all could hear of it (GF-4)."""
    hidden = game.hidden()
    for offer in game.fight.at_any_time():
        if offer.do in (Wounded, BroughtWounded):
            continue
        if offer.do in (*SHOWS_ITSELF, HandOver, RemoveCharacter):
            yield offer
        elif (seen := _without(offer, hidden)) is not None:
            yield seen


def _without(offer: Offer, hidden: Sequence[str]) -> Offer | None:
    """The offer for all but these; None if nobody is left."""
    fields = dict(offer.fields)
    for name in ("target", "name"):
        if isinstance(names := fields.get(name), OneOf):
            seen = tuple(value for value in names.values if value not in hidden)
            if not seen:
                return None
            fields[name] = OneOf(seen)
    return msgspec.structs.replace(offer, fields=fields)
