"""What the lab is asked about the game: `cardhouse lab magpies alone`."""

from collections.abc import Mapping, Sequence
from math import comb
from random import Random
from typing import Annotated, Any, ClassVar

import msgspec

from cardhouse.cards import STANDARD
from cardhouse.lab.questions.question import Finding, Measure, Question, share
from magpies.state import FEWEST, MOST
from magpies.trick import ACE_HIGH, cancelled, taker, worth

LOSES, CANCELLED, TAKES = range(3)
ME = "me"


class Alone(Question, frozen=True, kw_only=True):
    """One trick against people who play any card of theirs."""

    game: ClassVar[str] = "magpies"
    name: ClassVar[str] = "alone"
    title: ClassVar[str] = "Is it alone?"
    about: ClassVar[str] = "One trick: I play a card of this worth, and each of the others any card of a hand."
    trial: ClassVar[str] = "trick"
    compiled: ClassVar[bool] = False
    usual_trials: ClassVar[int] = 20_000

    players: Annotated[int, msgspec.Meta(ge=FEWEST, le=MOST, description="how many play, I among them")] = 4
    mine: Annotated[int, msgspec.Meta(ge=2, le=ACE_HIGH, description="what my card is worth, an ace 14")] = 12

    def measures(self) -> Sequence[Measure]:
        return [Measure("mine", 3, "what becomes of my card"), Measure("stays", 2, "whether the prize stays")]

    def findings(self) -> Sequence[Finding]:
        return [
            share("takes", "my card takes the prize", "mine", TAKES),
            share("cancelled", "my card is cancelled", "mine", CANCELLED, CANCELLED),
            share("stays", "nobody takes the prize", "stays", 1),
        ]

    def exact(self) -> Mapping[str, float]:
        """The others' cards are any of the 51 that are not mine; three of these cancel it."""
        others = self.players - 1
        return {"cancelled": 1 - comb(48, others) / comb(51, others)}

    def run(self, seed: int, first: int, out: Any, log: Any) -> None:
        for place in range(len(out)):
            played = self.played_cards(Random(f"{seed} {first + place}"))
            winner, alike = taker(played), cancelled(played)
            out[place] = (CANCELLED if ME in alike else TAKES if winner == ME else LOSES, winner is None)

    def played_cards(self, rng: Random) -> dict[str, str]:
        """A trick: mine, and others' cards by chance."""
        mine = rng.choice([card for card in STANDARD if worth(card) == self.mine])
        others = rng.sample([card for card in STANDARD if card != mine], self.players - 1)
        return {ME: mine, **{f"other {number}": card for number, card in enumerate(others)}}


QUESTIONS = (Alone,)
