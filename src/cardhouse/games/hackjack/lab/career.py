"""Hackjack in the lab: a character's career over several fights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from cardhouse.engine import GM, Action, Event, Table
from cardhouse.games.hackjack.lab.damage import (
    DEAD_FOR_GOOD,
    MOST_FOR_GOOD,
    MOST_HITS,
    nearest_weeks,
    read_damage,
)
from cardhouse.games.hackjack.lab.deadly import permanent_findings, permanent_wounds
from cardhouse.games.hackjack.lab.gap_to_best import compare_with_best
from cardhouse.games.hackjack.lab.hit_question import HERO, HitQuestion
from cardhouse.games.hackjack.lab.policies import read_prevent
from cardhouse.games.hackjack.lab.wound_question import check_not_too_long
from cardhouse.games.hackjack.rules import Hackjack
from cardhouse.games.hackjack.state import (
    DAYS,
    ROUGHEST,
    AddCharacter,
    BeginRound,
    Cure,
    Heal,
    Recover,
    Rest,
)
from cardhouse.lab.questions.answer import Picture, Tale, columns_of, ordinal, steps, too_few, verdict
from cardhouse.lab.questions.question import Finding, Measure, line_of, mean, share
from cardhouse.lab.statistics.settling import gap_to
from cardhouse.lab.words.numbers import how_many

if TYPE_CHECKING:
    from cardhouse.lab.questions.answer import Values
    from cardhouse.lab.questions.optimality import BestPlay
    from cardhouse.lab.questions.question import Rows

MOST_FIGHTS = 40
MOST_WEEKS = 78 * MOST_FIGHTS
"""An upper bound: at most half a year three times over for each fight (HJ-17)."""


class Career(HitQuestion, frozen=True, kw_only=True):
    """The career of a character who is hurt in fight after fight."""

    name: ClassVar[str] = "career"
    title: ClassVar[str] = "How does a career go?"
    about: ClassVar[str] = (
        "Plays a character through up to ten fights. After each, they recover fully and keep only permanent "
        "wounds (HJ-19): scars, and wounds that hinder. Counts the fight in which they die or retire, the "
        "permanent wounds, the HP lost and the weeks of recovery. Retiring isn't a rule of the game; players "
        "do it."
    )
    asked: ClassVar[str] = (
        "A character with {hp} HP takes {hits} hits of {damage} per fight, for up to {fights} fights, and retires with "
        "{retire} permanent wounds."
    )
    trial: ClassVar[str] = "career"
    at_once: ClassVar[int] = 20_000
    usual_trials: ClassVar[int] = 200_000

    hits: Annotated[int, msgspec.Meta(ge=1, le=MOST_HITS, description="hits per fight, one per round")] = 3
    fights: Annotated[int, msgspec.Meta(ge=1, le=MOST_FIGHTS, description="most fights")] = 10
    retire: Annotated[
        int,
        msgspec.Meta(
            ge=0,
            le=MOST_FOR_GOOD,
            description="permanent hindering wounds before retiring; scars and fingers don't count, 0 means never",
        ),
    ] = 3

    def measures(self) -> Sequence[Measure]:
        fights = MOST_FIGHTS + 1
        return [
            Measure("died", fights, "the fight in which it died; 0: it did not"),
            Measure("retired", fights, "the fight after which it retired; 0: it did not"),
            Measure("lived", fights, "the fights that it lived through"),
            Measure("first", fights, "the fight that left the first wound for good; 0: none did"),
            Measure("for_good", DEAD_FOR_GOOD + 1, f"the wounds it has for good; {DEAD_FOR_GOOD}: it died"),
            Measure("hinders", DEAD_FOR_GOOD + 1, f"of these, those that hinder it; {DEAD_FOR_GOOD}: it died"),
            Measure("lost_hp", DEAD_FOR_GOOD + 1, f"hit points lost of its maximum; {DEAD_FOR_GOOD}: it died"),
            Measure("weeks", MOST_WEEKS + 1, "weeks of recovery in all, of all fights lived through"),
            Measure("goes_on", 2, "1: it neither died nor retired"),
        ]

    def findings(self) -> Sequence[Finding]:
        fights = range(1, self.fights + 1)
        after = f"after {self.fights} fights"
        return [
            mean("lived", "fights that a character lives through", "lived", cut_off_by="fights", cut_off_in="goes_on"),
            share("dead", f"dead within {self.fights} fights", "died", 1),
            share("retired", f"retired for its wounds within {self.fights} fights", "retired", 1),
            share("goes_on", f"neither dead nor retired {after}", "goes_on", 1),
            mean("first", "the fight that leaves the first wound for good, where one does", "first", given_least=1),
            *permanent_findings("for_good", "has a permanent wound", "permanent wounds"),
            *permanent_findings("hinders", "has a permanent wound that hinders", "permanent wounds that hinder"),
            mean("lost_hp", "hit points of the maximum lost, of those who live", "lost_hp", given_most=MOST_FOR_GOOD),
            mean("weeks", "weeks of recovery in all", "weeks"),
            *line_of(
                (share(f"dead_by_{fight}", f"dead by fight {fight}", "died", 1, fight) for fight in fights),
                "dead_by",
                "Dead by fight n",
                "fight",
            ),
            *line_of(
                (share(f"retired_by_{fight}", f"retired by fight {fight}", "retired", 1, fight) for fight in fights),
                "retired_by",
                "Retired by fight n",
                "fight",
            ),
            *line_of(
                (
                    share(f"first_by_{fight}", f"lived to have a wound for good by fight {fight}", "first", 1, fight)
                    for fight in fights
                ),
                "first_by",
                "Lived to have a wound for good by fight n",
                "fight",
            ),
        ]

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        from cardhouse.games.hackjack.lab.kernels import hits as kernel

        too_long = kernel.careers(
            self.book(),
            kernel.recovery_table(),
            read_damage(self.damage),
            self.critical,
            self.hp,
            self.hits,
            self.fights,
            self.retire,
            read_prevent(self.prevent),
            seed,
            first,
            out,
            log,
        )
        check_not_too_long(too_long)

    def tale(self, values: Values) -> Tale | None:
        ends = [steps(values, f"{how}_by", range(1, self.fights + 1), 0.0) for how in ("dead", "retired")]
        if ends[0] is None or ends[1] is None:
            return None
        dead, retired = sum(ends[0]), sum(ends[1])
        fights = how_many(self.fights, "fight")
        columns = columns_of(
            ("dead", dead, "stone"), ("retired", retired, "person"), ("goes on", 1 - dead - retired, "person"),
            bright="goes on",
        )  # fmt: skip
        line = (
            f"After {fights} with {how_many(self.hits, 'hit')} each, {columns[0].count} of 100 are dead, "
            f"{columns[1].count} have retired, and {columns[2].count} go on."
        )
        return Tale(self._half_over(values), line, Picture(f"A hundred careers after {fights}", columns=columns))

    def _half_over(self, values: Values) -> str:
        """Return the sentence on how long half of all careers last, as far as the intervals tell."""
        for fight in range(1, self.fights + 1):
            (low, high), (retired_low, retired_high) = (values.ends(f"{how}_by_{fight}") for how in ("dead", "retired"))
            sure = verdict(low + retired_low, high + retired_high)
            if sure in ("over", "even"):
                many = "Most" if sure == "over" else "About half of all"
                return f"{many} careers end by the {ordinal(fight)} fight."
        fights = how_many(self.fights, "fight")
        if sure == "under":
            return f"Most careers outlast {fights}."
        over = sum(values[f"{how}_by_{self.fights}"] for how in ("dead", "retired"))
        gap = gap_to(0.5, over, low + retired_low, high + retired_high)
        return too_few(self.trial, f"if most outlast {fights}", values.trials, gap)

    def best_play(self) -> BestPlay:
        return compare_with_best(self, "lived", "live through {} fights more", "live through {} fights fewer")

    def story(self, table: Table, chance: Iterator[int]) -> Iterator[tuple[str, Action]]:
        game, policies = table.game, self.policies()
        assert isinstance(game, Hackjack)
        yield GM, AddCharacter(HERO, self.hp, self.hp)
        for _ in range(self.fights):
            for _ in range(self.hits):
                yield GM, BeginRound()
                yield from policies.declarations(table, game)
                yield from self.roll_hit(HERO, table, game, policies, chance)
                if not game.named(HERO).alive:
                    return
            yield from recover_fully(game)
            if 0 < self.retire <= self._permanent_wounds(table)[1]:
                return

    def _permanent_wounds(self, table: Table) -> tuple[int, int]:
        """Return the number of permanent wounds suffered, and how many of them hinder."""
        assert isinstance(table.game, Hackjack)
        return permanent_wounds(table.game, (entry.events for entry in table.entries))

    def row_of(self, table: Table) -> Sequence[int]:
        game = table.game
        assert isinstance(game, Hackjack)
        hero, fights = game.named(HERO), events_by_fight(table)
        lived = len(fights) - (not hero.alive)
        stays = self._permanent_wounds(table)
        retires = hero.alive and 0 < self.retire <= stays[1]
        marked = [any(permanent_wounds(game, [events])) for events in fights[:lived]]
        days = [
            event.about["amount"] * DAYS[event.about["unit"]]
            for events in fights
            for event in events
            if event.key == "recovery"
        ]
        return [
            0 if hero.alive else len(fights),
            lived if retires else 0,
            lived,
            marked.index(True) + 1 if True in marked else 0,
            *(stays if hero.alive else (DEAD_FOR_GOOD, DEAD_FOR_GOOD)),
            min(self.hp - hero.max_hp, MOST_FOR_GOOD) if hero.alive else DEAD_FOR_GOOD,
            nearest_weeks(sum(days)),
            int(hero.alive and not retires),
        ]


def recover_fully(game: Hackjack) -> Iterator[tuple[str, Action]]:
    """Heal, rest, recover and cure the hero of everything that isn't permanent."""
    hero = game.named(HERO)
    while hurt := hero.blood + hero.death_score + max(0, hero.max_hp - hero.hp):
        yield GM, Heal(HERO, min(hurt, ROUGHEST))
    yield GM, Rest(HERO)
    if hero.recovery is not None:
        yield GM, Recover(HERO)
    while passing := [taken.card for taken in hero.wounds if game.wound_of(taken).ends != "permanent"]:
        yield GM, Cure(HERO, passing[0])


def events_by_fight(table: Table) -> list[list[Event]]:
    """Return the events of each fight and its recovery. A fight begins with the first round after a recovery."""
    by_fight: list[list[Event]] = []
    well = True
    for entry in table.entries:
        did = entry.lines[0].get("do")
        if did == "begin_round" and well:
            by_fight.append([])
        well = did in ("add_character", "heal", "rest", "recover", "cure")
        if by_fight:
            by_fight[-1] += entry.events
    return by_fight
