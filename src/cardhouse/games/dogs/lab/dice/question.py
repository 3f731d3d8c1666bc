"""The lab question of whether cards play like the dice they replace: the same two characters with either."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import msgspec

from cardhouse.engine import Table
from cardhouse.games.dogs.fallout.odds import SEVERITIES
from cardhouse.games.dogs.lab import opponents
from cardhouse.games.dogs.lab.dice.plan import plan_of
from cardhouse.games.dogs.lab.dice.pools import POOLS, Person, Pools, column_of, dice_from, person_from
from cardhouse.games.dogs.lab.dice.rules import DiceConflict
from cardhouse.games.dogs.lab.dice.sides import Setting, Side
from cardhouse.games.dogs.lab.two_side_question import (
    STARTERS,
    Arena,
    OtherPlays,
    Plays,
    Times,
    TwoSideQuestion,
    WhoStarts,
)
from cardhouse.games.dogs.state import USUAL
from cardhouse.lab.questions.answer import percent
from cardhouse.lab.questions.proof import Divergence

if TYPE_CHECKING:
    from cardhouse.lab.questions.answer import Values
    from cardhouse.lab.questions.question import Rows

By = Literal["dice", "cards"]


class Dice(TwoSideQuestion, frozen=True, kw_only=True):
    """A conflict of two, with dice or with cards."""

    name: ClassVar[str] = "dice"
    title: ClassVar[str] = "Do cards play like dice?"
    about: ClassVar[str] = (
        "Plays the same two characters with dice and with cards (DV-5), by the same policies. Two dice Raise, any"
        " number See. The findings on dice and cards list the rulings."
    )
    asked: ClassVar[str] = (
        "With {by}, a hero with Stats {stats} and traits {brings} faces an opponent with Stats {other_stats} and "
        "traits {other_brings}."
    )
    units: ClassVar[str] = "dice or cards"
    compared: ClassVar[Mapping[str, str]] = {"by": "cards"}
    most_pieces: ClassVar[int] = 256

    by: Annotated[By, msgspec.Meta(description="cards or dice")] = "dice"
    stats: Annotated[
        str,
        msgspec.Meta(description="the hero's Acuity, Body, Heart and Will, in points or dice: 5d6 4d6 4d6 4d6"),
    ] = "3 2 2 2"
    brings: Annotated[
        str, msgspec.Meta(description="the hero's traits, by their marks or dice, separated by spaces: o* 2d8")
    ] = "- o +"
    policy: Plays = "thrifty"
    other_stats: Annotated[str, msgspec.Meta(description="the opponent's Acuity, Body, Heart and Will")] = "3 2 2 2"
    other_brings: Annotated[str, msgspec.Meta(description="the opponent's traits")] = "- o +"
    other_policy: OtherPlays = "thrifty"
    pools: Annotated[
        Pools, msgspec.Meta(description="dice for a trait with a mark, out of those that DV-5 converts to it")
    ] = "usual"
    arena: Arena = "talking"
    starter: WhoStarts = "turns"
    improvised: Times = USUAL.improvised

    def people(self) -> tuple[Person, Person]:
        """Return the two characters, in dice and in cards.

        Raises CardhouseError if they are impossible.
        """
        one = person_from(self.stats, self.brings, self.pools)
        return one, person_from(self.other_stats, self.other_brings, self.pools)

    def check(self) -> None:
        self.people()

    def with_dice(self) -> Setting:
        """Return the conflict with dice."""
        policies = (self.policy, self.other_policy)
        one, other = (Side(policy, who.dice, who.pools) for policy, who in zip(policies, self.people(), strict=True))
        desperate = dice_from(POOLS["-*"][column_of(self.pools)])
        return Setting((one, other), self.arena, STARTERS.index(self.starter), self.improvised, desperate)

    def with_cards(self) -> opponents.Setting:
        """Return the conflict with cards."""
        policies = (self.policy, self.other_policy)
        one, other = (
            opponents.Side(policy, who.stats, who.things) for policy, who in zip(policies, self.people(), strict=True)
        )
        starts = STARTERS.index(self.starter)
        return opponents.Setting((one, other), self.arena, starts, improvised=self.improvised)

    def won(self, values: Values) -> str:
        return f"With {self.by}, the hero wins {percent(values['wins'])} of conflicts."

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        import numpy as np

        if self.by == "cards":
            from cardhouse.games.dogs.lab.kernels.conflicts import conflicts
            from cardhouse.games.dogs.lab.kernels.hands import PLAY

            conflicts(opponents.plan_of(self.with_cards()), np.zeros(1, PLAY), seed, first, out, log)
        else:
            from cardhouse.games.dogs.lab.kernels.dice import dice_conflicts
            from cardhouse.games.dogs.lab.kernels.dice_hands import PLAY as DICE_PLAY

            dice_conflicts(plan_of(self.with_dice()), np.zeros(1, DICE_PLAY), seed, first, out, log)

    def exact(self) -> Mapping[str, float]:
        if self.by == "cards":
            from cardhouse.games.dogs.lab.exact import odds_of

            return odds_of(self.with_cards())
        from cardhouse.games.dogs.lab.dice.exact import odds_of as odds_of_dice

        return odds_of_dice(self.with_dice())

    def played(self, seed: int, trial: int) -> Table | DiceConflict:
        chance = self.chance(seed, trial)
        if self.by == "cards":
            return opponents.played(self.with_cards(), trial, chance)
        return fought(self.with_dice(), trial, chance)

    def row_of(self, table: Any) -> Sequence[int]:
        return row_of(table) if isinstance(table, DiceConflict) else opponents.row_of(table)


def fought(setting: Setting, trial: int, chance: Sequence[int]) -> DiceConflict:
    """Play a trial with dice by the rules, with the numbers that the kernel rolled.

    Raises Divergence if the rules roll other dice than the kernel.
    """
    shown: Iterator[int] = iter(chance)

    def roll_die(sides: int) -> int:
        face = next(shown, None)
        if face is None or face > sides:
            raise Divergence(f"The rules roll a d{sides}, and the kernel {'none' if face is None else face}.")
        return face

    conflict = DiceConflict(setting, trial, roll_die)
    conflict.play()
    if left := list(shown):
        raise Divergence(f"The kernel rolled {len(left)} dice more than the rules.")
    return conflict


def row_of(conflict: DiceConflict) -> list[int]:
    """Return the kernel's row for a conflict."""
    suffers = [0 if one.suffers is None else SEVERITIES.index(one.suffers) + 1 for one in conflict.two]
    won = int(conflict.winner == 0)
    return [
        won,
        int(conflict.winner == conflict.starter),
        (len(SEVERITIES) + 1) * won + suffers[0],
        conflict.raises,
        *(one.used for one in conflict.two),
        *(sum(one.blows.values()) for one in conflict.two),
        *suffers,
        suffers[1 - conflict.winner],
        *(int(one.learns) for one in conflict.two),
        *(int(one.needs_healing) for one in conflict.two),
        *(one.rolled for one in conflict.two),
        *(len(one.arenas) - 1 for one in conflict.two),
    ]
