"""The game's lab questions: `cardhouse lab starter turn`."""

from collections.abc import Sequence
from random import Random
from typing import Annotated, Any, ClassVar

import msgspec

from cardhouse.cards import STANDARD
from cardhouse.lab.questions.question import Finding, Measure, Question, mean, share
from starter.points import is_face, points_of


class Turn(Question, frozen=True, kw_only=True):
    """One turn of a player who stops at `enough` points."""

    game: ClassVar[str] = "starter"
    name: ClassVar[str] = "turn"
    title: ClassVar[str] = "When should you stop?"
    about: ClassVar[str] = "Plays one turn from a full deck, and stops at a number of points."
    trial: ClassVar[str] = "turn"
    compiled: ClassVar[bool] = False
    usual_trials: ClassVar[int] = 20_000

    enough: Annotated[int, msgspec.Meta(ge=1, le=60, description="points at which to stop")] = 15

    def measures(self) -> Sequence[Measure]:
        return [Measure("points", 100, "the points of the turn")]

    def findings(self) -> Sequence[Finding]:
        return [
            mean("mean", "the points of a turn", "points"),
            share("lost", "the turn brings nothing", "points", 0, 0),
        ]

    def run(self, seed: int, first: int, out: Any, log: Any) -> None:
        for place in range(len(out)):
            out[place, 0] = self.points(Random(f"{seed} {first + place}"))

    def points(self, rng: Random) -> int:
        """Play one turn and return its points."""
        points = 0
        for card in rng.sample(STANDARD, len(STANDARD)):
            if is_face(card):
                return 0
            points += points_of([card])
            if points >= self.enough:
                break
        return points


QUESTIONS = (Turn,)
