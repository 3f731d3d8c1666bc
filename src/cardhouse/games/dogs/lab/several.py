"""Lab questions about conflicts of more than two, and about follow-ups, played by the full rules."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import msgspec

from cardhouse.engine import CardhouseError, Table
from cardhouse.games.dogs.fallout.odds import SEVERITIES
from cardhouse.games.dogs.lab.by_rules import ConflictResult, Contestant, Story, replay, results_of, run
from cardhouse.games.dogs.lab.opponents import Playing, stats_from, things_from
from cardhouse.games.dogs.lab.two_side_question import HOW, STARTERS, Arena, WhoStarts
from cardhouse.games.dogs.people.sheet import MOST_POINTS, Thing
from cardhouse.games.dogs.state import DogsOptions
from cardhouse.lab.questions.answer import Picture, Tale, columns_of, counted, knows, or_else, percent
from cardhouse.lab.questions.question import Finding, Measure, Question, mean, share
from cardhouse.lab.words.labels import capital

if TYPE_CHECKING:
    from cardhouse.lab.questions.answer import Values
    from cardhouse.lab.questions.question import Rows

MOST = 256
"""The number of bins for Raises and fallout cards; the last one takes everything above."""

HOW_WELL = (
    f"{HOW}; best solves its hand against the opponent's; thumb uses a rule of thumb. Against several opponents, "
    "best and thumb play like bold"
)
Plays = Annotated[Playing, msgspec.Meta(description=f"how the hero plays: {HOW_WELL}")]
OtherPlays = Annotated[Playing, msgspec.Meta(description="how the opponent plays")]

Many = Annotated[int, msgspec.Meta(ge=1, le=4)]


def contestant(
    name: str, side: int, policy: Playing, stats: str, brings: str, *, setting: str, spare: bool = False
) -> Contestant:
    """Return a participant of a lab conflict.

    Raises CardhouseError, naming the setting, if its values are impossible.
    """
    points = stats_from(stats)
    if points.total > MOST_POINTS:
        raise CardhouseError(f"{setting}: they add up to {points.total}, and {MOST_POINTS} is the most (DV-1).")
    things = (Thing(f"Thing {number}", "trait", *draws) for number, draws in enumerate(things_from(brings), 1))
    return Contestant(name, side, policy, points, tuple(things), spare)


class _RulesQuestion(Question, frozen=True, kw_only=True):
    """A question whose trials are conflicts played by the full rules."""

    game: ClassVar[str] = "dogs"
    trial: ClassVar[str] = "conflict"
    compiled: ClassVar[bool] = False
    at_once: ClassVar[int] = 50
    usual_trials: ClassVar[int] = 2_000

    def story(self, trial: int) -> Story:
        """Return the conflicts of a trial.

        Raises CardhouseError if the settings are impossible.
        """
        raise NotImplementedError

    def row(self, results: Sequence[ConflictResult], trial: int) -> list[int]:
        """Return the measured numbers of these conflicts."""
        raise NotImplementedError

    def check(self) -> None:
        self.story(0)

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        for place in range(len(out)):
            trial = first + place
            simulation, _ = run(self.story(trial), _chance(seed, trial))
            out[place] = [
                min(number, measure.size - 1)
                for number, measure in zip(self.row(simulation.results, trial), self.measures(), strict=True)
            ]

    def played(self, seed: int, trial: int) -> Table:
        return replay(self.story(trial), _chance(seed, trial))

    def row_of(self, table: Table) -> Sequence[int]:
        trial = 0  # the row doesn't depend on it
        return self.row(results_of(table, self.story(trial)), trial)


def _chance(seed: int, trial: int) -> Random:
    return Random(f"{seed} {trial}")


class Several(_RulesQuestion, frozen=True, kw_only=True):
    """A conflict of several heroes against several opponents."""

    name: ClassVar[str] = "several"
    title: ClassVar[str] = "What is a companion worth?"
    about: ClassVar[str] = (
        "Plays a conflict of three or more: identical heroes against identical opponents. The opponents form "
        "one side, or each is a side. Counts who wins, and at what price. Characters don't help each other, "
        "and each Raise is against everyone on other sides. Trials play the full rules, which is slower."
    )

    asked: ClassVar[str] = (
        "{ones} heroes with Stats {stats} and traits {brings} face {others} opponents with Stats {other_stats} and "
        "traits {other_brings}."
    )

    ones: Annotated[Many, msgspec.Meta(description="number of heroes")] = 2
    others: Annotated[Many, msgspec.Meta(description="number of opponents")] = 1
    together: Annotated[
        bool, msgspec.Meta(description="whether the opponents are one side; otherwise each is their own")
    ] = True
    stats: Annotated[str, msgspec.Meta(description="each hero's Acuity, Body, Heart and Will")] = "3 2 2 2"
    brings: Annotated[str, msgspec.Meta(description="each hero's traits, by their marks, separated by spaces")] = (
        "- o +"
    )
    policy: Plays = "thrifty"
    other_stats: Annotated[str, msgspec.Meta(description="each opponent's Acuity, Body, Heart and Will")] = "3 2 2 2"
    other_brings: Annotated[str, msgspec.Meta(description="each opponent's traits")] = "- o +"
    other_policy: OtherPlays = "thrifty"
    arena: Arena = "talking"
    starter: WhoStarts = "turns"
    decks: Annotated[int, msgspec.Meta(ge=1, le=2, description="number of decks (DV-13)")] = 1

    def story(self, trial: int) -> Story:
        ones = [
            contestant(f"One {number}", 0, self.policy, self.stats, self.brings, setting="stats")
            for number in range(1, self.ones + 1)
        ]
        others = [
            contestant(
                f"Other {number}",
                1 if self.together else number,
                self.other_policy,
                self.other_stats,
                self.other_brings,
                setting="other_stats",
            )
            for number in range(1, self.others + 1)
        ]
        starts = STARTERS.index(self.starter) if self.starter != "turns" else trial % 2
        options = DogsOptions(decks=2 if self.decks == 2 else 1)
        return Story((*ones, *others), (self.arena,), options, (ones, others)[starts][0].name)

    def measures(self) -> Sequence[Measure]:
        return [
            Measure("won", 2, "whether the one side wins"),
            Measure("raises", MOST, "Raises it takes"),
            Measure("blows", MOST, "cards of fallout of the first of the one side"),
            Measure("side_blows", MOST, "cards of fallout of the whole one side"),
            Measure("other_blows", MOST, "cards of fallout of all others"),
            Measure(
                "suffers", len(SEVERITIES) + 1, "the fallout of the first of the one side: 0 none, 1 short-term to 5"
            ),
        ]

    def findings(self) -> Sequence[Finding]:
        return [
            share("wins", "the heroes win", "won", 1),
            mean("raises", "Raises it takes", "raises"),
            mean("blows", "fallout cards of the first hero", "blows"),
            mean("side_blows", "fallout cards of all heroes", "side_blows"),
            mean("other_blows", "fallout cards of the opponents", "other_blows"),
            share("unhurt", "the first hero has no fallout", "blows", 0, 0),
            share("injured", "the first hero is injured or worse", "suffers", SEVERITIES.index("injured") + 1),
        ]

    def tale(self, values: Values) -> Tale | None:
        if not knows(values, "wins", "unhurt", "injured"):
            return None
        heroes, others = counted(self.ones, "hero", "heroes"), counted(self.others, "opponent")
        verb = "beats" if self.ones == 1 else "beat"
        sentence = f"{capital(heroes)} {verb} {others} in {percent(values['wins'])} of conflicts."
        line = (
            f"The first hero has no fallout in {percent(values['unhurt'])}, and is injured or worse in "
            f"{percent(values['injured'])}."
        )
        picture = or_else("A hundred conflicts", "the heroes win", "they lose", values["wins"], ("person", "card"))
        return Tale(sentence, line, picture)

    def row(self, results: Sequence[ConflictResult], trial: int) -> list[int]:
        (only,) = results
        first = self.story(trial).people[0].name
        severity = only.severities.get(first)
        ones = sum(number for name, number in only.blows.items() if name.startswith("One"))
        return [
            int(only.won == 0),
            only.raises,
            only.blows.get(first, 0),
            ones,
            sum(only.blows.values()) - ones,
            0 if severity is None else SEVERITIES.index(severity) + 1,
        ]


class FollowUp(_RulesQuestion, frozen=True, kw_only=True):
    """A conflict of two, followed at once by a second one."""

    name: ClassVar[str] = "followup"
    title: ClassVar[str] = "What is a kept card worth?"
    about: ClassVar[str] = (
        "Plays a conflict of two characters, and then a second one with the card that the loser kept (DV-22, "
        "DV-24). In between, both make the choices they owe: 1 card fewer, the highest Stat lower, a new "
        "regular trait. If one is hurt too badly, there is no second conflict. Trials play the full rules, "
        "which is slower."
    )

    asked: ClassVar[str] = (
        "The first conflict begins with {arena}, the second with {then}. The {opens_next} starts it. The loser "
        "keeps the {keep_on_give} card."
    )

    keep_on_give: Annotated[Literal["second", "best"], msgspec.Meta(description="card kept after giving (DV-22)")] = (
        "second"
    )
    follows: Annotated[
        bool,
        msgspec.Meta(
            description=("whether the second conflict is a follow-up; otherwise the kept card is lost (DV-24)")
        ),
    ] = True
    opens_next: Annotated[
        Literal["loser", "winner"],
        msgspec.Meta(description=("who starts the second conflict: the loser or the winner of the first")),
    ] = "loser"
    spare: Annotated[
        bool, msgspec.Meta(description="whether the opponent is an NPC whose fallout doesn't matter (DV-24)")
    ] = False
    stats: Annotated[str, msgspec.Meta(description="the hero's Acuity, Body, Heart and Will")] = "3 2 2 2"
    brings: Annotated[str, msgspec.Meta(description="the hero's traits, by their marks, separated by spaces")] = "- o +"
    policy: Plays = "plain"
    other_stats: Annotated[str, msgspec.Meta(description="the opponent's Acuity, Body, Heart and Will")] = "3 2 2 2"
    other_brings: Annotated[str, msgspec.Meta(description="the opponent's traits")] = "- o +"
    other_policy: OtherPlays = "plain"
    arena: Arena = "talking"
    then: Annotated[
        Literal["talking", "physical", "fighting", "guns"],
        msgspec.Meta(description=("first arena of the second conflict")),
    ] = "physical"
    starter: WhoStarts = "turns"

    def story(self, trial: int) -> Story:
        one = contestant("One", 0, self.policy, self.stats, self.brings, setting="stats")
        other = contestant(
            "The other",
            1,
            self.other_policy,
            self.other_stats,
            self.other_brings,
            setting="other_stats",
            spare=self.spare,
        )
        starts = STARTERS.index(self.starter) if self.starter != "turns" else trial % 2
        options = DogsOptions(decks=1, keep_on_give=self.keep_on_give)
        two = (one, other)
        return Story(two, (self.arena, self.then), options, two[starts].name, self.opens_next, self.follows)

    def measures(self) -> Sequence[Measure]:
        return [
            Measure("again", 3, "what follows: 0 nothing, 1 who lost the first loses again, 2 wins"),
            Measure("one_again", 3, "of the one: 0 no second conflict, 1 it loses that, 2 it wins it"),
            Measure("won", 2, "whether the one wins the first"),
            Measure("raises", MOST, "Raises of both"),
            Measure("next_raises", MOST, "Raises of the second, where there is one"),
        ]

    def findings(self) -> Sequence[Finding]:
        return [
            share("turns", "the loser of the first conflict wins the second", "again", 2, 2, given_least=1),
            share("happens", "there is a second conflict", "again", 1),
            share("wins", "the hero wins the first conflict", "won", 1),
            share("wins_next", "the hero wins the second conflict", "one_again", 2, 2, given_least=1),
            mean("raises", "Raises of both", "raises"),
            mean("next_raises", "Raises of the second", "next_raises", given_least=1),
        ]

    def tale(self, values: Values) -> Tale | None:
        if not knows(values, "turns", "happens", "wins", "wins_next"):
            return None
        sentence = f"The loser of the first conflict wins the second in {percent(values['turns'])}."
        happens, turns = values["happens"], values["turns"]
        line = (
            f"A second one follows in {percent(happens)}. The hero wins {percent(values['wins'])} of the first and "
            f"{percent(values['wins_next'])} of the second conflicts."
        )
        columns = columns_of(
            ("the loser wins the second", happens * turns, "person"),
            ("the loser loses again", happens * (1 - turns), "card"),
            ("no second conflict", 1 - happens, "card"),
            bright="the loser wins the second",
        )
        return Tale(sentence, line, Picture("A hundred first conflicts", columns=columns))

    def row(self, results: Sequence[ConflictResult], trial: int) -> list[int]:
        first, *more = results
        raises = sum(one.raises for one in results)
        if not more:
            return [0, 0, int(first.won == 0), raises, 0]
        (second,) = more
        return [1 + (second.won != first.won), 1 + (second.won == 0), int(first.won == 0), raises, second.raises]
