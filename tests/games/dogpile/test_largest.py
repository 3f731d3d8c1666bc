"""The largest pack: as large as by trying everything and by a constraint solver, and legal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardhouse.cards import Card, Cell, around
from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile.deck import DogDeck, bits_of, deck_from
from cardhouse.games.dogpile.deck_file import bundled_decks, deck_of, read_deck, standard_deck
from cardhouse.games.dogpile.growing import Growth
from cardhouse.games.dogpile.judge import judge, layout_of
from cardhouse.games.dogpile.known import Effort, Found, Open
from cardhouse.games.dogpile.largest import Largest, largest_pack
from cardhouse.games.dogpile.reach import near_of
from cardhouse.games.dogpile.suits import largest_of_suits
from tests.games.dogpile.solver import none_larger, solve

STANDARD = standard_deck()
DOGS = deck_of(read_deck(bundled_decks()["dogs"]))
PLAIN = [card for card in STANDARD.cards if card not in STANDARD.jokers]
HARD: list[dict[str, Any]] = json.loads(Path(__file__).with_name("hard.json").read_text("utf-8"))
"""Cards that all hang together by what may touch, and yet can't all be laid; `why` says what is in the way.

They were found by adding to small such sets at random, and checked once by going through every layout.
"""


def tried(leader: Card, cards: Sequence[Card], deck: DogDeck) -> int:
    """The size of the largest pack, by growing every pack there is."""
    best = 1
    starts = [{(0, 0): kind} for kind in bits_of(deck.may_be[leader])]
    packs: list[tuple[dict[Cell, int], tuple[Card, ...]]] = [(start, tuple(cards)) for start in starts]
    seen = set()
    while packs and best <= len(cards):
        pack, left = packs.pop()
        best = max(best, len(pack))
        for cell in {beside for there in pack for beside in around(there)} - set(pack):
            fits = -1
            for other in around(cell):
                if other in pack:
                    fits &= deck.fits(beside=other[1] == cell[1])[pack[other]]
            for card in left:
                for kind in bits_of(deck.may_be[card] & fits):
                    rest = tuple(one for one in left if one != card)
                    key = frozenset({**pack, cell: kind}.items()), rest
                    if key not in seen:
                        seen.add(key)
                        packs.append(({**pack, cell: kind}, rest))
    return best


def assert_legal(found: Largest, leader: Card, cards: Sequence[Card], deck: DogDeck) -> None:
    layout = layout_of(found.layout)
    assert layout[0, 0] == leader
    assert set(layout.values()) <= {leader, *cards}
    assert judge(layout, deck).legal
    assert found.size <= found.bound <= len(cards) + 1


def scarce(rng: Random, count: int, jokers: int = 0) -> list[Card]:
    """Cards of few numbers, so that little fits together; the first is the Pack Leader."""
    while True:
        numbers = rng.sample(range(1, 14), rng.randint(2, 6))
        pool = [card for card in PLAIN if STANDARD.cards[card].values["number"] in numbers]
        if len(pool) >= count:
            cards = [*rng.sample(pool, count - jokers), *STANDARD.jokers[:jokers]]
            return cards[::-1] if rng.random() < 0.3 else cards


@pytest.mark.parametrize(
    ("count", "jokers", "games"), [(4, 0, 4000), (5, 0, 4000), (6, 0, 1500), (3, 1, 400), (4, 1, 300), (3, 2, 30)]
)
def test_it_is_as_large_as_trying_everything_makes_it(count: int, jokers: int, games: int) -> None:
    rng = Random(count + jokers)
    for _ in range(games):
        leader, *cards = scarce(rng, count, jokers)
        found = largest_pack(leader, cards, STANDARD)
        assert_legal(found, leader, cards, STANDARD)
        assert (found.size, found.bound) == (tried(leader, cards, STANDARD),) * 2, [leader, *cards]


def test_so_it_is_of_a_deck_whose_cards_form_no_suits() -> None:
    rng = Random(120)
    plain = [card.id for card in DOGS.cards.values() if not card.wild]
    for _ in range(400):
        leader, *cards = rng.sample(plain, rng.randint(2, 5))
        found = largest_pack(leader, cards, DOGS)
        assert_legal(found, leader, cards, DOGS)
        best = tried(leader, cards, DOGS)
        assert found.size <= best <= found.bound
        assert not found.proven or found.size == best


@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_of_any_number_of_cards_it_is_proven_and_legal(jokers: int) -> None:
    rng = Random(jokers)
    for count in range(5, 52):
        leader, *cards = rng.sample([*PLAIN, *STANDARD.jokers[:jokers]], count + 1)
        found = largest_pack(leader, cards, STANDARD)
        assert_legal(found, leader, cards, STANDARD)
        assert found.proven


@pytest.mark.parametrize("case", HARD, ids=lambda case: f"{len(case['cards'])} {case['why']}")
def test_where_not_all_that_hangs_together_can_be_laid(case: dict[str, Any]) -> None:
    found = largest_pack(case["leader"], case["cards"], STANDARD)
    assert_legal(found, case["leader"], case["cards"], STANDARD)
    assert (found.size, found.proven) == (case["largest"], True)
    assert found.size <= len(case["cards"])


SMALL = [case for case in HARD if len(case["cards"]) <= 7 and not set(case["cards"]) & set(STANDARD.jokers)]


@pytest.mark.parametrize("case", SMALL, ids=lambda case: f"{len(case['cards'])} {case['why']}")
def test_a_constraint_solver_finds_no_larger_one(case: dict[str, Any]) -> None:
    assert none_larger(case["leader"], case["cards"], STANDARD, case["largest"], seconds=60)


def test_a_constraint_solver_finds_the_same() -> None:
    rng = Random(15)
    for _ in range(8):
        leader, *cards = scarce(rng, 6)
        solved = solve(leader, cards, STANDARD, seconds=60)
        assert solved.proven
        assert len(solved.layout) == largest_pack(leader, cards, STANDARD).size


def star(rng: Random) -> list[tuple[str, int]]:
    """A suit and three others that fit to it but not to each other; a number may be there twice, as with a joker."""
    while True:
        suits = [[rng.randint(1, 13) for _ in range(rng.randint(1, most))] for most in (7, 3, 3, 3)]
        leaves = suits[1:]
        apart = all(abs(a - b) != 1 for one, other in combinations(leaves, 2) for a in one for b in other)
        if apart and all(any(abs(a - b) == 1 for a in suits[0] for b in leaf) for leaf in leaves):
            cards = [(suit, number) for suit, numbers in zip("abcd", suits, strict=True) for number in numbers]
            rng.shuffle(cards)
            return cards


def deck_with(cards: Sequence[tuple[str, int]], beside: str, above: str) -> DogDeck:
    """A deck of such cards; numbers one apart in one direction, the same suit in the other."""
    touch = {
        "number": {"all": [{"attribute": "number", "differs_by": 1}]},
        "suit": {"all": [{"attribute": "suit", "equal": True}]},
    }
    lines = {f"card-{place}": {"suit": suit, "number": number} for place, (suit, number) in enumerate(cards)}
    return deck_from({"name": "star", "beside": touch[beside], "above": touch[above], "cards": lines})


@pytest.mark.soak
def test_what_the_suits_tell_is_what_going_through_all_packs_finds() -> None:
    rng = Random(4)
    less = 0
    for _ in range(500):
        deck = deck_with(star(rng), "number", "suit")
        leader, *cards = deck.cards
        known = Open.of(leader, cards, deck)
        told = largest_of_suits(known, Effort(1))
        growth = Growth(known, near_of(known), Found({}, len(known.cards)))
        growth.enumerate_all(Effort(100_000))
        assert growth.found.proven
        assert told.proven
        assert len(told.cells) == len(growth.found.cells), list(deck.cards.values())
        less += len(told.cells) < len(known.cards)
    assert less > 30


def test_suits_may_lie_as_well_as_stand() -> None:
    rng = Random(5)
    for _ in range(100):
        cards = star(rng)
        standing, lying = deck_with(cards, "number", "suit"), deck_with(cards, "suit", "number")
        leader, *others = standing.cards
        found = largest_pack(leader, others, lying)
        assert_legal(found, leader, others, lying)
        assert found.proven
        assert found.size == largest_pack(leader, others, standing).size


@pytest.mark.parametrize("limit", [{"work": 0}, {"work": 5}, {"seconds": 0.0}])
def test_with_too_little_work_it_is_legal_and_the_bound_holds(limit: dict[str, Any]) -> None:
    rng = Random(6)
    unproven = 0
    for _ in range(100):
        leader, *cards = scarce(rng, 8, jokers=2)
        found = largest_pack(leader, cards, STANDARD, **limit)
        assert_legal(found, leader, cards, STANDARD)
        assert found.size <= largest_pack(leader, cards, STANDARD).size <= found.bound
        unproven += not found.proven
    assert unproven


def test_the_order_of_the_cards_makes_no_difference() -> None:
    rng = Random(3)
    leader, *cards = rng.sample([*PLAIN, *STANDARD.jokers], 21)
    found = largest_pack(leader, cards, STANDARD)
    for _ in range(5):
        rng.shuffle(cards)
        assert largest_pack(leader, cards, STANDARD) == found


def test_a_pack_leader_alone_is_a_pack_of_one() -> None:
    assert largest_pack("RJ", [], STANDARD).size == 1


@pytest.mark.parametrize("cards", [["C5", "C5"], ["C7", "C5"], ["X1"]])
def test_cards_that_cannot_be_there_are_refused(cards: list[str]) -> None:
    with pytest.raises(CardhouseError):
        largest_pack("C7", cards, STANDARD)
