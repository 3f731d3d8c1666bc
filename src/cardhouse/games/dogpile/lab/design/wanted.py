"""The order for a deck in numbers."""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile import state
from cardhouse.games.dogpile.bots.convention import MOST_KINDS, MOST_SUITS
from cardhouse.games.dogpile.deck_check import MOST_CARDS, MOST_JOKERS
from cardhouse.games.dogpile.lab.dealt import Who
from cardhouse.games.dogpile.lab.single_rounds import LARGEST_HAND, MOST_WILD
from cardhouse.games.dogpile.state import MOST_PLAYERS, USUAL

MOST_VALUES: Final = 60
"""The most numbers, and the most suits."""
MOST_STARTS: Final = 200
ROUNDS: Final = 200_000
"""The default number of rounds for each number of players to confirm a deck."""
COMPILED: Final = ("sure", "best")
"""The bots that have kernels."""
SLOWER: Final = 5
"""The factor by which rounds are reduced for a team, which is about thirty times as slow as the careful bot."""
FEWEST_NUMBERS: Final = 3
FEWEST_SUITS: Final = 2


class Span(NamedTuple):
    """A range, ends included."""

    least: float
    most: float


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """The wanted properties of a deck, and its possible make-up. None leaves a property open.

    Chances and shares are from 0 to 1. `pairs` is the chance that two cards of the deck may lie side by side, `stack`
    that they may lie one above the other. `mean_pack` is the mean number of dogs that join in a round from a full deck,
    0 for a lost pack, averaged over the numbers of `players`. No plain card may be laid less often than `hardest` by
    players who hold it in their turn.
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
        """The number of plain cards."""
        return self.cards - self.wild

    @property
    def of_pairs(self) -> int:
        """The number of pairs of cards."""
        return self.cards * (self.cards - 1) // 2

    @property
    def of_team(self) -> bool:
        """Whether a team with a convention plays, which limits the suits and kinds."""
        return self.bot == "best" and max(self.players) > 1

    @property
    def tables(self) -> tuple[int, ...]:
        """The numbers of players for which a deck is measured: two or more, as far as it has cards."""
        return tuple(range(2, min(MOST_PLAYERS, (self.cards - 1) // self.hand_size) + 1))

    def rounds(self, many: int) -> int:
        """Return this number of rounds, or fewer if the bot is slow."""
        return max(2, many // SLOWER) if self.of_team else many

    @property
    def most_suits(self) -> int:
        """The maximum number of suits."""
        return min(int(self.suits.most), MOST_SUITS) if self.of_team else int(self.suits.most)

    def most_numbers(self, suits: int) -> int:
        """Return the maximum number of numbers with this many suits."""
        return min(int(self.numbers.most), MOST_KINDS // suits) if self.of_team else int(self.numbers.most)

    @property
    def jokers(self) -> int:
        """The number of wild cards that are free in number and suit. Further ones are free in one of them."""
        return min(self.wild, MOST_JOKERS)

    def check(self) -> None:
        """Raise CardhouseError for an impossible order."""
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
        if self.of_team and (self.suits.least > MOST_SUITS or self.most_numbers(self.most_suits) < self.numbers.least):
            raise CardhouseError(
                f"A team that has agreed on something (best) plays with {MOST_SUITS} suits and {MOST_KINDS} kinds of "
                f"card at most, so ask for fewer --suits or --numbers."
            )
        if self.of_team and (self.two_numbers.least or self.two_suits.least):
            raise CardhouseError(
                "A team that has agreed on something (best) knows no cards with two numbers or suits; ask for none."
            )
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
        """Reject chances below what the jokers, which touch everything, make by themselves."""
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
