"""Exact win chances for each possible Raise and See between two players with open hands, both playing optimally.

By default a position is solved as if nobody brings more into play. If the search is small enough, it includes the
traits, relationships and belongings that both can still bring, with every unseen card equally likely. Improvising,
entering another arena and floating traits are never included, because they would make the search unbounded; the page
says so. Giving loses, so it has no entry.

There is no answer for more than two participants, who help each other and Raise in a changing order, nor if a card that
reversed a blow may be lost again (DV-19). The calculation uses only what everyone who sees the hands knows, and which
cards are still to come, not which of them are face down (DV-25).
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
from cardhouse.games.dogs.table import draw_counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardhouse.games.dogs.state import Conflict, Participant
    from cardhouse.games.dogs.table import DogsTable

MOST_CARDS: Final = 14
"""Most cards in both hands together for an answer; solving these takes a few hundredths of a second at most."""
MOST_WITH_THINGS: Final = 10
"""Most cards in both hands together for a search that includes the things to bring into play."""
MOST_WAYS: Final = 128
"""Most combinations of cards for a See; no answer above that."""
MOST_LOOKS: Final = 5_000
"""Most positions and draws to search with things to bring into play; these take about a tenth of a second."""


class AnswerChances(TypedDict, total=False):
    """The win chance of the participant to act, 0 to 1, for each Raise, each See, and each thing it may bring first.

    Keys of `raising` are card values; of `seeing`, the values of the cards played, best first, such as "12+5"; of
    `bringing`, names of things. `reversing` is the chance after reversing the blow, whichever card does it.
    """

    raising: dict[str, float]
    seeing: dict[str, float]
    reversing: float
    bringing: dict[str, float]


class ConflictChoices(TypedDict):
    """The win chance of each answer open to `name`, the participant to act.

    `things` says whether the chances include what both can still bring into play, and every draw for it; otherwise they
    assume that nobody draws more. `more` says whether either may still improvise or enter another arena, which the
    chances never include.
    """

    name: str
    things: bool
    more: bool
    chances: AnswerChances


def choices_of(game: DogsTable) -> ConflictChoices | None:
    """Return the chances of each answer of the participant to Raise or See now, or None if they aren't calculated."""
    conflict = game.contested
    name = next_to_act(conflict)
    if name is None or len(conflict.participants) != 2 or game.options.reversed_card != "kept":
        return None
    one, other = sorted(conflict.participants, key=lambda who: who.name != name)
    raised = conflict.raised.value if conflict.raised is not None else 0
    if len(one.hand) + len(other.hand) > MOST_CARDS or (raised and count_subsets(one) > MOST_WAYS):
        return None
    own, others = (duel.hand_of(map(worth, who.hand)) for who in (one, other))
    position = Position(0, own, others, raised=raised)
    things, other_things = things_of(game, one), things_of(game, other)
    position_with_things = position._replace(things=draws_in(things), other_things=draws_in(other_things))
    solved = None
    small_hands = len(one.hand) + len(other.hand) <= MOST_WITH_THINGS
    if (things or other_things) and small_hands and deck_lasts(game, position_with_things):
        solved = solution(position_with_things, unseen(game))
    found = solved or solution(position, ())
    assert found is not None
    chances, bringing = found
    answer_chances: AnswerChances = {**chances}
    if bringing_chances := {
        thing: bringing[draws] for (owner, thing), draws in things.items() if owner == name and solved
    }:
        answer_chances["bringing"] = bringing_chances
    if not answer_chances:
        return None
    more = any(may_do_more(game, who) for who in conflict.participants)
    return {"name": name, "things": solved is not None, "more": more, "chances": answer_chances}


def next_to_act(conflict: Conflict) -> str | None:
    """Return the participant who must See the current Raise, or else Raise; None if something else comes first."""
    return conflict.raised.to_see[0] if conflict.raised is not None and conflict.raised.to_see else conflict.turn


def count_subsets(one: Participant) -> int:
    """Return the number of distinct subsets of a hand, by card values."""
    return prod(number + 1 for number in Counter(map(worth, one.hand)).values())


# Cards that may still be drawn.


def may_do_more(game: DogsTable, one: Participant) -> bool:
    """Return whether a participant may still improvise or enter another arena in this conflict (DV-11, DV-12)."""
    return one.nature == "character" and bool(other_arenas(game, one) or one.improvised < game.options.improvised)


def things_of(game: DogsTable, one: Participant) -> dict[tuple[str, str], Thing]:
    """Return the draws for each thing that a participant can still bring, by owner and name (DV-10, DV-11, DV-31)."""
    found: dict[tuple[str, str], Thing] = {}
    for owner, names in unused(game, one).items():
        sheet = {thing.name: thing for thing in game.named(owner).current_things()} if one.nature == "character" else {}
        for name in names:
            if name in sheet:
                thing = sheet[name]
                found[owner, name] = (Draws(thing.kind, thing.significant), *(() if not thing.gun else (MINUS,)))
            elif name == DEMONIC and game.contested.demonic is not None:
                line = DEMONIC_DRAWS[game.contested.demonic.dice]
                found[owner, name] = (*line.things, *(PLAIN,) * line.cards)
    return found


def draws_in(things: Mapping[tuple[str, str], Thing]) -> tuple[Thing, ...]:
    """Return the draws alone, sorted, so that equal positions share one cache entry."""
    return tuple(sorted(things.values()))


def deck_lasts(game: DogsTable, now: Position) -> bool:
    """Return whether the deck lasts for every thing and every blow, so that no reshuffle can happen (DV-13)."""
    return len(game.deck) >= len(cards_in(now.own)) + len(cards_in(now.other)) + 2 * sum(
        draw_counts(draws.kind, significant=draws.significant)[0]
        for thing in (*now.things, *now.other_things)
        for draws in thing
    )


def cards_in(hand: int) -> list[int]:
    """Return the values of a hand's cards, best first."""
    return [value for value in duel.values(hand) for _ in range(duel.count(hand, value))]


def unseen(game: DogsTable) -> tuple[tuple[int, int], ...]:
    """Return (value, count) for each card that may still be drawn: the deck, and cards drawn face down (DV-25)."""
    down = (blow.card for blow in game.face_down() if blow.card is not None and blow.deal == game.deal)
    return tuple(sorted(Counter(map(worth, (*game.deck.cards(), *down))).items()))


# The solution.


@lru_cache(64)
def solution(now: Position, unseen: tuple[tuple[int, int], ...]) -> tuple[AnswerChances, Mapping[Thing, float]] | None:
    """Return the chance of each Raise or See, and of bringing each thing first; None if the search gets too long."""
    solver = Expectimax((now.own, now.other), unseen=dict(unseen), most=MOST_LOOKS)
    try:
        chances = raise_chances(solver, now) if not now.raised else see_chances(solver, now)
        return chances, {thing: solver.bringing(now, place) for place, thing in enumerate(now.things)}
    except TooMany:
        return None


def raise_chances(solver: Expectimax, now: Position) -> AnswerChances:
    """Return the chance of each Raise, by the card's value."""
    found = {str(value): solver.raising(now, value) for value in duel.values(now.own)}
    return {"raising": found} if found else {}


def see_chances(solver: Expectimax, now: Position) -> AnswerChances:
    """Return the chance of each See, by the values of the cards played, and of reversing the blow."""
    answer_chances: AnswerChances = {}
    if found := {
        key_of(cards_in(now.own - left)): solver.seeing(now, left)
        for left, total in parts(now.own)
        if left != now.own and total >= now.raised
    }:
        answer_chances["seeing"] = found
    if now.own >> duel.WIDTH * to_reverse(now.raised):
        answer_chances["reversing"] = solver.seeing(now, now.own)
    return answer_chances


def key_of(values: Iterable[int]) -> str:
    """Return card values as a key, such as "12+5"."""
    return "+".join(map(str, values))
