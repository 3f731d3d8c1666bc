"""A question whose best play is easy to count: four cards; keep the first or take the second."""

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Annotated, Any, ClassVar

import msgspec

from cardhouse.lab.questions.optimality import BestPlay, Strategy
from cardhouse.lab.questions.question import Finding, Measure, Question, mean

CARDS = 1, 2, 3, 4
DEALS = [*permutations(CARDS)]


class Swap(Question, frozen=True, kw_only=True):
    """What one has in the end."""

    game: ClassVar[str] = "hackjack"
    name: ClassVar[str] = "swap"
    title: ClassVar[str] = "Keep it?"
    about: ClassVar[str] = "One card is dealt, and kept or put away for the next."
    compiled: ClassVar[bool] = False
    at_once: ClassVar[int] = 70

    keeps: Annotated[str, msgspec.Meta(description="keeps so much or more; best: as is best")] = "1"

    def measures(self) -> Sequence[Measure]:
        return [Measure("has", max(CARDS) + 1, "what one has")]

    def findings(self) -> Sequence[Finding]:
        return [mean("has", "what one has", "has")]

    def has(self, deal: Sequence[int]) -> int:
        """What one has of this deal."""
        return deal[0] if deal[0] >= self.from_which() else deal[1]

    def from_which(self) -> int:
        """From which card on one keeps it; at best what is more than the mean of the others."""
        if self.keeps != "best":
            return int(self.keeps)
        return min(card for card in CARDS if card > (sum(CARDS) - card) / (len(CARDS) - 1))

    def run(self, seed: int, first: int, out: Any, log: Any) -> None:
        for row in range(len(out)):
            out[row] = self.has(Random(f"{seed} {first + row}").choice(DEALS))

    def best_play(self) -> BestPlay:
        (finding,) = self.findings()

        def way(text: str, keeps: str) -> Strategy:
            return Strategy(text, Swap(keeps=keeps), "has")

        thumbs = way("keep a 2", "2"), way("take the next", "5")
        more, less = "have {} more", "have {} less"
        ways = way("", self.keeps), way("", "best"), thumbs
        return BestPlay(finding, more, less, "Best play keeps a 3.", *ways, proven=True)
