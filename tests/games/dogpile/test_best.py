"""A team with a convention, compared with the best of all joint policies on small decks."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile.bots.agreed import CENTRE, MIDDLE, STRAIGHT, UPWARD, Agreed
from cardhouse.games.dogpile.bots.best import bot_for
from cardhouse.games.dogpile.bots.convention import MAPS, Convention, agreed_on, has_suits, sheet_for
from cardhouse.games.dogpile.bots.silent_team import take_turn
from cardhouse.games.dogpile.deck import DogDeck, deck_from
from cardhouse.games.dogpile.lab.dealt import Dealt
from cardhouse.games.dogpile.lab.questions import Ceiling, Hard, Silence
from cardhouse.games.dogpile.lab.single_rounds import one_round
from cardhouse.games.dogpile.lab.thumbs import Thumbs
from cardhouse.lab.questions.proof import check_trial
from tests.games.dogpile.joint import Fits, best_of_two, score
from tests.games.dogpile.playing import deck_file, game_of
from tests.thorough import many

SMALL = [(3, 2, 0.0), (2, 3, 0.1), (2, 4, 0.2262)]
"""Suits, numbers, and how many dogs the best of all is ahead of our conventions."""


def deck_of_suits(suits: int, numbers: int) -> DogDeck:
    """Plain cards, suit by suit."""
    return deck_from(
        deck_file(
            {
                f"{suit}{number}": {"number": number, "suit": suit}
                for suit in "abcd"[:suits]
                for number in range(numbers)
            }
        )
    )


def dogs_of_two(convention: Convention, deck: DogDeck, numbers: int, leader: int) -> float:
    """The mean number of dogs of two with a card each, over all deals with this Pack Leader."""
    agreed = agreed_on(convention, deck, tuple(deck.cards))
    others = [card for card in range(len(deck.cards)) if card != leader]
    deals = list(permutations(others, 2))
    return sum(dogs_of(agreed, leader, deal, numbers) for deal in deals) / len(deals)


def dogs_of(agreed: Agreed, leader: int, deal: tuple[int, ...], numbers: int) -> int:
    sheet, layout = sheet_for(1), {(0, 0): leader}
    laid: list[int] = []
    for player, card in enumerate(deal):
        sheet.hand[0] = card
        if not take_turn(agreed, leader, laid, len(laid) // 3, len(deal) - 1 - player, sheet):
            break
        _, column, cell = sheet.best[:3]
        laid += [player, column, cell]
        layout[column - CENTRE, cell.bit_length() - 1 - MIDDLE] = card
    return score(layout, fits_in(numbers))


def fits_in(numbers: int) -> Fits:
    return lambda one, other, beside: (
        abs(one % numbers - other % numbers) == 1 if beside else one // numbers == other // numbers
    )


@pytest.mark.parametrize(("suits", "numbers", "gap"), SMALL[: many(3, 1)])
def test_of_two_with_a_card_each_the_best_convention_is_near_the_best_of_all(suits, numbers, gap):
    """The best of all is exact, over all joint policies of two; by how many dogs no convention of ours reaches it."""
    deck = deck_of_suits(suits, numbers)
    best = reached = 0.0
    for leader in range(numbers):
        cards = [card for card in range(len(deck.cards)) if card != leader]
        optimum = best_of_two(leader, cards, fits_in(numbers))
        found = [
            dogs_of_two(Convention(map=name, any_west=west, beyond=beyond), deck, numbers, leader)
            for name in MAPS
            for west in (False, True)
            for beyond in (0, UPWARD, STRAIGHT, UPWARD + STRAIGHT)
        ]
        assert max(found) <= optimum + 1e-9
        best, reached = best + optimum, reached + max(found)
    assert (best - reached) / numbers == pytest.approx(gap, abs=1e-4)


@pytest.mark.soak
@pytest.mark.parametrize("players", [2, 4, 8])
@pytest.mark.parametrize("kind", [Silence, Hard])
def test_the_kernel_plays_by_the_rules(kind, players):
    for trial in range(many(12, 2)):
        question = kind(bot="best", players=players, jokers=trial % 3, passing="skips" if trial % 2 else "ends_laying")
        assert question.compiled
        check_trial(question, players, trial)


def test_what_becomes_of_a_teams_cards_adds_up():
    rows = Hard(bot="best", players=3).rows(1, 0, 500)
    assert np.array_equal(rows[:, 1], (rows[:, 2:] == 3).sum(axis=1))
    assert np.array_equal(rows[:, 1] + 1, Silence(bot="best", players=3).rows(1, 0, 500)[:, 1])


def test_slow_bots_have_hard_cards_by_the_rules():
    for bot in ("bold", "reader"):
        question = Hard(bot=bot, players=2, hand_size=3)
        assert not question.compiled
        check_trial(question, 2, 0)


@pytest.mark.parametrize("name", sorted(MAPS)[: many(len(MAPS), 1)])
@pytest.mark.parametrize("seed", range(many(6, 2)))
def test_whatever_is_agreed_no_contact_is_illegal(name, seed):
    """Only a bridge that nobody had can lose a pack to which somebody laid: the judge finds it in pieces, and legal."""
    rng = Random(f"{name} {seed}")
    convention = Convention(
        map=name,
        any_west=rng.random() < 0.5,
        beyond=rng.randrange(4),
        to_come=rng.randint(1, 4),
        at_most=rng.randint(2, 5),
    )
    question = Silence(players=rng.randint(2, 6), jokers=rng.randint(0, 2))
    drawn = question.chance(seed, 0)
    table = one_round(question.players, question.options, question.cards, drawn, bot_for(convention), rng)
    game = game_of(table)
    assert game.verdict
    assert not game.verdict.illegal
    for seat in game.clockwise():
        assert sum(one.seat == seat for one in game.laid) <= convention.at_most


def test_rules_of_thumb_are_played_by_the_rules_as_well():
    check_trial(Thumbs(players=3), 1, 0)


@pytest.mark.soak
def test_the_agreed_do_better_than_all_others_alone_and_none_beats_the_ceiling():
    rows = Thumbs().rows(0, 0, 400)
    could, best, sure = rows[:, 0], rows[:, 1], rows[:, 2]
    assert (rows[:, 1:] <= could[:, None]).all()
    assert (best - sure).mean() > 3


def test_alone_nobody_has_agreed_on_anything():
    alone = [Silence(bot=bot, players=1).rows(5, 0, 50).tolist() for bot in ("sure", "best")]
    assert alone[0] == alone[1]
    with pytest.raises(CardhouseError, match="two players or more"):
        Thumbs(players=1).check()


def test_a_deck_without_suits_is_played_as_the_reader_does():
    dogs: Any = Dealt.named_file("deck", "dogs")
    question = Silence(players=2, deck=dogs, bot="best")
    assert not has_suits(question.dogs)
    assert not question.compiled
    reads = msgspec.structs.replace(question, bot="reader")
    assert question.rows(1, 0, 1).tolist() == reads.rows(1, 0, 1).tolist()


def test_the_ceiling_stands_beside_the_best():
    question = Ceiling(bot="best", players=3)
    assert question.compiled
    could, dogs, left, *_ = question.rows(3, 0, 50).T
    assert (left == could - dogs).all()
    assert (dogs == Silence(bot="best", players=3).rows(3, 0, 50)[:, 0]).all()
