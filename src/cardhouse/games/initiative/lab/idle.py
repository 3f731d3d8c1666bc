"""The lab question of how long a character waits between two turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec
import numpy as np

from cardhouse.cards import rank_of
from cardhouse.engine import Action, Ask, CardhouseError, Event, Table
from cardhouse.games.initiative.lab.rounds import RoundsQuestion, story_of
from cardhouse.games.initiative.lab.sides import (
    COLUMNS,
    SIDES,
    Fighter,
    Waits,
    WaitsWell,
    answer_by,
    by_rank,
    column,
    side_name,
    soonest,
)
from cardhouse.games.initiative.rules import Initiative
from cardhouse.lab.questions.answer import Picture, Tale, in_a_row, knows, percent, steps, two_digits
from cardhouse.lab.questions.optimality import BestPlay, strategy_with
from cardhouse.lab.questions.question import Finding, Measure, finding_of, line_of, mean, share
from cardhouse.lab.words.labels import capital

if TYPE_CHECKING:
    from cardhouse.lab.questions.answer import Values
    from cardhouse.lab.questions.question import Rows

ABOUT = "Acting at once brings the next turn the soonest on average: a card that acts is never burned, nor sent back."
MOST_WAIT = 400
"""The longest wait that is counted; longer ones count as this."""


class Idle(RoundsQuestion, frozen=True, kw_only=True):
    """The number of others' turns between two turns of one character."""

    name: ClassVar[str] = "idle"
    title: ClassVar[str] = "How long do you wait between two turns?"
    about: ClassVar[str] = (
        "Plays rounds of card initiative, and counts the other turns between a character's last turn in one "
        "round and the first in a later one. A character who loses the action to the black joker waits a "
        "round longer. Exact for sides that aren't too large, and for any size if nobody waits."
    )
    asked: ClassVar[str] = (
        "The hero holds a {hero}, one of {mine} against {theirs}. A wait is long from {long} turns on. When your side "
        "waits: {wait}. When theirs does: {their_wait}."
    )
    trial: ClassVar[str] = "wait"
    at_once: ClassVar[int] = 20_000

    wait: Annotated[
        WaitsWell,
        msgspec.Meta(
            description=(
                "when your side waits: never, always, lower (only for lower cards), or best for the shortest wait "
                "(the same as never)"
            )
        ),
    ] = "never"
    their_wait: Annotated[WaitsWell, msgspec.Meta(description="when the others wait, each for themselves")] = "never"
    long: Annotated[int, msgspec.Meta(ge=1, le=MOST_WAIT - 1, description="turns of others that make a wait long")] = 12

    def check(self) -> None:
        super().check()
        if self.wait == "best" and self.hero.upper() == "A":
            raise CardhouseError(
                "Best is for the shortest wait, and how an ace should wait for that, which has two turns, isn't known."
            )

    def how(self, who: Fighter) -> Waits:
        """Return how a character waits for its turn."""
        return soonest(self.their_wait if who.side else self.wait)

    def measures(self) -> Sequence[Measure]:
        return [
            Measure(
                "within", MOST_WAIT + 2, "1 + turns of others between the hero's two of a round; 0: it had not two"
            ),
            *(
                Measure(
                    f"wait_{SIDES[side]}_{rank}",
                    MOST_WAIT + 2,
                    f"1 + turns of others while the {rank} of {side_name(side)} waits; 0: there is none",
                )
                for side, rank in COLUMNS
            ),
        ]

    def findings(self) -> Sequence[Finding]:
        fighters, measure = self.fighters(), measure_of(self.fighters()[self.hero_place()])
        counted: dict[str, Any] = {"given_least": 1, "zero": 1}
        at_most = 2 * (len(fighters) + sum(rank_of(who.card) == "A" for who in fighters))
        longer = f"{self.long} or more"
        return [
            mean("wait", "turns of others between two rounds' turns of the hero", measure, **counted),
            share("long", f"these are {longer}", measure, 1 + self.long, given_least=1),
            share("at_once", "there are none: it has two turns in a row", measure, 1, 1, given_least=1),
            *(
                [mean("within", "turns of others between the hero's two turns of a round", "within", **counted)]
                if self.hero.upper() == "A"
                else []
            ),
            *line_of(
                (
                    share(f"wait_{n}", f"the hero waits for {n} or more", measure, 1 + n, given_least=1)
                    for n in range(1, at_most + 1)
                ),
                "waits",
                "The hero waits for n turns of others or more",
                "turns of others",
            ),
            *self.by_rank(fighters),
        ]

    def tale(self, values: Values) -> Tale | None:
        last = max((int(key.removeprefix("wait_")) for key in values if key[len("wait_") :].isdecimal()), default=0)
        steep = steps(values, "wait", range(1, last + 1), 1.0)
        if steep is None or not knows(values, "wait", "long", "at_once"):
            return None
        shares = [*(-step for step in steep), values[f"wait_{last}"]]
        sentence = f"{capital(self.the_hero)} waits through {two_digits(values['wait'])} turns of others."
        line = (
            f"That is the average from one round's turn to the next. {percent(values['long'])} of waits last "
            f"{self.long} turns or more, and {percent(values['at_once'])} none at all."
        )
        row = in_a_row(shares, 0, round(values["wait"]), and_more=True)
        return Tale(sentence, line, Picture("A hundred waits, by turns of others", columns=row))

    def by_rank(self, fighters: Sequence[Fighter]) -> Iterator[Finding]:
        """Yield the mean wait and the frequency of long waits, by rank."""
        means, longs = [], []
        for side in range(1 + any(who.side == 1 for who in fighters)):
            for who in by_rank(fighters, side):
                rank, measure = rank_of(who.card), measure_of(who)
                name, one = f"{SIDES[side]}_{rank}", f"the {rank} of {side_name(side)}"
                drawn: dict[str, Any] = {"x": float(who.rank), "bar": rank, "of": side_name(side), "given_least": 1}
                means.append(mean(f"wait_{name}", f"turns of others while {one} waits", measure, zero=1, **drawn))
                longs.append(
                    share(f"long_{name}", f"{one} waits for {self.long} or more", measure, 1 + self.long, **drawn)
                )
        yield from line_of(means, "mean_waits", "Mean wait, by rank", "rank")
        yield from line_of(longs, "longs", f"Waits for {self.long} or more, by rank", "rank")

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        from cardhouse.games.initiative.lab.kernels.rounds import BITS, waits

        rank, columns = self.arrays()
        bits = np.array([BITS[self.how(who)] for who in self.fighters()], np.int64)
        waits(rank, bits, columns, self.hero_place(), MOST_WAIT, seed, first, out, log)

    def exact(self) -> Mapping[str, float]:
        from cardhouse.games.initiative.lab.exact import exact_waits, finding_value

        fighters = self.fighters()
        found = exact_waits([(who, self.how(who)) for who in fighters])
        known = {measure_of(fighters[place]): np.concatenate([[0.0], chances]) for place, chances in found.items()}
        return {
            one.key: finding_value(one, known[one.measure]) - one.zero * (one.kind == "mean")
            for one in self.findings()
            if one.measure in known
        }

    def best_play(self) -> BestPlay | None:
        if self.hero.upper() == "A":
            return None
        finding = finding_of(self, "wait")
        way = partial(strategy_with, self, finding)
        more, less = "wait for {} turns more", "wait for {} turns less"
        thumbs = (way("act as soon as you may", wait="never"),)
        proven = not any(rank_of(who.card) == "A" for who in self.fighters())
        return BestPlay(
            finding, more, less, ABOUT, way("as asked"), way("best", wait="best"), thumbs, True, proven=proven
        )

    def played(self, seed: int, trial: int) -> Table:
        def respond(game: Initiative, asked: Ask) -> Action:
            who = next(who for who in self.fighters() if who.card == game.named(asked.about["name"]).card)
            return answer_by(game, asked, self.how(who))

        return self.replay(
            seed, trial, [respond], lambda table: not all(self.row_of(table)[1 + at] for at in self.there)
        )

    @property
    def there(self) -> Sequence[int]:
        """The columns of characters whose waits are measured, after the fixed one."""
        return [column(who) for who in self.fighters() if column(who) >= 0]

    def row_of(self, table: Table) -> Sequence[int]:
        by_name = {who.name: who for who in self.fighters()}
        hero = self.fighters()[self.hero_place()].name
        waits: dict[str, int] = {}
        within = 0
        turns = turns_of_rounds(story_of(table))
        for name in by_name:
            own = [(turn, number) for turn, (who, number) in enumerate(turns) if who == name]
            first = [turn for turn, number in own if number == own[0][1]]
            if later := [turn for turn, number in own if number > own[0][1]] if own else []:
                waits[name] = later[0] - first[-1]
            if name == hero and len(first) == 2:
                within = first[1] - first[0]
        by_column = {column(by_name[name]): min(wait, MOST_WAIT + 1) for name, wait in waits.items()}
        return [within, *(by_column.get(place, 0) for place in range(len(COLUMNS)))]


def measure_of(who: Fighter) -> str:
    """Return the measure of a character's wait; for a side without columns, a name that no measure has."""
    return f"wait_{SIDES[who.side]}_{rank_of(who.card)}"


def turns_of_rounds(story: Sequence[Event]) -> list[tuple[str, int]]:
    """Return the name and round of each turn, in order."""
    number, turns = 0, []
    for event in story:
        number += event.key == "round_begins"
        if event.key == "acts":
            turns.append((str(event.about["name"]), number))
    return turns
