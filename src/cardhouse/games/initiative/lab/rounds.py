"""The base classes of questions about rounds of card initiative: characters, kernel arguments, replays by the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec

from cardhouse.cards import JOKERS, rank_of, suit_of
from cardhouse.engine import GM, Action, Ask, CardhouseError, Event, Table
from cardhouse.games.initiative.goals import ABOUT_FOES, Goal
from cardhouse.games.initiative.lab.sides import (
    RANKS_DOWN,
    SIDES,
    USUAL_HERO,
    Fighter,
    WaitsWell,
    answer_by,
    column,
    line_up,
    pieces_of,
    read_sides,
    two_sides,
    with_changes,
    write_sides,
)
from cardhouse.games.initiative.lab.solved import BY_NAME, How, Plan, Player, solved, unsolved
from cardhouse.games.initiative.rules import Initiative
from cardhouse.games.initiative.state import AddCharacter, Done, StartRound
from cardhouse.lab.questions.proof import play, table_of_paper
from cardhouse.lab.questions.question import Piece, Question, Situation
from cardhouse.lab.questions.settings import situation

if TYPE_CHECKING:
    from cardhouse.games.initiative.lab.kernels.rounds import Numbers

MOST_PLACES = 4 * len(RANKS_DOWN) + 4 + 1
"""Four sides with every rank, aces twice; and 0."""

COURTS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}

Responder = Callable[[Initiative, Ask], Action]
"""The answer of the character asked in a round."""

Mine = Annotated[
    int,
    msgspec.Meta(
        ge=1,
        le=len(RANKS_DOWN),
        description="characters on your side, of mixed ranks; the hero replaces the 9 if needed",
    ),
]
Theirs = Annotated[
    int, msgspec.Meta(ge=0, le=len(RANKS_DOWN), description="characters on the other side, of mixed ranks")
]
Hero = Annotated[
    str, msgspec.Meta(description="the hero's rank: A K Q ... 2; in a line-up of cards its first, unless named")
]
Foe = Annotated[
    str,
    msgspec.Meta(max_length=2, description="opponent for the goals after and before: a rank, or any"),
]
WhichGoal = Annotated[
    Goal,
    msgspec.Meta(
        description=("the hero's goal: to act first, to act last, to act right after an opponent, or to act before one")
    ),
]
Cards = Annotated[
    str,
    msgspec.Meta(
        max_length=200,
        description="ranks of both sides, yours first, instead of numbers: A K 9 5 / Q 8 4",
    ),
]


class RoundsQuestion(Question, frozen=True, kw_only=True):
    """A question about rounds, with a hero on my side whose results are counted."""

    game: ClassVar[str] = "initiative"
    trial: ClassVar[str] = "round"

    hero: Hero = USUAL_HERO
    mine: Mine = 4
    theirs: Theirs = 4
    cards: Cards = ""

    @classmethod
    def from_table(cls, view: Mapping[str, Any], options: Mapping[str, Any]) -> list[Situation]:
        cards = {one["card"]: one["name"] for one in view["characters"] if one["where"] != "later"}
        return [
            situation(cls, name, {"hero": rank_of(card), "cards": write_sides([*cards], suit_of(card))})
            for card, name in cards.items()
        ]

    @classmethod
    def completed(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the settings given; the hero of a line-up is its first rank, unless another is named."""
        ours = given.get("cards", "").partition("/")[0].split()
        return {"hero": ours[0].upper(), **given} if ours else given

    def check(self) -> None:
        self.hero_place()

    def fighters(self) -> list[Fighter]:
        """Return the characters of the round, the hero's side first."""
        if self.cards.strip():
            return read_sides(self.cards)
        return two_sides(self.mine, self.theirs, self.hero.upper())

    def hero_place(self) -> int:
        """Return the hero's place among them.

        Raises CardhouseError if there is no such hero.
        """
        ours = [rank_of(who.card) for who in self.fighters() if who.side == 0]
        if self.hero.upper() not in ours:
            raise CardhouseError(f'The hero is one of {", ".join(ours)}, not "{self.hero[:20]}".')
        return ours.index(self.hero.upper())

    @property
    def the_hero(self) -> str:
        """The hero by its rank, such as `the 9` or `the king`."""
        return f"the {COURTS.get(self.hero.upper(), self.hero)}"

    def line_up(self) -> str:
        return line_up(self.fighters())

    def pieces(self, setting: str) -> Sequence[Piece]:
        return pieces_of(self.fighters()) if setting == "cards" else ()

    def with_pieces(self, setting: str, becomes: Mapping[str, str]) -> Any:
        return with_changes(self.fighters(), becomes)

    def worth_trying(self, setting: str) -> Sequence[str]:
        return RANKS_DOWN if setting == "hero" else ()

    def arrays(self) -> tuple[Numbers, Numbers]:
        """Return each character's rank, and the column of its place after the fixed ones."""
        import numpy as np

        fighters = self.fighters()
        return np.array([who.rank for who in fighters], np.int64), np.array([column(who) for who in fighters], np.int64)

    def replay(
        self, seed: int, trial: int, rounds: Sequence[Responder], more: Callable[[Table], bool] = lambda table: False
    ) -> Table:
        """Play a trial again by the rules: one round for each way of choosing.

        While `more` holds, further rounds use the last way.
        """
        fighters, chance = self.fighters(), self.chance(seed, trial)
        table = table_of_paper(self.game, (GM,), {}, "initiative")
        for who in fighters:
            table.answer(GM, AddCharacter(who.name, card=who.card, side=SIDES[who.side]))

        def next_answer(table: Table) -> tuple[str, Any] | None:
            asked, game = table.question, table.game
            assert isinstance(asked, Ask)
            assert isinstance(game, Initiative)
            if not game.under_way:
                return (GM, StartRound()) if game.round < len(rounds) or more(table) else None
            if asked.key == "turn":
                return GM, Done(asked.about["name"])
            return GM, rounds[min(game.round, len(rounds)) - 1](game, asked)

        return play(table, chance, [*(who.card for who in fighters), *JOKERS], next_answer)


class RoundQuestion(RoundsQuestion, frozen=True, kw_only=True):
    """A question about one round, in which a hero on my side may have a goal."""

    goal: WhichGoal = "last"
    foe: Foe = ""

    def check(self) -> None:
        super().check()
        foes = [rank_of(who.card) for who in self.fighters() if who.side]
        if self.foe and self.foe.upper() not in foes:
            there = f"is one of {', '.join(dict.fromkeys(foes))}" if foes else "is nobody"
            raise CardhouseError(f'The foe {there}, not "{self.foe[:20]}".')

    def players(self, hero: How, mates: WaitsWell, foes: WaitsWell) -> tuple[Player, ...]:
        """Return all characters with their policies.

        Best helps the hero's goal on its side, and hinders it elsewhere.
        """
        of_sides: tuple[How, How] = "helps" if mates == "best" else mates, "hinders" if foes == "best" else foes
        place, foe, matters = self.hero_place(), self.foe.upper(), self.goal in ABOUT_FOES
        return tuple(
            Player(
                who.card,
                hero if number == place else of_sides[who.side > 0],
                number == place,
                matters and who.side > 0 and foe in ("", rank_of(who.card)),
            )
            for number, who in enumerate(self.fighters())
        )

    def planned(self, players: tuple[Player, ...]) -> Plan:
        """Return the plan that they choose by, solved if any of them plays best."""
        known = any(one.how in ("helps", "hinders") for one in players)
        return solved(players, self.goal) if known else unsolved(players, self.goal)

    def responder(self, players: tuple[Player, ...]) -> Responder:
        """Return the answers that the characters give when asked by the rules."""
        plan, by_card = self.planned(players), {one.card: one for one in players}

        def respond(game: Initiative, asked: Ask) -> Action:
            how = by_card[game.named(asked.about["name"]).card].how
            if how in BY_NAME:
                return answer_by(game, asked, BY_NAME[how])
            return plan.answer(game, asked, self.goal, by_card)

        return respond


TURNED = ("drawn", "red_joker", "red_joker_takes", "black_joker", "burns", "burns_joker")
"""The events that turn over a card (IN-7 to IN-9)."""


def turned_in(story: Sequence[Event]) -> int:
    """Return the number of cards turned over."""
    return sum(event.key in TURNED for event in story)


def story_of(table: Table) -> list[Event]:
    """Return all events at a table."""
    return [event for entry in table.entries for event in entry.events]


def turns_in(story: Sequence[Event]) -> list[str]:
    """Return the name of each turn, in order."""
    return [str(event.about["name"]) for event in story if event.key == "acts"]
