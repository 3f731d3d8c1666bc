"""Rounds of card initiative solved for one character's goal: the kinds of cards, and the table of chances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from math import prod
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from cardhouse.cards import BLACK_JOKER, JOKERS, RED_JOKER, Card
from cardhouse.engine import Action, Ask, CardhouseError
from cardhouse.games.initiative.goals import AFTER, GOALS, OPEN, REACHED, Goal, after_turn
from cardhouse.games.initiative.lab.sides import Waits
from cardhouse.games.initiative.state import FRESH_ACE, RANK, SPENT_ACE, Act, Wait

if TYPE_CHECKING:
    from cardhouse.games.initiative.lab.kernels.solving import Numbers, Solved
    from cardhouse.games.initiative.rules import Initiative

MOST_STATES = 8_000_000
"""The most states of a round to solve; these take some seconds, and 64 MB."""

STATUSES = 2
"""The number of statuses of an unsettled goal: open or marked."""

HIGHER, LOWER = 13, 2
"""The ranks of all other cards above and below the hero's, if nobody but the hero can ever wait."""

How = Waits | Literal["helps", "hinders", "thumb"]
"""A policy: a named one, best or worst for the hero's goal, or the rule of thumb."""


BY_NAME: Mapping[How, Waits] = {waits: waits for waits in get_args(Waits)}
"""The named policies."""


class Player(NamedTuple):
    """A character in a round: card, policy, and whether it is the hero, or a foe that the goal is about."""

    card: Card
    how: How
    hero: bool
    foe: bool


class Plan(NamedTuple):
    """The kinds of a round, solved or not, and each card's kind before it acts."""

    solved: Solved
    kind_of: Mapping[Card, int]

    @property
    def chance(self) -> float:
        """The chance to reach the goal. Requires a solved plan."""
        from cardhouse.games.initiative.lab.kernels.solving import RADIX

        start = sum(int(self.solved.kinds[kind, RADIX]) for kind in self.kind_of.values())
        return float(self.solved.table[start])

    def kinds_of(self, players: Sequence[Player]) -> Numbers:
        """Return the kinds of these characters, then of the jokers, in the kernels' order."""
        cards = [*(one.card for one in players), *JOKERS]
        return np.array([self.kind_of[card] for card in cards], np.int64)

    def kind_now(self, card: Card, game: Initiative) -> int:
        """Return the kind of a card as it compares now; an ace that has acted has another."""
        from cardhouse.games.initiative.lab.kernels.solving import SPENT

        kind = self.kind_of[card]
        has_acted = RANK.get(card) == FRESH_ACE and game.holder(card).acted
        return int(self.solved.kinds[kind, SPENT]) if has_acted else kind

    def answer(self, game: Initiative, asked: Ask, goal: Goal, players: Mapping[Card, Player]) -> Action:
        """Return the answer of the character asked, from the rules' own state of the round."""
        from cardhouse.games.initiative.lab.kernels.solving import ALONE, NO_KIND, RADIX, new_one_acts, put_under

        assert game.drawn is not None
        status = OPEN
        for card in game.order:
            if status >= REACHED:
                break
            status = after_turn(GOALS.index(goal), status, players[card].hero, players[card].foe)
        loose = sum(int(self.solved.kinds[self.kind_now(card, game), RADIX]) for card in game.deck.loose)
        under = 0
        for card in game.deck.bottom:
            under = put_under(self.kind_now(card, game), under, self.solved)
        lead, waiting, drawn = ALONE, NO_KIND, game.holder(game.drawn)
        if game.waiting is not None:
            lead = drawn.rank - game.holder(game.waiting).rank
            waiting = self.kind_now(game.waiting, game)
        acts = new_one_acts(lead, self.kind_now(game.drawn, game), waiting, loose, under, status, self.solved)
        name = asked.about["name"]
        return Act(name) if acts == (drawn.name == name) else Wait(name)


class Kind(NamedTuple):
    """Cards that matter the same to the hero's goal: how they compare and choose, and whose they are."""

    rank: int
    how: How
    hero: bool
    foe: bool


def kinds_of(players: Sequence[Player], goal: Goal) -> dict[Card, Kind]:
    """Return the kind of each card before it acts.

    If only the hero can be waiting before it acts, all that matters about other cards except aces is whether they are
    higher than the hero's. For an ace hero that is to act right after a foe, it also matters who waits afterwards
    (`choices.level`).
    """
    hero = next(RANK[one.card] for one in players if one.hero)
    never_wait = all(one.hero or one.how == "never" for one in players)
    only_hero_waits = never_wait and not (hero == FRESH_ACE and goal == GOALS[AFTER])
    found = {}
    for one in players:
        rank = RANK[one.card]
        if only_hero_waits and not one.hero and rank != FRESH_ACE and hero != rank:
            rank = HIGHER if rank > hero and hero != FRESH_ACE else LOWER
        found[one.card] = Kind(rank, one.how, one.hero, one.foe)
    return found


def check_size(players: Sequence[Player], goal: Goal) -> None:
    """Raises CardhouseError for a round with too many states to solve."""
    many = Counter(kinds_of(players, goal).values())
    aces = [number for kind, number in many.items() if kind.rank == FRESH_ACE]
    loose = prod(number + 1 for number in [*many.values(), *aces, 1, 1])
    states = loose * (len(aces) + 1) ** sum(aces) * (len(many) + len(aces) + 1) * STATUSES
    if states > MOST_STATES:
        raise CardhouseError(
            f"What is best can be worked out for rounds of up to {MOST_STATES:,} states, and this one may be in "
            f"{states:,}: take fewer people, or let the others never wait."
        )


@lru_cache(6)
def solved(players: tuple[Player, ...], goal: Goal) -> Plan:
    """Return the plan of a round with its table.

    Raises CardhouseError for a round with too many states.
    """
    from cardhouse.games.initiative.lab.kernels.solving import fill

    check_size(players, goal)
    plan = unsolved(players, goal)
    whole = plan.solved._replace(table=np.zeros(int(plan.solved.sizes.prod()) * STATUSES))
    fill(_fill_order(whole), whole)
    return plan._replace(solved=whole)


def unsolved(players: Sequence[Player], goal: Goal) -> Plan:
    """Return the plan of a round without a table, for policies that don't use it."""
    from cardhouse.games.initiative.lab.kernels import rounds, solving

    codes: dict[How, int] = {"helps": solving.HELPS, "hinders": solving.HINDERS, "thumb": solving.BY_THUMB}
    codes |= {how: rounds.BITS[waits] for how, waits in BY_NAME.items()}
    kind_of_card = kinds_of(players, goal)
    many = Counter(kind_of_card.values())
    fresh = list(many)
    aces = [place for place, kind in enumerate(fresh) if kind.rank == FRESH_ACE]
    spent = range(len(fresh), len(fresh) + len(aces))
    kinds = np.zeros((len(fresh) + len(aces) + 2, solving.COLUMNS), np.int64)
    kinds[:, solving.SPENT] = solving.NO_KIND
    for place, kind in enumerate([*fresh, *(fresh[ace]._replace(rank=SPENT_ACE) for ace in aces)]):
        row = kinds[place]
        row[solving.RANK], row[solving.CHOOSES] = kind.rank, codes[kind.how]
        row[solving.HERO], row[solving.FOE] = kind.hero, kind.foe
    kinds[:, solving.MOST] = [*many.values(), *(many[fresh[ace]] for ace in aces), 1, 1]
    kinds[aces, solving.SPENT] = spent
    kinds[-2:, solving.JOKER] = solving.BLACK, solving.RED
    kinds[:, solving.RADIX] = np.cumprod([1, *(kinds[:-1, solving.MOST] + 1)])
    digit_of = np.zeros(len(kinds), np.int64)
    digit_of[spent] = range(1, len(aces) + 1)
    of_digit = np.array([solving.NO_KIND, *spent], np.int64)
    under = of_digit.size ** sum(many[fresh[ace]] for ace in aces)
    sizes = np.array([prod(kinds[:, solving.MOST] + 1), under, len(kinds) - 1], np.int64)
    persons = int(kinds[-2, solving.RADIX])
    unfilled = solving.Solved(GOALS.index(goal), kinds, sizes, digit_of, of_digit, persons, np.zeros(0))
    places = {card: fresh.index(kind) for card, kind in kind_of_card.items()}
    return Plan(unfilled, {**places, BLACK_JOKER: len(kinds) - 2, RED_JOKER: len(kinds) - 1})


def _fill_order(solved: Solved) -> Numbers:
    """Return all combinations of cards under the deck and the waiting card, successors first."""
    from cardhouse.games.initiative.lab.kernels.solving import MOST, NO_KIND, SPENT, put_under

    base = [kind for kind in solved.of_digit.tolist() if kind != NO_KIND]
    aces = [kind for kind in base for _ in range(solved.kinds[kind, MOST])]
    ways: list[tuple[int, int, int]] = []
    for many in range(len(aces) + 1):
        for row in sorted(set(permutations(aces, many))):
            under = 0
            for kind in row:
                under = put_under(kind, under, solved)
            for waiting in range(NO_KIND, len(solved.kinds) - 2):
                weight = 0 if waiting == NO_KIND else 1 if solved.kinds[waiting, SPENT] == NO_KIND else 4
                ways.append((2 * many + weight, under, waiting))
    return np.array([way[1:] for way in sorted(ways)], np.int64)
