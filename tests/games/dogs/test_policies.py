"""The bots' policies: the reference follows its rule to the letter, and a bolder one plays better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, combinations
from random import Random
from typing import Any

import msgspec
import pytest

from cardhouse.cards import STANDARD, Card
from cardhouse.engine import GM, Ask, Table
from cardhouse.games.dogs.actions import Raise
from cardhouse.games.dogs.bots.bold import bold
from cardhouse.games.dogs.bots.bots import BOTS, POLICIES, situation_seen
from cardhouse.games.dogs.bots.policies import Situation, Unused, Values, plain, plain_see, typical
from cardhouse.games.dogs.bots.simulation import Simulation, simulation_of, situation_of
from cardhouse.games.dogs.people.fast import Draws
from cardhouse.games.dogs.state import Pile, best_first, worth
from tests.games.dogs.duels import winner
from tests.games.dogs.playing import game_of, next_answer, some_table


def before(
    hand: str,
    value: int | None = None,
    *,
    owes: bool = False,
    pile: Pile | None = "talking",
    others: Sequence[Values] = ((9, 5, 2),),
    things: Mapping[str, Draws] | None = None,
    arenas: Mapping[str, int] | None = None,
    improvises: bool = False,
    coming: int = 0,
) -> Situation:
    """A situation of Ada's."""
    return Situation(
        name="Ada",
        hand=best_first(hand.split()),
        owes=owes,
        value=value,
        help_given=0,
        pile=pile,
        others=lambda: list(others),
        coming=lambda: coming,
        things=lambda: [Unused("Ada", name, draws) for name, draws in (things or {}).items()],
        arenas=lambda: arenas or {},
        improvises=improvises,
    )


def said(action: Any) -> dict[str, Any]:
    """What somebody says, without the name."""
    line: dict[str, Any] = msgspec.to_builtins(action)
    return {key: value for key, value in line.items() if key != "name"}


# The reference.


def by_the_letter(hand: Sequence[Card], value: int, *, owes: bool) -> list[int] | None:
    """What the rule of `plain` plays, by value, found by looking at every set of cards."""

    def total(cards: Sequence[Card]) -> int:
        low = min(cards, key=worth)
        return sum(map(worth, cards)) - (worth(low) - worth(low, sideways=True) if owes else 0)

    for enough in (2 * value, value):
        if singles := sorted(worth(card) for card in hand if total([card]) >= enough):
            return singles[:1]
    sets = chain.from_iterable(combinations(hand, number) for number in range(2, len(hand) + 1))
    ranked = [
        (len(cards), total(cards), sorted(map(worth, cards), reverse=True)) for cards in sets if total(cards) >= value
    ]
    return min(ranked)[2] if ranked else None


def test_plain_sees_by_the_letter_of_its_rule():
    rng, many = Random(1), 0
    for _ in range(600):
        hand, value, owes = rng.sample(STANDARD, rng.randint(0, 8)), rng.randint(0, 22), rng.random() < 0.4
        played = plain_see(hand, value, owes=owes)
        values = None if played is None else [worth(card) for card in played]
        assert values == by_the_letter(hand, value, owes=owes)
        assert set(played or ()) <= set(hand)
        many += len(played or ()) > 2
    assert many > 20


@pytest.mark.parametrize(
    ("hand", "value", "plays"),
    [
        ("C7 C4 C8 C3", 11, ["C7", "C4"]),  # 7+4 before 8+3
        ("HK H7 S8 C2", 7, ["HK"]),  # it reverses, though the 7 would block
        ("SQ H9 S10 C2", 8, ["H9"]),  # the cheapest that blocks
        ("C6 D6 H5 S4", 10, ["C6", "S4"]),  # 6+4 and 5+5 are both 10; there is one 5
        ("C5 D4 H3 S2", 14, ["C5", "D4", "H3", "S2"]),
        ("C5 D4 H3 SA", 14, None),
    ],
)
def test_plain_sees_so(hand, value, plays):
    assert plain_see(hand.split(), value) == plays


def test_plain_raises_with_its_best_and_gives_when_it_must():
    assert said(plain(before("C2 SK H9"))) == {"do": "raise", "card": "SK"}
    assert said(plain(before("C2", 9))) == {"do": "give"}
    assert said(plain(before("", things={"A coat": Draws("o")}))) == {"do": "give"}


def test_a_card_owed_is_turned_sideways():
    assert said(plain(before("HK C3 S2", 8, owes=True))) == {"do": "see", "cards": ["HK", "S2"], "sideways": "S2"}
    assert said(plain(before("HK C3 S2", 7, owes=True))) == {"do": "see", "cards": ["HK"], "sideways": "HK"}
    assert said(bold(before("HK C3", 3, owes=True))) == {"do": "see", "cards": ["HK"], "sideways": "HK"}


# The bold one.

TRAIT = {"A coat": Draws("-"), "A good shot": Draws("+"), "The scripture": Draws("o", True)}


@pytest.mark.parametrize(
    ("now", "says"),
    [
        # The ten costs Jeb both his cards; the king would do no more.
        (before("HK S10 C3", others=[(9, 5)]), {"do": "raise", "card": "S10"}),
        (before("HK C6 C3", 6), {"do": "see", "cards": ["HK"]}),  # it is turned around, and the king stays
        (before("SQ C7 D4 C3", 7, pile="guns"), {"do": "see", "cards": ["C7"]}),
        (before("C7 D4", 9, things=TRAIT), {"do": "bring", "thing": "The scripture"}),
        (before("C2", others=[(14, 13)], things=TRAIT), {"do": "bring", "thing": "The scripture"}),
        (before("C2", 9, arenas={"physical": 3, "guns": 3}), {"do": "escalate", "arena": "physical"}),
        (before("C2", 9, arenas={"physical": 2, "guns": 4}), {"do": "escalate", "arena": "guns"}),
        (before("C4 D4 H4", 12, improvises=True), {"do": "improvise", "desperate": True}),
        (before("C4 D4 H4 S4", 12), {"do": "see", "cards": ["C4", "D4", "H4"]}),
        (before("C2", 9), {"do": "give"}),
        (before("", improvises=True), {"do": "improvise", "desperate": True}),
        (before(""), {"do": "give"}),
        # Nothing would be left after the blow: it is no use to be hurt, unless it doesn't hurt.
        (before("C4 D5", 9), {"do": "give"}),
        (before("C4 D5", 9, pile=None), {"do": "see", "cards": ["D5", "C4"]}),
        # One card would be left, against four.
        (before("C4 D5 C2", 9, pile="guns", others=[(9, 9, 9, 9)]), {"do": "give"}),
        (before("C4 D5 C2", 9, pile="fighting", others=[(9, 9, 9, 9)]), {"do": "see", "cards": ["D5", "C4"]}),
    ],
)
def test_bold_plays_so(now, says):
    assert said(bold(now)) == says


@pytest.mark.soak
def test_bold_wins_more_than_half_of_what_is_dealt_to_both():
    """Each deal is played twice, so that both have either hand; docs/dogs-bots.md has the whole table."""
    rng = Random(0)
    for size in (5, 10):
        deals: Counter[int] = Counter()
        for _ in range(250):
            cards = rng.sample(STANDARD, 2 * size)
            hands = cards[:size], cards[size:]
            deals[(winner(hands, (bold, plain)) == 0) + (winner(hands, (plain, bold)) == 1)] += 1
        assert deals[2] > 10 > deals[0]


@pytest.mark.parametrize("policy", POLICIES.values())
def test_the_better_hand_wins_whoever_starts(policy):
    strong, weak = ["SK", "HK", "DK"], ["CA", "C2", "C3"]
    assert winner((strong, weak), (policy, policy)) == 0
    assert winner((weak, strong), (policy, policy)) == 1


def test_a_hidden_hand_is_thought_to_be_like_the_deck():
    assert typical(0) == ()
    assert typical(1) == (7,)
    assert typical(4) == (12, 9, 5, 2)
    assert typical(52) == tuple(sorted(map(worth, STANDARD), reverse=True))


# Bots at a table.


def test_bots_see_what_the_game_has_and_what_they_say_is_accepted():
    """In conflicts of every kind, and of the choices that follow; for those that others play they say nothing."""
    conflicts = choices = others = 0
    for seed in range(14):
        rng = Random(f"bots {seed}")
        table = some_table(rng)
        for _ in range(70):
            answer: tuple[str, dict[str, Any]] | None = None
            seat = rng.choice(table.seats)
            if isinstance(table.question, Ask) and table.question.key in ("raise", "see", "choices"):
                line = BOTS[rng.choice([*BOTS])](table.seen(seat), rng)
                answer = None if line is None else (seat, line)
            if isinstance(table.question, Ask) and table.question.key in ("raise", "see"):
                conflicts += sees_the_same(table)
                one = game_of(table).contested.named(table.question.about["name"])
                assert (answer is None) == (game_of(table).controller(one) != seat)
                others += answer is None
            elif answer is not None:
                choices += 1
            table.answer(*(answer if answer is not None and rng.random() < 0.6 else next_answer(table, rng)))
    assert conflicts > 200
    assert others > 100
    assert choices > 10


def sees_the_same(table: Table) -> bool:
    """A bot goes by what its seat is sent, a simulation by the game: they are the same."""
    game, question = game_of(table), table.question
    assert isinstance(question, Ask)
    one = game.contested.named(question.about["name"])
    seen = situation_seen(table.seen(game.controller(one)))
    simulation = msgspec.json.decode(simulation_of(game), type=Simulation)
    known = situation_of(simulation, simulation.contested.named(one.name))
    assert seen is not None
    for name in Situation.__struct_fields__:
        a, b = getattr(seen, name), getattr(known, name)
        assert (a() == b()) if callable(a) else (a == b), name
    for policy in POLICIES.values():
        assert policy(seen) == policy(known)
    return True


def test_a_bot_of_another_question_says_nothing():
    table = Table.new("dogs", [GM, "ada"])
    assert [bot(table.seen(seat), Random(0)) for bot in BOTS.values() for seat in (GM, "ada")] == [None] * 6
    assert isinstance(plain(before("C2")), Raise)
