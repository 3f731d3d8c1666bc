"""The actions that are possible at any time in Hackjack."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from cardhouse.engine import GM, Field, Offer, OneOf, Shape, Text, Whole, YesNo, while_there_is_room
from cardhouse.engine.game import people
from cardhouse.games.hackjack.sheets import sheet_field
from cardhouse.games.hackjack.state import (
    HIT_DICE,
    ROUGHEST,
    AddCharacter,
    BringCharacter,
    Check,
    ClearDead,
    Cure,
    Damage,
    Drain,
    DrawFor,
    Exert,
    Face,
    Heal,
    Recover,
    Rest,
    Wake,
)
from cardhouse.games.hackjack.thresholds import is_well
from cardhouse.games.hackjack.wounds.schema import ABILITIES, Scores

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardhouse.engine import Field
    from cardhouse.games.hackjack.rules import Hackjack
    from cardhouse.games.hackjack.state import Character

OF_A_CHARACTER: dict[str, Field] = {
    "hp": Whole(0, ROUGHEST),
    "max_hp": Whole(1, ROUGHEST),
    "scores": Shape(Scores, dict.fromkeys(ABILITIES, 10)),
    "hit_die": OneOf(HIT_DICE),
    "to_hit": Text(),
}
"""The fields of a character that joins; the last three are for groups that use them."""

OPTIONAL = frozenset(("scores", "hit_die", "to_hit"))


def at_any_time(game: Hackjack) -> list[Offer]:
    """Return the offers to add and remove characters and, while no card or die is pending, harm, healing and checks."""
    found = while_there_is_room(joining(game), len(game.characters)) + leaving(game)
    return found if game.busy else found + harm(game) + mending(game)


def joining(game: Hackjack) -> list[Offer]:
    """Offer to add a new character, or one from the roster."""
    taken = tuple(who.name for who in game.characters)
    sheet = {"sheet": sheet_field(taken), "controller": people.any_seat(game)}
    return [
        people.joining(game, game.characters, AddCharacter, OF_A_CHARACTER, optional=OPTIONAL),
        Offer((GM,), BringCharacter, sheet, CONTROLLER),
    ]


CONTROLLER = frozenset(("controller",))


def leaving(game: Hackjack) -> list[Offer]:
    """Offer to hand over a character, and to remove one unless a wound is being suffered."""
    over = people.handing_over(game, game.characters)
    return over if game.busy else [*over, *people.leaving(game.characters)]


def harm(game: Hackjack) -> list[Offer]:
    """Offer damage, draining, and a card without damage (HJ-29)."""
    if (living := _names(who for who in game.characters if who.alive)) is None:
        return []
    amount = {"target": living, "amount": Whole(1, ROUGHEST)}
    critical = {"critical": YesNo()} if game.options.critical_draw else {}
    return [
        Offer((GM,), Damage, {**amount, **critical}, frozenset(critical)),
        Offer((GM,), Drain, {**amount, "as": OneOf(("death_score", "blood"))}),
        Offer((GM,), DrawFor, {"target": living, "value": YesNo()}),
    ]


def mending(game: Hackjack) -> list[Offer]:
    """Offer healing, rest, checks, waking, recovering, curing, and clearing the dead."""
    living = [who for who in game.characters if who.alive]
    found = [offer for who in living for offer in _wound_offers(game, who)]
    for do, may in (
        (Wake, (who for who in living if who.unconscious)),
        (Recover, (who for who in living if game.is_recovering(who))),
        (ClearDead, (who for who in game.characters if not who.alive and who.cards)),
    ):
        if (target := _names(may)) is not None:
            found.append(Offer((GM,), do, {"target": target}))
    if (target := _names(living)) is not None:
        found.append(Offer((GM,), Heal, {"target": target, "amount": Whole(1, ROUGHEST)}))
        found.append(Offer((GM,), Rest, {"target": target, "rough": YesNo()}, frozenset(("rough",))))
    return found


def _wound_offers(game: Hackjack, who: Character) -> list[Offer]:
    """Offer a character's checks (HJ-31), exertion in pain (HJ-29), wounds that wear it down, and cures (HJ-18)."""
    pained = game.needs_pain_roll(who) and not who.unconscious
    if not (who.wounds or who.marks or pained):
        return []
    name, found = OneOf((who.name,)), []
    if checks := tuple(dict.fromkeys(taken.card for taken in who.wounds if taken.check == "open")):
        check = people.acting(who, Check, wound=OneOf(checks, "card"))
        found.append(msgspec.structs.replace(check, certain=is_well(1, who.death_score)))
    if pained:
        by_score = game.options.pain == "death_score"
        exert = people.acting(who, Exert)
        found.append(msgspec.structs.replace(exert, certain=by_score and is_well(1, who.death_score)))
    wearing = (taken.card for taken in who.wounds if game.wound_of(taken).wears and not taken.faced)
    if feared := tuple(dict.fromkeys(wearing)):
        found.append(Offer((GM,), Face, {"target": name, "wound": OneOf(feared, "card")}))
    had = [*(taken.card for taken in who.wounds), *(mark.card for mark in who.marks)]
    if curable := tuple(dict.fromkeys(had)):
        found.append(Offer((GM,), Cure, {"target": name, "card": OneOf(curable, "card")}))
    return found


def _names(characters: Iterable[Character]) -> OneOf | None:
    names = tuple(who.name for who in characters)
    return OneOf(names) if names else None
