"""Hackjack in the lab: how deadly it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec

from cardhouse.engine import GM, Action, Entry, Event, Table
from cardhouse.games.hackjack.lab.damage import (
    BLED_OUT,
    BY_CARDS,
    DEAD_FOR_GOOD,
    DEAD_TRAUMA,
    DEAD_WEEKS,
    LIVES,
    MASSIVE,
    MOST_BLOOD,
    MOST_FOR_GOOD,
    MOST_HITS,
    NEVER_DOWN,
    OUTRIGHT,
    nearest_weeks,
    read_damage,
)
from cardhouse.games.hackjack.lab.gap_to_best import compare_with_best
from cardhouse.games.hackjack.lab.hit_question import HERO, HitQuestion
from cardhouse.games.hackjack.lab.policies import read_prevent
from cardhouse.games.hackjack.lab.wound_question import WOUNDS, check_not_too_long, settings_from
from cardhouse.games.hackjack.rules import Hackjack
from cardhouse.games.hackjack.state import (
    AddCharacter,
    BeginRound,
    Rest,
)
from cardhouse.games.hackjack.thresholds import is_too_much
from cardhouse.lab.questions.answer import (
    MOST_COLUMNS,
    Column,
    Picture,
    Tale,
    hundred,
    ordinal,
    percent,
    steps,
    too_few,
    verdict,
)
from cardhouse.lab.questions.question import Finding, Measure, Situation, line_of, mean, share
from cardhouse.lab.questions.settings import situation
from cardhouse.lab.words.numbers import how_many

if TYPE_CHECKING:
    from cardhouse.lab.questions.answer import Values
    from cardhouse.lab.questions.optimality import BestPlay
    from cardhouse.lab.questions.question import Rows

MOST_OTHERS = 9

BLEEDS = ("bleeds", "red_card", "old_wound_opens")
"""The events that add Blood to a pool (HJ-9, HJ-12, HJ-13)."""


class Deadly(HitQuestion, frozen=True, kw_only=True):
    """The fate of a character who is hit again and again."""

    name: ClassVar[str] = "deadly"
    title: ClassVar[str] = "How deadly is it?"
    about: ClassVar[str] = (
        "Hits a character once per round until they are dead or the hits are used up. Counts the hit that "
        "kills, the saves by an exact 21, the hits survived after going down, and the weeks of recovery. "
        "Other characters may be hit the same way and draw from the same deck. The first hits are exact if "
        "only the hero draws from the deck."
    )
    asked: ClassVar[str] = (
        "A character with {hp} HP is hit for {damage}, up to {hits} times. To prevent blood loss: {prevent}."
    )
    trial: ClassVar[str] = "fight"

    hits: Annotated[int, msgspec.Meta(ge=1, le=MOST_HITS, description="most hits, one per round")] = 10
    others: Annotated[
        int,
        msgspec.Meta(
            ge=0,
            le=MOST_OTHERS,
            description=("other characters who draw from the same deck and are hit each round, too"),
        ),
    ] = 0

    @classmethod
    def from_table(cls, view: Mapping[str, Any], options: Mapping[str, Any]) -> list[Situation]:
        standing = [one for one in view["characters"] if one["alive"] and not one["down"] and one["hp"] > 0]
        rules = settings_from(options)
        return [situation(cls, one["name"], {**rules, "hp": one["hp"]}) for one in standing]

    def measures(self) -> Sequence[Measure]:
        hits = MOST_HITS + 1
        return [
            Measure("died", hits, "the hit at which it died; 0: it lives"),
            Measure("reset", hits, "the hit at which an exact 21 first saved it; 0: none did"),
            Measure("down", hits, "the hit that took it down; 0: none did"),
            Measure(
                "survived",
                NEVER_DOWN + 1,
                f"hits it survived, counted from the one that took it down; {NEVER_DOWN}: none did",
            ),
            Measure("trauma", DEAD_TRAUMA + 1, f"Trauma of those who live; {DEAD_TRAUMA}: dead"),
            Measure("weeks", DEAD_WEEKS + 1, f"weeks of recovery of those who live; {DEAD_WEEKS}: dead"),
            Measure("blood", MOST_BLOOD + 1, "all Blood that came into its pool"),
            Measure("how", 5, "how it died: 0 not, 1 outright, 2 massive damage, 3 blood, 4 the cards alone"),
            Measure("lives_on", 2, "1: it was down and lives when there are no more hits"),
            Measure("for_good", DEAD_FOR_GOOD + 1, f"the wounds it has for good; {DEAD_FOR_GOOD}: it died"),
            Measure("hinders", DEAD_FOR_GOOD + 1, f"of these, those that hinder it; {DEAD_FOR_GOOD}: it died"),
            *WOUNDS.measures(),
        ]

    def findings(self) -> Sequence[Finding]:
        hits, limit = range(1, self.hits + 1), self.limit
        return [
            share("dead", f"dead within {self.hits} hits", "died", 1),
            share("saved", f"saved by an exact {limit} at least once", "reset", 1),
            share("fell", "goes down", "down", 1),
            mean(
                "survived",
                "hits survived, counted from the one that takes it down",
                "survived",
                given_most=MOST_HITS,
                cut_off_by="hits",
                cut_off_in="lives_on",
            ),
            mean("killing_hit", "the hit that kills those who die", "died", given_least=1),
            share("outright", "killed outright, without a card (HJ-3)", "how", OUTRIGHT, OUTRIGHT),
            share("massive", "killed by massive damage (HJ-4, HJ-8)", "how", MASSIVE, MASSIVE),
            share("bled_out", "killed by blood: without it that hit would not have killed", "how", BLED_OUT, BLED_OUT),
            share("by_cards", "killed by the cards alone", "how", BY_CARDS, BY_CARDS),
            mean("blood", "Blood that came into its pool", "blood"),
            mean("trauma", "Trauma of those who live", "trauma", given_most=DEAD_TRAUMA - 1),
            mean("weeks", "weeks of recovery of those who live", "weeks", given_most=DEAD_WEEKS - 1),
            share(
                "half_a_year",
                "recovery of more than 26 weeks, of those who live",
                "weeks",
                27,
                DEAD_WEEKS - 1,
                given_most=DEAD_WEEKS - 1,
            ),
            *permanent_findings("for_good", "has a permanent wound", "permanent wounds"),
            *permanent_findings("hinders", "has a permanent wound that hinders", "permanent wounds that hinder"),
            *WOUNDS.findings(),
            *line_of(
                (share(f"dead_by_{hit}", f"dead by hit {hit}", "died", 1, hit) for hit in hits),
                "dead_by",
                "Dead by hit n",
                "hit",
            ),
            *line_of(
                (share(f"saved_by_{hit}", f"saved by an exact {limit} by hit {hit}", "reset", 1, hit) for hit in hits),
                "saved_by",
                f"Saved by an exact {limit} by hit n",
                "hit",
            ),
        ]

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        from cardhouse.games.hackjack.lab.kernels import hits as kernel

        too_long = kernel.deadly(
            self.book(),
            kernel.recovery_table(),
            read_damage(self.damage),
            self.critical,
            self.hp,
            self.hits,
            self.others,
            read_prevent(self.prevent),
            seed,
            first,
            out,
            log,
        )
        check_not_too_long(too_long)

    def exact(self) -> Mapping[str, float]:
        from cardhouse.games.hackjack.lab.exact import exact_findings

        return exact_findings(self)

    def tale(self, values: Values) -> Tale | None:
        died = steps(values, "dead_by", range(1, self.hits + 1), 0.0)
        if died is None:
            return None
        half, sentence = self._half_dead(values)
        *counts, lives = hundred([*died, 1 - sum(died)])
        prevents = self.prevent if self.prevent in ("never", "always") else f"at times ({self.prevent})"
        line = (
            f"{sum(counts[: half or self.hits])} of 100{'' if half else ' die'}, with {self.hp} HP, hit for "
            f"{self.damage} every round and {prevents} preventing blood loss. "
            f"{lives} of 100 outlive {how_many(self.hits, 'hit')}."
        )
        first = next((hit for hit, count in enumerate(counts, 1) if count), 0)
        before = f" No deaths before hit {first}." if first > 1 else ""
        columns = [Column(str(hit), count, hit == half) for hit, count in enumerate(counts, 1)]
        alive = Column("alive", lives, shape="person")
        picture = Picture(
            "A hundred fights, a stone for each death", f"The hit that killed.{before}", [*columns, alive]
        )
        return Tale(sentence, line, picture if self.hits <= MOST_COLUMNS else None)

    def _half_dead(self, values: Values) -> tuple[int, str]:
        """Return the hit by which half are dead, 0 for none, and the sentence that says so, or that it isn't known."""
        for hit in range(1, self.hits + 1):
            sure = verdict(*values.ends(f"dead_by_{hit}"))
            if sure in ("over", "even"):
                many = "Most" if sure == "over" else "About half"
                return hit, f"{many} are dead by the {ordinal(hit)} hit."
        if sure == "under":
            return 0, f"Most outlive {how_many(self.hits, 'hit')}."
        last = f"dead_by_{self.hits}"
        tells = f"if most outlive {how_many(self.hits, 'hit')} ({percent(values[last])} don't)"
        return 0, too_few(self.trial, tells, values.trials, values.gap_to(0.5, last))

    def best_play(self) -> BestPlay:
        return compare_with_best(self, "survived", "survive {} hits more", "survive {} hits fewer")

    def story(self, table: Table, chance: Iterator[int]) -> Iterator[tuple[str, Action]]:
        game, policies = table.game, self.policies()
        assert isinstance(game, Hackjack)
        names = [HERO, *(f"other {number}" for number in range(1, self.others + 1))]
        for name in names:
            yield GM, AddCharacter(name, self.hp, self.hp)
        for _ in range(self.hits):
            yield GM, BeginRound()
            yield from policies.declarations(table, game)
            for name in names:
                if game.named(name).alive:
                    yield from self.roll_hit(name, table, game, policies, chance)
                if not game.named(HERO).alive:
                    return
        yield GM, Rest(HERO)

    def row_of(self, table: Table) -> Sequence[int]:
        game = table.game
        assert isinstance(game, Hackjack)
        hero = game.named(HERO)
        by_hit = events_by_hit(table.entries)
        fell = first_hit(by_hit, "goes_down")
        weeks = nearest_weeks(hero.recovery.days) if hero.recovery is not None else 0
        return [
            0 if hero.alive else len(by_hit),
            first_hit(by_hit, "exactly"),
            fell,
            hits_survived(by_hit),
            hero.trauma if hero.alive else DEAD_TRAUMA,
            weeks if hero.alive else DEAD_WEEKS,
            sum(event.about["blood"] for hit in by_hit for event in hit if event.key in BLEEDS),
            LIVES if hero.alive else _cause_of_death(by_hit[-1], self.limit),
            int(fell > 0 and hero.alive),
            *(permanent_wounds(game, by_hit) if hero.alive else (DEAD_FOR_GOOD, DEAD_FOR_GOOD)),
            *WOUNDS.row(table.entries),
        ]


def permanent_findings(measure: str, text: str, several: str) -> list[Finding]:
    """Return the findings about the survivors' permanent wounds: the share with one, and the mean number."""
    living = {"given_most": MOST_FOR_GOOD}
    return [
        share(measure, f"{text}, of those who live", measure, 1, MOST_FOR_GOOD, **living),
        mean(f"{measure}_many", f"{several} of those who live", measure, **living),
    ]


def permanent_wounds(game: Hackjack, by_hit: Iterable[Iterable[Event]]) -> tuple[int, int]:
    """Return the number of permanent wounds suffered in these events, and how many of them hinder (HJ-19)."""
    suffered = [game.wounds[event.about["card"]] for events in by_hit for event in events if event.key == "wounded"]
    many = sum(wound.has_permanent_effect for wound in suffered), sum(wound.hinders_permanently for wound in suffered)
    return min(many[0], MOST_FOR_GOOD), min(many[1], MOST_FOR_GOOD)


def events_by_hit(entries: Iterable[Entry]) -> list[list[Event]]:
    """Return the hero's events in these entries, by hit."""
    by_hit: list[list[Event]] = []
    others = False
    for entry in entries:
        line = entry.lines[0]
        if line.get("do") == "damage":
            others = line["target"] != HERO
            if not others:
                by_hit.append([])
        if by_hit and not others:
            by_hit[-1] += entry.events
    return by_hit


def first_hit(by_hit: Sequence[Sequence[Event]], key: str) -> int:
    """Return the number of the first hit with this event, or 0."""
    return next((hit for hit, events in enumerate(by_hit, 1) if any(event.key == key for event in events)), 0)


def hits_survived(by_hit: Sequence[Sequence[Event]]) -> int:
    """Return the hits the hero survived, counted from the one that took it down."""
    fell = first_hit(by_hit, "goes_down")
    dead = first_hit(by_hit, "dies")
    return (dead or len(by_hit) + 1) - fell if fell else NEVER_DOWN


def _cause_of_death(events: Sequence[Event], limit: int) -> int:
    """Return the cause of death from the events of the last hit."""
    by_key = {event.key: event for event in events}
    if "killed_outright" in by_key:
        return OUTRIGHT
    if any(event.rule in ("HJ-4", "HJ-8") for event in events):
        return MASSIVE
    # Points that made an exact 21 no longer count (HJ-6).
    moved = by_key["bleeds_out"].about["blood"] if "bleeds_out" in by_key and "exactly" not in by_key else 0
    return BY_CARDS if is_too_much(by_key["too_much"].about["score"] - moved, limit) else BLED_OUT
