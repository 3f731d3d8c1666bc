"""Rollouts: games played on from the present state, to see what an answer leads to; nothing is stored."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Union

import msgspec

from cardhouse.engine import (
    GM,
    STORY,
    Action,
    Ask,
    BadGame,
    CardhouseError,
    Game,
    Meanwhile,
    Refused,
    Seen,
    Step,
    Table,
)
from cardhouse.engine.chance.sample_answers import Answer, some_answer
from cardhouse.engine.diagnostics.declarations import decode_state, encode_state
from cardhouse.engine.game.hosting import END
from cardhouse.engine.table.runner import Runner
from cardhouse.engine.table.visibility import always_of, answers, asked, view_of
from cardhouse.engine.values.documents import OfferDoc

Start = Callable[[Random], Runner]
"""Starts a game from its present state, with a dealer that uses a generator."""
AHEAD = 60
"""The most answers in a rollout."""


class Chance:
    """A dealer that uses a generator, for chance that isn't known yet."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def pick(self, outcomes: int, number: int, id: str) -> int:
        """Return any outcome."""
        return self.rng.randrange(outcomes)


def starts(world: Table) -> Start:
    """Return a function that starts a table's game from its present state, as often as needed."""
    if not world.is_at_rest:
        return lambda rng: world.running_copy(Chance(rng))
    state = encode_state(world.game)
    return lambda rng: Runner(decode_state(state, world.kind), Chance(rng), world.header.decks)


class Rollout:
    """A game played on by one of its bots: `by`, otherwise `plays_on`, otherwise the first; without bots, at random."""

    def __init__(self, runner: Runner, world: Table, rng: Random, by: str = "") -> None:
        self.runner, self.options, self.rng = runner, world.header.options, rng
        kind = type(runner.game)
        self.bot = kind.bots.get(by or kind.plays_on or next(iter(kind.bots), ""))
        self.host = kind.host
        self.recent_events = [entry.events for entry in world.entries[-STORY:] if not entry.undone]
        self._actions: Any = Union[(Step, *kind.actions)]

    @property
    def game(self) -> Game:
        """The game in its present state."""
        return self.runner.game

    def give_answer(self, seat: str, answer: Answer) -> None:
        """Give an answer.

        Raises CardhouseError if it isn't offered.
        """
        action = msgspec.convert(answer, self._actions)
        self.runner.send(self._match(seat, action), deque(), "", seat)
        self.recent_events.append(self.runner.take_events().events)

    def _match(self, seat: str, action: Action) -> Action | Meanwhile:
        question = self.runner.question
        for offer in question.offers if isinstance(question, Ask) else ():
            if offer.do is type(action) and seat in offer.by and not offer.problems(action):
                return action
        for offer in always_of(self.game):
            if offer.do is type(action) and seat in offer.by and not offer.problems(action):
                return Meanwhile(action)
        raise Refused(f"{seat} is not offered {action}.")

    def play(self, is_late: Callable[[], bool] = lambda: False) -> None:
        """Play until the game is over or settled, no seat answers, the limit is reached, or it is too late."""
        for _ in range(AHEAD):
            if is_late() or self._is_settled() or (answer := next(self._answers(), None)) is None:
                return
            self.give_answer(*answer)

    def _is_settled(self) -> bool:
        question = self.runner.question
        return isinstance(question, Ask) and question.key in self.game.looks_until

    def _answers(self) -> Iterator[tuple[str, Answer]]:
        """Yield the answers of the seats that are asked, those being waited for first."""
        question = self.runner.question
        if isinstance(question, Ask):
            for seat in dict.fromkeys((*question.waits_for, *question.seats())):
                if seat in self.game.seats and (answer := self._answer(seat)) is not None:
                    yield seat, answer

    def _answer(self, seat: str) -> Answer | None:
        offers = [one for one in answers(self.runner.question, self.runner.may_answer(), seat) if "for" not in one]
        if not offers:
            return None
        if seat == GM and self.host is not None:
            answer = self.host(self._seen(seat, offers), self.rng)
            return None if answer == END else answer
        if self.bot is not None and (answer := self.bot(self._seen(seat, offers), self.rng)) is not None:
            return answer
        return some_answer(self.rng.choice(offers), self.rng)

    def _seen(self, seat: str, offers: list[OfferDoc]) -> Seen:
        asks = asked(self.runner.question, self.runner.may_answer(), ended=False)
        offered, seats = msgspec.to_builtins(offers), list(self.game.seats)
        return Seen(seat, view_of(self.game, seat), asks, offered, self.options, seats, self._story(seat))

    def _story(self, seat: str) -> list[dict[str, Any]]:
        """Return a seat's view of the latest events."""
        audience = self.game.audience(seat)
        recent_events = (
            [event for event in events if event.is_told(seat, audience)] for events in self.recent_events[-STORY:]
        )
        return [{"events": [event.as_json() for event in events]} for events in recent_events]


def value_of(
    start: Start, world: Table, seat: str, answer: Answer, rng: Random, is_late: Callable[[], bool], by: str = ""
) -> float | None:
    """Return the value of an answer for a seat after one rollout, by this bot or by default the usual one.

    None if it can't be given here, its value is unknown, or it is too late.
    """
    try:
        played = Rollout(start(rng), world, rng, by)
        played.give_answer(seat, answer)
        played.play(is_late)
        return None if is_late() else played.game.outlook(seat)
    except BadGame:
        raise
    except CardhouseError:
        return None
