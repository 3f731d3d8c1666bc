"""Rules of thumb that a group can agree on, compared with the best convention found and the largest possible pack."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, ClassVar

from cardhouse.engine import CardhouseError, Table
from cardhouse.games.dogpile.bots.best import bot_for
from cardhouse.games.dogpile.bots.convention import THUMBS, Convention, best_for
from cardhouse.games.dogpile.lab.dealt import Dealt
from cardhouse.games.dogpile.lab.single_rounds import hands_of, one_round, round_of, suits_of
from cardhouse.games.dogpile.largest import largest_pack
from cardhouse.games.dogpile.rules import Dogpile
from cardhouse.games.dogpile.state import MOST_PLAYERS
from cardhouse.lab.questions.answer import Bar, Picture, Tale, advised, knows, two_digits
from cardhouse.lab.questions.question import Finding, Measure, mean
from cardhouse.lab.words.labels import capital

if TYPE_CHECKING:
    from cardhouse.lab.questions.answer import Values
    from cardhouse.lab.questions.question import Rows


class Thumbs(Dealt, frozen=True, kw_only=True):
    """The gap between rules of thumb and the best convention found."""

    name: ClassVar[str] = "thumbs"
    title: ClassVar[str] = "What should a silent team agree on?"
    about: ClassVar[str] = (
        "Plays each deal with several teams: one with the best plan found, one of careful bots, and one for "
        "each rule of thumb. Counts how many dogs silence costs each team, compared with the largest legal "
        "pack of all hands. The best team comes first. Needs two or more players, up to four suits and hands "
        "of up to seven."
    )
    asked: ClassVar[str] = (
        "{players} players with {hand_size} cards each and {jokers} jokers agree on a rule, then lay in silence."
    )
    at_once: ClassVar[int] = 1_000
    usual_trials: ClassVar[int] = 20_000
    advises: ClassVar[bool] = True

    def check(self) -> None:
        super().check()
        if not (self.players > 1 and self.has_team_kernel and self.has_kernel and suits_of(self.dogs, self.cards)):
            raise CardhouseError(
                f"A team to agree is two players or more, with a deck of four suits at most, two wild cards at most, "
                f"and hands of up to 7; not {self.players} with hands of {self.hand_size} and {self.dogs.name}."
            )

    @property
    def teams(self) -> dict[str, tuple[str, Convention | None]]:
        """The teams, each with its rule in words and its convention; the cautious bots have none."""
        return {
            "best": ("the best convention found", best_for(self.players)),
            "sure": ("touch no hidden card of another player, and spoil as few sides as possible", None),
            **THUMBS,
        }

    def measures(self) -> Sequence[Measure]:
        return [
            Measure("could", self.most + 1, "the cards of the largest pack there was"),
            *(Measure(name, self.most + 1, f"the dogs that join: {text}") for name, (text, _) in self.teams.items()),
            *(
                Measure(f"left_{name}", self.most + 1, f"how many more there could have been: {text}")
                for name, (text, _) in self.teams.items()
            ),
        ]

    def findings(self) -> Sequence[Finding]:
        return [
            mean("best", "dogs that join, with the best convention found", "best"),
            mean("could", "dogs that could have joined", "could"),
            *(
                mean(f"left_{name}", f"dogs that silence costs: {text}", f"left_{name}", ranked="left")
                for name, (text, _) in self.teams.items()
            ),
        ]

    def tale(self, values: Values) -> Tale | None:
        if not knows(values, "could", *(f"left_{name}" for name in self.teams)):
            return None
        costs = {name: values[f"left_{name}"] for name in self.teams}
        in_order = sorted(costs, key=costs.__getitem__)
        rule = next(name for name in in_order if name != "best")
        rest = self.teams[rule][0].partition("; ")[2]
        also = f"Also: {rest}. " if rest else ""
        line = (
            f"{also}Silence then costs {two_digits(costs[rule])} of {two_digits(values['could'])} dogs, and "
            f"{two_digits(costs['best'])} with the best agreement found."
        )
        bars = [
            Bar(capital(self.teams[name][0]), costs[name], two_digits(costs[name]), name == rule, f"left_{name}")
            for name in in_order
        ]
        _, most = values.ends(f"left_{rule}")
        others = {
            name: values.gap_between(f"left_{rule}", f"left_{name}")
            for name in costs
            if name not in (rule, "best") and values.ends(f"left_{name}")[0] < most
        }
        advice = {name: f"Agree: {self.teams[name][0].partition('; ')[0]}." for name in self.teams}
        return Tale(
            advised(advice, rule, others, values.trials, self.trial),
            line,
            Picture("Dogs that silence costs", "The fewer, the better.", bars=bars),
        )

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        import numpy as np

        from cardhouse.games.dogpile.lab.tables import sizes_by_suits

        drawn = self.dealt(seed, first, len(out))
        could = sizes_by_suits(self.dogs, self.cards, drawn)
        for place in (could == 0).nonzero()[0]:
            could[place] = largest_pack(*hands_of(drawn[place], self.cards), self.dogs).size
        out[:, 0] = could * (could > 1)
        for column, (_, convention) in enumerate(self.teams.values(), 1):
            rows = np.zeros((len(out), 3 + MOST_PLAYERS), np.int16)
            if convention is None:
                self.by_kernel(seed, first, rows, by_card=False, joins_alone=False)
            else:
                self.by_team(convention, seed, first, rows)
            out[:, column] = rows[:, 0]
            out[:, column + len(self.teams)] = out[:, 0] - rows[:, 0]

    def played(self, seed: int, trial: int) -> Table:
        return self.played_by("best", seed, trial)

    def row_of(self, table: Table) -> Sequence[int]:
        game = table.game
        assert isinstance(game, Dogpile)
        assert game.leader is not None
        held = [[*game.hands[seat], *(one.card for one in game.laid if one.seat == seat)] for seat in game.clockwise()]
        drawn = [self.cards.index(card) for card in (*chain(*held), game.leader)]
        could = largest_pack(game.leader, [*chain(*held)], self.dogs).size
        dogs = []
        for _, convention in self.teams.values():
            bot = bot_for(convention) if convention else "sure"
            dogs.append(round_of(one_round(self.players, self.options, self.cards, drawn, bot, Random(0)))[0])
        could *= could > 1
        return [could, *dogs, *(could - some for some in dogs)]
