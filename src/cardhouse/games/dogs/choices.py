"""What comes of each Raise and See, between two whose hands lie open: solved, as both would do best.

Told is how the conflict ends if nobody works anything more in; or, where that can be solved quickly, how likely one
wins with the things that both can still bring, each card that nobody has seen as likely as the others. To improvise, to
enter another arena and floating traits are left out, for then there is no end of what may come; the page says so. To
give is to lose, and isn't told.

Nothing is told of more than two, who help each other and Raise in an order that changes; nor where a card that reversed
a blow may be lost again (DV-19). It goes by what everybody sees who sees the hands, and by which cards are still to
come, not by which of them lie face down (DV-25).
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, Final, TypedDict

from cardhouse.games.dogs.bots import duel
from cardhouse.games.dogs.bots.expectimax import Expectimax, Position, Thing, TooMany, parts
from cardhouse.games.dogs.conflict.together import other_arenas, unused
from cardhouse.games.dogs.people.fast import DEMONIC_DRAWS, MINUS, PLAIN, Draws
from cardhouse.games.dogs.state import DEMONIC, to_reverse, worth
from cardhouse.games.dogs.table import drawn_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardhouse.games.dogs.state import Conflict, Participant
    from cardhouse.games.dogs.table import DogsTable

MOST_CARDS: Final = 14
"""Nothing is told of two hands with more cards: these take a few hundredths of a second at most."""
MOST_WITH_THINGS: Final = 10
"""What may be brought is left out of two hands with more cards."""
MOST_WAYS: Final = 128
"""Nothing is told of a See with more ways to put cards together."""
MOST_LOOKS: Final = 5_000
"""It is left out, too, if more positions and draws would have to be weighed: these take about a tenth of a second."""


class AnswerChances(TypedDict, total=False):
    """How likely who is to act wins, 0 to 1, by each Raise, each See and each thing it may bring before that.

    `raising` is by what the card is worth; `seeing` by what the cards are worth that are played, the best first,
    "12+5"; `reversing` is to reverse, with whichever card. `bringing` is by the thing's name.
    """

    raising: dict[str, float]
    seeing: dict[str, float]
    reversing: float
    bringing: dict[str, float]


class ConflictChoices(TypedDict):
    """What comes of each answer of `name`, who is to act.

    With `things` what both can still bring is weighed, whatever cards that draws; else it is so if nobody draws more.
    `more` is whether either may still improvise or enter another arena, which is never weighed.
    """

    name: str
    things: bool
    more: bool
    chances: AnswerChances


def choices_of(game: DogsTable) -> ConflictChoices | None:
    """What comes of each answer of whoever is to Raise or See in the conflict under way; None where it isn't told."""
    conflict = game.contested
    name = who_acts(conflict)
    if name is None or len(conflict.participants) != 2 or game.options.reversed_card != "kept":
        return None
    one, other = sorted(conflict.participants, key=lambda who: who.name != name)
    raised = conflict.raised.value if conflict.raised is not None else 0
    if len(one.hand) + len(other.hand) > MOST_CARDS or (raised and ways_of(one) > MOST_WAYS):
        return None
    own, others = (duel.hand_of(map(worth, who.hand)) for who in (one, other))
    lies = Position(0, own, others, raised=raised)
    things, other_things = things_of(game, one), things_of(game, other)
    brings = lies._replace(things=in_store(things), other_things=in_store(other_things))
    solved = None
    few = len(one.hand) + len(other.hand) <= MOST_WITH_THINGS
    if (things or other_things) and few and is_enough(game, brings):
        solved = solution(brings, unseen(game))
    found = solved or solution(lies, ())
    assert found is not None
    chances, bringing = found
    told: AnswerChances = {**chances}
    if one_brings := {thing: bringing[draws] for (owner, thing), draws in things.items() if owner == name and solved}:
        told["bringing"] = one_brings
    if not told:
        return None
    more = any(may_do_more(game, who) for who in conflict.participants)
    return {"name": name, "things": solved is not None, "more": more, "chances": told}


def who_acts(conflict: Conflict) -> str | None:
    """Who is to See the Raise in the middle, or to Raise; None if something else comes first."""
    return conflict.raised.to_see[0] if conflict.raised is not None and conflict.raised.to_see else conflict.turn


def ways_of(one: Participant) -> int:
    """How many ways there are to put cards of a hand together."""
    return prod(number + 1 for number in Counter(map(worth, one.hand)).values())


# What may still be drawn.


def may_do_more(game: DogsTable, one: Participant) -> bool:
    """Whether it may still improvise or enter another arena in this conflict (DV-11, DV-12)."""
    return one.nature == "character" and bool(other_arenas(game, one) or one.improvised < game.options.improvised)


def things_of(game: DogsTable, one: Participant) -> dict[tuple[str, str], Thing]:
    """What is drawn for each thing it can still bring, by its owner's name and its own (DV-10, DV-11, DV-31)."""
    found: dict[tuple[str, str], Thing] = {}
    for owner, names in unused(game, one).items():
        sheet = {thing.name: thing for thing in game.named(owner).things_for_now()} if one.nature == "character" else {}
        for name in names:
            if name in sheet:
                thing = sheet[name]
                found[owner, name] = (Draws(thing.kind, thing.significant), *(() if not thing.gun else (MINUS,)))
            elif name == DEMONIC and game.contested.demonic is not None:
                line = DEMONIC_DRAWS[game.contested.demonic.dice]
                found[owner, name] = (*line.things, *(PLAIN,) * line.cards)
    return found


def in_store(things: Mapping[tuple[str, str], Thing]) -> tuple[Thing, ...]:
    """What is drawn for things, whatever they are called."""
    return tuple(sorted(things.values()))


def is_enough(game: DogsTable, now: Position) -> bool:
    """Whether the deck lasts, whatever is drawn for things and for blows, so that nothing is shuffled back (DV-13)."""
    return len(game.deck) >= len(cards_in(now.own)) + len(cards_in(now.other)) + 2 * sum(
        drawn_for(draws.kind, significant=draws.significant)[0]
        for thing in (*now.things, *now.other_things)
        for draws in thing
    )


def cards_in(hand: int) -> list[int]:
    """What the cards of a hand are worth, the best first."""
    return [value for value in duel.values(hand) for _ in range(duel.count(hand, value))]


def unseen(game: DogsTable) -> tuple[tuple[int, int], ...]:
    """How many cards of each worth may be drawn: those of the deck, and what was drawn from it face down (DV-25)."""
    down = (blow.card for blow in game.face_down() if blow.card is not None and blow.deal == game.deal)
    return tuple(sorted(Counter(map(worth, (*game.deck.cards(), *down))).items()))


# What comes of it.


@lru_cache(64)
def solution(now: Position, unseen: tuple[tuple[int, int], ...]) -> tuple[AnswerChances, Mapping[Thing, float]] | None:
    """What comes of each Raise or See, and of bringing each thing first; None if it would take too long."""
    solver = Expectimax((now.own, now.other), unseen=dict(unseen), most=MOST_LOOKS)
    try:
        chances = raises(solver, now) if not now.raised else sees(solver, now)
        return chances, {thing: solver.bringing(now, place) for place, thing in enumerate(now.things)}
    except TooMany:
        return None


def raises(solver: Expectimax, now: Position) -> AnswerChances:
    """By what the card is worth."""
    found = {str(value): solver.raising(now, value) for value in duel.values(now.own)}
    return {"raising": found} if found else {}


def sees(solver: Expectimax, now: Position) -> AnswerChances:
    """By what the cards are worth that are played; and to reverse."""
    told: AnswerChances = {}
    if found := {
        written(cards_in(now.own - left)): solver.seeing(now, left)
        for left, total in parts(now.own)
        if left != now.own and total >= now.raised
    }:
        told["seeing"] = found
    if now.own >> duel.WIDTH * to_reverse(now.raised):
        told["reversing"] = solver.seeing(now, now.own)
    return told


def written(values: Iterable[int]) -> str:
    """Cards as they are told."""
    return "+".join(map(str, values))
