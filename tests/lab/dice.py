"""A lab question for tests, about the sum of dice; its true answers are known."""

from collections.abc import Mapping, Sequence
from itertools import product
from random import Random
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.question import Finding, Measure, Question, line_of, mean, share


class Dice(Question, frozen=True, kw_only=True):
    """So many dice of so many sides."""

    game: ClassVar[str] = "initiative"
    name: ClassVar[str] = "dice"
    title: ClassVar[str] = "What do dice come to?"
    about: ClassVar[str] = "Dice are rolled and added up."
    trial: ClassVar[str] = "roll"
    at_once: ClassVar[int] = 500
    usual_trials: ClassVar[int] = 2_000

    dice: Annotated[int, msgspec.Meta(ge=1, le=10, description="how many dice")] = 2
    sides: Annotated[int, msgspec.Meta(ge=2, le=20, description="sides of each")] = 6
    luck: Annotated[Literal["plain", "better"], msgspec.Meta(description="the better of two rolls")] = "plain"
    bonus: Annotated[float, msgspec.Meta(ge=0, le=5, description="for nothing")] = 0.0
    loaded: Annotated[bool, msgspec.Meta(description="no ones")] = False
    marks: Annotated[dict[str, Any], msgspec.Meta(description="what is on the faces")] = {}

    def check(self) -> None:
        if self.loaded and self.sides == 2:
            raise CardhouseError("A loaded coin has one side only.")

    def measures(self) -> Sequence[Measure]:
        return (Measure("total", self.dice * self.sides + 1, "what they come to"), Measure("sixes", 3, "sixes"))

    def findings(self) -> Sequence[Finding]:
        totals = range(self.dice, self.dice * self.sides + 1)
        line = [share(f"at_least_{total}", f"at least {total}", "total", total, x=float(total)) for total in totals]
        return [
            share("high", "more than 6", "total", 7),
            mean("mean", "the mean", "total"),
            mean("low", "the mean of those up to 6", "total", given_most=6),
            *line_of(line, "at_least", "at least so much", "total"),
        ]

    def run(self, seed: int, first: int, out: Any, log: Any) -> None:
        for place in range(len(out)):
            out[place] = self.roll(seed, first + place)

    def roll(self, seed: int, trial: int) -> tuple[int, int]:
        rng = Random(f"{seed} {trial}")
        faces = [rng.randint(1 + self.loaded, self.sides) for _ in range(self.dice)]
        if self.luck == "better":
            faces = max(faces, [rng.randint(1 + self.loaded, self.sides) for _ in range(self.dice)], key=sum)
        return sum(faces), faces.count(6)

    def exact(self) -> Mapping[str, float]:
        if self.luck == "better" or self.dice > 3:
            return {}
        rolls = [sum(faces) for faces in product(range(1 + self.loaded, self.sides + 1), repeat=self.dice)]
        return {"high": sum(total > 6 for total in rolls) / len(rolls), "mean": sum(rolls) / len(rolls)}
