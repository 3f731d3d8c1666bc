"""All ways a game can continue from its present state."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from cardhouse.engine import GM, PHYSICAL, Ask, SeededDealer, Table, find_game
from cardhouse.engine.table.enumerate import walk
from cardhouse.games.initiative.state import Act, Wait
from cardhouse.testing import count_tree, shown
from tests.games.initiative.playing import at_once


def three(**header) -> Table:
    table = Table.new("initiative", dealer=SeededDealer(1), **header)
    for card in ("CA", "D9", "S2"):
        table.answer(GM, {"do": "add_character", "name": card, "card": card})
    return table


def test_the_ways_are_all_orders_each_as_likely():
    table = three()
    table.answer(GM, {"do": "start_round"}, chance=[{"draw": "initiative", "card": card} for card in ("RJ", "D9")])
    ways = list(walk(table, at_once))
    assert len(ways) == 6, "the orders of CA, S2, BJ; the ace lies below them once it has acted"
    assert [way.chance for way in ways] == [Fraction(1, 6)] * 6
    assert sorted(list(way.picks) for way in ways) == [[a, b, 0] for a in range(3) for b in range(2)]
    order = Counter(tuple(event.about["name"] for event in way.events if event.key == "acts") for way in ways)
    assert order == {
        ("D9", "CA", "S2"): 1,  # the black joker comes last and burns the ace's second action
        ("D9", "S2", "CA"): 1,
        ("D9", "CA", "CA"): 2,  # it burns S2
        ("D9", "S2"): 2,  # it burns the ace before its first
    }


def test_the_table_is_left_as_it_is():
    table = three()
    table.answer(GM, {"do": "start_round"})
    before = shown(table, GM), table.transcript()
    assert sum(way.chance for way in walk(table, at_once)) == 1
    assert (shown(table, GM), table.transcript()) == before


def test_a_paper_deck_is_dealt_from_too():
    paper, virtual = three(decks={"initiative": PHYSICAL}), three()
    paper.answer(GM, {"do": "start_round"})
    paper.answer(GM, {"draw": "initiative", "card": "RJ"})
    paper.answer(GM, {"do": "add_character", "name": "late", "card": "H5"})
    draw = [{"draw": "initiative", "card": card} for card in ("RJ", "D9")]
    virtual.answer(GM, {"do": "start_round"}, chance=draw)
    first = Counter(way.picks[0] for way in walk(paper, at_once))
    assert set(first) == {0, 1, 2, 3}, "any of the four cards left may be the one that is asked for now"
    drawn = [way for way in walk(paper, at_once) if way.events[0].about == {"name": "D9", "card": "D9"}]
    assert len(drawn) == len(list(walk(virtual, at_once)))
    assert sum(way.chance for way in drawn) == Fraction(1, 4)


def test_several_answers_are_each_looked_at():
    table = three()
    table.answer(GM, {"do": "start_round"}, chance=[{"draw": "initiative", "card": card} for card in ("RJ", "D9")])

    def first_choice(game, question):
        return [Act("D9"), Wait("D9")] if question.about == {"name": "D9", "card": "D9"} and not game.out else None

    chances: dict[str, Fraction] = {}
    for way in walk(table, first_choice):
        key = way.events[0].key
        chances[key] = chances.get(key, Fraction(0)) + way.chance
    assert chances == {"acts": Fraction(1, 2), "waits": Fraction(1, 2)}


def test_dice_are_walked_too(toy):
    table = Table.new(toy)

    def guess(game, question: Ask):
        return question.offers[0].do(number=4) if question.key == "guess" and not game.out else None

    sums: dict[int, Fraction] = {}
    for way in walk(table, guess):
        total = way.events[0].about["sum"]
        sums[total] = sums.get(total, Fraction(0)) + way.chance
    assert {total: chance * 9 for total, chance in sums.items()} == {2: 1, 3: 2, 4: 3, 5: 2, 6: 1}


def test_a_text_cant_be_counted(toy):
    table = Table.new(toy)
    table.answer(GM, {"do": "guess", "number": 4})
    with pytest.raises(ValueError, match="Several"):
        count_tree(table)


def action(game: str, word: str) -> Any:
    """The action of this word."""
    return next(kind for kind in find_game(game).actions if kind.word() == word)


def test_what_may_be_done_at_any_time_may_be_done_on_the_way(toy):
    """A policy may say what no question offers, but what is open at any time: the question is put again after it."""
    table, say = Table.new(toy, ["gm", "ada"]), action(toy, "say")

    def a_word_first(game, question: Ask):
        if question.key != "guess" or game.round:
            return None
        return question.offers[0].do(number=4) if game.said else say(text="four")

    ways = list(walk(table, a_word_first))
    assert sum(way.chance for way in ways) == 1
    assert {tuple(event.key for event in way.events)[:2] for way in ways} == {("said", "rolled")}
    assert len(ways) == 9 * 5 * 4, "what is said is no chance"


def test_one_of_several_things_that_may_be_done_at_any_time(toy):
    """A third card for the player, drawn in the middle of a question, or a word."""
    table, say, take = Table.new(toy, ["gm", "ada"]), action(toy, "say"), action(toy, "take")
    table.answer(GM, {"do": "guess", "number": 4})

    def a_card_or_a_word(game, question: Ask):
        return [take(seat="ada"), say(text="no")] if question.key == "keep" and not game.out else None

    ways = list(walk(table, a_card_or_a_word))
    told: dict[str, Fraction] = {}
    for way in ways:
        told[way.events[0].key] = told.get(way.events[0].key, Fraction(0)) + way.chance
    assert told == {"drew_something": Fraction(1, 2), "said": Fraction(1, 2)}
    assert len(ways) == 3 + 1, "any of the three cards left, or none"


def test_what_is_not_open_is_no_answer(toy):
    table, say = Table.new(toy, ["gm", "ada"]), action(toy, "say")
    with pytest.raises(ValueError, match="is not offered"):
        list(walk(table, lambda game, question: say(text="much too long a thing to say")))
