from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from cardhouse.engine import SCREEN, CardhouseError, SeededDealer, Table
from cardhouse.testing import Conformance, Pair, ask_somebody, compare, excused
from cardhouse.testing.golden import goldens, named, play
from cardhouse.testing.twins import like_the_one, twin_of
from magpies.trick import cancelled, points_of, taker

GOLDENS = Path(__file__).parent / "transcripts"
SEATS = ["gm", "ada", "ben"]


@pytest.mark.parametrize("path", goldens(GOLDENS), ids=named)
def test_played_as_it_stands_there(path: Path):
    play(path)


@pytest.mark.parametrize(
    ("cards", "who"),
    [
        ({"gm": "HA", "ada": "SK", "ben": "D2"}, "gm"),
        ({"gm": "HA", "ada": "SA", "ben": "D2"}, "ben"),
        ({"gm": "HA", "ada": "SA", "ben": "DA"}, None),
        ({"gm": "H9", "ada": "S9", "ben": "D4", "cleo": "C4"}, None),
        ({"gm": "H9", "ada": "S9", "ben": "D4", "cleo": "C3"}, "ben"),
    ],
)
def test_the_highest_that_is_not_cancelled_takes_it_mp6(cards: dict[str, str], who: str | None):
    assert taker(cards) == who
    assert who not in cancelled(cards)


def test_what_prizes_are_worth_mp8():
    assert points_of(["H2", "S10", "DJ", "CQ", "HK", "SA"]) == 2 + 10 + 11 + 12 + 13 + 14


def test_two_are_too_few_mp1():
    with pytest.raises(CardhouseError, match="for 3 to 6"):
        Table.new("magpies", ["gm", "ada"])


class TestMagpies(Conformance):
    """The conformance suite, as for every game: docs/authors.md."""

    game = "magpies"
    everything = True
    unreached = excused(rule="MP-1")  # nothing that happens cites it

    def start(self, rng: Random) -> Table:
        """A short game. With a real deck, a card in another hand is refused only when it is named."""
        options = {"hand": rng.randint(3, 7), "deals": rng.randint(1, 3)}
        return Table.new(self.game, SEATS, options, SeededDealer(rng.getrandbits(32)))

    def pairs(self, rng: Random) -> Iterator[Pair]:
        """Exchange a card in Ada's hand that is neither seen nor played."""
        one = Table.new(self.game, SEATS, dealer=SeededDealer(rng.getrandbits(32)))
        one.answer("gm", {"do": "deal"})
        mine, other = one.view("ada")["hand"][0], self.never_dealt(one, rng)
        two = twin_of(one, {mine: other, other: mine})
        yield Pair(one, two, ["gm", "ben"])
        for _ in range(12):
            said = ask_somebody(one, rng)
            if said is None or said[1].get("card") == mine:
                continue
            entry = one.answer(*said)
            if any(line.get("card") == other for line in entry.lines[1:]):
                return
            like_the_one(two, entry, {mine: other})
            yield Pair(one, two, ["gm", "ben"])

    def never_dealt(self, table: Table, rng: Random) -> str:
        return rng.choice(table.game.deck.cards())

    def check(self, table: Table) -> None:
        game = table.game
        known = [*game.deck.cards(), *game.prizes, *(card for seat in game.hands for card in game.hands[seat])]
        assert len(set(known)) == len(known)
        if game.hands:
            assert len({len(hand) for hand in game.hands.values()}) == 1


def test_nobody_sees_what_is_chosen_mp4():
    one, other = (Table.new("magpies", SEATS, dealer=SeededDealer(1)) for _ in range(2))
    for table in (one, other):
        table.answer("gm", {"do": "deal"})
    first, second = one.view("ada")["hand"][:2]
    one.answer("ada", {"do": "choose", "card": first})
    other.answer("ada", {"do": "choose", "card": second})
    compare(one, other, ["gm", "ben", SCREEN])
    assert (one.view("ada")["chosen"], other.view("ada")["chosen"]) == (first, second)
    for table in (one, other):
        table.answer("ada", {"do": "choose", "card": second})
    compare(one, other, ["gm", "ben", SCREEN])
