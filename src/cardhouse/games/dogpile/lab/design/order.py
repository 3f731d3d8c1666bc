"""The order for a deck, from the command line or the page.

Search code is imported when a search begins: a server that only describes or parses an order doesn't need it.
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
from cardhouse.lab.questions.design import Design, DesignedFile, SoFar

if TYPE_CHECKING:
    from cardhouse.games.dogpile.lab.design.search import Candidate

MOST_ROUNDS = 1_000_000


class DeckOrder(Design, frozen=True, kw_only=True):
    """A deck with wanted chances of contact and packs."""

    game: ClassVar[str] = "dogpile"
    name: ClassVar[str] = "design"
    option: ClassVar[str] = "deck"
    title: ClassVar[str] = "Design a deck to order"
    about: ClassVar[str] = (
        "Searches for a deck with the contacts and packs you want: numbers, suits, cards with two values, "
        "wild cards. Compares your order with the deck found, on new deals. If an order can't be met, shows "
        "the nearest deck and what would help. A deck of 150 cards takes ten to thirty seconds of one core; "
        "hard cards, or the coordinated bot (best), take several times as long."
    )

    cards: Annotated[int, Meta(ge=2, le=MOST_CARDS, description="cards in the deck")] = 150
    pairs: Annotated[str, Meta(description="chance that two cards can lie side by side, such as 18%")] = ""
    stack: Annotated[str, Meta(description="chance that two cards can lie one above the other, such as 25%")] = ""
    mean_pack: Annotated[str, Meta(description="average dogs per round, such as 7; a lost pack counts as none")] = ""
    hardest: Annotated[
        str, Meta(description="lowest share at which any card (except wild ones) is laid, such as 35%")
    ] = ""
    players: Annotated[str, Meta(description="number of players: 4, or 2-8 for the average")] = "4"
    hand_size: Annotated[state.HandSize, Meta(description="cards in a hand")] = USUAL.hand_size
    passing: Passing = USUAL.passing
    bot: Annotated[Who, Meta(description="bot that plays every seat: sure (careful) or best (coordinated)")] = "sure"
    wild: Annotated[
        int, Meta(ge=0, description=("number of wild cards: two jokers, then cards wild in number or suit only"))
    ] = 2
    numbers: Annotated[str, Meta(description="numbers in the deck")] = "5-40"
    suits: Annotated[str, Meta(description="suits in the deck")] = "3-8"
    two_numbers: Annotated[str, Meta(description="share of cards with two numbers")] = "0-50%"
    two_suits: Annotated[str, Meta(description="share of cards with two suits")] = "0-50%"
    alike: Annotated[int, Meta(ge=1, description="most identical cards")] = 1
    starts: Annotated[int, Meta(ge=1, le=MOST_STARTS, description="independent searches; the best result counts")] = 8
    seed: Annotated[int, Meta(ge=0, le=2**31, description="seed; the same seed gives the same deck")] = 0
    rounds: Annotated[
        int,
        Meta(
            ge=0,
            le=MOST_ROUNDS,
            description="rounds to test the deck, for each number of players; 0 means 200,000, or 40,000 with best",
        ),
    ] = 0

    def check(self) -> None:
        self.wanted.check()

    @property
    def wanted(self) -> Wanted:
        """The order in numbers.

        Raises CardhouseError for text that isn't a number.
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
    ) -> DesignedFile | None:
        from cardhouse.games.dogpile.lab.design.designed import design
        from cardhouse.games.dogpile.lab.design.telling import report

        def report_progress(done: int, best: Candidate) -> None:
            tell(SoFar(done, f"{best.mean_pack:.2f}", "dogs that join in a round, with the best deck so far"))

        rounds = self.rounds or self.wanted.rounds(ROUNDS)
        found = design(self.wanted, workers=workers, rounds=rounds, tell=report_progress, halt=halt)
        return None if found is None else report(self.command, found)


DESIGNS = (DeckOrder,)


# Parsing.


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
    """Return the numbers of players in a list of numbers and ranges separated by commas."""
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
