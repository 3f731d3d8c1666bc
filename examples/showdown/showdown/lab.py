"""The lab's question about Showdown: `cardhouse lab showdown first`."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Annotated, Any, ClassVar

import msgspec

from cardhouse.cards import JOKERS, STANDARD
from cardhouse.lab.questions.question import Finding, Measure, Question, line_of, mean, share
from showdown.state import height

MOST_FOES = 12
CARDS = STANDARD + JOKERS


class First(Question, frozen=True, kw_only=True):
    """The hero's place in the order, if the hero spends tokens on better cards."""

    game: ClassVar[str] = "showdown"
    name: ClassVar[str] = "first"
    title: ClassVar[str] = "What is a token worth?"
    about: ClassVar[str] = (
        "A round is dealt to one hero and some foes. While tokens last, the hero redraws each card below a height. The "
        "lab counts the foes who act before the hero. A joker acts before all."
    )
    trial: ClassVar[str] = "round"
    compiled: ClassVar[bool] = False
    usual_trials: ClassVar[int] = 50_000

    foes: Annotated[int, msgspec.Meta(ge=1, le=MOST_FOES, description="number of foes")] = 3
    tokens: Annotated[int, msgspec.Meta(ge=0, le=5, description="tokens the hero may spend")] = 1
    below: Annotated[int, msgspec.Meta(ge=2, le=15, description="the hero redraws cards below this; 14 is an ace")] = 11

    def measures(self) -> Sequence[Measure]:
        return [
            Measure("before", MOST_FOES + 1, "how many foes act before the hero"),
            Measure("spent", 6, "tokens spent"),
        ]

    def findings(self) -> Sequence[Finding]:
        places = [
            share(f"place {place}", f"the hero is number {place} to act", "before", place - 1, place - 1)
            for place in range(1, self.foes + 2)
        ]
        return [
            share("first", "the hero acts first of all", "before", 0, 0),
            mean("spent", "tokens spent", "spent"),
            *line_of(places, "place", "when the hero acts", "place in the order"),
        ]

    def run(self, seed: int, first: int, out: Any, log: Any) -> None:
        for place in range(len(out)):
            out[place] = self.round(Random(f"{seed} {first + place}"))

    def round(self, rng: Random) -> tuple[int, int]:
        """Return the number of foes before the hero in a round (SD-3), and the tokens it spent (SD-5)."""
        cards = [height(card) for card in rng.sample(CARDS, 1 + self.foes + self.tokens)]
        hero, foes, further = cards[0], cards[1 : self.foes + 1], cards[self.foes + 1 :]
        spent = 0
        while spent < self.tokens and hero[0] < self.below:
            hero = max(hero, further[spent])
            spent += 1
        return sum(foe > hero for foe in foes), spent

    def exact(self) -> Mapping[str, float]:
        """Without tokens or a reason to redraw, every character is first equally often."""
        return {"first": 1 / (self.foes + 1)} if not self.tokens or self.below <= 2 else {}


QUESTIONS = (First,)
