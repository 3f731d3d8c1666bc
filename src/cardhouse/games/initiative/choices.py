"""Exact chances of acting and waiting in card initiative, for the character who may choose.

All others act at once, as in the other odds, and the chooser later does what is best for the goal. Cards that compare
the same and matter the same to the goal are interchangeable, so a state has the number of each kind in random order,
the aces under them, the waiting card, and the status of the goal. The lab solves whole rounds the same way, faster and
for more policies (`lab/solved.py`); this covers only continuations of a table's own state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import factorial, prod
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, NotRequired, TypedDict

from cardhouse.cards import BLACK_JOKER, RED_JOKER
from cardhouse.games.initiative.goals import (
    AFTER,
    BEFORE,
    LAST,
    MARKED,
    MISSED,
    OPEN,
    REACHED,
    after_turn,
    is_reached,
)
from cardhouse.games.initiative.state import FRESH_ACE, SPENT_ACE

if TYPE_CHECKING:
    from cardhouse.games.initiative.rules import Initiative
    from cardhouse.games.initiative.state import Character

MOST_STATES: Final = 4_000
"""The most states of a round for which a goal is calculated; these take about a tenth of a second."""

NOBODY: Final = -1

GOALS_SHOWN: Final[tuple[tuple[Literal["before", "after", "last"], int], ...]] = (
    ("before", BEFORE),
    ("after", AFTER),
    ("last", LAST),
)


class ChoiceOdds(TypedDict):
    """The chances to act `before` any foe acts again, right `after` a foe, and `last` of the round.

    Chances that take too long are left out, as are those about foes if there are none.
    """

    before: NotRequired[float]
    after: NotRequired[float]
    last: NotRequired[float]


class Choices(TypedDict):
    """The chances of either answer."""

    act: ChoiceOdds
    wait: ChoiceOdds


class Kind(NamedTuple):
    """Cards that matter the same to a goal: how they compare, and whether they are the chooser's, a foe's, or pass.

    `again` means that the card comes round once more after acting (IN-14).
    """

    level: int
    hero: bool
    foe: bool
    passes: bool
    again: bool


class State(NamedTuple):
    """A deck and a goal's status: cards in random order by kind, jokers, cards under them, the waiting card.

    Kinds are numbered; `waiting` may be NOBODY.
    """

    loose: tuple[int, ...]
    red: int
    black: int
    under: tuple[int, ...]
    waiting: int
    status: int


class Choice(NamedTuple):
    """A choice for a goal: the kinds, each one's kind after acting, the chooser's kind, and the other card's.

    `other` is NOBODY if no card waits; `state` contains neither card.
    """

    goal: int
    kinds: tuple[Kind, ...]
    spent: tuple[int, ...]
    own: int
    other: int
    state: State


def choices_of(game: Initiative) -> tuple[str, Choices] | None:
    """Return the character who may choose, and the chances; None if nobody may."""
    asked = game.act_or_wait()
    if asked is None:
        return None
    chooser = game.named(asked.about["name"])
    found: Choices = {"act": {}, "wait": {}}
    for name, goal in GOALS_SHOWN if has_foes_to_come(game, chooser) else GOALS_SHOWN[-1:]:
        choice = choice_of(game, chooser, goal)
        if states_of(choice) <= MOST_STATES:
            found["act"][name], found["wait"][name] = chances(choice)
    return chooser.name, found


def has_foes_to_come(game: Initiative, chooser: Character) -> bool:
    """Return whether any foe is still to act this round."""
    return any(
        game.is_foe(chooser, who) and (who.card in game.deck or who.card in (game.drawn, game.waiting))
        for who in game.characters
    )


def choice_of(game: Initiative, chooser: Character, goal: int) -> Choice:
    """Return the current choice, reduced to what matters to a goal."""
    kind_of = {who.card: kind_for(game, chooser, goal, who) for who in game.characters}
    fresh = dict.fromkeys(kind_of.values())
    spent_of = {kind: spent_kind(kind, chooser, goal) for kind in fresh if kind.again}
    kinds = list(dict.fromkeys([*fresh, *spent_of.values()]))
    place = {card: kinds.index(kind) for card, kind in kind_of.items()}
    deck, waits = game.deck, game.waiting
    counts = Counter(place[card] for card in deck.loose if card in place)
    other = game.drawn if chooser.card == waits else waits
    last = game.holders.get(game.order[-1]) if game.order else None
    marked = goal == AFTER and last is not None and game.is_foe(chooser, last)
    state = State(
        tuple(counts[number] for number in range(len(kinds))),
        int(RED_JOKER in deck.loose),
        int(BLACK_JOKER in deck.loose),
        tuple(place[card] for card in deck.bottom),
        NOBODY,
        MARKED if marked else OPEN,
    )
    spent = tuple(kinds.index(spent_of[kind]) if kind.again else NOBODY for kind in kinds)
    return Choice(goal, tuple(kinds), spent, place[chooser.card], NOBODY if other is None else place[other], state)


def kind_for(game: Initiative, chooser: Character, goal: int, who: Character) -> Kind:
    """Return the kind of a character's card for the chooser's goal."""
    hero, foe = who is chooser, goal != LAST and game.is_foe(chooser, who)
    passes = matters_who_waits(chooser, goal) and game.passes(who)
    return Kind(level(who.rank, chooser, goal), hero, foe, passes, who.rank == FRESH_ACE)


def spent_kind(kind: Kind, chooser: Character, goal: int) -> Kind:
    """Return the kind of an ace after its first action."""
    return kind._replace(level=level(SPENT_ACE, chooser, goal), again=False)


def level(rank: int, chooser: Character, goal: int) -> int:
    """Return how a rank compares, reduced to what matters.

    Until the chooser acts nobody else waits, because all others act at once; so only whether a card gives way to the
    chooser matters. An ace chooser comes round again as the lowest card.
    """
    if chooser.rank != FRESH_ACE:
        return int(rank >= chooser.rank)
    return rank if matters_who_waits(chooser, goal) or rank in (FRESH_ACE, SPENT_ACE) else SPENT_ACE + 1


def matters_who_waits(chooser: Character, goal: int) -> bool:
    """Return whether it matters which other card waits after the chooser acts: only before an ace comes round again."""
    return chooser.rank == FRESH_ACE and goal == AFTER


def states_of(choice: Choice) -> int:
    """Return an upper bound on the states of the round after this choice."""
    again = sum(
        count for count, kind in zip(choice.state.loose, choice.kinds, strict=True) if kind.again and not kind.hero
    )
    under = again + len(choice.state.under)
    ace_orders = (1 + choice.kinds[choice.own].again) * factorial(under + 1)
    who_waits = len(choice.kinds) if choice.kinds[choice.own].again else 2
    return prod(count + 1 for count in choice.state.loose) * ace_orders * who_waits * 4


@lru_cache(64)
def chances(choice: Choice) -> tuple[float, float]:
    """Return the chances to reach the goal by acting, and by waiting."""
    after = RestOfRound(choice.goal, choice.kinds, choice.spent)
    acts = after.acted(choice.own, choice.state._replace(waiting=choice.other))
    if choice.other == NOBODY:
        return acts, after.chance(choice.state._replace(waiting=choice.own))
    return acts, after.acted(choice.other, choice.state._replace(waiting=choice.own))


class RestOfRound:
    """The rest of a round in which all act at once except the chooser, who does what is best for the goal."""

    def __init__(self, goal: int, kinds: Sequence[Kind], spent: Sequence[int]) -> None:
        self.goal, self.kinds, self.spent = goal, kinds, spent
        self.own = [number for number, kind in enumerate(kinds) if kind.hero]
        self.known: dict[State, float] = {}

    def chance(self, now: State) -> float:
        """Return the chance to reach the goal when the next card is about to be turned over (IN-7, IN-15, IN-16)."""
        if not self.is_to_act(now) and not is_reached(self.goal, now.status):
            return 0.0
        if (found := self.known.get(now)) is None:
            found = self.known[now] = self.next_card(now)
        return found

    def is_to_act(self, now: State) -> bool:
        """Return whether the chooser is still to act."""
        return any(now.loose[own] or own == now.waiting or own in now.under for own in self.own)

    def next_card(self, now: State) -> float:
        """Return the mean chance over the possible next cards."""
        cards = sum(now.loose) + now.red + now.black
        if cards:
            total = sum(count * self.turned(kind, left) for kind, count, left in drawn(now))
            if now.red:
                total += self.chance(shuffled(now._replace(red=0)))
            if now.black:
                total += self.burned(now._replace(black=0))
            return total / cards
        if now.under:
            return self.turned(now.under[0], now._replace(under=now.under[1:]))
        if now.waiting != NOBODY:
            return self.acted(now.waiting, now._replace(waiting=NOBODY))
        return float(is_reached(self.goal, now.status))

    def burned(self, now: State) -> float:
        """Return the chance after the black joker, which loses the next card (IN-9)."""
        cards = sum(now.loose) + now.red
        if not cards:
            return self.chance(now._replace(under=now.under[1:]))
        total = sum(count * self.chance(left) for _, count, left in drawn(now))
        return (total + (self.chance(now._replace(red=0)) if now.red else 0.0)) / cards

    def turned(self, kind: int, now: State) -> float:
        """Return the chance after a character's card is turned over (IN-10 to IN-12)."""
        if now.waiting == NOBODY:
            acts = self.acted(kind, now)
            may_wait = self.kinds[kind].hero and (any(now.loose) or now.red or now.black or now.under)
            return max(acts, self.chance(now._replace(waiting=kind))) if may_wait else acts
        new, old = self.kinds[kind], self.kinds[now.waiting]
        acts = self.acted(kind, now)
        if new.level == old.level:
            return acts
        gives_way = self.acted(now.waiting, now._replace(waiting=kind))
        higher = new if new.level > old.level else old
        if higher.hero:
            return max(acts, gives_way)
        return acts if higher is new or old.passes else gives_way

    def acted(self, kind: int, now: State) -> float:
        """Return the chance after a turn of a character whose card isn't in `now` (IN-13, IN-14)."""
        one = self.kinds[kind]
        status = after_turn(self.goal, now.status, one.hero, one.foe)
        if status in (REACHED, MISSED):
            return float(status == REACHED)
        under = (*now.under, self.spent[kind]) if one.again else now.under
        return self.chance(now._replace(status=status, under=under))


def drawn(now: State) -> Iterator[tuple[int, int, State]]:
    """Yield each possible next kind, its number of cards, and the state without one."""
    for kind, count in enumerate(now.loose):
        if count:
            yield kind, count, now._replace(loose=(*now.loose[:kind], count - 1, *now.loose[kind + 1 :]))


def shuffled(now: State) -> State:
    """Return the state after the red joker: the waiting card and those under the deck are shuffled in (IN-8)."""
    loose = list(now.loose)
    for kind in (*now.under, *(() if now.waiting == NOBODY else (now.waiting,))):
        loose[kind] += 1
    return now._replace(loose=tuple(loose), under=(), waiting=NOBODY)
