"""Measures and findings of a conflict of two in the lab, and the settings shared by all questions about one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

import msgspec

from cardhouse.games.dogs import state
from cardhouse.games.dogs.fallout.odds import SEVERITIES
from cardhouse.games.dogs.state import PILES, Pile
from cardhouse.lab.questions.answer import Picture, Shape, Tale, Values, columns_of, knows, percent, two_digits
from cardhouse.lab.questions.question import Finding, Measure, Question, line_of, mean, share

HARMS = ("none", *SEVERITIES)
"""The possible fallout: none, or short-term to dying."""
SHAPES: dict[str, Shape] = {"mortally_wounded": "stone", "dying": "stone"}
LOST = len(HARMS) - 1
"""The highest value of the measure `ending` for a hero who lost."""
MOST_RAISES = 128

Starter = Literal["one", "other", "turns"]
STARTERS: tuple[Starter, ...] = ("one", "other", "turns")

WhoStarts = Annotated[
    Starter, msgspec.Meta(description="who Raises first: one (the hero), other (the opponent), or each in turn")
]
Arena = Annotated[Pile, msgspec.Meta(description="first arena, which decides the Stats drawn")]
Times = Annotated[
    state.Improvised, msgspec.Meta(description="most improvisations each; plain and thrifty never improvise (DV-11)")
]
HOW = (
    "plain (simple) brings in all traits at once; thrifty brings in traits, then escalates, only to avoid giving; bold "
    "plays like the bot"
)
By = Literal["plain", "thrifty", "bold"]
"""The policies that work with dice too; the others play only conflicts of two with cards."""
Plays = Annotated[By, msgspec.Meta(description=f"how the hero plays: {HOW}; best isn't available with dice")]
OtherPlays = Annotated[By, msgspec.Meta(description="how the opponent plays")]


class TwoSideQuestion(Question, frozen=True, kw_only=True):
    """A conflict of two: the hero and the opponent."""

    game: ClassVar[str] = "dogs"
    trial: ClassVar[str] = "conflict"

    units: ClassVar[str] = "cards"
    """The name of the things played with."""
    most_pieces: ClassVar[int] = 64
    """The number of bins for cards or dice; the last one takes everything above."""

    def measures(self) -> Sequence[Measure]:
        return [
            Measure("won", 2, "whether the hero wins"),
            Measure("starter_won", 2, "whether the one who starts wins"),
            Measure(
                "ending", 2 * len(HARMS), f"how it ends for the hero: 0-{LOST} lost, {LOST + 1}-{2 * LOST + 1} won"
            ),
            Measure("raises", MOST_RAISES, "Raises it takes"),
            Measure("cards", self.most_pieces, f"{self.units} the hero plays"),
            Measure("other_cards", self.most_pieces, f"{self.units} the opponent plays"),
            Measure("blows", self.most_pieces, f"{self.units} of the hero's fallout"),
            Measure("other_blows", self.most_pieces, f"{self.units} of the opponent's fallout"),
            Measure("suffers", len(HARMS), f"the hero's fallout: {_listed()}"),
            Measure("other_suffers", len(HARMS), f"the opponent's fallout: {_listed()}"),
            Measure("loser_suffers", len(HARMS), f"the loser's fallout: {_listed()}"),
            Measure("learns", 2, "whether the hero gains experience"),
            Measure("other_learns", 2, "whether the opponent gains experience, as NPCs never do"),
            Measure("healing", 2, "whether the hero needs healing"),
            Measure("other_healing", 2, "whether the opponent needs healing"),
            Measure("hand", self.most_pieces, f"{self.units} that come into the hero's hand"),
            Measure("other_hand", self.most_pieces, f"{self.units} that come into the opponent's hand"),
            Measure("escalations", len(PILES), "other arenas that the hero enters"),
            Measure("other_escalations", len(PILES), "other arenas that the opponent enters"),
        ]

    def won(self, values: Values) -> str:
        """Return the sentence that answers the question."""
        return (
            f"The hero wins {percent(values['wins'])} of conflicts, and has no fallout in {percent(values['unhurt'])}."
        )

    def tale(self, values: Values) -> Tale | None:
        if not knows(values, "wins", "unhurt", "raises", "healing", *(f"suffers_{harm}" for harm in HARMS)):
            return None
        line = (
            f"A conflict takes {two_digits(values['raises'])} Raises. The hero gains experience in "
            f"{percent(values.get('learns', 0.0))} and needs healing in {percent(values['healing'])}."
        )
        columns = columns_of(
            ("no fallout", values["suffers_none"], "person"),
            *((_named(harm), values[f"suffers_{harm}"], SHAPES.get(harm, "card")) for harm in SEVERITIES),
            bright="no fallout",
        )
        return Tale(self.won(values), line, Picture("A hundred conflicts, by the hero's fallout", columns=columns))

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
            share("wins", "the hero wins", "won", 1),
            share("starter_wins", "the one who starts wins", "starter_won", 1),
            mean("raises", "Raises it takes", "raises"),
            mean("hand", f"{self.units} in the hero's hand, in all", "hand", aside=True),
            mean("other_hand", f"{self.units} in the opponent's hand", "other_hand", aside=True),
            mean("cards", f"{self.units} the hero plays", "cards", aside=True),
            mean("other_cards", f"{self.units} the opponent plays", "other_cards", aside=True),
            mean("blows", f"{self.units} of the hero's fallout", "blows"),
            mean("other_blows", f"{self.units} of the opponent's fallout", "other_blows"),
            share("unhurt", "the hero has no fallout", "blows", 0, 0),
            share("learns", "the hero gains experience", "learns", 1),
            share("other_learns", "the opponent gains experience", "other_learns", 1),
            share("healing", "the hero needs healing", "healing", 1),
            share("other_healing", "the opponent needs healing", "other_healing", 1),
            share("escalates", "the hero escalates", "escalations", 1),
            share("other_escalates", "the opponent escalates", "other_escalations", 1),
            *harm("suffers", "the hero's fallout", "suffers"),
            *harm("loser_suffers", "the loser's fallout", "loser_suffers"),
            *harm("won_and", "the hero's fallout after winning", "ending", given_least=LOST + 1),
            *harm("lost_and", "the hero's fallout after losing", "ending", given_most=LOST),
        ]


def _listed() -> str:
    return ", ".join(f"{at} {_named(name)}" for at, name in enumerate(HARMS))


def _named(harm: str) -> str:
    return harm.replace("_term", "-term").replace("_", " ")
