"""The settings and deals shared by the lab's questions about single rounds of Dogpile."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import msgspec

from cardhouse.cards import Card
from cardhouse.engine import Table
from cardhouse.games.dogpile import state
from cardhouse.games.dogpile.bots.convention import Convention, has_suits
from cardhouse.games.dogpile.deck import DogDeck
from cardhouse.games.dogpile.deck_file import STANDARD, STANDARD_FILE, bundled_decks, deck_of, read_deck
from cardhouse.games.dogpile.lab.single_rounds import can_be_compiled, one_round
from cardhouse.games.dogpile.lab.whole_games import Setting
from cardhouse.games.dogpile.rules import Dogpile
from cardhouse.games.dogpile.state import MOST_PLAYERS, USUAL
from cardhouse.lab.questions.question import UNASKED, Piece, Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cardhouse.lab.questions.question import Rows

Who = Literal["sure", "bold", "reader", "best", "random"]

Players = Annotated[int, msgspec.Meta(ge=1, le=MOST_PLAYERS, description="number of players")]
HandSize = Annotated[state.HandSize, msgspec.Meta(description="cards in a hand")]
Jokers = Annotated[int, msgspec.Meta(ge=0, le=state.MOST_JOKERS, description="number of jokers")]
Bot = Annotated[
    Who,
    msgspec.Meta(
        description="bot that plays every seat: sure (careful), bold, reader (observant), best (coordinated), or "
        "random (lays any cards anywhere)"
    ),
]
Alone = Annotated[state.LoneLeader, msgspec.Meta(description="fate of a Pack Leader alone (DG-15)")]
Passing = Annotated[
    state.Passing,
    msgspec.Meta(description=("effect of laying nothing: laying ends for everyone, or for that player (DG-7)")),
]
DeckFile = Annotated[state.DeckFile, msgspec.Meta(description="deck file, or a built-in deck: standard or dogs")]


LEFT_OUT, TWICE = "left out", "there twice"
"""The states a card of a deck may take when one card is changed at a time."""
LONGEST_ID = 12
"""The maximum length of a card's id (DG-20)."""


def pieces_of(deck: Mapping[str, Any]) -> list[Piece]:
    """Return each card of a deck's data, by default the standard deck's, without wild cards, which have a setting."""
    return [Piece(card, one.name, (LEFT_OUT, TWICE)) for card, one in deck_of(deck).cards.items() if not one.wild]


def with_changes(deck: Mapping[str, Any], becomes: Mapping[str, str]) -> dict[str, Any]:
    """Return a deck's data with some cards left out and some duplicated."""
    data = deck or read_deck(STANDARD_FILE)
    cards: dict[str, Any] = {}
    for card, line in data["cards"].items():
        change = becomes.get(card)
        if change != LEFT_OUT:
            cards[card] = line
        if change == TWICE:
            cards[copy_of(card, {**data["cards"], **cards})] = line
    return {**data, "cards": cards}


def copy_of(card: Card, cards: Container[str]) -> Card:
    """Return a new id for a copy of this card, not yet among these cards."""
    ends = (f"-{number}" for number in count(2))
    return next(copy for end in ends if (copy := card[: LONGEST_ID - len(end)] + end) not in cards)


class Dealt(Question, frozen=True, kw_only=True):
    """A round from a full deck, with new hands and a new Pack Leader each time."""

    game: ClassVar[str] = "dogpile"
    trial: ClassVar[str] = "round"
    at_once: ClassVar[int] = 5_000

    players: Players = 4
    hand_size: HandSize = USUAL.hand_size
    jokers: Jokers = USUAL.jokers
    passing: Passing = USUAL.passing
    deck: DeckFile = {}
    in_step_with: Annotated[state.DeckFile, UNASKED] = {}
    """The deck to deal in step with, for a comparison, as `played_with` returns it; {} for none."""

    @classmethod
    def named_file(cls, setting: str, text: str) -> Any | None:
        """Return a bundled deck, or {} for the standard deck, the default."""
        if setting != "deck" or text not in bundled_decks():
            return None
        return {} if text == STANDARD else read_deck(bundled_decks()[text], text)

    def pieces(self, setting: str) -> Sequence[Piece]:
        return pieces_of(self.deck) if setting == "deck" else ()

    def with_pieces(self, setting: str, becomes: Mapping[str, str]) -> Any:
        return with_changes(self.deck, becomes)

    @property
    def dogs(self) -> DogDeck:
        """The deck."""
        return deck_of(self.deck)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in play, in the deck's order, which gives the kernel's indices."""
        game = self.new_game()
        return tuple(game.cards_played())

    @property
    def options(self) -> dict[str, Any]:
        """The options of the table."""
        return {"hand_size": self.hand_size, "jokers": self.jokers, "passing": self.passing, "deck": self.deck}

    def new_game(self) -> Dogpile:
        """Return a table before its first round.

        Raises CardhouseError if no such table is possible.
        """
        game = Setting(("sure",) * self.players, self.options, 1).table(0).game
        assert isinstance(game, Dogpile)
        return game

    def check(self) -> None:
        self.new_game()

    @property
    def has_kernel(self) -> bool:
        """Whether a kernel can play these rounds with the cautious bot."""
        return can_be_compiled(self.dogs, self.cards, self.hand_size)

    def chance(self, seed: int, trial: int) -> list[int]:
        (drawn,) = self.dealt(seed, trial, 1).tolist()
        return list(drawn)

    def dealt(self, seed: int, first: int, count: int) -> Rows:
        """Return the deals of `count` trials from `first` on, the same for any bot: the hands, then the Pack Leader."""
        from cardhouse.games.dogpile.lab.tables import dealt

        return dealt(len(self.cards), self.places, self.players, self.hand_size, seed, first, count)

    @property
    def places(self) -> NDArray[np.int16]:
        """The places for dealing in step with another deck; empty if it isn't."""
        from cardhouse.games.dogpile.lab.in_step import no_places, places_for

        if not self.in_step_with:
            return no_places()
        other = deck_of(self.in_step_with)
        return places_for(self.dogs, self.cards, other, tuple(other.cards))

    def paired_with(self, other: Question) -> tuple[Question, Question]:
        """Deal decks of different sizes in step, so that both are dealt the cards they have in common."""
        assert isinstance(other, Dealt)
        if len(self.cards) == len(other.cards) or self.in_step_with or other.in_step_with:
            return self, other
        replace = msgspec.structs.replace
        return replace(self, in_step_with=other.played_with()), replace(other, in_step_with=self.played_with())

    def played_with(self) -> dict[str, Any]:
        """Return the data of a deck with only the cards in play."""
        data = self.deck or read_deck(STANDARD_FILE)
        return {**data, "cards": {card: data["cards"][card] for card in self.cards}}

    def played_by(self, bot: str, seed: int, trial: int) -> Table:
        """Return a round played by the rules."""
        drawn = self.chance(seed, trial)
        return one_round(self.players, self.options, self.cards, drawn, bot, Random(f"{seed} {trial}"))

    def played(self, seed: int, trial: int) -> Table:
        return self.played_by("sure", seed, trial)

    def by_rules(self, seed: int, first: int, out: Rows) -> None:
        """Play by the rules what the kernel would play."""
        for place in range(len(out)):
            out[place] = self.row_of(self.played(seed, first + place))

    def by_kernel(self, seed: int, first: int, out: Rows, *, by_card: bool, joins_alone: bool) -> None:
        """Play with the kernel."""
        from cardhouse.games.dogpile.lab.kernels.rounds import rounds
        from cardhouse.games.dogpile.lab.tables import apart, board_for, desk_of, dogs_for

        dogs, board = apart(dogs_for(self.dogs, self.cards), board_for(self.hand_size))
        desk = desk_of(dogs, self.hand_size)
        skips = self.passing == "skips"
        rounds(dogs, board, joins_alone, by_card, skips, self.places, self.players, desk, seed, first, out)

    @property
    def has_team_kernel(self) -> bool:
        """Whether a kernel can play these rounds with a team's convention. A single player has no team."""
        return self.players > 1 and has_suits(self.dogs)

    def by_team(
        self,
        convention: Convention,
        seed: int,
        first: int,
        out: Rows,
        *,
        by_card: bool = False,
        joins_alone: bool = False,
    ) -> None:
        """Play with a team that has this convention."""
        from cardhouse.games.dogpile.lab.kernels.conventions import rounds_of_team
        from cardhouse.games.dogpile.lab.tables import dogs_for, team_for, team_sheet

        touch = dogs_for(self.dogs, self.cards).touch
        agreed, sheet = team_for(convention, self.dogs, self.cards), team_sheet(self.hand_size)
        skips = self.passing == "skips"
        rounds_of_team(agreed, touch, joins_alone, by_card, skips, self.places, self.players, sheet, seed, first, out)

    @property
    def most(self) -> int:
        """The number of cards in the largest possible pack."""
        return self.players * self.hand_size + 1


class ByBots(Dealt, frozen=True, kw_only=True):
    """A round in which the same bot plays every seat, with a kernel if there is one for it."""

    bot: Bot = "sure"

    @property
    def compiled(self) -> bool:  # type: ignore[override]  # depends on the bot
        """Whether a kernel plays the trials."""
        return self.team or (self.cautious and self.has_kernel)

    @property
    def team(self) -> bool:
        """Whether a kernel plays with a team's convention."""
        return self.bot == "best" and self.has_team_kernel

    @property
    def cautious(self) -> bool:
        """Whether the cautious bot plays, which also replaces a team of one player."""
        return self.bot == "sure" or (self.bot == "best" and self.players == 1)

    @property
    def at_once(self) -> int:  # type: ignore[override]  # the rules take a thousand times as long
        """The number of trials in a batch."""
        return (2_000 if self.team else 20_000) if self.compiled else 20

    def played(self, seed: int, trial: int) -> Table:
        return self.played_by(self.bot, seed, trial)
