"""What goes with a Raise or a See: help, things, something improvised, another arena (DV-9 to DV-12, DV-21)."""

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

# What goes with a Raise or a See (DV-10 to DV-12, DV-21).


def who_chooses(game: DogsTable, one: Participant) -> tuple[str, ...]:
    """Who may choose for it."""
    return choosers(game.controller(one))


def ask_to(game: DogsTable, one: Participant, key: str, rule: str, first: list[Offer], about: dict[str, Any]) -> Ask:
    """Ask for a Raise or See, with all that may go with it; others of its side may offer their help."""
    helping = [offer_help(game, other, one) for other in helpers(game, one)]
    give = Offer(who_chooses(game, one), Give, {"name": OneOf((one.name,))})
    offers = (*first, *offer_more(game, one), give, *helping)
    waits_for = (game.controller(one),)
    return Ask(key, rule, offers, about, rest=True, together=bool(helping), waits_for=waits_for)


def offer_more(game: DogsTable, one: Participant) -> Iterator[Offer]:
    """Things, something improvised, another arena."""
    for owner, things in unused(game, one).items():
        seats = choosers(game.named(owner).controller) if owner != one.name else who_chooses(game, one)
        if things:
            yield Offer(seats, Bring, {"name": OneOf((owner,)), "thing": OneOf(tuple(things))})
    name = OneOf((one.name,))
    if may_improvise(game, one):
        yield Offer(who_chooses(game, one), Improvise, {"name": name, "desperate": YesNo()}, frozenset({"desperate"}))
    if one.nature == "character" and not game.contested.putting.escalated:
        if arenas := other_arenas(game, one):
            yield Offer(who_chooses(game, one), Escalate, {"name": name, "arena": OneOf(arenas)})
        yield offer_own_arena(game, one)


def offer_own_arena(game: DogsTable, one: Participant) -> Offer:
    """The game master may name any two Stats, with the fallout pile they use (DV-9)."""
    fields = {"name": OneOf((one.name,)), "stats": Several(STATS, 2, 2), "pile": OneOf(PILES)}

    def entered(answer: Escalate) -> str | None:
        arena = arena_of(answer.stats or [], answer.pile or PILES[0])
        return f"stats and pile are those of {arena}, which {one.name} has entered" if arena in one.arenas else None

    free = ((stats, pile) for stats, pile in EVERY_ARENA if arena_of(stats, pile) not in one.arenas)
    examples = [{"name": one.name, "stats": stats, "pile": pile} for stats, pile in islice(free, 1)]
    return Offer((GM,), Escalate, fields, also=entered, examples=examples)


def offer_help(game: DogsTable, helper: Participant, one: Participant) -> Offer:
    """A card of one's own for another's Raise or See (DV-21)."""
    hand = OneOf(tuple(best_first(helper.hand)), "card")
    fields = {"name": OneOf((helper.name,)), "card": hand, "whom": OneOf((one.name,))}
    return Offer(who_chooses(game, helper), actions.Help, fields)


def has_more(game: DogsTable, one: Participant) -> bool:
    """Whether it could still bring a thing, improvise or escalate (DV-23)."""
    escalates = one.nature == "character" and not game.contested.putting.escalated and other_arenas(game, one)
    return bool(any(unused(game, one).values()) or may_improvise(game, one) or escalates)


def other_arenas(game: DogsTable, one: Participant) -> tuple[str, ...]:
    """The arenas it hasn't entered."""
    return tuple(arena for arena in ARENAS if arena not in one.arenas)


def may_improvise(game: DogsTable, one: Participant) -> bool:
    """Once a Raise or See, so often a conflict (DV-11)."""
    characters_only = one.nature == "character"
    return characters_only and not game.contested.putting.improvised and one.improvised < game.options.improvised


def unused(game: DogsTable, one: Participant) -> dict[str, list[str]]:
    """The things not drawn for yet, by owner: a healer has its patient's, too (DV-10, DV-30)."""
    conflict = game.contested
    owners = [one.name] if one.nature == "character" else []
    if conflict.patient is not None and owners:
        owners.append(conflict.patient)
    found = {
        owner: [thing.name for thing in game.named(owner).things_for_now() if (owner, thing.name) not in one.used]
        for owner in owners
    }
    demonic = conflict.demonic
    if demonic is not None and demonic.side == one.side and not conflict.demonic_drawn:
        found[one.name] = [*found.get(one.name, []), DEMONIC]
    return found


def put_together(game: DogsTable, one: Participant, answer: Bring | Improvise | Escalate | actions.Help) -> Rules[None]:
    """Something goes with the Raise or See to come; what was drawn stays drawn (DV-10)."""
    if isinstance(answer, actions.Help):
        help_out(game, answer)
        return
    game.busy = True
    if isinstance(answer, Bring):
        yield from bring(game, one, answer)
    elif isinstance(answer, Improvise):
        yield from improvise(game, one, desperate=answer.desperate)
    else:
        yield from escalate(game, one, answer)
    game.busy = False


def help_out(game: DogsTable, answer: actions.Help) -> None:
    """A card is handed over, turned sideways (DV-21)."""
    game.contested.named(answer.name).hand.remove(answer.card)
    game.contested.putting.helps.append(Help(answer.name, answer.card))
    half = worth(answer.card, sideways=True)
    game.tell("DV-21", "helps", name=answer.name, card=answer.card, whom=answer.whom, half=half)


def bring(game: DogsTable, one: Participant, answer: Bring) -> Rules[None]:
    """A thing is drawn for, once a conflict (DV-10); with a gun, as for a troublesome trait besides (DV-11)."""
    if answer.thing == DEMONIC:
        yield from draw_demonic(game, one)
        return
    one.used.append((answer.name, answer.thing))
    thing = next(thing for thing in game.named(answer.name).things_for_now() if thing.name == answer.thing)
    yield from draw_for(game, one, thing, "DV-7" if thing.significant else "DV-6", thing.name)
    if thing.gun:
        yield from draw_for(game, one, Draws("-"), "DV-11", thing.name)


def improvise(game: DogsTable, one: Participant, *, desperate: bool) -> Rules[None]:
    """As a troublesome trait; if it is desperate or really big, a significant one (DV-11)."""
    one.improvised += 1
    game.contested.putting.improvised = True
    game.tell("DV-11", "goes_desperate" if desperate else "improvises", name=one.name)
    yield from draw_for(game, one, Draws("-", desperate), "DV-11")


def escalate(game: DogsTable, one: Participant, answer: Escalate) -> Rules[None]:
    """Another arena is entered, and its Stats are drawn that weren't yet (DV-12)."""
    arena = answer.arena or arena_of(answer.stats or [], answer.pile or PILES[0])
    game.contested.putting.escalated = True
    one.arenas.append(arena)
    game.tell("DV-12", "escalates", name=one.name, arena=arena)
    yield from draw_arena(game, one)


# Help (DV-21).


def help_given(game: DogsTable) -> int:
    """What the help there is adds to the Raise or See that is being put together."""
    return helped_by(game.contested.putting.helps)


def helpers(game: DogsTable, one: Participant) -> list[Participant]:
    """Who may help: those on its side who are still in and have a card, each once (DV-21)."""
    have = {helped.name for helped in game.contested.putting.helps}
    return [
        other
        for other in game.contested.still_in()
        if other.side == one.side and other.name != one.name and other.name not in have and other.hand
    ]


def why_no_help(game: DogsTable, by: str, answer: actions.Help) -> str | None:
    """What keeps this seat's character from helping whoever is to Raise or See; None if it is something else."""
    conflict = game.under_way
    helper = next((one for one in conflict.participants if one.name == answer.name), None) if conflict else None
    name = None if conflict is None else conflict.raised.to_see[0] if conflict.raised else conflict.turn
    if conflict is None or helper is None or name is None or by not in who_chooses(game, helper):
        return None
    asked = conflict.named(name)
    if any(helped.name == helper.name for helped in conflict.putting.helps):
        return f"{helper.name} has helped already: one card a helper (DV-21)"
    if not helper.still_in:
        return f"{helper.name} has given, and is out of the conflict (DV-23)"
    if helper.name == asked.name:
        return f"it is {asked.name}'s own Raise or See, and help must come from another character (DV-21)"
    if helper.side != asked.side:
        return f"{asked.name} is on the other side, and you can help only your own (DV-21)"
    return None


def can_be_helped(game: DogsTable, one: Participant) -> bool:
    """Whether all the help there can be would let it See."""
    most = help_given(game) + sum(worth(best_first(other.hand)[0], sideways=True) for other in helpers(game, one))
    return can_see(one, game.raised.value, most)


def pay_help(game: DogsTable, one: Participant) -> bool:
    """Whether one of its cards is sideways now, for help it gave (DV-21); each help is owed once."""
    if not one.owes:
        return False
    one.owes -= 1
    return True


def owe_help(game: DogsTable, helps: Sequence[Help]) -> None:
    """Those who have helped owe a card turned sideways (DV-21)."""
    for helped in helps:
        game.contested.named(helped.name).owes += 1


def helped_by(helps: Sequence[Help]) -> int:
    """What cards turned sideways add (DV-21)."""
    return sum(worth(helped.card, sideways=True) for helped in helps)
