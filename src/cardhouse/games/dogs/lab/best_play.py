"""The gap between a policy and optimal play, deal by deal, by expectiminimax."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from cardhouse.cards import Card
from cardhouse.engine import CardhouseError, Event, Table
from cardhouse.games.dogs.bots import duel
from cardhouse.games.dogs.bots.expectimax import REGULAR, Expectimax, Position
from cardhouse.games.dogs.fallout.odds import DECKS
from cardhouse.games.dogs.lab import opponents
from cardhouse.games.dogs.lab.opponents import NAMES, POLICIES, Playing, Setting, Side, things_from
from cardhouse.games.dogs.rules import Dogs
from cardhouse.games.dogs.state import worth
from cardhouse.lab.questions.answer import Bar, Picture, Tale, knows, percent, two_digits
from cardhouse.lab.questions.question import LONGEST_LOG, Finding, Measure, Question, mean, share
from cardhouse.lab.words.numbers import how_many

if TYPE_CHECKING:
    from cardhouse.lab.questions.answer import Values
    from cardhouse.lab.questions.question import Rows

FLOATING = "DV-36"
"""The rule that deals hands card by card (see `opponents.played`)."""
PARTS = 1000
"""The bins of a chance, in thousandths."""
MOST_WITH_THINGS = 8
"""The most cards of both that are solved with things in a fraction of a second."""
SAME = 1e-9
"""The difference in chance below which two choices count as equal."""

Hand = Annotated[int, msgspec.Meta(ge=1, le=5)]
Things = Annotated[int, msgspec.Meta(ge=0, le=1)]


class Best(Question, frozen=True, kw_only=True):
    """Two hands solved exactly, and a policy against an opponent who knows it and plays optimally."""

    game: ClassVar[str] = "dogs"
    name: ClassVar[str] = "best"
    title: ClassVar[str] = "How far is it from best play?"
    about: ClassVar[str] = (
        "Deals two hands, with regular traits if you like, and solves every deal: all choices and all cards "
        "that can come. Compares the hero's chance to win with best play and with the policy, against "
        "an opponent who knows the policy and plays best. The difference is the most that the policy gives "
        "away."
    )
    asked: ClassVar[str] = (
        "The hero has {cards} cards and {things} traits, and plays {policy}. The opponent has {other_cards} cards and "
        "{other_things} traits, and plays best."
    )
    trial: ClassVar[str] = "deal"
    compiled: ClassVar[bool] = False
    at_once: ClassVar[int] = 10
    usual_trials: ClassVar[int] = 500
    advises: ClassVar[bool] = True

    cards: Annotated[Hand, msgspec.Meta(description="the hero's cards")] = 5
    other_cards: Annotated[Hand, msgspec.Meta(description="the opponent's cards")] = 5
    things: Annotated[Things, msgspec.Meta(description="the hero's regular traits, one card each")] = 0
    other_things: Annotated[Things, msgspec.Meta(description="the opponent's regular traits")] = 0
    policy: Annotated[Playing, msgspec.Meta(description="the hero's policy")] = "bold"

    def check(self) -> None:
        if self.things + self.other_things and self.cards + self.other_cards > MOST_WITH_THINGS:
            raise CardhouseError(
                f"With traits to bring into play, at most {MOST_WITH_THINGS} cards in both hands can be solved, "
                f"not {self.cards + self.other_cards}."
            )

    def setting(self) -> Setting:
        """Return the deal as a conflict of the policy against the best known one, with alternating starters."""
        one = Side(self.policy, things=things_from("o " * self.things), dealt=self.cards)
        other = Side("best", things=things_from("o " * self.other_things), dealt=self.other_cards)
        return Setting((one, other), "talking", starter=2, improvised=0)

    def measures(self) -> Sequence[Measure]:
        return [
            Measure("best", PARTS + 1, "thousandths of the one's chance to win, if both play as well as can be"),
            Measure("sure", PARTS + 1, "thousandths of its chance, if it plays by the policy, and the other knows it"),
            Measure("given_away", PARTS + 1, "thousandths of that chance which the policy gives away"),
            Measure(
                "first", 3, "who starts has something to bring, and to do so first is: 0 it hasn't, 1 right, 2 wrong"
            ),
            Measure("only", 2, "whether only one of all first choices is right"),
        ]

    def findings(self) -> Sequence[Finding]:
        return [
            mean("given_away", "chance to win that the policy gives away", "given_away", scale=1 / PARTS),
            mean("best", "the hero's chance to win if both play best", "best", scale=1 / PARTS),
            mean("sure", "the same with the policy, against an opponent who knows it", "sure", scale=1 / PARTS),
            share("never", "deals in which the policy gives nothing away", "given_away", 0, 0),
            share("at_once", "deals in which bringing a trait into play first is right", "first", 1, 1, given_least=1),
            share("only", "deals in which only one first choice is right", "only", 1),
        ]

    def tale(self, values: Values) -> Tale | None:
        if not knows(values, "given_away", "best", "sure", "never"):
            return None
        lost = values["given_away"]
        sentence = (
            f"The {self.policy} policy gives away {two_digits(100 * lost)} of 100 conflicts."
            if lost
            else f"The {self.policy} policy gave nothing away in {how_many(values.trials, 'deal')}."
        )
        line = (
            f"That is against an opponent who knows the policy and plays best. In {percent(values['never'])} of deals "
            "it gives nothing away."
        )
        bars = [
            Bar(f"The {self.policy} policy", values["sure"], percent(values["sure"]), True, "sure"),
            Bar("Best play", values["best"], percent(values["best"]), False, "best"),
        ]
        return Tale(sentence, line, Picture("The hero's chance to win", bars=bars))

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        for row in range(len(out)):
            out[row] = self.solved(*self.dealt(seed, first + row), (first + row) % 2)

    def dealt(self, seed: int, trial: int) -> tuple[int, int]:
        """Return the two hands of a trial, packed as in `bots/duel.py`."""
        cards = [worth(DECKS[1][place]) for place in self.chance(seed, trial)]
        return duel.hand_of(cards[: self.cards]), duel.hand_of(cards[self.cards : self.cards + self.other_cards])

    def chance(self, seed: int, trial: int) -> list[int]:
        """Return the cards drawn when the policy plays the best known one, the hands first, as places in the deck."""
        import numpy as np

        from cardhouse.games.dogs.lab.kernels.conflicts import COLUMNS, conflicts
        from cardhouse.games.dogs.lab.kernels.hands import PLAY

        out, log = np.zeros((1, COLUMNS), np.int16), np.zeros(LONGEST_LOG, np.int16)
        conflicts(opponents.plan_of(self.setting()), np.zeros(1, PLAY), seed, trial, out, log)
        return [int(place) for place in log[1 : log[0] + 1]]

    def solved(self, one: int, other: int, starter: int) -> Sequence[int]:
        """Return the row of a deal; `starter` is 1 if the opponent starts."""
        hands, things = (one, other), ((REGULAR,) * self.things, (REGULAR,) * self.other_things)
        to_start = Position(starter, hands[starter], hands[1 - starter], things[starter], things[1 - starter])

        def chance(solver: Expectimax) -> float:
            found = solver.value(to_start)
            return 1 - found if starter else found

        solver = Expectimax(hands)
        best, sure = chance(solver), chance(Expectimax(hands, (POLICIES[self.policy], None)))
        choices = list(solver.choices(to_start))
        right = [choice > max(choices) - SAME for choice in choices]
        first = 0 if not to_start.things else 2 - right[0]
        given_away = round(PARTS * max(0.0, best - sure))
        return [round(PARTS * best), round(PARTS * sure), given_away, first, int(sum(right) == 1)]

    def played(self, seed: int, trial: int) -> Table:
        return opponents.played(self.setting(), trial, self.chance(seed, trial))

    def row_of(self, table: Table) -> Sequence[int]:
        assert isinstance(table.game, Dogs)
        events = [event for entry in table.entries for event in entry.events if event.rule == FLOATING]
        dealt = {name: duel.hand_of(worth(card) for card in _drawn(name, events)) for name in NAMES}
        return self.solved(dealt[NAMES[0]], dealt[NAMES[1]], NAMES.index(table.game.contested.starter))


def _drawn(name: str, events: Sequence[Event]) -> Iterator[Card]:
    for event in events:
        if event.key == "draws_for" and event.about["name"] == name:
            yield from event.about["cards"]
