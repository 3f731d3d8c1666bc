"""A conflict played on by policies: the rules themselves, run without a table, questions or events."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from cardhouse.cards import Card, in_order
from cardhouse.engine import GM, Ask, Draw, Rules, choosers
from cardhouse.games.dogs.bots.policies import Policy, Situation, Unused, Values, plain, typical, values_of
from cardhouse.games.dogs.conflict.raising import is_decided, play_on
from cardhouse.games.dogs.conflict.seeing import can_see
from cardhouse.games.dogs.conflict.together import (
    can_be_helped,
    has_more,
    help_given,
    helped_by,
    may_improvise,
    other_arenas,
    unused,
)
from cardhouse.games.dogs.people.fast import DEMONIC_DRAWS, FAST, Draws
from cardhouse.games.dogs.people.sheet import FastType, Stat, Stats
from cardhouse.games.dogs.state import (
    FaceDown,
    Participant,
    best_first,
    pile_of,
    stats_of,
)
from cardhouse.games.dogs.table import DogsTable

DESPERATE = 2
"""Cards kept of a desperate improvisation (DV-7, DV-11)."""

Deal = Callable[[Draw], Card | None]
"""Chooses the card of a draw; None for a card drawn face down."""


class Simulation(DogsTable):
    """A conflict from a resting point to its end; `policy` acts for every participant."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.policy: Policy = plain

    def play(self) -> Rules[None]:
        """Play until the conflict is decided."""
        while not is_decided(self):
            yield from play_on(self)

    def play_out(self, deal: Deal) -> int:
        """Play to the end and return the winning side's number."""
        self.run(self.play(), deal)
        return self.contested.still_in()[0].side

    def run(self, rules: Rules[None], deal: Deal) -> None:
        """Run rules to their end; `deal` supplies every card they draw."""
        card: Card | None = None
        while True:
            try:
                question = rules.send(card)
            except StopIteration:
                return
            assert isinstance(question, Draw)
            card = deal(question)

    def ask(self, question: Callable[[], Ask | None]) -> Rules[Any]:
        """Return the policy's action for the participant asked."""
        asked = question()
        return None if asked is None else self.policy(situation_of(self, self.contested.named(asked.about["name"])))
        yield

    def ask_raise(self, one: Participant) -> Ask | None:
        """Return the question without its offers."""
        return Ask("raise", "DV-16", (), {"name": one.name}) if one.hand or has_more(self, one) else None

    def ask_see(self, one: Participant) -> Ask | None:
        """Return the question without its offers."""
        able = can_see(one, self.raised.value, help_given(self)) or has_more(self, one) or can_be_helped(self, one)
        return Ask("see", "DV-17", (), {"name": one.name}) if able else None

    def tell(self, rule: str, key: str, **about: Any) -> None:
        """Do nothing: a simulation has no audience."""

    def tell_hand(self, one: Participant, rule: str, key: str, hidden: str, n: int, *shown: Any, **about: Any) -> None:
        """Do nothing: a simulation has no audience."""

    def unseen_cards(self, deal: int) -> Mapping[str, Sequence[Card]]:
        """Return nothing: a simulation has no real deck."""
        return {}


def random_deal(chance: Random) -> Deal:
    """Return a deal with every card equally likely; face-down cards stay unknown."""

    def deal(draw: Draw) -> Card | None:
        return None if draw.face_down else draw.cards[int(chance.random() * len(draw.cards))]

    return deal


def simulation_of(game: DogsTable) -> bytes:
    """Encode a game at rest in mid-conflict as a Simulation.

    It contains only what everyone who sees the hands knows: a face-down card may be any card, even if the log has named
    it, and sheets keep only what matters before the conflict ends.
    """
    copy = msgspec.json.decode(msgspec.json.encode(game), type=Simulation)
    for one in copy.contested.participants:
        for blow in (blow for pile in one.blows.values() for blow in pile):
            if blow.card is not None and blow.deal == copy.deal:
                copy.deck.loose.append(blow.card)
                copy.deck.face_down += 1
        one.blows = {pile: [FaceDown(0)] * len(blows) for pile, blows in one.blows.items()}
    copy.deck.loose = in_order(copy.deck.loose)
    copy.discard = in_order(copy.discard)
    copy.former, copy.outcomes, copy.prizes, copy.seats, copy.by_hand = {}, {}, [], [GM], []
    participating = {*(one.name for one in copy.contested.participants), copy.contested.patient}
    copy.characters = [who for who in copy.characters if who.name in participating]
    for who in copy.characters:
        who.history, who.owed, who.wounds = [], [], []
    return msgspec.json.encode(copy)


# Situations.


def situation_of(game: DogsTable, one: Participant) -> Situation:
    """Return the situation of a participant who must Raise or See, as its controller may know it."""
    conflict = game.contested
    raised = conflict.raised
    counts_fallout = one.nature == "character" and not one.spare
    return Situation(
        name=one.name,
        hand=best_first(one.hand),
        owes=bool(one.owes),
        value=None if raised is None else raised.value,
        help_given=helped_by(conflict.putting.helps),
        pile=None if raised is None or not counts_fallout else pile_of(raised.arena),
        others=lambda: [hand_of(game, one, other) for other in conflict.still_in() if other.side != one.side],
        coming=lambda: sum(coming_of(game, other) for other in conflict.still_in() if other.side != one.side),
        things=lambda: list(things_of(game, one)),
        arenas=lambda: arenas_of(game, one),
        improvises=may_improvise(game, one),
    )


def hand_of(game: DogsTable, one: Participant, other: Participant) -> Values:
    """Return an opponent's hand by value, as this participant's player sees it (DV-14)."""
    if game.options.hidden_hands and game.controller(one) not in (GM, game.controller(other)):
        return typical(len(other.hand))
    return tuple(sorted(values_of(other.hand), reverse=True))


def coming_of(game: DogsTable, other: Participant, *, arenas: bool = True) -> int:
    """Return how many cards an opponent gets if it draws everything it can at its next turn.

    `arenas` counts escalation.
    """
    if game.contested.kind != "conflict":
        return 0
    who, left = game.named(other.name), unused(game, other)[other.name]
    things = [Draws(thing.kind, thing.significant) for thing in who.current_things() if thing.name in left]
    where = other_arenas(game, other) if arenas else ()
    drawn = cards_by_arena(where, who.stats, other.stats_drawn, who.fast, other.lines)
    return cards_coming(things, drawn, improvises=other.improvised < game.options.improvised)


def cards_coming(things: Iterable[Draws], by_arena: Mapping[str, int], *, improvises: bool) -> int:
    """Return the cards from all things, the arena with the most, and desperate improvising (DV-7, DV-10 to DV-12)."""
    return sum(1 + one.significant for one in things) + max(by_arena.values(), default=0) + DESPERATE * improvises


def things_of(game: DogsTable, one: Participant) -> Iterator[Unused]:
    """Yield the things that a participant could bring and its player decides on (DV-10, DV-30)."""
    demonic = game.contested.demonic
    for owner, names in unused(game, one).items():
        if not names or (owner != one.name and game.controller(one) not in choosers(game.named(owner).controller)):
            continue
        things = (
            {thing.name: thing for thing in game.named(owner).current_things()} if one.nature == "character" else {}
        )
        for name in names:
            if name in things:
                yield Unused(owner, name, Draws(things[name].kind, things[name].significant))
            elif demonic is not None:
                yield Unused(owner, name, demonic_draws(demonic.dice))


def demonic_draws(dice: int) -> Draws:
    """Return the draw for Demonic Influence (DV-31)."""
    return DEMONIC_DRAWS[dice].things[0]


def arenas_of(game: DogsTable, one: Participant) -> dict[str, int]:
    """Return the arenas a participant may enter, with the number of cards each draws (DV-12)."""
    if one.nature != "character" or game.contested.putting.escalated:
        return {}
    who = game.named(one.name)
    return cards_by_arena(other_arenas(game, one), who.stats, one.stats_drawn, who.fast, one.lines)


def cards_by_arena(
    arenas: Sequence[str], stats: Stats, drawn: Collection[Stat], fast: FastType | None, lines: int
) -> dict[str, int]:
    """Return the number of cards that escalating to each arena draws, if any (DV-12, DV-34)."""
    if fast is None:
        numbers = {arena: sum(stats.of(stat) for stat in stats_of(arena) if stat not in drawn) for arena in arenas}
    else:
        more = sum(line.cards + sum(1 + thing.significant for thing in line.things) for line in FAST[fast][lines:][:1])
        numbers = dict.fromkeys(arenas, more)
    return {arena: number for arena, number in numbers.items() if number}
