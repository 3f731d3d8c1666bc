"""Best play of two: the solved hands equal those of an exhaustive search and of OpenSpiel's."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms.minimax import expectiminimax

import cardhouse.agents.open_spiel  # noqa: F401  # which registers the games
from cardhouse.cards import STANDARD, Card
from cardhouse.engine import CardhouseError
from cardhouse.games.dogs.bots import duel
from cardhouse.games.dogs.bots.best import best, worlds
from cardhouse.games.dogs.bots.bold import bold
from cardhouse.games.dogs.bots.expectimax import REGULAR, Expectimax, Position
from cardhouse.games.dogs.bots.policies import plain
from cardhouse.games.dogs.bots.thumb import thumb
from cardhouse.games.dogs.lab.best_play import Best
from cardhouse.games.dogs.state import best_first, worth
from tests.games.dogs.duels import winner
from tests.games.dogs.test_policies import before, said
from tests.thorough import many

Hand = tuple[int, ...]


def packed(hand: list[Card]) -> int:
    return duel.hand_of(map(worth, hand))


def deals(seed: int, number: int, most: int, least: int = 1) -> Iterator[tuple[list[Card], list[Card]]]:
    """Two hands of up to so many cards, again and again."""
    rng = Random(seed)
    for _ in range(number):
        one, other = rng.randint(least, most), rng.randint(least, most)
        cards = rng.sample(STANDARD, one + other)
        yield cards[:one], cards[one:]


# Solving.


@lru_cache(None)
def wins_by_trying(own: Hand, other: Hand) -> bool:
    """Whether who is to Raise wins: every card, every See of every set of cards."""
    return any(not sees_by_trying(other, less(own, (value,)), value) for value in set(own))


@lru_cache(None)
def sees_by_trying(own: Hand, other: Hand, raised: int) -> bool:
    if own and own[0] >= 2 * raised and wins_by_trying(own, other):
        return True
    sets = {cards for number in range(1, len(own) + 1) for cards in combinations(own, number)}
    return any(sum(cards) >= raised and wins_by_trying(less(own, cards), other) for cards in sets)


def less(hand: Hand, played: Hand) -> Hand:
    left = list(hand)
    for value in played:
        left.remove(value)
    return tuple(left)


def test_two_hands_are_solved_as_trying_everything_does():
    won = 0
    for one, other in deals(3, 600, 5):
        hands = [tuple(sorted(map(worth, hand), reverse=True)) for hand in (one, other)]
        found = duel.wins(packed(one), packed(other))
        assert found == wins_by_trying(*hands)
        won += found
    assert 200 < won < 400


def test_openspiels_search_of_our_game_comes_to_the_same():
    """By the rules of the table, card by card; only that nobody escalates."""
    won = 0
    for one, other in deals(5, many(40, 8), 3, 2):
        state = Unescalated.dealt("", one, other)
        value, _ = expectiminimax(state, 100, None, 0)
        assert (value == 1) == duel.wins(packed(one), packed(other))
        won += value == 1
    assert 0 < won < many(40, 8)


@pytest.mark.soak
def test_openspiels_search_comes_to_the_same_where_a_card_is_drawn():
    """Two cards each, and the one has a thing that draws another."""
    for one, other in deals(8, many(4, 1), 2, 2):
        value, _ = expectiminimax(Unescalated.dealt("o/", one, other), 100, None, 0)
        hands = packed(one), packed(other)
        assert (1 + value) / 2 == pytest.approx(Expectimax(hands).value(Position(0, *hands, (REGULAR,))))


class Unescalated:
    """A state of OpenSpiel's game of ours in which nobody enters another arena, or gives before there is no choice."""

    def __init__(self, state: Any) -> None:
        self.state = state

    @classmethod
    def dealt(cls, things: str, one: list[Card], other: list[Card]) -> Unescalated:
        stats = "/".join(f"{len(hand) - 1} 1 1 1" for hand in (one, other))
        state = pyspiel.load_game(
            "cardhouse_dogs", {"stats": stats, "things": things, "improvised": 0}
        ).new_initial_state()
        for card in (*one, *other):
            state.apply_action(state.string_to_action(card))
        return cls(state)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)

    def clone(self) -> Unescalated:
        return Unescalated(self.state.clone())

    def legal_actions(self) -> list[int]:
        names = {action: self.state.action_to_string(action) for action in self.state.legal_actions()}
        there_are = [action for action, name in names.items() if not name.startswith(("escalate", "in ", "give"))]
        return there_are or [action for action, name in names.items() if name == "give"]


def test_what_is_left_out_where_both_play_best_changes_nothing():
    for one, other in deals(7, many(20, 4), 2):
        hands = packed(one), packed(other)
        every = Expectimax(hands)
        every.both_best = False
        position = Position(0, *hands, (REGULAR,), (REGULAR,))
        assert Expectimax(hands).value(position) == pytest.approx(every.value(position))


# Playing.


def test_who_has_won_wins_whoever_plays_against_it():
    """By the rules, in every deal that is won, who plays best wins; thumb, who has it in mind, wins most of them."""
    kept = total = 0
    for one, other in deals(4, many(300, 60), 6):
        if duel.wins(packed(one), packed(other)):
            assert all(winner((one, other), (best, against)) == 0 for against in (plain, bold, thumb, best))
            kept += winner((one, other), (thumb, best)) == 0
            total += 1
        else:
            assert winner((one, other), (bold, best)) == 1
    assert total > kept > 0.8 * total


def test_best_draws_what_it_can_and_reckons_with_what_is_coming():
    assert said(best(before("CK", 9, arenas={"physical": 2, "guns": 3})))["do"] == "escalate"
    assert said(best(before("CK", 9, improvises=True))) == {"do": "improvise", "desperate": True}
    assert said(best(before("C4 D4 H4", 12, others=[(2,)]))) == {"do": "see", "cards": ["C4", "D4", "H4"]}
    assert said(best(before("C4 D3", 8))) == {"do": "give"}
    assert len(list(worlds(3, 3, 0))) == 1
    assert sorted(card for (card,) in worlds(3, 3, 1)) == sorted(duel.SUIT)
    assert len(list(worlds(9, 8, 9))) == 4
    assert {len(world) for world in worlds(9, 8, 9)} == {3}
    assert list(worlds(12, 12, 0)) == []


def test_best_plays_by_the_rule_of_thumb_while_the_hands_are_too_large_to_solve():
    """A hand against eleven cards more than can be solved; the bold policy plays otherwise now and then."""
    otherwise = 0
    for one, other in deals(9, 60, 12, 11):
        for value in (None, 5, 9):
            now = before(" ".join(best_first(one)), value, others=[tuple(sorted(map(worth, other), reverse=True))])
            assert best(now) == thumb(now)
            otherwise += bold(now) != thumb(now)
    assert otherwise > 10


@pytest.mark.parametrize(
    ("now", "says"),
    [
        (before("CK S9 D4", others=[(12, 3)]), {"do": "raise", "card": "S9"}),  # keep the king
        (before("CK S6 D4", others=[(12, 3)]), {"do": "raise", "card": "CK"}),  # the queen would reverse the six
        (before("CK S6 D4", 5, others=[(12, 3)]), {"do": "see", "cards": ["CK"]}),  # reversed
        (before("CK S6 D4", 9, others=[(12, 3)]), {"do": "see", "cards": ["S6", "D4"]}),
        (before("C10 S6 D4", 9, others=[(12, 3)]), {"do": "see", "cards": ["C10"]}),
    ],
)
def test_the_rule_of_thumb(now, says):
    assert said(thumb(now)) == says


# How far from it.


@pytest.mark.soak
def test_best_gives_nothing_away_that_can_be_seen():
    """Three cards and a thing each; against one who knows what it plays."""
    rows = Best(cards=3, other_cards=3, things=1, other_things=1, policy="best").rows(1, 0, many(40, 3))
    assert rows[:, 2].max() <= 5
    assert (rows[:, 1] <= rows[:, 0]).all()


@pytest.mark.soak
def test_plain_gives_away_what_the_solver_says():
    """Hands alone: it wins what it still wins against one who knows it, and no more."""
    question = Best(cards=4, other_cards=4, policy="plain")
    rows = question.rows(2, 0, 40)
    assert set(rows[:, :3].ravel().tolist()) == {0, 1000}
    assert (rows[:, 0] - rows[:, 1] == rows[:, 2]).all()
    assert rows[:, 2].mean() > 0


def test_what_would_take_too_long_is_refused_in_words():
    with pytest.raises(CardhouseError, match="at most 8 cards in both hands can be solved"):
        Best(things=1).check()
