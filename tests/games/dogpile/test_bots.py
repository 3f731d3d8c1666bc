"""The bots: the cautious one follows its definition, and all use only what their seat sees."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest

from cardhouse.cards import Placed, around
from cardhouse.engine import GM, Bot, Over, SeededDealer, Seen, Table
from cardhouse.games.dogpile.bots import BASELINE, BOTS, RANDOM
from cardhouse.games.dogpile.bots.shapes import Shapes
from cardhouse.games.dogpile.bots.turn import Turn, lay
from cardhouse.games.dogpile.deck_file import STANDARD_FILE, bundled_decks, standard_deck
from cardhouse.games.dogpile.judge import judge
from cardhouse.games.dogpile.lab.whole_games import Setting, play_game
from cardhouse.games.dogpile.state import PACK_LEADER
from tests.games.dogpile.oracle import spoiled, surest
from tests.games.dogpile.plain_judge import PlainJudge
from tests.games.dogpile.playing import PEOPLE, deck_file, game_of, small_deck
from tests.thorough import many

ALL = {**BOTS, **BASELINE}
PUPS = {
    "name": "Eight pups",
    "beside": {"all": [{"attribute": "size", "at_most": 1}, {"attribute": "mood", "different": True}]},
    "above": {"any": [{"attribute": "breed", "equal": True}, {"attribute": "mood", "equal": True}]},
    "cards": {
        "pip": {"size": 1, "breed": "pug", "mood": "sleepy"},
        "pop": {"size": 1, "breed": "pug", "mood": "hungry"},
        "olga": {"size": 2, "breed": "corgi", "mood": "hungry"},
        "otto": {"size": 3, "breed": "corgi", "mood": "brave"},
        "bo": {"size": 4, "breed": "mastiff", "mood": "sleepy"},
        "bea": {"size": 5, "breed": "mastiff", "mood": "brave"},
        "some-pug": {"breed": "pug", "wild": True},
        "anybody": {"wild": True},
    },
}


def two_suits() -> dict[str, Any]:
    """A deck in which nearly everything hangs together, with two jokers."""
    cards: dict[str, dict[str, Any]] = {
        f"{suit}{number}": {"number": number, "suit": suit} for suit in "ab" for number in (1, 2, 3, 5, 6, 8)
    }
    return deck_file({**cards, "j1": {"wild": True}, "j2": {"wild": True}})


def play(table: Table, bots: list[Bot], rng: Random) -> Iterator[tuple[Seen, dict[str, Any] | None]]:
    """What the bots in the seats are shown and answer, each before it is said; reveals are passed over."""
    seats = dict(zip(game_of(table).players, bots, strict=True))
    table.answer(GM, {"do": "begin"})
    while not isinstance(table.question, Over):
        asked = table.asks()
        if asked["key"] == "judged":
            table.answer(GM, {"do": "next_round"})
            continue
        seen = table.seen(asked["seats"][0])
        answer = seats[seen.seat](seen, rng)
        yield seen, answer
        assert answer
        table.answer(seen.seat, answer)


def table_of(players: int, seed: int, **options: Any) -> Table:
    return Table.new("dogpile", (GM, *PEOPLE[:players]), options, SeededDealer(seed))


def lays_apart(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Cards at random, some of them far away: what is legal to lay, and no bot would."""
    turn = Turn.of(seen)
    assert turn
    answer = BASELINE[RANDOM](seen, rng)
    assert answer
    for card in answer["cards"]:
        if rng.random() < 0.3 and turn.is_free((card["x"] + 2, card["y"])):
            card["x"] += 2
    cells = [(card["x"], card["y"]) for card in answer["cards"]]
    return answer if len(set(cells)) == len(cells) else lays_apart(seen, rng)


# The cautious bot.


@pytest.mark.parametrize(
    ("options", "most", "games"),
    [
        ({}, 3, many(200, 60)),
        ({"jokers": 0}, 4, many(100, 30)),
        ({"deck": two_suits()}, 3, many(150, 40)),
        ({"deck": PUPS}, 2, many(150, 40)),
    ],
    ids=["standard", "no jokers", "two suits", "pups"],
)
def test_sure_is_what_the_rules_say(options, most, games):
    plain = PlainJudge(options.get("deck") or tomllib.loads(STANDARD_FILE))
    positions = laid = 0
    for seed in range(games):
        rng = Random(seed)
        hand_size = rng.randint(1, most)
        players = min(rng.choice([1, 2, 3, 3]), (len(plain.cards) - 3) // hand_size)
        table = table_of(players, seed, hand_size=hand_size, rounds=4, **options)
        bots: list[Bot] = [rng.choice([BOTS["sure"], BOTS["sure"], lays_apart]) for _ in range(players)]
        for seen, _ in play(table, bots, rng):
            others = [(one["x"], one["y"]) for one in seen.view["laid"]]
            wanted = surest(seen.view["leader"], seen.view["hands"][seen.seat], others, plain)
            assert cards_of(BOTS["sure"](seen, rng)) == sorted(wanted)
            positions += 1
            laid += bool(wanted)
    assert laid > positions / 3


def cards_of(answer: dict[str, Any] | None) -> list[tuple[int, int, str]]:
    assert answer
    return sorted((one["x"], one["y"], one["card"]) for one in answer.get("cards", ()))


@pytest.mark.parametrize("seed", range(30))
def test_sure_loses_no_pack_by_its_own_doing(seed):
    """Others lay at random, but touch no card of anybody else."""
    rng = Random(seed)
    options = {"deck": small_deck(rng)} if seed % 2 else {}
    table = table_of(3, seed, hand_size=3, rounds=6, **options)
    bots: list[Bot] = [BOTS["sure"], BOTS["sure"], keeps_away]
    rng.shuffle(bots)
    sure = {seat for seat, bot in zip(game_of(table).players, bots, strict=True) if bot is not keeps_away}
    for _ in play(table, bots, rng):
        game = game_of(table)
        if game.verdict is None or game.leader is None:
            continue
        for seat in sure:
            own = {laid.cell: laid.card for laid in game.laid if laid.seat == seat}
            assert judge({(0, 0): game.leader, **own}, game.dogs).legal or not own
        theirs = {laid.cell for laid in game.laid if laid.seat in sure}
        if game.leader not in game.dogs.jokers:
            assert not [one for one in game.verdict.illegal if theirs & {one.a, one.b}]


def keeps_away(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Cards at random beside the Pack Leader and one another, none beside a card of another player."""
    turn = Turn.of(seen)
    assert turn
    far = {beside for cell in turn.theirs for beside in around(cell)}
    cards: list[Placed] = []
    for card in turn.hand[: rng.randint(1, len(turn.hand))]:
        there = {PACK_LEADER, *(placed.cell for placed in cards)}
        free = {beside for cell in there for beside in around(cell)} - there - far - turn.pack
        if free:
            cards.append(Placed(card, *rng.choice(sorted(free))))
    return lay(cards, turn)


def test_ten_cards_of_one_suit_are_no_trouble():
    hand = [f"C{rank}" for rank in ("A", "2", "3", "5", "6", "8", "9", "J", "Q", "K")]
    shape = Shapes("C7", hand, standard_deck(), []).largest()
    layout = {placed.cell: placed.card for placed in shape}
    assert sorted(layout.values()) == sorted(hand)
    assert judge({PACK_LEADER: "C7", **layout}, standard_deck()).legal
    assert spoiled(layout) == 1


# All bots.


@pytest.mark.parametrize("name", ALL)
def test_what_a_bot_says_is_accepted(name):
    rng = Random(name)
    tables = [
        *({"players": players, "hand_size": 5} for players in (1, 2, 4, 8)),
        *({"players": 3, "hand_size": size, "touching": size % 2 > 0} for size in (1, 2, 8)),
        {"players": 8, "hand_size": 1, "touching": True, "lone_leader": "joins"},
        {"players": 2, "hand_size": 3, "deck": PUPS},
        {"players": 4, "hand_size": 5, "deck": tomllib.loads(bundled_decks()["dogs"])},
        *({"players": 2, "hand_size": 4, "deck": small_deck(rng), "touching": on} for on in (True, False)),
    ]
    for options in tables:
        table = table_of(seed=7, rounds=3, **options)  # type: ignore[arg-type]
        players = len(game_of(table).players)
        assert all(answer for _, answer in play(table, [ALL[name]] * players, rng))
        assert game_of(table).over


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_goes_on_among_any_others(name):
    """Others lay apart, and beside each other whatever comes: no guess at what they hold need be right."""
    for seed in range(6):
        rng = Random(seed)
        table = table_of(4, seed, rounds=6, deck=small_deck(rng) if seed % 2 else {}, hand_size=2 + seed % 2)
        assert all(answer for _, answer in play(table, [ALL[name], lays_apart, ALL[name], lays_apart], rng))


@pytest.mark.parametrize("name", ALL)
def test_a_bot_answers_nothing_but_its_own_turn(name):
    table = table_of(2, 0, rounds=2)
    assert ALL[name](table.seen("ada"), Random(0)) is None
    table.answer(GM, {"do": "begin"})
    assert ALL[name](table.seen("ben"), Random(0)) is None
    assert ALL[name](table.seen("ada"), Random(0)) is not None
    for seat in ("ada", "ben"):
        table.answer(seat, ALL[RANDOM](table.seen(seat), Random(0)) or {})
    assert table.asks()["key"] == "judged"
    assert ALL[name](table.seen("ada"), Random(0)) is None


@pytest.mark.parametrize("name", ALL)
def test_what_others_hold_changes_nothing(name):
    """Two games that differ in what is hidden from a seat are one and the same to the bot in it."""
    asked = 0
    for seed in range(6):
        rng = Random(seed)
        one = table_of(3, seed, rounds=2, hand_size=4)
        for seen, _ in play(one, [BOTS["reader"], BOTS["sure"], BASELINE[RANDOM]], rng):
            turn = Turn.of(seen)
            assert turn
            other = renamed(one, dict(zip(turn.unseen, rng.sample(turn.unseen, len(turn.unseen)), strict=True)))
            assert other.transcript() != one.transcript()
            assert other.seen(seen.seat) == seen
            assert ALL[name](other.seen(seen.seat), Random(seed)) == ALL[name](seen, Random(seed))
            asked += 1
    assert asked > 20


def renamed(table: Table, names: dict[str, str]) -> Table:
    """The same game with other cards; what has not been drawn yet is still to be drawn."""
    header, *lines = table.transcript().splitlines()
    cards = re.compile(r'(?<="card":")[^"]+')
    return Table.read([header, *(cards.sub(lambda card: names.get(card[0], card[0]), line) for line in lines)])


# How well they play; docs/dogpile-bots.md has the whole table.


def dogs_a_round(name: str, players: int, games: int) -> list[float]:
    played = [play_game(Setting((name,) * players), seed) for seed in range(games)]
    return [one.dogs / one.rounds for one in played]


@pytest.mark.soak
@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("players", [1, 3])
def test_every_bot_beats_laying_at_random(name, players):
    differences = [
        bot - chance
        for bot, chance in zip(dogs_a_round(name, players, 12), dogs_a_round(RANDOM, players, 12), strict=True)
    ]
    assert mean(differences) > 6 * stdev(differences) / sqrt(len(differences))


@pytest.mark.parametrize("name", ["bold", "reader"])
@pytest.mark.soak
def test_with_others_they_beat_the_cautious_bot(name):
    differences = [bot - sure for bot, sure in zip(dogs_a_round(name, 5, 30), dogs_a_round("sure", 5, 30), strict=True)]
    assert mean(differences) > 2 * stdev(differences) / sqrt(len(differences))
