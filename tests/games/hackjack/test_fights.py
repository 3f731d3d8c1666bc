"""Random fights with thousands of hits, compared with a ledger kept from the log; invariants of healing."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cardhouse.cards import STANDARD
from cardhouse.engine import GM, SCREEN, SeededDealer, Table
from cardhouse.games.hackjack.rules import Hackjack
from cardhouse.games.hackjack.state import Character
from cardhouse.testing import ask_somebody, shown
from tests.games.hackjack.ledger import Ledger, worth
from tests.games.hackjack.playing import (
    BLOWS,
    READINGS,
    SEATS,
    SWITCHES,
    blow,
    changed,
    fallen,
    game_of,
    someone,
    veteran,
)
from tests.thorough import many

HITS = 100
"""So many at least in each fight."""


def some_options(rng: Random) -> dict[str, Any]:
    options: dict[str, Any] = {switch: rng.random() < 0.3 for switch in SWITCHES}
    options |= {name: rng.choice(values) for name, values in READINGS.items() if rng.random() < 0.5}
    if rng.random() < 0.3:
        options["limit"] = rng.choice([11, 15, 30, 60])
    if rng.random() < 0.3:
        options["massive_damage"] = rng.choice([10, 12, 16, 25])
    return options


def what_comes_next(table: Table, rng: Random, number: int) -> tuple[str, dict[str, Any]]:
    """An answer: blows most of the time, and somebody new where few are left."""
    living = [who for who in game_of(table).characters if who.alive]
    if len(living) < 4 and not game_of(table).busy:
        limit = game_of(table).options.limit
        name = f"{number}"
        return GM, someone(rng, name) if rng.random() < 0.7 else veteran(rng, name, limit)
    hit = blow(rng, table) if rng.random() < 0.5 else None
    if hit is not None:
        return GM, hit
    asked = ask_somebody(table, rng, 0.7)
    assert asked is not None
    by, answer = asked
    if answer.get("do") in ("damage", "drain", "heal"):
        answer["amount"] = rng.choice(BLOWS)
    return by, answer


@pytest.mark.parametrize("seed", range(many(40, 6)))
def test_the_books_agree(seed):
    rng = Random(seed)
    options = some_options(rng)
    table = Table.new("hackjack", SEATS, options, SeededDealer(seed))
    ledger = Ledger(set(game_of(table).deck.cards()), options)
    for number in range(400):
        by, answer = what_comes_next(table, rng, number)
        if answer.get("do") == "remove_character" and rng.random() < 0.7:
            continue
        entry = table.answer(by, answer)
        try:
            ledger.note(entry, table.view(GM))
        except AssertionError as error:
            error.add_note(f"after this transcript:\n{table.transcript()}")
            raise
    assert ledger.hits >= HITS
    again = Table.read(table.transcript().splitlines())
    for seat in (GM, SCREEN):
        assert shown(again, seat) == shown(table, seat)


# What must be so of any healing and draining, whoever it is for.

LIMIT = 21
AMOUNTS = st.integers(1, 40)
patiently = settings(deadline=None)


@st.composite
def hurt(draw: st.DrawFn, most_blood: int = 12) -> Table:
    """A table with somebody hurt, Ada, on her feet or down, with a pile, tokens, Blood and a Trauma."""
    table = Table.new("hackjack", SEATS, dealer=SeededDealer(draw(st.integers(0, 5))))
    down = draw(st.booleans())
    cards = draw(st.lists(st.sampled_from(STANDARD), unique=True, max_size=6)) if down else []
    while (in_cards := sum(map(worth, cards))) >= LIMIT:
        cards.pop()
    tokens, blood = draw(st.integers(0, LIMIT - 1 - in_cards)), draw(st.integers(0, most_blood))
    score = tokens + in_cards
    ada = fallen("Ada", score, blood, pile=cards, trauma=draw(st.integers(0, 6)), drawn=True)
    ada.tokens, ada.down, ada.hp = tokens, down, 0 if down else draw(st.integers(0, 9))

    def join(game: Hackjack) -> None:
        game.characters.append(ada)
        for card in cards:
            game.deck.take(card)

    return changed(table, join)


def ada_of(table: Table) -> Character:
    return game_of(table).named("Ada")


def after(table: Table, *amounts: int, **answer: Any) -> Table:
    """A table like this one after the same answer with each of these amounts."""
    copy = changed(table, lambda game: None)
    for amount in amounts:
        copy.answer(GM, {"target": "Ada", "amount": amount, **answer})
    return copy


def same(one: Table, other: Table) -> bool:
    return msgspec.json.encode(one.game) == msgspec.json.encode(other.game)


@patiently
@given(hurt(), AMOUNTS, AMOUNTS)
def test_healed_twice_is_healed_by_the_sum(table, first, second):
    assert same(after(table, first, second, do="heal"), after(table, first + second, do="heal"))


@patiently
@given(hurt(), AMOUNTS)
def test_blood_is_healed_before_the_death_score_and_that_before_hit_points(table, amount):
    was, now = ada_of(table), ada_of(after(table, amount, do="heal"))
    blood = min(was.blood, amount)
    score = min(was.death_score, amount - blood)
    hp = min(was.max_hp - was.hp, amount - blood - score)
    assert (now.blood, now.death_score, now.hp) == (was.blood - blood, was.death_score - score, was.hp + hp)
    assert now.down == (was.down and now.hp == 0)


@patiently
@given(hurt(), AMOUNTS)
def test_tokens_go_before_cards_and_the_latest_card_first(table, amount):
    was, healed = ada_of(table), after(table, amount, do="heal")
    now, gone = ada_of(healed), game_of(healed).discard
    assert was.pile == [*now.pile, *reversed(gone)]
    assert sum(map(worth, now.pile)) + now.tokens == now.death_score
    if gone and now.death_score:
        assert now.tokens < worth(gone[-1]), "of the card last split no more is left than it was worth"
    elif not gone:
        assert now.tokens == was.tokens - (was.death_score - now.death_score)


@patiently
@given(hurt(), AMOUNTS, AMOUNTS)
def test_drained_twice_is_drained_by_the_sum_but_for_what_21_forgives(table, first, second):
    assert same(after(table, first, second, do="drain", **{"as": "blood"}), bled(table, first + second))
    was = ada_of(table).death_score
    total = was + first + second
    assume(was + first <= LIMIT)
    now = ada_of(after(table, first, second, do="drain", **{"as": "death_score"}))
    if was + first == LIMIT:
        total = second
    assert (now.death_score, now.alive) == (0 if total == LIMIT else total, total <= LIMIT)
    assert sum(map(worth, now.pile)) + now.tokens == now.death_score


def bled(table: Table, amount: int) -> Table:
    return after(table, amount, do="drain", **{"as": "blood"})


@patiently
@given(hurt(most_blood=0), st.data())
def test_poison_healed_again_leaves_the_pile_as_it_was(table, data):
    room = LIMIT - 1 - ada_of(table).death_score
    assume(room > 0)
    amount = data.draw(st.integers(1, room))
    poisoned = after(table, amount, do="drain", **{"as": "death_score"})
    assert same(after(poisoned, amount, do="heal"), table)


# Rolls whose result is certain.


def test_a_roll_that_cannot_fail_is_called_so() -> None:
    table = Table.new("hackjack", ["gm", "ada"], {"pain": "death_score"})
    table.answer("gm", {"do": "add_character", "name": "Ada", "hp": 7, "max_hp": 7, "controller": "ada"})
    table.answer("gm", {"do": "damage", "target": "Ada", "amount": 9}, chance=[{"draw": "wounds", "card": "C2"}])

    def certain() -> dict[str, bool]:
        offers = table.offers("ada", anytime=True)
        return {one["do"]: one.get("certain", False) for one in offers if one["do"] in ("check", "exert")}

    assert certain() == {"check": False, "exert": False}
    table.answer("gm", {"put_right": "death_score", "of": "Ada", "to": 0})
    assert certain() == {"check": True, "exert": True}
    table.answer("gm", {"do": "check", "name": "Ada", "wound": "C2"}, chance=[{"roll": "1d20", "dice": [1]}])
    assert certain() == {"exert": True}
