"""A deck to order, as one asks for it on the command line and on the page.

What searches is loaded when it does: a server that only tells of it, or reads what is wanted, needs none of that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta

from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile import state
from cardhouse.games.dogpile.deck_check import MOST_CARDS
from cardhouse.games.dogpile.lab.dealt import Passing, Who
from cardhouse.games.dogpile.lab.design.wanted import MOST_STARTS, ROUNDS, Span, Wanted
from cardhouse.games.dogpile.state import MOST_PLAYERS, USUAL
from cardhouse.lab.design import Design, Made, SoFar

if TYPE_CHECKING:
    from cardhouse.games.dogpile.lab.design.search import Candidate

MOST_ROUNDS = 1_000_000


class DeckOrder(Design, frozen=True, kw_only=True):
    """A deck that has wanted chances of contact and packs."""

    game: ClassVar[str] = "dogpile"
    name: ClassVar[str] = "design"
    option: ClassVar[str] = "deck"
    title: ClassVar[str] = "Design a deck to order"
    about: ClassVar[str] = (
        "Say how often its cards shall touch and how large packs shall be, and a deck is searched for: numbers, suits, "
        "cards that are two things at once, wild ones. What was asked stands beside what the deck does, counted where "
        "that is possible, else played on deals on which no deck was searched; what can't be had is said, with the "
        "nearest that was found and what it would take. That is some ten to thirty seconds of a core for a deck of 150 "
        "cards, and several times as long for hard cards, or for a team that has agreed on something (best)."
    )

    cards: Annotated[int, Meta(ge=2, le=MOST_CARDS, description="cards in the deck")] = 150
    pairs: Annotated[str, Meta(description="the chance that two cards of it may lie side by side, such as 18%")] = ""
    stack: Annotated[str, Meta(description="the chance that two may lie one above the other, such as 25%")] = ""
    mean_pack: Annotated[
        str, Meta(description="dogs that join in a round, on average, such as 7; a lost pack counts as none")
    ] = ""
    hardest: Annotated[
        str, Meta(description="no plain card of whoever has a turn is laid less often than that, such as 35%")
    ] = ""
    players: Annotated[str, Meta(description="so many play: 4, or 2-8 for the mean of all these")] = "4"
    hand_size: Annotated[state.HandSize, Meta(description="cards in a hand")] = USUAL.hand_size
    passing: Passing = USUAL.passing
    bot: Annotated[Who, Meta(description="who plays in every seat; only sure and best are fast enough")] = "sure"
    wild: Annotated[int, Meta(ge=0, description="wild cards: two jokers, more are wild in number or suit alone")] = 2
    numbers: Annotated[str, Meta(description="so many numbers there may be")] = "5-40"
    suits: Annotated[str, Meta(description="so many suits there may be")] = "3-8"
    two_numbers: Annotated[str, Meta(description="such a share of the cards may have two numbers")] = "0-50%"
    two_suits: Annotated[str, Meta(description="such a share of the cards may have two suits")] = "0-50%"
    alike: Annotated[int, Meta(ge=1, description="so many cards may be the same")] = 1
    starts: Annotated[int, Meta(ge=1, le=MOST_STARTS, description="independent searches; the best is taken")] = 8
    seed: Annotated[int, Meta(ge=0, le=2**31, description="other decks; the same seed is the same deck")] = 0
    rounds: Annotated[
        int,
        Meta(
            ge=0,
            le=MOST_ROUNDS,
            description="so many rounds for each number of players tell what it does; 0: 200,000, of a team 40,000",
        ),
    ] = 0

    def check(self) -> None:
        self.wanted.check()

    @property
    def wanted(self) -> Wanted:
        """The same in numbers.

        Raises CardhouseError for what is no number.
        """
        return Wanted(
            cards=self.cards,
            pairs=_percent("pairs", self.pairs),
            stack=_percent("stack", self.stack),
            mean_pack=_number("mean-pack", self.mean_pack, "a number of dogs such as 7") if self.mean_pack else None,
            hardest=_percent("hardest", self.hardest),
            players=_players(self.players),
            hand_size=self.hand_size,
            passing=self.passing,
            bot=self.bot,
            wild=self.wild,
            numbers=_span("numbers", self.numbers),
            suits=_span("suits", self.suits),
            two_numbers=_span("two-numbers", self.two_numbers, 100),
            two_suits=_span("two-suits", self.two_suits, 100),
            alike=self.alike,
            starts=self.starts,
            seed=self.seed,
        )

    @property
    def steps(self) -> int:
        return self.starts + len(self.wanted.tables)

    def make(
        self, *, workers: int | None = None, tell: Callable[[SoFar], None], halt: Callable[[], bool] = lambda: False
    ) -> Made | None:
        from cardhouse.games.dogpile.lab.design.designed import design
        from cardhouse.games.dogpile.lab.design.telling import in_words

        def told(done: int, best: Candidate) -> None:
            tell(SoFar(done, f"{best.mean_pack:.2f}", "dogs that join in a round, with the best deck so far"))

        rounds = self.rounds or self.wanted.rounds(ROUNDS)
        found = design(self.wanted, workers=workers, rounds=rounds, tell=told, halt=halt)
        return None if found is None else in_words(self.command, found)


DESIGNS = (DeckOrder,)


# What was asked.


def _percent(name: str, text: str) -> float | None:
    return _number(name, text.strip().removesuffix("%"), "a percentage such as 18%") / 100 if text else None


def _number(name: str, text: str, takes: str = "a number, or a range such as 5-40") -> float:
    try:
        return float(text)
    except ValueError:
        raise CardhouseError(f"{name} takes {takes}, not {text[:40] or 'nothing'}.") from None


def _span(name: str, text: str, scale: float = 1) -> Span:
    first, dash, last = text.replace("%", "").partition("-")
    return Span(_number(name, first) / scale, _number(name, last if dash else first) / scale)


def _players(text: str) -> tuple[int, ...]:
    """Numbers of players, and ranges of them, with commas between."""
    found: dict[int, None] = {}
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        ends = [
            int(end) if end.strip().isdecimal() and len(end) < 4 else -1 for end in (first, last if dash else first)
        ]
        if not 1 <= ends[0] <= ends[1] <= MOST_PLAYERS:
            raise CardhouseError(f"players takes numbers from 1 to {MOST_PLAYERS}, such as 4 or 2-8, not {text[:40]}.")
        found |= dict.fromkeys(range(ends[0], ends[1] + 1))
    return tuple(found)
