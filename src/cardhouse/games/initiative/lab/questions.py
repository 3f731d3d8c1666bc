"""The lab questions of card initiative."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec

from cardhouse.cards import rank_of
from cardhouse.engine import Event, Table
from cardhouse.games.initiative.lab.best import Best
from cardhouse.games.initiative.lab.gap_to_best import compare_with_best
from cardhouse.games.initiative.lab.idle import Idle
from cardhouse.games.initiative.lab.rounds import MOST_PLACES, RoundQuestion, story_of, turned_in, turns_in
from cardhouse.games.initiative.lab.sides import COLUMNS, SIDES, Fighter, WaitsWell, by_rank, column, side_name
from cardhouse.games.initiative.lab.solved import BY_NAME, Player, check_size
from cardhouse.lab.questions.answer import Picture, Tale, in_a_row, knows, ordinal, percent, rivals, too_few, two_digits
from cardhouse.lab.questions.question import Finding, Measure, Question, line_of, mean, share
from cardhouse.lab.words.labels import capital

if TYPE_CHECKING:
    from cardhouse.games.initiative.lab.kernels.rounds import Numbers
    from cardhouse.lab.questions.answer import Values
    from cardhouse.lab.questions.optimality import BestPlay
    from cardhouse.lab.questions.question import Rows


class Order(RoundQuestion, frozen=True, kw_only=True):
    """When a character's turn comes in a round, and what the jokers do."""

    name: ClassVar[str] = "order"
    title: ClassVar[str] = "Who acts when?"
    about: ClassVar[str] = (
        "Plays rounds of card initiative. Counts when each character acts, by rank, side and way of waiting, "
        "what the two jokers do, and how often an ace acts twice. With best, a side helps the hero's goal, "
        "and the other side hinders it. Exact for sides that aren't too large, and for any size if nobody "
        "waits."
    )
    asked: ClassVar[str] = (
        "The hero holds a {hero}, one of {mine} against {theirs}. When your side waits: "
        "{wait}. When theirs does: {their_wait}."
    )
    at_once: ClassVar[int] = 50_000

    wait: Annotated[
        WaitsWell,
        msgspec.Meta(
            description=(
                "when your side waits: never, always, lower (only for lower cards), or best for the hero's goal"
            )
        ),
    ] = "always"
    their_wait: Annotated[
        WaitsWell, msgspec.Meta(description="when the others wait; best means worst for the hero's goal")
    ] = "always"

    def check(self) -> None:
        super().check()
        if "best" in (self.wait, self.their_wait):
            check_size(self.all_players(), self.goal)

    def all_players(self) -> tuple[Player, ...]:
        """Return all characters with their policies."""
        return self.players("helps" if self.wait == "best" else self.wait, self.wait, self.their_wait)

    def aces(self) -> int:
        """Return the number of characters who act twice."""
        return sum(rank_of(who.card) == "A" for who in self.fighters())

    def measures(self) -> Sequence[Measure]:
        places = [
            Measure(
                f"place_{SIDES[side]}_{rank}", MOST_PLACES, f"the place of the {rank} of {side_name(side)}; 0: none"
            )
            for side, rank in COLUMNS
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
            Measure("cards", MOST_PLACES + 3, "the cards turned over in the round"),
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
            mean("cards", "cards turned over in the round", "cards"),
            mean("lost", "actions lost to the black joker, of all", "lost"),
            share("red_takes_waiting", "the red joker sends back a waiting card", "red", 2, 3),
            share("red_takes_ace", "the red joker shuffles an ace that lay under the deck", "red", 3, 4),
            share("red_burned", "the red joker is taken by the black one", "red", 1, 1),
            *([mean("seconds", "second actions, for each ace", "seconds", scale=1 / aces)] if aces else []),
            *line_of(
                (
                    share(f"place_{place}", f"the hero's place is {place}", "place", place, place, bar=str(place))
                    for place in range(1, len(fighters) + aces + 1)
                ),
                "place",
                "The hero's place in the order",
                "place",
            ),
            *self.by_rank(fighters),
        ]

    def tale(self, values: Values) -> Tale | None:
        places = range(1, len(self.fighters()) + self.aces() + 1)
        shares = [values.get(f"place_{place}", 0.0) for place in places]
        if not knows(values, "place", "first", "never_acts"):
            return None
        usual = 1 + shares.index(max(shares))
        others = rivals(
            values, (f"place_{place}" for place in places if values.get(f"place_{place}")), f"place_{usual}"
        )
        if len(others) > 1:
            tells = f"when {self.the_hero} usually acts ({ordinal(usual)} in {percent(max(shares))})"
            sentence = too_few(self.trial, tells, values.trials, *others.values())
        else:
            named = sorted([usual, *(int(key.removeprefix("place_")) for key in others)])
            shown = " and ".join(percent(values[f"place_{place}"]) for place in named)
            sentence = f"{capital(self.the_hero)} most often acts {' or '.join(map(ordinal, named))} ({shown})."
        never = values["never_acts"]
        line = (
            f"Its mean place is {two_digits(values['place'])} of {len(self.fighters())}. It is first of all in "
            f"{percent(values['first'])} of rounds{f', and does not act in {percent(never)}' if never else ''}."
        )
        row = in_a_row(shares, 1, usual, ("never", 1 - sum(shares), "card"))
        return Tale(sentence, line, Picture(f"A hundred rounds, by the place of {self.the_hero}", columns=row))

    def by_rank(self, fighters: Sequence[Fighter]) -> Iterator[Finding]:
        """Yield the chance to be first and the mean place, by rank."""
        places, firsts = [], []
        for side in range(1 + any(who.side == 1 for who in fighters)):
            its = side_name(side)
            for who in by_rank(fighters, side):
                rank, measure = rank_of(who.card), _measure(who)
                drawn: dict[str, Any] = {"x": float(who.rank), "bar": rank, "of": its}
                places.append(
                    mean(measure, f"place of the {rank} of {its}, if it acts", measure, given_least=1, **drawn)
                )
                firsts.append(
                    share(f"first_{SIDES[side]}_{rank}", f"the {rank} of {its} is first", measure, 1, 1, **drawn)
                )
        yield from line_of(firsts, "first", "First of all, by rank", "rank")
        yield from line_of(places, "places", "Mean place, by rank", "rank")

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        if "best" in (self.wait, self.their_wait):
            import numpy as np

            from cardhouse.games.initiative.lab.kernels.planned import by_plan

            (rank, columns), players = self.arrays(), self.all_players()
            plan, reached = self.planned(players), np.empty(len(out), np.int16)
            kind = plan.kinds_of(players)
            by_plan(rank, kind, columns, self.hero_place(), plan.solved, seed, first, out, reached, log)
        else:
            from cardhouse.games.initiative.lab.kernels.rounds import order

            order(*_arrays(self), seed, first, out, log)

    def exact(self) -> Mapping[str, float]:
        from cardhouse.games.initiative.lab.exact import exactly

        if "best" in (self.wait, self.their_wait):
            return {}
        fighters = self.fighters()
        people = [(who, BY_NAME[one.how]) for who, one in zip(fighters, self.all_players(), strict=True)]
        return exactly(self.findings(), people, self.hero_place(), [_measure(who) for who in fighters])

    def best_play(self) -> BestPlay | None:
        """Return the comparison with best play if a side plays it.

        Otherwise it would compile the largest kernel here.
        """
        return compare_with_best(self) if "best" in (self.wait, self.their_wait) else None

    def played(self, seed: int, trial: int) -> Table:
        return self.replay(seed, trial, [self.responder(self.all_players())])

    def row_of(self, table: Table) -> Sequence[int]:
        return self.row_of_story(story_of(table))

    def row_of_story(self, story: Sequence[Event]) -> Sequence[int]:
        """Return the row of a round with these events."""
        fighters, hero = self.fighters(), self.hero_place()
        name = fighters[hero].name
        turns = turns_in(story)
        burned = {event.about["name"]: event.about["actions"] for event in story if event.key == "burns"}
        place_of = {who: turns.index(who) + 1 for who in turns}
        by_column = {column(who): place_of.get(who.name, 0) for who in fighters}
        return [
            place_of.get(name, 0),
            turns.count(name),
            burned.get(name, 0),
            any(event.key == "red_joker_takes" and event.about["name"] == name for event in story),
            sum(burned.values()),
            _red_in(story),
            len(turns) - len(place_of),
            len(turns),
            turned_in(story),
            *(by_column.get(place, 0) for place in range(len(COLUMNS))),
        ]


@lru_cache(64)
def _arrays(asked: Order) -> tuple[Numbers, Numbers, Numbers, int]:
    """Return the kernel's arguments. Cached: building them takes 5% of the time of a batch of rounds."""
    import numpy as np

    from cardhouse.games.initiative.lab.kernels.rounds import BITS

    (rank, columns), players = asked.arrays(), asked.all_players()
    bits = np.array([BITS[BY_NAME[one.how]] for one in players], np.int64)
    return rank, bits, columns, asked.hero_place()


def _measure(who: Fighter) -> str:
    """Return the measure of a character's place."""
    return f"place_{SIDES[who.side]}_{rank_of(who.card)}"


def _red_in(story: Sequence[Event]) -> int:
    """Return the fate of the red joker, as its measure has it."""
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


QUESTIONS: tuple[type[Question], ...] = (Order, Idle, Best)
