"""The lab questions of Dogs Play Cards, Too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import msgspec

from cardhouse.engine import CardhouseError, Table
from cardhouse.games.dogs import state
from cardhouse.games.dogs.lab import opponents
from cardhouse.games.dogs.lab.best_play import Best
from cardhouse.games.dogs.lab.dice.question import Dice
from cardhouse.games.dogs.lab.gap_to_best import compare_with_best, is_solved
from cardhouse.games.dogs.lab.opponents import MOST_HAND, Playing, Setting, Side, plan_of, stats_from, things_from
from cardhouse.games.dogs.lab.several import FollowUp, Several
from cardhouse.games.dogs.lab.two_side_question import STARTERS, Arena, Times, TwoSideQuestion, WhoStarts
from cardhouse.games.dogs.people.sheet import MOST_POINTS, STATS, FastType, Stat, Stats
from cardhouse.games.dogs.people.templates import BELONGINGS, TEMPLATES
from cardhouse.games.dogs.state import ARENAS, USUAL
from cardhouse.lab.questions.answer import NEAR, percent, too_few
from cardhouse.lab.questions.question import Question

if TYPE_CHECKING:
    from cardhouse.lab.questions.answer import Values
    from cardhouse.lab.questions.optimality import BestPlay
    from cardhouse.lab.questions.question import Rows

Hand = Annotated[int, msgspec.Meta(ge=0, le=MOST_HAND)]
Decks = Annotated[int, msgspec.Meta(ge=1, le=2, description="number of decks (DV-13)")]
JackDraw = Annotated[
    bool,
    msgspec.Meta(description="whether a drawn card decides for any highest jack (DV-28)"),
]
ReversedCard = Annotated[
    state.ReversedCard,
    msgspec.Meta(description="fate of a card that Reversed the Blow: kept, or lost unless used next (DV-19)"),
]
GroupCards = Annotated[state.GroupCards, msgspec.Meta(description="lines with which a group draws its cards (DV-35)")]
HOW = (
    "plain (simple) brings in all traits at once; thrifty brings in traits, then escalates, only to avoid giving; bold "
    "and best (expert) play like the bots; thumb uses a rule of thumb"
)
Plays = Annotated[Playing, msgspec.Meta(description=f"how the hero plays: {HOW}")]
OtherPlays = Annotated[Playing, msgspec.Meta(description="how the opponent plays")]


class _Conflict(TwoSideQuestion, frozen=True, kw_only=True):
    """A conflict of two with cards."""

    arena: Arena = "talking"
    starter: WhoStarts = "one"
    decks: Decks = 1
    improvised: Times = USUAL.improvised
    jack_draw: JackDraw = USUAL.jack_draw
    reversed_card: ReversedCard = USUAL.reversed_card
    group_cards: GroupCards = USUAL.group_cards

    def sides(self) -> tuple[Side, Side]:
        """Return the two sides.

        Raises CardhouseError if they are impossible.
        """
        raise NotImplementedError

    def setting(self) -> Setting:
        """Return the conflict to play."""
        starts = STARTERS.index(self.starter)
        return Setting(
            self.sides(),
            self.arena,
            starts,
            2 if self.decks == 2 else 1,
            self.improvised,
            self.jack_draw,
            self.reversed_card,
            self.group_cards,
        )

    def check(self) -> None:
        policies = {side.policy for side in self.sides()}
        if "best" in policies and self.reversed_card != USUAL.reversed_card:
            raise CardhouseError(
                f"Best is known where a card that reversed is {USUAL.reversed_card}, not {self.reversed_card}."
            )

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        import numpy as np

        from cardhouse.games.dogs.lab.kernels.conflicts import conflicts
        from cardhouse.games.dogs.lab.kernels.hands import PLAY

        conflicts(plan_of(self.setting()), np.zeros(1, PLAY), seed, first, out, log)

    def exact(self) -> Mapping[str, float]:
        from cardhouse.games.dogs.lab.exact import odds_of

        return odds_of(self.setting())

    def best_play(self) -> BestPlay | None:
        """Return the comparison with best play if a side plays it already.

        Solving hands is much slower than other policies.
        """
        sides = self.sides()
        if "best" not in {side.policy for side in sides}:
            return None
        return compare_with_best(self, proven=is_solved(*sides, self.improvised))

    def played(self, seed: int, trial: int) -> Table:
        return opponents.played(self.setting(), trial, self.chance(seed, trial))

    def row_of(self, table: Table) -> Sequence[int]:
        return opponents.row_of(table)


class Price(_Conflict, frozen=True, kw_only=True):
    """A conflict of two, each a character or a Fast NPC."""

    name: ClassVar[str] = "price"
    title: ClassVar[str] = "Who wins, and at what price?"
    about: ClassVar[str] = (
        "Plays a conflict of two characters to its end, fallout included. Counts who wins, the Raises and "
        "cards, how badly each is hurt, and who gains experience. With small hands, such as 5 cards each, "
        "and no later draws, the chance to win, Raises, cards and blows are exact."
    )

    asked: ClassVar[str] = (
        "A hero with Stats {stats} and traits {brings} faces an opponent with Stats {other_stats} and traits "
        "{other_brings}, first {arena}."
    )

    stats: Annotated[str, msgspec.Meta(description="the hero's Acuity, Body, Heart and Will")] = "3 2 2 2"
    cards: Annotated[Hand, msgspec.Meta(description="the hero's hand, in cards, instead of Stats; 0 means Stats")] = 0
    brings: Annotated[str, msgspec.Meta(description="the hero's traits, by their marks: o* + - (o is regular)")] = ""
    policy: Plays = "plain"
    against: Annotated[
        Literal["stats", "A", "B", "C", "D"],
        msgspec.Meta(description="the opponent: a character with Stats, or a type of Fast NPC"),
    ] = "stats"
    other_stats: Annotated[str, msgspec.Meta(description="the opponent's Acuity, Body, Heart and Will")] = "3 2 2 2"
    other_cards: Annotated[
        Hand, msgspec.Meta(description=("the opponent's hand, in cards, instead of Stats; 0 means Stats"))
    ] = 0
    other_brings: Annotated[
        str, msgspec.Meta(description="the opponent's traits; for a Fast NPC, one per additional member (DV-35)")
    ] = ""
    other_policy: OtherPlays = "plain"

    def sides(self) -> tuple[Side, Side]:
        one = Side(self.policy, _stats("stats", self.stats), things_from(self.brings), dealt=self.cards)
        things = things_from(self.other_brings)
        if self.against != "stats":
            if self.other_cards:
                raise CardhouseError("A Fast NPC draws its own lines: other_cards has no meaning against one.")
            return one, Side(self.other_policy, things=things, fast=self.against)
        if bool(self.cards) != bool(self.other_cards):
            raise CardhouseError("Give both cards and other_cards, or neither: Stats draw by the arena, for both.")
        other = _stats("other_stats", self.other_stats)
        return one, Side(self.other_policy, other, things, dealt=self.other_cards)


def _stats(setting: str, text: str) -> Stats:
    stats = stats_from(text)
    if stats.total > MOST_POINTS:
        raise CardhouseError(f"{setting}: they add up to {stats.total}, and {MOST_POINTS} is the most (DV-1).")
    return stats


HOLDS_ITS_OWN, HARDLY = 0.5, 0.4
"""The win chances from which a new character holds its own, or hardly does."""

Template = Literal["well_rounded", "strong_history", "complicated_history", "strong_community", "complicated_community"]


class Templates(_Conflict, frozen=True, kw_only=True):
    """A new character from a template against a Fast NPC."""

    name: ClassVar[str] = "templates"
    title: ClassVar[str] = "Can a new character hold its own?"
    about: ClassVar[str] = (
        "Plays a new character, as its template makes it, against a Fast NPC. Counts who wins, and at what "
        "price. By default, both bring in traits and then escalate only to avoid giving. A Fast NPC draws its "
        "next line in each arena."
    )

    asked: ClassVar[str] = "A {template} character faces a Fast NPC of type {against}, first {arena}."

    template: Annotated[Template, msgspec.Meta(description="the hero's template (DV-3)")] = "well_rounded"
    spread: Annotated[
        Literal["even", "arena"],
        msgspec.Meta(description="the hero's points: spread evenly, or concentrated on the Stats of the arena"),
    ] = "even"
    belongings: Annotated[
        Literal["none", "o*", "+"],
        msgspec.Meta(
            description=("the hero's belongings: none, or a troublesome, a regular and this third one (DV-4)")
        ),
    ] = "o*"
    against: Annotated[FastType, msgspec.Meta(description="type of the Fast NPC (DV-34)")] = "A"
    members: Annotated[
        str, msgspec.Meta(description="additional members of the group, by their marks: o - + (DV-35)")
    ] = ""
    policy: Plays = "thrifty"
    other_policy: OtherPlays = "thrifty"

    def sides(self) -> tuple[Side, Side]:
        template = TEMPLATES[self.template]
        belongings = next((some for some in BELONGINGS if some[-1] == self.belongings), ())
        things = things_from(" ".join((*template.trait, *template.relationship, *belongings)))
        one = Side(self.policy, spread(template.points, ARENAS[self.arena], even=self.spread == "even"), things)
        return one, Side(self.other_policy, things=things_from(self.members), fast=self.against)

    def won(self, values: Values) -> str:
        low, high = values.ends("wins")
        wins = f"it wins {percent(values['wins'])} against a Fast NPC of type {self.against}."
        for can, least, most in (("Yes", HOLDS_ITS_OWN, 1.0), ("Hardly", HARDLY, HOLDS_ITS_OWN), ("No", 0.0, HARDLY)):
            if least <= low and high <= most:
                return f"{can}: {wins}"
        if high - low <= NEAR:
            return f"It depends on what counts: {wins}"
        gap = min(values.gap_to(bound, "wins") for bound in (HOLDS_ITS_OWN, HARDLY))
        return too_few(self.trial, f"whether it can ({wins.removesuffix('.')})", values.trials, gap)


def spread(points: int, arena: Sequence[Stat], *, even: bool) -> Stats:
    """Return Stats of `points` points: spread evenly with the rest on the arena's Stats, or concentrated on those."""
    in_order = [*arena, *(stat for stat in STATS if stat not in arena)]
    shares = dict.fromkeys(STATS, points // len(STATS) if even else 1)
    takes = in_order if even else arena
    for number in range(points - sum(shares.values())):
        shares[takes[number % len(takes)]] += 1
    return Stats(**shares)


QUESTIONS: tuple[type[Question], ...] = (Price, Templates, Best, Several, FollowUp, Dice)
