"""Views per seat: everything open, and of face-down fallout only the number of cards (DV-25)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from cardhouse.cards import SECOND_DECK, STANDARD, Card
from cardhouse.engine import GM
from cardhouse.games.dogs.conflict.seeing import fewest
from cardhouse.games.dogs.conflict.together import help_given, unused
from cardhouse.games.dogs.people.fast import FLOATS
from cardhouse.games.dogs.people.sheet import Condition, FastType, Later, Noted, Owed, Stats, Thing
from cardhouse.games.dogs.state import PILES, Demonic, Help, Outcome, Pile, best_first, to_reverse, worth

if TYPE_CHECKING:
    from cardhouse.games.dogs.people.sheet import Character
    from cardhouse.games.dogs.rules import Dogs
    from cardhouse.games.dogs.state import Conflict, Participant


class ThingView(msgspec.Struct, frozen=True):
    """A trait, relationship or belonging."""

    name: str
    group: Literal["trait", "relationship", "belonging"]
    kind: Literal["-", "o", "+"]
    significant: bool
    gun: bool


class CharacterView(msgspec.Struct, frozen=True):
    """A sheet. `kept` holds the cards kept for a follow-up, null where hidden; `kept_count` is their number."""

    name: str
    controller: str
    stats: Stats
    things: list[ThingView]
    kept: list[Card] | None
    kept_count: int
    condition: Condition
    wounds: list[Card]
    owed: list[Owed]
    later: list[Later]
    history: list[Noted]
    away: bool
    proposed: bool
    npc: bool
    fast: FastType | None
    members: int
    can_act: bool


class RaiseView(msgspec.Struct, frozen=True):
    """The current Raise, with its words if there are any, and the names that must still See it, in order."""

    by: str
    card: Card
    sideways: bool
    helps: list[Help]
    value: int
    arena: str
    to_see: list[str]
    words: str


class SeesView(msgspec.Struct, frozen=True):
    """The ways in which a participant could See: cards that reverse, cards that only block, and the Blow.

    `blow` is the fewest cards that Take the Blow, which is also the number of fallout cards; null if no two or more
    cards do (DV-17 to DV-19).
    """

    reverse: list[Card]
    block: list[Card]
    blow: int | None


class ParticipantView(msgspec.Struct, frozen=True):
    """A participant. `used` lists the things brought into play, `unused` those that still can be."""

    name: str
    side: int
    nature: Literal["character", "fallout", "initiation"]
    controller: str
    still_in: bool
    spare: bool
    arena: str
    lines: int
    used: list[str]
    unused: list[str]
    improvised_left: int
    owes: int


class ConflictView(msgspec.Struct, frozen=True):
    """A conflict. `go` is the name that must Raise; hands are sorted by value, or numbers of cards where hidden."""

    kind: Literal["conflict", "healing", "initiation"]
    stakes: str
    sides: list[list[str]]
    starter: str
    patient: str | None
    follow_up: bool
    demonic: Demonic | None
    participants: list[ParticipantView]
    go: str | None
    order: list[str]
    hands: dict[str, list[Card] | int]
    arenas: dict[str, list[str]]
    raise_: RaiseView | None = msgspec.field(name="raise")
    helps: list[Help]
    improvised: bool
    escalated: bool
    sees: dict[str, SeesView]
    fallout: dict[str, dict[Pile, int]]
    winner: list[str] | None


class DogsView(msgspec.Struct, frozen=True):
    """The table. `outcomes` are those of the last conflict; `prizes` go to whoever starts a follow-up (DV-24).

    `notes` are the game master's on the Town, null where hidden (DV-36).
    """

    deck_left: int
    discard: int
    town: int
    town_name: str
    notes: str | None
    notes_shown: bool
    floats_left: list[str]
    prizes: list[Card]
    characters: list[CharacterView]
    conflict: ConflictView | None
    outcomes: dict[str, Outcome]


def view_of(game: Dogs, audience: str) -> DogsView:
    """Return the view of this audience."""
    return DogsView(
        deck_left=len(game.deck),
        discard=len(game.discard),
        town=game.town,
        town_name=game.town_name,
        notes=game.notes if game.notes_shown or audience == GM else None,
        notes_shown=game.notes_shown,
        floats_left=[mark for mark in FLOATS if mark not in game.floats_used],
        prizes=list(game.prizes),
        characters=[_character(game, who, audience) for who in game.characters],
        conflict=None if game.conflict is None else _conflict(game, game.conflict, audience),
        outcomes=dict(game.outcomes),
    )


def sees_hand(game: Dogs, controller: str, audience: str) -> bool:
    """Return whether this audience sees the cards held by characters of seat `controller` (DV-14)."""
    return not game.options.hidden_hands or audience in (GM, controller)


def _character(game: Dogs, who: Character, audience: str) -> CharacterView:
    seen = sees_hand(game, who.controller, audience)
    return CharacterView(
        name=who.name,
        controller=who.controller,
        stats=who.stats,
        things=[_thing(thing) for thing in who.things],
        kept=list(who.kept) if seen else None,
        kept_count=len(who.kept),
        condition=who.condition,
        wounds=list(who.wounds),
        owed=list(who.owed),
        later=list(who.later),
        history=list(who.history),
        away=who.away,
        proposed=who.proposed,
        npc=who.npc,
        fast=who.fast,
        members=who.members,
        can_act=who.can_act,
    )


def _thing(thing: Thing) -> ThingView:
    return ThingView(thing.name, thing.group, thing.kind, thing.significant, thing.gun)


def _conflict(game: Dogs, conflict: Conflict, audience: str) -> ConflictView:
    raised = conflict.raised
    seen = {one.name: sees_hand(game, game.controller(one), audience) for one in conflict.participants}
    return ConflictView(
        kind=conflict.kind,
        stakes=conflict.stakes,
        sides=conflict.sides,
        starter=conflict.starter,
        patient=conflict.patient,
        follow_up=conflict.follow_up,
        demonic=conflict.demonic,
        participants=[_participant(game, one) for one in conflict.participants],
        go=conflict.turn,
        order=list(conflict.order),
        hands={one.name: best_first(one.hand) if seen[one.name] else len(one.hand) for one in conflict.participants},
        arenas={one.name: list(one.arenas) for one in conflict.participants},
        raise_=None
        if raised is None
        else RaiseView(
            raised.by,
            raised.card,
            raised.sideways,
            raised.helps,
            raised.value,
            raised.arena,
            list(raised.to_see),
            raised.words,
        ),
        helps=list(conflict.putting.helps),
        improvised=conflict.putting.improvised,
        escalated=conflict.putting.escalated,
        sees={}
        if raised is None
        else {name: _sees(game, conflict.named(name), raised.value) for name in raised.to_see if seen[name]},
        fallout={one.name: {pile: len(one.blows.get(pile, [])) for pile in PILES} for one in conflict.participants},
        winner=conflict.winner,
    )


def _participant(game: Dogs, one: Participant) -> ParticipantView:
    under_way = game.under_way is not None
    return ParticipantView(
        name=one.name,
        side=one.side,
        nature=one.nature,
        controller=game.controller(one),
        still_in=one.still_in,
        spare=one.spare,
        arena=one.arena if one.arenas else "",
        lines=one.lines,
        used=[thing for _, thing in one.used],
        unused=[thing for things in unused(game, one).values() for thing in things] if under_way else [],
        improvised_left=game.options.improvised - one.improvised if one.nature == "character" else 0,
        owes=one.owes,
    )


def _sees(game: Dogs, one: Participant, value: int) -> SeesView:
    """Return what each card does alone, sideways if help is owed. Help counts for the next participant to See."""
    raised = game.raised
    helped = help_given(game) if raised.to_see[0] == one.name else 0
    hand = best_first(one.hand)
    own = {card: worth(card, sideways=bool(one.owes)) for card in hand}
    reverse = [card for card in hand if own[card] >= to_reverse(value)]
    block = [card for card in hand if card not in reverse and own[card] + helped >= value]
    return SeesView(reverse, block, fewest(hand, value - helped, owes=bool(one.owes)))


def where_is(game: Dogs, card: Card, audience: str) -> str:
    """Return why a card can't be drawn: its place, as far as this audience knows."""
    if card not in (*STANDARD, *SECOND_DECK):
        return 'no card; cards are written like "C7", "S10", "HA", those of a second deck "S10b"'
    if game.decks_in == 1 and card in SECOND_DECK:
        return "of a second deck, and here is one"
    conflict = game.conflict
    for one in conflict.participants if conflict is not None else ():
        if card in one.hand and sees_hand(game, game.controller(one), audience):
            return f"in {one.name}'s hand"
    if conflict is not None and conflict.raised is not None and card == conflict.raised.card:
        return "the Raise"
    for who in game.characters:
        if card in who.kept and sees_hand(game, who.controller, audience):
            return f"kept by {who.name} for a follow-up"
        if card in who.wounds:
            return f"in {who.name}'s Fallout pile"
    if card in game.discard and not game.options.hidden_hands:
        return "in the discard"
    return "not in the deck"
