"""What somebody wants of a deck that is to be designed."""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile import state
from cardhouse.games.dogpile.deck_check import MOST_CARDS, MOST_JOKERS
from cardhouse.games.dogpile.lab.dealt import Who
from cardhouse.games.dogpile.lab.kernels.arranging import MOST_VALUES
from cardhouse.games.dogpile.lab.single_rounds import LARGEST_HAND, MOST_WILD
from cardhouse.games.dogpile.state import MOST_PLAYERS, USUAL

MOST_STARTS: Final = 200
COMPILED: Final = ("sure",)
"""The bots that play as machine code."""
FEWEST_NUMBERS: Final = 3
FEWEST_SUITS: Final = 2


class Span(NamedTuple):
    """From the least to the most that something may be."""

    least: float
    most: float


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What is wanted of a deck, and what it may be made of; None of what may be as it comes.

    Chances and shares are from 0 to 1. `pairs` is the chance that two cards of the deck may lie side by side, `stack`
    that they may lie one above the other. `mean_pack` is the mean number of dogs that join in a round from a full deck,
    0 for a pack that is lost; of several numbers of `players` the mean of theirs. No plain card of whoever has a turn
    shall be laid less often than `hardest`.
    """

    cards: int
    pairs: float | None = None
    stack: float | None = None
    mean_pack: float | None = None
    hardest: float | None = None
    players: tuple[int, ...] = (4,)
    hand_size: int = USUAL.hand_size
    passing: state.Passing = USUAL.passing
    bot: Who = "sure"
    wild: int = 2
    numbers: Span = Span(5, 40)
    suits: Span = Span(3, 8)
    two_numbers: Span = Span(0, 0.5)
    two_suits: Span = Span(0, 0.5)
    alike: int = 1
    starts: int = 8
    seed: int = 0

    @property
    def plain(self) -> int:
        """The cards that are not wild."""
        return self.cards - self.wild

    @property
    def of_pairs(self) -> int:
        """How many pairs of cards the deck has."""
        return self.cards * (self.cards - 1) // 2

    @property
    def jokers(self) -> int:
        """The wild cards that are free in their number and in their suit; more are free in one of them."""
        return min(self.wild, MOST_JOKERS)

    def check(self) -> None:
        """Raises CardhouseError, in words, for what can't be wanted."""
        if not self.players or not all(1 <= players <= MOST_PLAYERS for players in self.players):
            raise CardhouseError(f"players takes numbers from 1 to {MOST_PLAYERS}, such as 4 or 2-8.")
        if self.bot not in COMPILED:
            raise CardhouseError(
                f"{self.bot} plays a few dozen rounds a second, and a search takes millions; design for "
                f"{' or '.join(COMPILED)}, and ask cardhouse lab dogpile silence what the deck does for others."
            )
        _within("hand-size", self.hand_size, 1, LARGEST_HAND)
        _within("cards", self.cards, max(self.players) * self.hand_size + 1, MOST_CARDS)
        _within("wild", self.wild, 0, MOST_WILD)
        _within("alike", self.alike, 1, self.cards)
        _within("starts", self.starts, 1, MOST_STARTS)
        _within("seed", self.seed, 0, 2**31)
        _span("numbers", self.numbers, FEWEST_NUMBERS, MOST_VALUES)
        _span("suits", self.suits, FEWEST_SUITS, MOST_VALUES)
        _span("two-numbers", self.two_numbers, 0, 1)
        _span("two-suits", self.two_suits, 0, 1)
        for name, chance in (("pairs", self.pairs), ("stack", self.stack), ("hardest", self.hardest)):
            if chance is not None and not 0 < chance < 1:
                raise CardhouseError(f"{name} takes a chance between 0% and 100%, not {100 * chance:g}%.")
        most = max(self.players) * self.hand_size + 1
        if self.mean_pack is not None and not 0 < self.mean_pack <= most:
            raise CardhouseError(f"mean-pack takes a number of dogs up to {most}, not {self.mean_pack:g}.")
        if all(wish is None for wish in (self.pairs, self.stack, self.mean_pack, self.hardest)):
            raise CardhouseError("Nothing is wanted of this deck; say --pairs, --stack, --mean-pack or --hardest.")
        self._check_jokers()

    def _check_jokers(self) -> None:
        """Jokers touch everything, so that chances can't be lower than what they alone make."""
        rest = self.cards - self.jokers
        least = 1 - rest * (rest - 1) / (self.cards * (self.cards - 1))
        for name, chance in (("pairs", self.pairs), ("stack", self.stack)):
            if chance is not None and chance <= least:
                raise CardhouseError(
                    f"{name} can't be {100 * chance:g}%: the {self.jokers} jokers, which touch every card, make "
                    f"{100 * least:.1f}% alone. Ask for more, or for fewer --wild."
                )


def _within(name: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise CardhouseError(f"{name} takes a whole number from {least} to {most} here, not {number}.")


def _span(name: str, span: Span, least: float, most: float) -> None:
    if not least <= span.least <= span.most <= most:
        raise CardhouseError(
            f"{name} takes a range within {least:g} and {most:g}, not {span.least:g} to {span.most:g}."
        )
