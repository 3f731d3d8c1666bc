"""Act or wait: how far the named policies and the rule of thumb are from best play for a goal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from cardhouse.engine import CardhouseError, Event, Table
from cardhouse.games.initiative.goals import (
    ABOUT_FOES,
    GOALS,
    OPEN,
    REACHED,
    Goal,
    after_turn,
    goal_in_words,
    is_reached,
)
from cardhouse.games.initiative.lab.rounds import RoundQuestion, story_of, turns_in
from cardhouse.games.initiative.lab.sides import WaitsWell
from cardhouse.games.initiative.lab.solved import How, check_size, solved
from cardhouse.lab.questions.answer import Bar, Picture, Tale, advised, knows, percent, rivals
from cardhouse.lab.questions.question import Finding, Measure, mean, share
from cardhouse.lab.words.labels import capital

if TYPE_CHECKING:
    from cardhouse.lab.questions.answer import Values
    from cardhouse.lab.questions.question import Rows

WAYS: dict[How, str] = {
    "helps": "with best play",
    "thumb": "by the rule of thumb",
    "never": "never waiting",
    "lower": "waiting only for lower cards",
    "always": "always waiting",
}
"""The hero's policies, in the order of the results, in words."""

AS_GOOD = 0.005
"""Policies closer than this count as equally good."""
THUMBS: dict[Goal, str] = {
    "first": "Act at once.",
    "before": "Act at once.",
    "after": "Act right after a turn of theirs; otherwise wait.",
    "last": "Wait while anyone else is still to act.",
}
"""The rule of thumb for each goal, as advice."""

KEYS = dict(zip(WAYS, ("best", "thumb", "never", "lower", "always"), strict=True))

ANOTHER = [how for how in WAYS if how != "helps"]

NO_DIFFERENCE = 1
"""The value of a difference measure if both reach the goal, or neither does."""


class Best(RoundQuestion, frozen=True, kw_only=True):
    """How often best play reaches a goal, and how much less often other policies do."""

    name: ClassVar[str] = "best"
    title: ClassVar[str] = "Act or wait?"
    about: ClassVar[str] = (
        "Plays each round once for each way to choose, with the same cards: the best way, solved for every "
        "state of the round, a rule of thumb, and the named policies. The rule of thumb: to be first, or "
        "before an opponent, act at once. To act right after an opponent, act if the last turn was theirs; "
        "otherwise wait. To be last, wait while anyone else is still to act."
    )
    asked: ClassVar[str] = "The hero holds a {hero}, one of {mine} against {theirs}, and wants to act {goal}."
    at_once: ClassVar[int] = 10_000
    usual_trials: ClassVar[int] = 200_000
    advises: ClassVar[bool] = True

    wait: Annotated[WaitsWell, msgspec.Meta(description="when the others on your side wait; best helps the hero")] = (
        "never"
    )
    their_wait: Annotated[WaitsWell, msgspec.Meta(description="when the others wait; best hinders the hero")] = "never"

    def check(self) -> None:
        super().check()
        if self.goal in ABOUT_FOES and not any(who.side for who in self.fighters()):
            raise CardhouseError(f"To act {self.goal} a foe takes a foe: let there be one on the other side.")
        check_size(self.players("helps", self.wait, self.their_wait), self.goal)

    def measures(self) -> Sequence[Measure]:
        return [
            *(Measure(KEYS[how], 2, f"whether the hero's goal is reached {words}") for how, words in WAYS.items()),
            *(
                Measure(f"short_{KEYS[how]}", 3, "1; plus 1 if only best play reaches it, minus 1 if only play "
                f"{WAYS[how]} does")
                for how in ANOTHER
            ),
        ]  # fmt: skip

    def findings(self) -> Sequence[Finding]:
        goal = goal_in_words(self.goal, self.foe.upper())
        return [
            *(share(KEYS[how], f"the hero {goal}, {words}", KEYS[how], 1) for how, words in WAYS.items()),
            *(
                mean(
                    f"short_{KEYS[how]}",
                    f"percentage points below best play, {WAYS[how]}",
                    f"short_{KEYS[how]}",
                    scale=100,
                    zero=NO_DIFFERENCE,
                )
                for how in ANOTHER
            ),
        ]

    def tale(self, values: Values) -> Tale | None:
        if not knows(values, *KEYS.values()):
            return None
        advice = {
            "never": "Act at once.",
            "always": "Always wait.",
            "lower": "Wait only for characters with lower cards.",
            "thumb": THUMBS[self.goal],
        }
        most = max(values[key] for key in advice)
        chosen = next(key for key in advice if most - values[key] < AS_GOOD)
        goal = goal_in_words(self.goal, self.foe.upper())
        best = "as often as with best play" if values["best"] - most < AS_GOOD else f"{percent(values['best'])} at best"
        line = f"{capital(self.the_hero)} then {goal} in {percent(most)} of rounds, {best}."
        bars = [
            Bar(capital(words), values[KEYS[how]], percent(values[KEYS[how]]), KEYS[how] == chosen, KEYS[how])
            for how, words in WAYS.items()
        ]
        better = rivals(values, advice, chosen, 2 * AS_GOOD)
        sentence = advised(advice, chosen, better, values.trials, self.trial)
        return Tale(sentence, line, Picture(f"How often the hero {goal}", bars=bars))

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        import numpy as np

        from cardhouse.games.initiative.lab.kernels.planned import by_plan
        from cardhouse.games.initiative.lab.kernels.rounds import FIXED

        rank, _ = self.arrays()
        no_column = np.full(len(rank), -1, np.int64)
        rounds, reached = np.empty((len(out), FIXED), np.int16), np.empty(len(out), np.int16)
        for place, how in enumerate(WAYS):
            players = self.players(how, self.wait, self.their_wait)
            plan = self.planned(players)
            kind = plan.kinds_of(players)
            by_plan(rank, kind, no_column, self.hero_place(), plan.solved, seed, first, rounds, reached, log)
            out[:, place] = reached
        out[:, len(WAYS) :] = NO_DIFFERENCE + out[:, :1] - out[:, 1 : len(WAYS)]

    def exact(self) -> Mapping[str, float]:
        chances = {KEYS[how]: solved(self.players(how, self.wait, self.their_wait), self.goal).chance for how in WAYS}
        short = {f"short_{KEYS[how]}": 100 * (chances["best"] - chances[KEYS[how]]) for how in ANOTHER}
        return chances | short

    def played(self, seed: int, trial: int) -> Table:
        return self.replay(seed, trial, [self.responder(self.players(how, self.wait, self.their_wait)) for how in WAYS])

    def row_of(self, table: Table) -> Sequence[int]:
        reached = [self.reached(story) for story in _rounds_in(story_of(table))]
        return [*reached, *(NO_DIFFERENCE + reached[0] - other for other in reached[1:])]

    def reached(self, story: Sequence[Event]) -> int:
        """Return whether the goal was reached in a round with these events."""
        goal, status = GOALS.index(self.goal), OPEN
        players = zip(self.fighters(), self.players("never", "never", "never"), strict=True)
        of_name = {who.name: player for who, player in players}
        for name in turns_in(story):
            if status < REACHED:
                status = after_turn(goal, status, of_name[name].hero, of_name[name].foe)
        return int(is_reached(goal, status))


def _rounds_in(story: Sequence[Event]) -> Iterator[Sequence[Event]]:
    """Yield the events of each round."""
    begins = [place for place, event in enumerate(story) if event.key == "round_begins"]
    for begin, end in pairwise([*begins, len(story)]):
        yield story[begin:end]
