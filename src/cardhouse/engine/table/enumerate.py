"""Exhaustive play: all chance enumerated, people following a policy. The slow, reliable reference for exact odds."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import prod
from typing import NamedTuple

from cardhouse.engine.chance.dealers import ScriptedDealer
from cardhouse.engine.game.game import Event, Game
from cardhouse.engine.table.runner import Runner
from cardhouse.engine.table.table import Table
from cardhouse.engine.values.questions import Action, Ask, Draw, Meanwhile, Over, Roll

Policy = Callable[[Game, Ask], Action | Sequence[Action] | None]
"""A policy's answer to a question: an action, several (each equally likely), or None to stop there.

It is given by the first seat of the offer that it fits.
"""


class Branch(NamedTuple):
    """One continuation of a game and its probability; `game` and `question` are where it ends.

    `events` lists what happened on the way, `picks` the outcomes of its draws, rolls and choices, in order.
    """

    chance: Fraction
    game: Game
    question: Ask | Over
    events: Sequence[Event]
    picks: Sequence[int]


def walk(table: Table, policy: Policy) -> Iterator[Branch]:
    """Yield every outcome of all chance from a table's present state until the policy stops or the game is over.

    The table stays unchanged. The branches' chances add up to 1. Real decks are dealt from like virtual ones. There is
    a branch for each order of the cards drawn, so this suits small decks only. Each is played from the table's last
    rest, because running rules can't be copied.

    Raises ValueError if the policy's answer isn't offered.
    """
    picks: list[int] | None = []
    while picks is not None:
        dealer = ScriptedDealer(picks)
        runner = table.running_copy(dealer)
        _play(runner, policy)
        assert isinstance(runner.question, (Ask, Over))
        chance = Fraction(1, prod(dealer.widths))
        taken = [*picks, *[0] * (len(dealer.widths) - len(picks))]
        yield Branch(chance, runner.game, runner.question, runner.game.out, taken)
        picks = _next_picks(taken, dealer.widths)


def _play(runner: Runner, policy: Policy) -> None:
    runner.decks = {}
    if isinstance(runner.question, (Draw, Roll)):
        runner.send(runner.deal(runner.question, ""), deque(), "")
    while isinstance(runner.question, Ask) and (answer := policy(runner.game, runner.question)) is not None:
        if not isinstance(answer, Action):
            answer = answer[runner.dealer.pick(len(answer), 0, "")]
        by, value = _match_action(runner.game, runner.question, answer)
        runner.send(value, deque(), "", by)


def _match_action(game: Game, question: Ask, action: Action) -> tuple[str, Action | Meanwhile]:
    """Return the seat that gives an answer, and the value to send to the rules."""
    for offer in question.offers:
        if offer.do is type(action) and not offer.problems(action):
            return offer.by[0], action
    for offer in game.at_any_time():
        if offer.do is type(action) and not offer.problems(action):
            return offer.by[0], Meanwhile(action)
    raise ValueError(f"{action} is not offered.")


def _next_picks(picks: list[int], widths: list[int]) -> list[int] | None:
    """Return the next combination of picks, like an odometer whose last wheel turns first; None after the last."""
    for place in reversed(range(len(picks))):
        if picks[place] + 1 < widths[place]:
            return [*picks[:place], picks[place] + 1]
    return None
