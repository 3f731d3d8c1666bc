"""Questions about a character who is hit round after round, played by the rules and by kernels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from cardhouse.cards import JOKERS, STANDARD
from cardhouse.engine import GM, Action, Table
from cardhouse.games.hackjack.lab.damage import D20, DamageDice, is_critical, read_damage, roll_damage
from cardhouse.games.hackjack.lab.policies import read_prevent
from cardhouse.games.hackjack.lab.rule_policies import Policies, tables_for
from cardhouse.games.hackjack.lab.wound_question import TableQuestion
from cardhouse.games.hackjack.rules import Hackjack
from cardhouse.games.hackjack.state import ROUGHEST, Damage, HackjackOptions
from cardhouse.lab.questions.proof import face_of, play, table_of_paper

if TYPE_CHECKING:
    from cardhouse.games.hackjack.lab.kernels.ahead import Ahead
    from cardhouse.games.hackjack.lab.kernels.bleeding import Book

HERO = "hero"


class HitQuestion(TableQuestion, frozen=True, kw_only=True):
    """The fate of a character who is hit again and again by one kind of damage."""

    game: ClassVar[str] = "hackjack"

    hp: Annotated[int, msgspec.Meta(ge=1, le=ROUGHEST, description="HP at the start")] = 8
    damage: DamageDice = "1d8"

    def options(self) -> HackjackOptions:
        """Return the options of the table."""
        return HackjackOptions(**self.table_options())

    def known(self) -> Ahead:
        """Return the tables for policies that look ahead."""
        return tables_for(self.prevent, self.c7, self.options(), read_damage(self.damage))

    def book(self) -> Book:
        """Return the rules in the form that kernels use."""
        from cardhouse.games.hackjack.lab.kernels.bleeding import book_of

        return book_of(self.options(), self.c7, self.known())

    def played(self, seed: int, trial: int) -> Table:
        table = table_of_paper(self.game, (GM,), msgspec.to_builtins(self.options()), "wounds")
        chance = iter(self.chance(seed, trial))
        story = self.story(table, chance)
        return play(table, chance, (*STANDARD, *JOKERS), lambda table: next(story, None))

    def story(self, table: Table, chance: Iterator[int]) -> Iterator[tuple[str, Action]]:
        """Yield every action of a trial."""
        raise NotImplementedError

    def policies(self) -> Policies:
        """Return the characters' policies."""
        return Policies(read_prevent(self.prevent), self.c7, self.known())

    def roll_hit(
        self, name: str, table: Table, game: Hackjack, policies: Policies, chance: Iterator[int]
    ) -> Iterator[tuple[str, Action]]:
        """Roll a hit, apply it and choose between the wounds it draws."""
        amount = roll_damage(read_damage(self.damage), chance)
        critical = self.critical > 0 and is_critical(face_of(chance, D20), self.critical)
        yield GM, Damage(name, amount, critical)
        yield from policies.wound_choices(table, game)
