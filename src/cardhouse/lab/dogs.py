"""Dogs Play Cards, Too, in the lab: how well do its bots play?"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from random import Random

import msgspec

from cardhouse.cards import STANDARD, Card, Deck, in_order
from cardhouse.engine import GM, Action, CardhouseError
from cardhouse.games.dogs.bots import POLICIES
from cardhouse.games.dogs.policies import Policy, Situation
from cardhouse.games.dogs.sheet import Character, Stats
from cardhouse.games.dogs.simulation import Simulation, dealt_by
from cardhouse.games.dogs.state import ARENAS, Conflict, DogsOptions, Participant
from cardhouse.lab.sampling import Mean, on_all_cores

MOST_DEALS = 1_000_000
"""So many deals a study has at most: the seeds of two studies of neighbouring seeds don't meet."""
MOST_CARDS = 20
"""So many cards a hand of a study has at most."""
AT_ONCE = 50
"""So many deals a process plays before it tells of them."""
ONE, OTHER = "One", "The other"
NO_STATS = Stats(0, 0, 0, 0)


class Duel(msgspec.Struct, frozen=True):
    """Two policies against each other, with so many cards each and nothing besides."""

    policies: tuple[str, str]
    cards: int

    def check(self) -> None:
        """Raises CardhouseError, in words, if there can be no such duel."""
        for policy in self.policies:
            if policy not in POLICIES:
                known = ", ".join(POLICIES)
                raise CardhouseError(f'There is no policy "{policy[:40]}" for dogs; there are {known}.')
        if not 1 <= self.cards <= MOST_CARDS:
            raise CardhouseError(f"A hand has 1 to {MOST_CARDS} cards, not {self.cards}.")


class Fought(msgspec.Struct, frozen=True):
    """A deal played twice, so that each policy has each hand: how often the first policy won, and who started."""

    won: int
    starter_won: int


class Found(msgspec.Struct, frozen=True):
    """What came of many deals: the shares won by the first policy, and by whoever started."""

    policies: tuple[str, str]
    cards: int
    deals: int
    wins: Mean
    starter_wins: Mean


def fight(duel: Duel, seed: int) -> Fought:
    """A deal, by the rules: the same two hands, each policy once with the one that starts and once with the other."""
    cards = Random(seed).sample(STANDARD, 2 * duel.cards)
    hands = cards[: duel.cards], cards[duel.cards :]
    first, second = (POLICIES[name] for name in duel.policies)
    straight = winner(hands, (first, second), seed)
    crossed = winner(hands, (second, first), seed)
    return Fought((straight == 0) + (crossed == 1), (straight == 0) + (crossed == 0))


def winner(hands: Sequence[list[Card]], policies: tuple[Policy, Policy], seed: int) -> int:
    """Who wins, 0 the one who starts."""
    simulation = bare(hands)
    simulation.policy = each_for_itself(dict(zip((ONE, OTHER), policies, strict=True)))
    return simulation.play_out(dealt_by(Random(seed)))


def bare(hands: Sequence[list[Card]]) -> Simulation:
    """A conflict of two who have their hands and nothing else: no things, no arena that is left, nothing improvised."""
    rest = in_order(set(STANDARD) - {card for hand in hands for card in hand})
    names = (ONE, OTHER)
    return Simulation(
        seats=[GM],
        options=DogsOptions(decks=1, improvised=0),
        deck=Deck(loose=rest),
        decks_in=1,
        characters=[Character(name=name, stats=NO_STATS, controller=GM) for name in names],
        conflict=Conflict(
            stakes="Who plays better?",
            sides=[[name] for name in names],
            participants=[
                Participant(name, side, hand=list(hand), arenas=[*reversed(ARENAS)])
                for side, (name, hand) in enumerate(zip(names, hands, strict=True))
            ],
            starter=ONE,
        ),
    )


def each_for_itself(policies: dict[str, Policy]) -> Policy:
    """The policy by which each does what its own says."""

    def policy(now: Situation) -> Action:
        return policies[now.name](now)

    return policy


def _fight_some(duel: Duel, seeds: Sequence[int]) -> list[Fought]:
    return [fight(duel, seed) for seed in seeds]


def deals_of(duel: Duel, deals: int, seed: int, workers: int | None = None) -> Generator[Fought, None, None]:
    """So many deals, in the order of their seeds, whatever the number of processes.

    Raises CardhouseError if there can be none.
    """
    duel.check()
    if not 1 <= deals <= MOST_DEALS:
        raise CardhouseError(f"A study has 1 to {MOST_DEALS} deals, not {deals}.")
    seeds = range(seed * MOST_DEALS, seed * MOST_DEALS + deals)
    parts = (seeds[start : start + AT_ONCE] for start in range(0, deals, AT_ONCE))
    for some in on_all_cores(partial(_fight_some, duel), parts, workers):
        yield from some


def summed_up(duel: Duel, fought: Sequence[Fought]) -> Found:
    """What came of these deals, each an independent sample.

    Raises ValueError if there are none.
    """
    wins, starts = (Mean.of([getattr(one, what) / 2 for one in fought]) for what in ("won", "starter_won"))
    return Found(duel.policies, duel.cards, len(fought), wins, starts)
