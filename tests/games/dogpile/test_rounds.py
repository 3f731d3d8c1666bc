"""Thousands of random rounds, compared with a ledger that knows only the rulebook."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from cardhouse.engine import CLOCK, GM, SCREEN, SeededDealer, Table
from cardhouse.testing import shown
from tests.games.dogpile.ledger import NUMBERS, Ledger, fits, is_legal, touching
from tests.games.dogpile.playing import PEOPLE, Cell, game_of

ANSWERS = 160
SEEDS = 150


def table_and_ledger(rng: Random) -> tuple[Table, Ledger]:
    """A new table with any options, and its ledger."""
    people = PEOPLE[: rng.randint(1, 8)]
    jokers, lone = rng.choice([0, 0, 1, 2]), rng.choice(["strays", "joins"])
    hand_size = rng.randint(1, min(10, 51 // len(people)))
    rounds = rng.choice([None, None, rng.randint(1, 100)])
    options = {"jokers": jokers, "hand_size": hand_size, "lone_leader": lone, "rounds": rounds}
    table = Table.new("dogpile", [GM, *people], options, SeededDealer(rng.getrandbits(32)))
    return table, Ledger(people, jokers=jokers, hand_size=hand_size, lone=lone, rounds=rounds)


def answer(ledger: Ledger, rng: Random) -> tuple[str, dict[str, Any]]:
    """What somebody says: mostly cards that fit, as if all hands were open."""
    if ledger.rounds is None and not ledger.rung and rng.random() < 0.01:
        return CLOCK, {"do": "ring"}
    if not ledger.laying:
        return rng.choice([GM, *ledger.players]), {"do": "next_round"}
    seat = ledger.to_come[0]
    if rng.random() < 0.1:
        return seat, rng.choice([{"do": "pass"}, {"do": "lay", "cards": []}])
    cards = some_that_fit(ledger.layout(), ledger.hands[seat], rng) if rng.random() < 0.5 else []
    if not cards:
        cards = strewn(ledger.layout(), ledger.hands[seat], rng)
    return seat, {"do": "lay", "cards": cards}


def some_that_fit(layout: dict[Cell, str], hand: list[str], rng: Random) -> list[dict[str, Any]]:
    """Cards beside others that they fit, jokers taken for nothing; perhaps none."""
    placed = []
    for card in rng.sample(hand, len(hand)):
        if card[1:] in NUMBERS:
            free = sorted({other for cell in layout for other in touching(cell) if other not in layout})
            places = [cell for cell in free if fits(cell, card, layout)]
            if places:
                x, y = rng.choice(places)
                layout[x, y] = card
                placed.append({"card": card, "x": x, "y": y})
    return placed


def strewn(layout: dict[Cell, str], hand: list[str], rng: Random) -> list[dict[str, Any]]:
    """A few cards anywhere near."""
    placed = []
    for card in rng.sample(hand, rng.randint(1, len(hand))):
        x, y = rng.randint(-3, 3), rng.randint(-3, 3)
        if (x, y) not in layout:
            layout[x, y] = card
            placed.append({"card": card, "x": x, "y": y})
    return placed


@pytest.mark.soak
def test_many_rounds_are_as_the_rulebook_has_them():
    happened: Counter[str] = Counter()
    for seed in range(SEEDS):
        rng = Random(seed)
        table, ledger = table_and_ledger(rng)
        by, said = GM, {"do": "begin", "first": rng.choice([None, *ledger.players])}
        for _ in range(ANSWERS):
            entry = table.answer(by, said)
            ledger.note(entry, table.view(SCREEN)["joined"])
            for seat in (GM, SCREEN, *ledger.players):
                expected = ledger.seen_by(seat)
                view = table.view(seat)
                assert {name: view[name] for name in expected} == expected, (seed, seat, table.transcript())
            assert sorted(game_of(table).open_cards) == ledger.held
            asks = table.asks()
            if ledger.over:
                assert asks["key"] == "over"
                break
            assert asks["key"] == ("turn" if ledger.laying else "judged")
            by, said = answer(ledger, rng)
        happened += Counter(
            rounds=ledger.round,
            joined=len(ledger.packs),
            lost=ledger.lost,
            refills=ledger.refills,
            reshuffles=ledger.reshuffles,
            over=ledger.over,
            rung=ledger.rung,
        )
    assert happened["rounds"] > 2000
    assert min(happened["joined"], happened["lost"]) > 500
    assert happened["reshuffles"] > 50
    assert happened["over"] > happened["rung"] > 5


@pytest.mark.parametrize("seed", range(4))
def test_a_stray_pack_is_compared_with_its_cards_and_each_round_with_open_hands_at_the_end(seed):
    """The rest of the hands stays secret until then, so nobody hears whether a larger pack was possible (DG-6)."""
    rng = Random(seed)
    table = Table.new("dogpile", [GM, *PEOPLE[:3]], {"rounds": 4}, SeededDealer(seed))
    ledger = Ledger(PEOPLE[:3], jokers=2, hand_size=5, lone="strays", rounds=4)
    by, said = GM, {"do": "begin"}
    while not ledger.over:
        ledger.note(table.answer(by, said), table.view(SCREEN)["joined"])
        view = table.view(SCREEN)
        laid = [view["leader"], *(one["card"] for one in view["laid"])]
        assert (view["best"] is not None) == (view["joined"] is False)
        assert view["best"] is None or {one["card"] for one in view["best"]["layout"]} <= {*laid}
        if view["phase"] != "over":
            by, said = answer(ledger, rng)
    for played, shown_at_end in zip(game_of(table).rounds, view["rounds"], strict=True):
        best = {one["card"] for one in shown_at_end["could_have"]["layout"]}
        assert best <= {played.leader, *played.open_cards}
        assert len(best) >= (played.size if played.joined else 1)


@pytest.mark.parametrize("seed", range(4))
def test_the_log_leads_there_again(seed):
    """Read again, the log shows every seat the same; taken back and said again, too."""
    rng = Random(seed)
    table, ledger = table_and_ledger(rng)
    by, said = GM, {"do": "begin"}
    for _ in range(60):
        ledger.note(table.answer(by, said), table.view(SCREEN)["joined"])
        if ledger.over:
            break
        by, said = answer(ledger, rng)
    again = Table.read(table.transcript().splitlines())
    for seat in (*table.seats, SCREEN):
        assert shown(again, seat) == shown(table, seat)


@pytest.mark.parametrize(
    ("layout", "legal"),
    [
        ("C7", True),
        ("C7@0,0 D8@1,0", True),
        ("C7@0,0 D8@-1,0", True),
        ("C7@0,0 C8@0,1", True),
        ("C7@0,0 D8@0,1", False),
        ("C7@0,0 D9@1,0", False),
        ("CK@0,0 DA@1,0", False),
        ("C7@0,0 D8@1,1", False),
        ("C7@0,0 D8@2,0", False),
        ("C7@0,0 C8@1,0 C2@0,1 C3@1,1", True),
        ("C7@0,0 C8@1,0 C2@0,1 C4@1,1", False),
        ("C7@0,0 D8@1,0 C2@0,1 H3@1,1", False),
    ],
)
def test_the_ledgers_own_judge(layout, legal):
    """What the ledger judges by, on layouts judged by hand."""
    cells = {}
    for placed in layout.split():
        card, _, cell = placed.partition("@")
        x, _, y = (cell or "0,0").partition(",")
        cells[int(x), int(y)] = card
    assert is_legal(cells) is legal
