"""Files changed piece by piece: characters of a shoot-out, by rank, and the cards of a deck of dogs."""

from __future__ import annotations

import pytest

from cardhouse.games.dogpile.deck_file import bundled_decks, deck_of, read_deck
from cardhouse.games.dogpile.lab.dealt import LEFT_OUT, TWICE, copy_of, with_changes
from cardhouse.games.dogpile.lab.questions import Game, Hard, Silence
from cardhouse.games.gunfight.lab.questions import Last
from cardhouse.games.hackjack.lab.questions import Best, Career, Deadly
from cardhouse.games.initiative.lab.best import Best as ActOrWait
from cardhouse.games.initiative.lab.idle import Idle
from cardhouse.games.initiative.lab.questions import Order
from cardhouse.lab.questions.question import Question
from cardhouse.lab.questions.settings import settings_of
from cardhouse.lab.reports.text_sensitivity import sentences
from cardhouse.lab.search.sensitivity import sensitivity
from cardhouse.lab.search.space import space_of
from cardhouse.lab.search.variations import variations
from tests.games.dogpile.playing import deck_file


def sides(question: Question) -> dict[str, str]:
    return {one.text: one.question.cards for one in variations(question, ["cards"])}  # type: ignore[attr-defined]


def test_each_of_a_shoot_out_is_left_out_or_of_the_next_free_rank():
    found = sides(Order(cards="A K 9 / 2 3", hero="9"))
    assert found == {
        "the A of your side: left out": "K 9 / 3 2",
        "the A of your side: a rank lower": "Q K 9 / 3 2",
        "the K of your side: left out": "A 9 / 3 2",
        "the K of your side: a rank lower": "A Q 9 / 3 2",
        "the 3 of the others: left out": "A K 9 / 2",
        "the 3 of the others: a rank higher": "A K 9 / 4 2",
        "the 2 of the others: left out": "A K 9 / 3",
        "the 2 of the others: a rank higher": "A K 9 / 3 4",
    }


@pytest.mark.parametrize("question", [Order(), Idle(), ActOrWait(), Last()])
def test_numbers_of_people_are_written_out_as_ranks(question: Question):
    assert len(sides(question)) > 8
    for one in variations(question, ["cards"]):
        one.question.check_settings()
        assert one.question.mine == question.mine  # type: ignore[attr-defined]


def test_the_hero_may_be_of_each_other_rank():
    found = variations(Order(), ["hero"])
    assert [one.becomes for one in found] == ["A", "K", "Q", "J", "10", "8", "7", "6", "5", "4", "3", "2"]


def test_each_card_of_a_deck_is_left_out_or_there_twice():
    found = variations(Silence(), ["deck"])
    assert len(found) == 104
    assert found[0].text == "Ace of clubs: left out"
    assert {len(deck_of(one.question.deck).cards) for one in found} == {53, 55}  # type: ignore[attr-defined]
    twice = deck_of(with_changes({}, {"CA": TWICE, "SK": LEFT_OUT}))
    assert "CA-2" in twice.cards
    assert "SK" not in twice.cards
    assert twice.cards["CA-2"].values == twice.cards["CA"].values


@pytest.mark.soak
def test_each_card_of_a_deck_of_ones_own():
    dogs = read_deck(bundled_decks()["dogs"])
    found = variations(Game(deck=dogs), ["deck"])
    assert len(found) == 2 * sum(not card.get("wild") for card in dogs["cards"].values()) == 230
    assert {one.becomes for one in found} == {LEFT_OUT, TWICE}


def test_a_copy_has_an_id_of_its_own_that_is_not_too_long():
    assert copy_of("CA", ["CA"]) == "CA-2"
    assert copy_of("CA", ["CA", "CA-2"]) == "CA-3"
    assert copy_of("sir-snufflet", ["sir-snuffl-2"]) == "sir-snuffl-3"


@pytest.mark.soak
def test_a_card_left_out_is_dealt_in_step_with_the_deck_as_it_is():
    """Most hands stay what they were, so that the difference is known better than from two studies."""
    found = sensitivity(Silence(players=2), "dogs", vary=["deck"], trials=400, workers=1)
    assert len(found.effects) == 104
    alone = found.estimate.error or 0
    assert sum((one.more.error or 0) < 3.5 * alone for one in found.effects) > 90
    assert any("changes of deck" in line for line in sentences(found)) or not any(one.is_seen for one in found.effects)


@pytest.mark.soak
def test_how_hard_a_card_is_to_place_is_as_one_counts_it():
    """1 goes with nothing but 2 and its like: it is laid as often as the Pack Leader is one, a share of the others."""
    numbers = {"one": 1, "two": 2, "five": 5, "eight": 8}
    deck = deck_file({name: {"number": number, "suit": name} for name, number in numbers.items()})
    question = Hard(players=1, hand_size=1, jokers=0, deck=deck)
    found = sensitivity(question, "laid_one", vary=["deck"], trials=4_000, workers=1)
    assert found.left_out == ("one: left out",)
    assert len(found.effects) == 7
    for effect in found.effects:
        cards = effect.variation.question.deck["cards"]  # type: ignore[attr-defined]
        true = (sum(card["number"] in (1, 2) for card in cards.values()) - 1) / (len(cards) - 1)
        assert effect.estimate.value == pytest.approx(true, abs=0.05)
        low, high = effect.more.low, effect.more.high
        assert low is not None
        assert high is not None
        assert low <= true - 1 / 3 <= high
    assert list(sentences(found))[1].startswith("7 changes of deck: these lower it most: two (left out")


def test_a_rank_that_matters_is_found():
    """With nobody waiting who is the first of few depends on how many they are, and on no rank."""
    question = Order(cards="9 / 8 7", wait="never", their_wait="never")
    found = sensitivity(question, "first", vary=["cards"], trials=20_000, workers=1)
    seen = {one.variation.text for one in found.effects if one.is_seen}
    assert seen == {"the 8 of the others: left out", "the 7 of the others: left out"}


def test_searches_know_the_same_pieces():
    space = space_of(Last(), ["cards"])
    assert {one.setting for one in space.dimensions} == {"cards"}
    assert space.chosen(space.start) == Last()
    few = space_of(Order(cards="9 / 8 7"), ["cards"])
    assert {values for one in few.dimensions for values, _ in one.values} >= {"as it is", "left out"}
    listed = space_of(Order(), ["cards=9 / 8,9 / 7"])
    assert [value for value, _ in listed.dimensions[0].values] == ["9 / 8", "9 / 7"]


def test_questions_with_wounds_have_the_same_settings_in_the_same_order():
    shared = [name for name in settings_of(Deadly) if name in settings_of(Best) and name not in ("damage", "others")]
    assert shared == ["prevent", "limit", "massive", "wounds", "return_cards", "jokers", "judged", "jack_of_clubs"]
    for question in (Deadly, Career, Last):
        assert list(settings_of(question))[-len(question.come_last) :] == list(question.come_last)
    wounds = settings_of(Deadly)["wounds"]
    assert all(settings_of(question)["wounds"].text == wounds.text for question in (Best, Career, Last))
