"""The lab's question about Magpies: `cardhouse lab magpies alone`."""

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
    """One trick against players who choose a card at random."""

    game: ClassVar[str] = "magpies"
    name: ClassVar[str] = "alone"
    title: ClassVar[str] = "Is it alone?"
    about: ClassVar[str] = "One trick: I play a card with these points, and each of the others plays a random card."
    trial: ClassVar[str] = "trick"
    compiled: ClassVar[bool] = False
    usual_trials: ClassVar[int] = 20_000

    players: Annotated[int, msgspec.Meta(ge=FEWEST, le=MOST, description="number of players, including me")] = 4
    mine: Annotated[int, msgspec.Meta(ge=2, le=ACE_HIGH, description="points of my card, an ace 14")] = 12

    def measures(self) -> Sequence[Measure]:
        return [Measure("mine", 3, "the result of my card"), Measure("stays", 2, "whether the prize stays")]

    def findings(self) -> Sequence[Finding]:
        return [
            share("takes", "my card takes the prize", "mine", TAKES),
            share("cancelled", "my card is cancelled", "mine", CANCELLED, CANCELLED),
            share("stays", "no one takes the prize", "stays", 1),
        ]

    def exact(self) -> Mapping[str, float]:
        """The others' cards are among the 51 that aren't mine; three of these would cancel mine."""
        others = self.players - 1
        return {"cancelled": 1 - comb(48, others) / comb(51, others)}

    def run(self, seed: int, first: int, out: Any, log: Any) -> None:
        for place in range(len(out)):
            played = self.played_cards(Random(f"{seed} {first + place}"))
            winner, alike = taker(played), cancelled(played)
            out[place] = (CANCELLED if ME in alike else TAKES if winner == ME else LOSES, winner is None)

    def played_cards(self, rng: Random) -> dict[str, str]:
        """Return a trick: my card, and random cards of the others."""
        mine = rng.choice([card for card in STANDARD if worth(card) == self.mine])
        others = rng.sample([card for card in STANDARD if card != mine], self.players - 1)
        return {ME: mine, **{f"other {number}": card for number, card in enumerate(others)}}


QUESTIONS = (Alone,)
