"""What is counted of a conflict of two in the lab, and the settings that all questions about one have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

import msgspec

from cardhouse.games.dogs import state
from cardhouse.games.dogs.fallout.odds import SEVERITIES
from cardhouse.games.dogs.state import PILES, Pile
from cardhouse.lab.question import Finding, Measure, Question, line_of, mean, share

HARMS = ("none", *SEVERITIES)
"""What fallout may be: none, or from short-term to dying."""
LOST = len(HARMS) - 1
"""The most that the measure `ending` can be of one who lost."""
MOST_RAISES = 128

Starter = Literal["one", "other", "turns"]
STARTERS: tuple[Starter, ...] = ("one", "other", "turns")

WhoStarts = Annotated[
    Starter, msgspec.Meta(description="who raises first: the one, the other, or both by turns, trial for trial")
]
Arena = Annotated[Pile, msgspec.Meta(description="where it begins, and so which Stats are drawn")]
Times = Annotated[
    state.Improvised, msgspec.Meta(description="how often each may improvise, which plain and thrifty never do (DV-11)")
]
HOW = (
    "plain brings all it has at once; thrifty only what it needs so as not to give, then other arenas; bold as the bot"
)
By = Literal["plain", "thrifty", "bold"]
"""The policies that play anything; those that were solved, or came of it, play conflicts of two with cards only."""
Plays = Annotated[
    By, msgspec.Meta(description=f"how the one plays: {HOW}; best is not among them, for nobody has solved the dice")
]
OtherPlays = Annotated[By, msgspec.Meta(description="how the other plays")]


class OfTwo(Question, frozen=True, kw_only=True):
    """A conflict of two, the one and the other."""

    game: ClassVar[str] = "dogs"
    trial: ClassVar[str] = "conflict"

    units: ClassVar[str] = "cards"
    """What is played with."""
    most_pieces: ClassVar[int] = 64
    """Of so many and more it isn't told how many there were."""

    def measures(self) -> Sequence[Measure]:
        return [
            Measure("won", 2, "whether the one wins"),
            Measure("starter_won", 2, "whether the one who starts wins"),
            Measure("ending", 2 * len(HARMS), f"how it ends for the one: 0-{LOST} lost, {LOST + 1}-{2 * LOST + 1} won"),
            Measure("raises", MOST_RAISES, "Raises it takes"),
            Measure("cards", self.most_pieces, f"{self.units} the one plays"),
            Measure("other_cards", self.most_pieces, f"{self.units} the other plays"),
            Measure("blows", self.most_pieces, f"{self.units} of fallout of the one"),
            Measure("other_blows", self.most_pieces, f"{self.units} of fallout of the other"),
            Measure("suffers", len(HARMS), f"the fallout of the one: {_listed()}"),
            Measure("other_suffers", len(HARMS), f"the fallout of the other: {_listed()}"),
            Measure("loser_suffers", len(HARMS), f"the fallout of the loser: {_listed()}"),
            Measure("learns", 2, "whether the one gains experience"),
            Measure("other_learns", 2, "whether the other gains experience, as NPCs never do"),
            Measure("healing", 2, "whether the one needs a healing conflict"),
            Measure("other_healing", 2, "whether the other needs a healing conflict"),
            Measure("hand", self.most_pieces, f"{self.units} that come into the hand of the one"),
            Measure("other_hand", self.most_pieces, f"{self.units} that come into the hand of the other"),
            Measure("escalations", len(PILES), "other arenas that the one enters"),
            Measure("other_escalations", len(PILES), "other arenas that the other enters"),
        ]

    def findings(self) -> Sequence[Finding]:
        def harm(key: str, text: str, measure: str, **given: int) -> list[Finding]:
            first = given.get("given_least", 0)
            shares = (
                share(f"{key}_{name}", f"{text}: {_named(name)}", measure, first + at, first + at, **given)
                for at, name in enumerate(HARMS)
            )
            axis = "fallout: 1 none, 2 short-term, 3 long-term, 4 injured, 5 mortally wounded, 6 dying"
            return line_of(shares, key, text, axis)

        return [
            share("wins", "the one wins", "won", 1),
            share("starter_wins", "whoever starts wins", "starter_won", 1),
            mean("raises", "Raises it takes", "raises"),
            mean("hand", f"{self.units} in the hand of the one, all told", "hand"),
            mean("other_hand", f"{self.units} in the hand of the other", "other_hand"),
            mean("cards", f"{self.units} the one plays", "cards"),
            mean("other_cards", f"{self.units} the other plays", "other_cards"),
            mean("blows", f"{self.units} of fallout of the one", "blows"),
            mean("other_blows", f"{self.units} of fallout of the other", "other_blows"),
            share("unhurt", "the one has no fallout", "blows", 0, 0),
            share("learns", "the one gains experience", "learns", 1),
            share("other_learns", "the other gains experience", "other_learns", 1),
            share("healing", "the one needs healing", "healing", 1),
            share("other_healing", "the other needs healing", "other_healing", 1),
            share("escalates", "the one escalates", "escalations", 1),
            share("other_escalates", "the other escalates", "other_escalations", 1),
            *harm("suffers", "fallout of the one", "suffers"),
            *harm("loser_suffers", "fallout of the loser", "loser_suffers"),
            *harm("won_and", "fallout if it wins", "ending", given_least=LOST + 1),
            *harm("lost_and", "fallout if it loses", "ending", given_most=LOST),
        ]


def _listed() -> str:
    return ", ".join(f"{at} {_named(name)}" for at, name in enumerate(HARMS))


def _named(harm: str) -> str:
    return harm.replace("_term", "-term").replace("_", " ")
