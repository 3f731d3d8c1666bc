"""Which check notices a mistake in the sound game: its class on loading, a table, or the suite."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from cardhouse.engine import GM, SeededDealer, Table, catalogue_of, find_game
from cardhouse.testing import Conformance, Pair

TESTS = [name for name in dir(Conformance) if name.startswith("test_")]


class Suite(Conformance):
    __test__ = False
    game = "sound"
    games = 6
    answers = 30

    def pairs(self, rng: Random) -> Iterator[Pair]:
        """Another card was drawn at each, which only the game master may know."""
        one, other = (Table.new(self.game, self.seats, dealer=SeededDealer(0)) for _ in range(2))
        for table, card in ((one, "CA"), (other, "C2")):
            drawn = {"draw": "cards", "card": card}
            table.answer(GM, {"do": "bid", "number": 3}, chance=[drawn, {"roll": "1d6", "dice": [2]}])
        yield Pair(one, other, ["ada", "ben"])


def loaded() -> None:
    find_game("sound")


def said() -> None:
    catalogue_of(find_game("sound"))


def started() -> None:
    Table.new("sound", ["gm", "ada", "ben"], dealer=SeededDealer(0))


def answered() -> None:
    """The game master bids, and both ring."""
    table = Table.new("sound", ["gm", "ada", "ben"], dealer=SeededDealer(0))
    table.offers("ada", anytime=True)
    table.answer(GM, {"do": "bid", "number": 3})
    table.offers("ada", anytime=True)
    table.answer("ada", {"do": "ring"})
    table.answer(GM, {"do": "ring"})
    table.view(GM)


def suite(name: str) -> Callable[[], Any]:
    return lambda: getattr(Suite(), name)()


ACCEPTED = suite("test_what_is_offered_is_accepted")
WORDS = suite("test_everything_said_has_words")
COPY = suite("test_a_copy_at_rest_goes_on_like_the_game")
TWINS = suite("test_twins_from_one_seed_stay_the_same")
LEAKS = suite("test_nothing_leaks")
BOTS = suite("test_bots_answer_what_is_offered")
SHOWN = suite("test_a_replayed_transcript_shows_everybody_the_same")


class Impatient(Suite):
    """Who waits a second for an answer."""

    patience = 1.0


def impatient(name: str) -> Callable[[], Any]:
    return lambda: getattr(Impatient(), name)()
