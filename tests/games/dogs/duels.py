"""Two hands played out by the rules, each with a policy and nothing else: who wins?"""

from __future__ import annotations

from collections.abc import Sequence

from cardhouse.cards import STANDARD, Card, Deck, in_order
from cardhouse.engine import GM, Draw
from cardhouse.games.dogs.bots.policies import Policy
from cardhouse.games.dogs.bots.simulation import Simulation
from cardhouse.games.dogs.people.sheet import Character, Stats
from cardhouse.games.dogs.state import ARENAS, Conflict, DogsOptions, Participant

NAMES = ("One", "The other")
NO_STATS = Stats(0, 0, 0, 0)


def winner(hands: Sequence[list[Card]], policies: Sequence[Policy]) -> int:
    """Who wins, 0 the one who starts."""
    simulation = bare(hands)
    plays = dict(zip(NAMES, policies, strict=True))
    simulation.policy = lambda now: plays[now.name](now)
    return simulation.play_out(face_down)


def bare(hands: Sequence[list[Card]]) -> Simulation:
    """A conflict of two who have their hands and nothing else: no things, no arena that is left, nothing improvised."""
    rest = in_order(set(STANDARD) - {card for hand in hands for card in hand})
    return Simulation(
        seats=[GM],
        options=DogsOptions(decks=1, improvised=0),
        deck=Deck(loose=rest),
        decks_in=1,
        characters=[Character(name=name, stats=NO_STATS, controller=GM) for name in NAMES],
        conflict=Conflict(
            stakes="Who plays better?",
            sides=[[name] for name in NAMES],
            participants=[
                Participant(name, side, hand=list(hand), arenas=[*reversed(ARENAS)])
                for side, (name, hand) in enumerate(zip(NAMES, hands, strict=True))
            ],
            starter=NAMES[0],
        ),
    )


def face_down(draw: Draw) -> None:
    """Nothing is drawn but fallout, at which nobody looks."""
    assert draw.face_down
