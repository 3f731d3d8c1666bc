"""Every way a game can go on, from where it is."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from cardhouse.engine import GM, PHYSICAL, Ask, SeededDealer, Table
from cardhouse.engine.walk import walk
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
