"""Card initiative in the lab."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec

from cardhouse.cards import JOKERS, rank_of, suit_of
from cardhouse.engine import GM, Ask, CardhouseError, Event, Table
from cardhouse.games.initiative.lab.sides import (
    RANKS_DOWN,
    SIDES,
    Fighter,
    Waits,
    by_rank,
    read_sides,
    two_sides,
    what_it_does,
    write_sides,
)
from cardhouse.games.initiative.rules import Initiative
from cardhouse.games.initiative.state import AddCharacter, Done, StartRound
from cardhouse.lab.proof import play, table_of_paper
from cardhouse.lab.question import Finding, Measure, Question, Situation, line_of, mean, share
from cardhouse.lab.settings import situation

if TYPE_CHECKING:
    from cardhouse.lab.question import Rows

RANKS_UPWARD = RANKS_DOWN[::-1]

MOST_PLACES = 4 * len(RANKS_UPWARD) + 4 + 1
"""Four sides with every rank, the aces twice; and 0."""

Number = Annotated[
    int, msgspec.Meta(ge=0, le=len(RANKS_UPWARD), description="so many on the other side, people of every kind")
]


class Order(Question, frozen=True, kw_only=True):
    """When one's turn comes in a round, and what the jokers do."""

    game: ClassVar[str] = "initiative"
    name: ClassVar[str] = "order"
    title: ClassVar[str] = "Who goes when?"
    about: ClassVar[str] = (
        "One round of card initiative, again and again: when the turn of each comes, by rank and side and by how they "
        "wait; how many actions the black joker takes; what the red one does; how often an ace acts a second time. "
        "Known exactly for sides that are not too large, and for any if nobody ever waits."
    )
    trial: ClassVar[str] = "round"
    at_once: ClassVar[int] = 50_000

    hero: Annotated[
        str, msgspec.Meta(description="the rank of the one on your side whose fate is told: A K Q ... 2")
    ] = "9"
    mine: Annotated[
        int,
        msgspec.Meta(ge=1, le=len(RANKS_UPWARD), description="so many on your side: the hero and people of every kind"),
    ] = 4
    theirs: Number = 4
    cards: Annotated[
        str,
        msgspec.Meta(
            max_length=200,
            description="instead of numbers: the ranks of each side, yours first, such as A K 9 5 / Q 8 4",
        ),
    ] = ""
    wait: Annotated[
        Waits,
        msgspec.Meta(
            description="how your side waits: never, always, or lower: with none waiting they do, a higher new card "
            "acts, a higher waiting card waits on"
        ),
    ] = "always"
    their_wait: Annotated[Waits, msgspec.Meta(description="how the others wait")] = "always"

    @classmethod
    def from_table(cls, view: Mapping[str, Any], options: Mapping[str, Any]) -> list[Situation]:
        cards = {one["card"]: one["name"] for one in view["characters"] if one["where"] != "later"}
        return [
            situation(cls, name, {"hero": rank_of(card), "cards": write_sides([*cards], suit_of(card))})
            for card, name in cards.items()
        ]

    def check(self) -> None:
        self.hero_place()

    def fighters(self) -> list[Fighter]:
        """Who is in the round, the hero's side first."""
        if self.cards.strip():
            return read_sides(self.cards)
        return two_sides(self.mine, self.theirs, self.hero.upper())

    def hero_place(self) -> int:
        """The hero's place among them.

        Raises CardhouseError if there is no such one.
        """
        ours = [rank_of(who.card) for who in self.fighters() if who.side == 0]
        if self.hero.upper() not in ours:
            raise CardhouseError(f'The hero is one of {", ".join(ours)}, not "{self.hero[:20]}".')
        return ours.index(self.hero.upper())

    def policy(self, side: int) -> Waits:
        """How a side waits."""
        return self.their_wait if side else self.wait

    def aces(self) -> int:
        """How many act twice."""
        return sum(rank_of(who.card) == "A" for who in self.fighters())

    def measures(self) -> Sequence[Measure]:
        places = [
            Measure(f"place_{SIDES[side]}_{rank}", MOST_PLACES, f"the place of the {rank} of {_whose(side)}; 0: none")
            for side in (0, 1)
            for rank in RANKS_UPWARD
        ]
        return [
            Measure("place", MOST_PLACES, "the hero's place in the order, 1 the first; 0: it never acted"),
            Measure("actions", 3, "how often the hero acted"),
            Measure("lost_by_hero", 3, "the actions that the hero lost to the black joker"),
            Measure("sent_back", 2, "whether the red joker sent back the hero's waiting card"),
            Measure("lost", 3, "the actions lost to the black joker"),
            Measure("red", 5, "the red joker: 0 nothing, 1 burned, took 2 a waiting card, 3 that and an ace, 4 an ace"),
            Measure("seconds", 5, "the second actions of aces"),
            Measure("turns", MOST_PLACES, "the turns of the round"),
            *places,
        ]

    def findings(self) -> Sequence[Finding]:
        fighters, aces = self.fighters(), self.aces()
        return [
            share("first", "the hero acts first of all", "place", 1, 1),
            mean("place", "the hero's place in the order, if it acts", "place", given_least=1),
            share("never_acts", "the hero does not act at all", "place", 0, 0),
            *([share("second", "the hero acts twice", "actions", 2)] if self.hero.upper() == "A" else []),
            mean("lost_by_hero", "actions the hero loses to the black joker", "lost_by_hero"),
            share("sent_back", "the red joker sends back the hero's waiting card", "sent_back", 1),
            mean("turns", "turns in the round", "turns"),
            mean("lost", "actions lost to the black joker, of all", "lost"),
            share("red_takes_waiting", "the red joker sends back somebody's waiting card", "red", 2, 3),
            share("red_takes_ace", "the red joker shuffles an ace that lay under the deck", "red", 3, 4),
            share("red_burned", "the red joker is taken by the black one", "red", 1, 1),
            *([mean("seconds", "second actions, for each ace", "seconds", scale=1 / aces)] if aces else []),
            *line_of(
                (
                    share(f"place_{place}", f"the hero's place is {place}", "place", place, place)
                    for place in range(1, len(fighters) + aces + 1)
                ),
                "place",
                "The hero's place in the order",
                "place",
            ),
            *self.lines(fighters),
        ]

    def lines(self, fighters: Sequence[Fighter]) -> Iterator[Finding]:
        """By rank: the mean place, and the chance to be the first."""
        for side in range(1 + any(who.side == 1 for who in fighters)):
            whose, side_name = _whose(side), SIDES[side]
            places, firsts = [], []
            for who in by_rank(fighters, side):
                rank = rank_of(who.card)
                measure, x = _measure(who), float(who.rank)
                text = f"place of the {rank} of {whose}, if it acts"
                places.append(mean(measure, text, measure, given_least=1, x=x))
                firsts.append(share(f"first_{side_name}_{rank}", f"the {rank} of {whose} is first", measure, 1, 1, x=x))
            yield from line_of(places, f"places_{side_name}", f"Mean place by rank, {whose}", "rank (14 is the ace)")
            yield from line_of(firsts, f"first_{side_name}", f"First of all by rank, {whose}", "rank (14 is the ace)")

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        import numpy as np

        from cardhouse.games.initiative.lab.kernels.rounds import BITS, order

        fighters, hero = self.fighters(), self.hero_place()
        rank = np.array([who.rank for who in fighters], np.int64)
        bits = np.array([BITS[self.policy(who.side)] for who in fighters], np.int64)
        column = np.array([_column(who) for who in fighters], np.int64)
        order(rank, bits, column, hero, seed, first, out, log)

    def exact(self) -> Mapping[str, float]:
        from cardhouse.games.initiative.lab.exact import exactly

        fighters = self.fighters()
        people = [(who, self.policy(who.side)) for who in fighters]
        return exactly(self.findings(), people, self.hero_place(), [_measure(who) for who in fighters])

    def played(self, seed: int, trial: int) -> Table:
        fighters, chance = self.fighters(), self.chance(seed, trial)
        table = table_of_paper(self.game, (GM,), {}, "initiative")
        for who in fighters:
            table.answer(GM, AddCharacter(who.name, card=who.card, side=SIDES[who.side]))
        table.answer(GM, StartRound())
        side_of = {who.name: who.side for who in fighters}

        def say(table: Table) -> tuple[str, Any] | None:
            asked, game = table.question, table.game
            assert isinstance(asked, Ask)
            assert isinstance(game, Initiative)
            if not game.under_way:
                return None
            name = asked.about["name"]
            if asked.key == "turn":
                return GM, Done(name)
            return GM, what_it_does(game, asked, self.policy(side_of[name]))

        return play(table, chance, [*(who.card for who in fighters), *JOKERS], say)

    def row_of(self, table: Table) -> Sequence[int]:
        return self.row_of_story([event for entry in table.entries for event in entry.events])

    def row_of_story(self, story: Sequence[Event]) -> Sequence[int]:
        """What is counted of a round in which this happened."""
        fighters, hero = self.fighters(), self.hero_place()
        name = fighters[hero].name
        turns = [str(event.about["name"]) for event in story if event.key == "acts"]
        burned = {event.about["name"]: event.about["actions"] for event in story if event.key == "burns"}
        place_of = {who: turns.index(who) + 1 for who in turns}
        by_column = {_column(who): place_of.get(who.name, 0) for who in fighters}
        return [
            place_of.get(name, 0),
            turns.count(name),
            burned.get(name, 0),
            any(event.key == "red_joker_takes" and event.about["name"] == name for event in story),
            sum(burned.values()),
            _red_in(story),
            len(turns) - len(place_of),
            len(turns),
            *(by_column.get(column, 0) for column in range(2 * len(RANKS_UPWARD))),
        ]


def _whose(side: int) -> str:
    return "the others" if side else "your side"


def _measure(who: Fighter) -> str:
    """The measure that somebody's place is."""
    return f"place_{SIDES[who.side]}_{rank_of(who.card)}"


def _column(who: Fighter) -> int:
    """The column of somebody's place, behind the fixed ones; -1 for one of a side that has none."""
    return -1 if who.side > 1 else who.side * len(RANKS_UPWARD) + RANKS_UPWARD.index(rank_of(who.card))


def _red_in(story: Sequence[Event]) -> int:
    """What became of the red joker, as the measure has it."""
    under_the_deck: set[str] = set()
    for event in story:
        if event.key == "to_the_bottom":
            under_the_deck.add(event.about["name"])
        elif event.key in ("drawn", "burns"):
            under_the_deck.discard(event.about["name"])
        elif event.key == "burns_joker":
            return 1
        elif event.key == "red_joker":
            return 4 if under_the_deck else 0
        elif event.key == "red_joker_takes":
            return 3 if under_the_deck else 2
    return 0


QUESTIONS: tuple[type[Question], ...] = (Order,)
