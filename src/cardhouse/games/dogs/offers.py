"""Offers between conflicts, and those open at any time."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import msgspec

from cardhouse.engine import (
    GM,
    CardhouseError,
    Offer,
    OneOf,
    Several,
    Shape,
    Text,
    YesNo,
    acting,
    any_seat,
    handing_over,
    leaving,
    while_there_is_room,
)
from cardhouse.engine.values.roster import free_name
from cardhouse.games.dogs.actions import (
    BringCharacter,
    Create,
    DescribeTown,
    Float,
    LetDie,
    Member,
    NewTown,
    Npc,
    OpenConflict,
    OpenHealing,
    OpenInitiation,
    SetStats,
)
from cardhouse.games.dogs.people.fast import FAST, FLOATS
from cardhouse.games.dogs.people.notation import LONGEST_SHEET, read_sheet
from cardhouse.games.dogs.people.sheet import STATS, Stats, Thing
from cardhouse.games.dogs.people.sheets import EXAMPLE, MOST_MEMBERS, RESERVED, sheet_field
from cardhouse.games.dogs.people.templates import BELONGINGS, TEMPLATES, problem_of, problem_of_stats, problem_of_things
from cardhouse.games.dogs.state import ARENAS, PILES, Demonic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardhouse.games.dogs.rules import Dogs

LONGEST_STAKES = 200
LONGEST_TOWN = 40
LONGEST_NOTES = 4000
MOST_PARTICIPANTS = 30
CONTROLLER = frozenset(("controller",))
SOME_STATS = Stats(3, 2, 2, 2)


def at_any_time(game: Dogs) -> list[Offer]:
    """Return the offers to join and leave, begin a new Town, and give floating traits to those in a conflict."""
    joining = while_there_is_room(_joining(game), len(game.characters))
    return [*joining, *_changing(game), *_floating(game)]


def _joining(game: Dogs) -> Iterator[Offer]:
    """Yield the offers to create a character (DV-3 to DV-5), a Fast NPC (DV-34), or bring one from the roster."""
    taken = (*(who.name for who in game.characters), *RESERVED)
    players = tuple(seat for seat in game.seats if seat != GM)
    controller = {"controller": any_seat(game)}
    name = Text(taken=taken)
    free = free_name(EXAMPLE.name, taken)
    new = {
        "name": name,
        "template": OneOf(tuple(TEMPLATES)),
        "stats": Shape(Stats, SOME_STATS),
        "things": Shape(list[Thing], list(EXAMPLE.things)),
        "dice": Text(LONGEST_SHEET, lines=True),
    }
    optional = frozenset(("template", "stats", "things", "dice"))
    examples = [{"name": free, **example} for example in CHARACTERS]

    def also(answer: Create) -> str | None:
        return problem_of_creation(answer, free_belongings=game.options.free_belongings)

    of_gm = {**new, **controller, "npc": YesNo()}
    yield Offer((GM,), Create, of_gm, optional | CONTROLLER | {"npc"}, also, examples)
    bring = {"sheet": sheet_field(taken)}
    yield Offer((GM,), BringCharacter, {**bring, **controller}, CONTROLLER)
    if players:
        yield Offer(players, Create, new, optional, also, examples)
        yield Offer(players, BringCharacter, bring)
    fast = {"name": name, "type": OneOf(tuple(FAST)), "members": Shape(list[Member], [Member("The clumsy one", "-")])}
    of_npc = [{"name": free, "type": kind} for kind in FAST]
    member = {"members": [{"name": "The clumsy piano player", "kind": "-", "significant": False}]}
    yield Offer((GM,), Npc, fast, frozenset(("members",)), _problem_of_group, [*of_npc, {**of_npc[0], **member}])


def _examples_of_characters() -> Iterator[dict[str, Any]]:
    """Yield two examples: a character from a template, and one in dice notation."""
    template = TEMPLATES["well_rounded"]
    marks = {"trait": template.trait, "relationship": template.relationship, "belonging": BELONGINGS[0]}
    things = [
        {"name": f"A {group} {number}", "group": group, "kind": mark[0], "significant": "*" in mark}
        for group, of_group in marks.items()
        for number, mark in enumerate(of_group, start=1)
    ]
    yield {"template": "well_rounded", "stats": msgspec.to_builtins(SOME_STATS), "things": things}
    yield {"dice": "Acuity 3d6\nBody 4d6\nHeart 3d6\nWill 5d6\nI'm a good shot 2d6\nBelongings\nA Colt (gun) 1d6"}


CHARACTERS = tuple(_examples_of_characters())


def problem_of_creation(answer: Create, *, free_belongings: bool) -> str | None:
    """Return why a character can't be created like this (DV-1 to DV-5), as the rest of a sentence; None if it can."""
    if answer.dice is not None:
        if answer.template is not None or answer.things:
            return "dice say what the character is: give no template and no things with them"
        try:
            read = read_sheet(answer.dice)
        except CardhouseError as error:
            return f"dice: {error.message.rstrip('.')}"
        return problem_of(answer.stats or read.stats, read.things)
    if answer.stats is None:
        return "stats are missing, or dice in their place"
    return problem_of(answer.stats, answer.things, answer.template, free_belongings=free_belongings)


def _problem_of_group(answer: Npc) -> str | None:
    """Return the problem with a group's additional members, or None (DV-35)."""
    if len(answer.members) > MOST_MEMBERS:
        return f"members: {len(answer.members)} are too many; {MOST_MEMBERS} is the most"
    return problem_of_things(
        [Thing(member.name, "trait", member.kind, member.significant) for member in answer.members]
    )


def _changing(game: Dogs) -> Iterator[Offer]:
    """Yield the offers to set proposed Stats (DV-5), hand characters over, and remove them."""
    for who in game.characters:
        if who.proposed and who.name not in game.involved():
            example = {"name": who.name, "stats": msgspec.to_builtins(who.stats)}
            yield msgspec.structs.replace(
                acting(who, SetStats, stats=Shape(Stats, SOME_STATS)),
                also=lambda answer: problem_of_stats(answer.stats),
                examples=(example,),
            )
    yield from handing_over(game, game.characters)
    yield from leaving([who for who in game.characters if who.name not in game.involved()])


def _floating(game: Dogs) -> Iterator[Offer]:
    """Yield the offers to describe the Town; and unless cards are being drawn, of a new one and floats (DV-36)."""
    notes = {"town": Text(LONGEST_TOWN), "notes": Text(LONGEST_NOTES, lines=True), "shown": YesNo()}
    yield Offer((GM,), DescribeTown, notes, frozenset(notes))
    if game.busy:
        return
    yield Offer((GM,), NewTown)
    left = tuple(mark for mark in FLOATS if mark not in game.floats_used)
    if game.under_way is not None and left:
        for_ = tuple(one.name for one in game.under_way.still_in())
        yield Offer((GM,), Float, {"thing": OneOf(left), "for": OneOf(for_)})


# Between conflicts.


def openings(game: Dogs) -> Iterator[Offer]:
    """Yield what the game master may open (DV-14, DV-30, DV-37), and the offer to let unhealed characters die."""
    able = tuple(who.name for who in game.characters if who.can_act)
    if len(able) > 1:
        yield _open_conflict(game, able)
    patients = tuple(who.name for who in game.characters if who.can_be_healed)
    if patients and able:
        fields = {"healer": OneOf(able), "patient": OneOf(patients), "demonic": Shape(Demonic, {"dice": 2})}
        yield Offer(
            (GM,),
            OpenHealing,
            fields,
            frozenset(("demonic",)),
            _problem_of_healing,
            [{"healer": able[0], "patient": patient} for patient in patients],
        )
    if patients:
        yield Offer((GM,), LetDie, {"name": OneOf(patients)})
    if able:
        initiation = {"name": OneOf(able), "stakes": Text(LONGEST_STAKES), "arena": OneOf(tuple(ARENAS))}
        yield Offer((GM,), OpenInitiation, initiation, frozenset(("arena",)))


def _open_conflict(game: Dogs, able: tuple[str, ...]) -> Offer:
    npcs = tuple(name for name in able if game.named(name).npc)
    fields = {
        "stakes": Text(LONGEST_STAKES),
        "sides": Shape(list[list[str]], [[able[0]], list(able[1:])]),
        "arena": OneOf(tuple(ARENAS)),
        "stats": Several(STATS, 2, 2),
        "pile": OneOf(PILES),
        "starter": OneOf(able),
        "demonic": Shape(Demonic, {"dice": 3, "side": 1}),
        "follow_up": YesNo(),
        "spare": Several(npcs, 0, len(npcs)),
    }
    optional = frozenset(fields) - {"stakes", "sides"}
    return Offer(
        (GM,), OpenConflict, fields, optional, lambda answer: problem_of_opening(game, answer), _examples(game, able)
    )


def _examples(game: Dogs, able: tuple[str, ...]) -> list[dict[str, Any]]:
    two: dict[str, Any] = {"stakes": "Who is right?", "sides": [[able[0]], [able[1]]]}
    found = [{**two, "arena": arena} for arena in ARENAS]
    found.append({**two, "stats": ["heart", "will"], "pile": "talking", "starter": able[1]})
    found.append({**two, "arena": "talking", "demonic": {"dice": 5, "side": 0}})
    stayed = [name for name in able if not game.named(name).away]
    if len(stayed) > 1:
        found.append({"stakes": "What then?", "sides": [stayed[1:2], stayed[:1]], "arena": "guns", "follow_up": True})
    if npcs := [name for name in able[:2] if game.named(name).npc]:
        found.append({**two, "arena": "physical", "spare": npcs})
    if len(able) > 2:
        found.append({"stakes": "All of it", "sides": [[name] for name in able[:4]], "arena": "fighting"})
        found.append({"stakes": "The mine", "sides": [list(able[:2]), list(able[2:6])], "arena": "physical"})
    return found


def problem_of_opening(game: Dogs, answer: OpenConflict) -> str | None:
    """Return why a conflict can't be opened like this, as the rest of a sentence; None if it can (DV-14)."""
    return (
        _problem_of_sides(game, answer)
        or _problem_of_arena(answer)
        or _problem_of_rest(game, answer, list(chain.from_iterable(answer.sides)))
    )


def _problem_of_sides(game: Dogs, answer: OpenConflict) -> str | None:
    names = list(chain.from_iterable(answer.sides))
    if len(answer.sides) < 2 or not all(answer.sides):
        return "sides must be two or more, each with a character on it"
    if len(names) > MOST_PARTICIPANTS:
        return f"sides: {len(names)} are too many; {MOST_PARTICIPANTS} is the most"
    by_name = {who.name: who for who in game.characters}
    for name in names:
        if name not in by_name:
            return f"sides: there is no {name[:40]}; there are {', '.join(list(by_name)[:12])}"
        if names.count(name) > 1:
            return f"sides: {name} is there twice"
        if by_name[name].owed and by_name[name].condition == "well":
            return f"sides: {name} has a choice to make first"
        if not by_name[name].can_act:
            return f"sides: {name} can't take part ({by_name[name].condition.replace('_', ' ')})"
        if answer.follow_up and by_name[name].away:
            return f"sides: {name} has left the scene, and can't be in a follow-up"
    return None


def _problem_of_arena(answer: OpenConflict) -> str | None:
    own = answer.stats is not None or answer.pile is not None
    if answer.arena is not None:
        return "arena: give an arena, or stats and pile of your own" if own else None
    if answer.stats is None or answer.pile is None:
        return f"arena is missing; it may be {', '.join(ARENAS)}, or stats and pile of your own"
    return None


def _problem_of_rest(game: Dogs, answer: OpenConflict, names: list[str]) -> str | None:
    if answer.starter is not None and answer.starter not in names:
        return f"starter: {answer.starter} is on no side"
    if strangers := [name for name in answer.spare if name not in names]:
        return f"spare: {strangers[0]} is on no side"
    if answer.demonic is None:
        return None
    side = answer.demonic.side
    if side is None or not 0 <= side < len(answer.sides):
        return f"demonic.side must say which side, from 0 to {len(answer.sides) - 1}"
    return None


def _problem_of_healing(answer: OpenHealing) -> str | None:
    side = None if answer.demonic is None else answer.demonic.side
    return None if side in (None, 0, 1) else "demonic.side must be 0 for the healer or 1 for the fallout"
