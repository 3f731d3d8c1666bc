"""Preparations for a Raise or See: help, things, improvising, escalating (DV-9 to DV-12, DV-21)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from cardhouse.engine import GM, Ask, Offer, OneOf, Rules, Several, YesNo, choosers
from cardhouse.games.dogs import actions
from cardhouse.games.dogs.actions import Bring, Escalate, Give, Improvise
from cardhouse.games.dogs.conflict.hands import draw_arena, draw_demonic, draw_for
from cardhouse.games.dogs.conflict.seeing import can_see
from cardhouse.games.dogs.people.fast import Draws
from cardhouse.games.dogs.people.sheet import STATS
from cardhouse.games.dogs.state import (
    ARENAS,
    DEMONIC,
    EVERY_ARENA,
    PILES,
    Help,
    Participant,
    arena_of,
    best_first,
    worth,
)
from cardhouse.games.dogs.table import DogsTable

# Preparations (DV-10 to DV-12, DV-21).


def seats_for(game: DogsTable, one: Participant) -> tuple[str, ...]:
    """Return the seats that may act for a participant."""
    return choosers(game.controller(one))


def ask_to(game: DogsTable, one: Participant, key: str, rule: str, first: list[Offer], about: dict[str, Any]) -> Ask:
    """Return the question of a Raise or See with all its preparations; others on the side may offer help."""
    helping = [offer_help(game, other, one) for other in helpers(game, one)]
    give = Offer(seats_for(game, one), Give, {"name": OneOf((one.name,))})
    offers = (*first, *offer_more(game, one), give, *helping)
    waits_for = (game.controller(one),)
    return Ask(key, rule, offers, about, rest=True, together=bool(helping), waits_for=waits_for)


def offer_more(game: DogsTable, one: Participant) -> Iterator[Offer]:
    """Yield the offers to bring things into play, improvise and escalate."""
    for owner, things in unused(game, one).items():
        seats = choosers(game.named(owner).controller) if owner != one.name else seats_for(game, one)
        if things:
            yield Offer(seats, Bring, {"name": OneOf((owner,)), "thing": OneOf(tuple(things))})
    name = OneOf((one.name,))
    if may_improvise(game, one):
        yield Offer(seats_for(game, one), Improvise, {"name": name, "desperate": YesNo()}, frozenset({"desperate"}))
    if one.nature == "character" and not game.contested.putting.escalated:
        if arenas := other_arenas(game, one):
            yield Offer(seats_for(game, one), Escalate, {"name": name, "arena": OneOf(arenas)})
        yield offer_own_arena(game, one)


def offer_own_arena(game: DogsTable, one: Participant) -> Offer:
    """Return the game master's offer to name any two Stats as the next arena, with a fallout pile (DV-9)."""
    fields = {"name": OneOf((one.name,)), "stats": Several(STATS, 2, 2), "pile": OneOf(PILES)}

    def entered(answer: Escalate) -> str | None:
        arena = arena_of(answer.stats or [], answer.pile or PILES[0])
        return f"stats and pile are those of {arena}, which {one.name} has entered" if arena in one.arenas else None

    free = ((stats, pile) for stats, pile in EVERY_ARENA if arena_of(stats, pile) not in one.arenas)
    examples = [{"name": one.name, "stats": stats, "pile": pile} for stats, pile in islice(free, 1)]
    return Offer((GM,), Escalate, fields, also=entered, examples=examples)


def offer_help(game: DogsTable, helper: Participant, one: Participant) -> Offer:
    """Return the helper's offer to give a card to another participant's Raise or See (DV-21)."""
    hand = OneOf(tuple(best_first(helper.hand)), "card")
    fields = {"name": OneOf((helper.name,)), "card": hand, "whom": OneOf((one.name,))}
    return Offer(seats_for(game, helper), actions.Help, fields)


def has_more(game: DogsTable, one: Participant) -> bool:
    """Return whether a participant could still bring a thing, improvise or escalate (DV-23)."""
    escalates = one.nature == "character" and not game.contested.putting.escalated and other_arenas(game, one)
    return bool(any(unused(game, one).values()) or may_improvise(game, one) or escalates)


def other_arenas(game: DogsTable, one: Participant) -> tuple[str, ...]:
    """Return the arenas that a participant hasn't entered."""
    return tuple(arena for arena in ARENAS if arena not in one.arenas)


def may_improvise(game: DogsTable, one: Participant) -> bool:
    """Return whether a participant may improvise: once per Raise or See, and a limited number per conflict (DV-11)."""
    characters_only = one.nature == "character"
    return characters_only and not game.contested.putting.improvised and one.improvised < game.options.improvised


def unused(game: DogsTable, one: Participant) -> dict[str, list[str]]:
    """Return the things not yet brought into play, by owner; a healer may also use the patient's (DV-10, DV-30)."""
    conflict = game.contested
    owners = [one.name] if one.nature == "character" else []
    if conflict.patient is not None and owners:
        owners.append(conflict.patient)
    found = {
        owner: [thing.name for thing in game.named(owner).current_things() if (owner, thing.name) not in one.used]
        for owner in owners
    }
    demonic = conflict.demonic
    if demonic is not None and demonic.side == one.side and not conflict.demonic_drawn:
        found[one.name] = [*found.get(one.name, []), DEMONIC]
    return found


def prepare(game: DogsTable, one: Participant, answer: Bring | Improvise | Escalate | actions.Help) -> Rules[None]:
    """Apply a preparation for the next Raise or See; cards once drawn stay drawn (DV-10)."""
    if isinstance(answer, actions.Help):
        give_help(game, answer)
        return
    game.busy = True
    if isinstance(answer, Bring):
        yield from bring(game, one, answer)
    elif isinstance(answer, Improvise):
        yield from improvise(game, one, desperate=answer.desperate)
    else:
        yield from escalate(game, one, answer)
    game.busy = False


def give_help(game: DogsTable, answer: actions.Help) -> None:
    """Hand over a card, turned sideways (DV-21)."""
    game.contested.named(answer.name).hand.remove(answer.card)
    game.contested.putting.helps.append(Help(answer.name, answer.card))
    half = worth(answer.card, sideways=True)
    game.tell("DV-21", "helps", name=answer.name, card=answer.card, whom=answer.whom, half=half)


def bring(game: DogsTable, one: Participant, answer: Bring) -> Rules[None]:
    """Draw for a thing, once per conflict (DV-10); a gun also draws like a troublesome trait (DV-11)."""
    if answer.thing == DEMONIC:
        yield from draw_demonic(game, one)
        return
    one.used.append((answer.name, answer.thing))
    thing = next(thing for thing in game.named(answer.name).current_things() if thing.name == answer.thing)
    yield from draw_for(game, one, thing, "DV-7" if thing.significant else "DV-6", thing.name)
    if thing.gun:
        yield from draw_for(game, one, Draws("-"), "DV-11", thing.name)


def improvise(game: DogsTable, one: Participant, *, desperate: bool) -> Rules[None]:
    """Draw like a troublesome trait, or a significant troublesome one if desperate (DV-11)."""
    one.improvised += 1
    game.contested.putting.improvised = True
    game.tell("DV-11", "goes_desperate" if desperate else "improvises", name=one.name)
    yield from draw_for(game, one, Draws("-", desperate), "DV-11")


def escalate(game: DogsTable, one: Participant, answer: Escalate) -> Rules[None]:
    """Enter another arena, and draw its Stats that weren't drawn in this conflict (DV-12)."""
    arena = answer.arena or arena_of(answer.stats or [], answer.pile or PILES[0])
    game.contested.putting.escalated = True
    one.arenas.append(arena)
    game.tell("DV-12", "escalates", name=one.name, arena=arena)
    yield from draw_arena(game, one)


# Help (DV-21).


def help_given(game: DogsTable) -> int:
    """Return the value of the help given so far to the Raise or See being prepared."""
    return helped_by(game.contested.putting.helps)


def helpers(game: DogsTable, one: Participant) -> list[Participant]:
    """Return the possible helpers: still in, on the same side, with a card, once each (DV-21)."""
    have = {helped.name for helped in game.contested.putting.helps}
    return [
        other
        for other in game.contested.still_in()
        if other.side == one.side and other.name != one.name and other.name not in have and other.hand
    ]


def why_no_help(game: DogsTable, by: str, answer: actions.Help) -> str | None:
    """Return why a character of this seat can't help now; None if there is another reason, or none."""
    conflict = game.under_way
    helper = next((one for one in conflict.participants if one.name == answer.name), None) if conflict else None
    name = None if conflict is None else conflict.raised.to_see[0] if conflict.raised else conflict.turn
    if conflict is None or helper is None or name is None or by not in seats_for(game, helper):
        return None
    acting = conflict.named(name)
    if any(helped.name == helper.name for helped in conflict.putting.helps):
        return f"{helper.name} has helped already: each helper gives one card (DV-21)"
    if not helper.still_in:
        return f"{helper.name} has given, and is out of the conflict (DV-23)"
    if helper.name == acting.name:
        return f"it is {acting.name}'s own Raise or See, and help must come from another character (DV-21)"
    if helper.side != acting.side:
        return f"{acting.name} is on the other side, and you can help only your own (DV-21)"
    return None


def can_be_helped(game: DogsTable, one: Participant) -> bool:
    """Return whether all possible help would let a participant See."""
    most = help_given(game) + sum(worth(best_first(other.hand)[0], sideways=True) for other in helpers(game, one))
    return can_see(one, game.raised.value, most)


def pay_help(game: DogsTable, one: Participant) -> bool:
    """Settle one help owed; return whether the next card is sideways for it (DV-21)."""
    if not one.owes:
        return False
    one.owes -= 1
    return True


def owe_help(game: DogsTable, helps: Sequence[Help]) -> None:
    """Record that the helpers owe a sideways card (DV-21)."""
    for helped in helps:
        game.contested.named(helped.name).owes += 1


def helped_by(helps: Sequence[Help]) -> int:
    """Return the value of helping cards, which are sideways (DV-21)."""
    return sum(worth(helped.card, sideways=True) for helped in helps)
