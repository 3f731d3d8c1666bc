"""Every way a game can go on: chance enumerated, people answering by a policy. The slow and sure side of exact odds."""

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
"""What is answered to a question: an action, any of several (each as likely as the others), or None to stop there.

It is said by the seat that the question waits for first, of those that may say it.
"""


class Branch(NamedTuple):
    """One way a game can go on, and how likely it is; `game` and `question` are where it came to.

    `events` is what happened on the way, and `picks` are the outcomes of its draws, rolls and choices, in order.
    """

    chance: Fraction
    game: Game
    question: Ask | Over
    events: Sequence[Event]
    picks: Sequence[int]


def walk(table: Table, policy: Policy) -> Iterator[Branch]:
    """Go through all outcomes of all chance from where a table stands until the policy stops or the game is over.

    The table is left as it is. The chances of all ways add up to 1. Paper decks are dealt from like any other. There
    are as many ways as orders of what is drawn, so this is for small decks: each way is played from the table's last
    rest, because rules that are under way can't be copied.
    Raises ValueError if the policy says what is not offered.
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
        by, value = _said(runner.game, runner.question, answer)
        runner.send(value, deque(), "", by)


def _said(game: Game, question: Ask, action: Action) -> tuple[str, Action | Meanwhile]:
    """Who says it, and what the rules are sent for it."""
    for offer in question.offers:
        if offer.do is type(action) and not offer.problems(action):
            return offer.by[0], action
    for offer in game.at_any_time():
        if offer.do is type(action) and not offer.problems(action):
            return offer.by[0], Meanwhile(action)
    raise ValueError(f"{action} is not offered.")


def _next_picks(picks: list[int], widths: list[int]) -> list[int] | None:
    """Count one on, like an odometer whose last wheel turns first; None after the last."""
    for place in reversed(range(len(picks))):
        if picks[place] + 1 < widths[place]:
            return [*picks[:place], picks[place] + 1]
    return None
