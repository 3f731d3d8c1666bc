"""The chances of each Raise and See are right: every answer and every possible card is tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import pytest

from cardhouse.cards import STANDARD, Card, Deck
from cardhouse.engine import GM, SCREEN, Action, Draw
from cardhouse.games.dogs.actions import Bring, Give, Raise, See
from cardhouse.games.dogs.bots.policies import Situation
from cardhouse.games.dogs.bots.simulation import Simulation, simulation_of, things_of
from cardhouse.games.dogs.choices import MOST_CARDS, ConflictChoices, choices_of
from cardhouse.games.dogs.conflict.raising import is_decided, play_on
from cardhouse.games.dogs.people.sheet import Thing
from cardhouse.games.dogs.state import FaceDown, Participant, best_first, to_reverse, worth
from cardhouse.games.dogs.table import DogsTable
from tests.games.dogs.duels import NAMES, bare, face_down
from tests.games.dogs.test_odds import small

# By the rules: every answer is given, again and again, to a copy of the table.


class NeedsCard(Exception):
    """A card is to be drawn, one of these."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards = cards


class Asked(Exception):
    """Somebody is to act."""

    def __init__(self, name: str) -> None:
        self.name = name


@cache
def chance(state: bytes) -> float:
    """The chance that the first side wins, both doing what is best for it."""
    game = msgspec.json.decode(state, type=Simulation)
    if is_decided(game):
        return float(game.contested.still_in()[0].side == 0)
    name = goes_on(game)
    if name is None:
        return chance(plain(game))
    values = [answered(state, answer) for answer in answers(msgspec.json.decode(state, type=Simulation), name)]
    return (max if name == NAMES[0] else min)(values)


def goes_on(game: Simulation) -> str | None:
    """Who is asked; None if somebody had to give without being asked."""

    def ask(now: Situation) -> Action:
        raise Asked(now.name)

    game.policy = ask
    try:
        game.run(play_on(game), face_down)
    except Asked as asked:
        return asked.name
    return None


def answered(state: bytes, answer: Action) -> float:
    """The chance of the first side after this answer, over all that may be drawn then."""

    def after(drawn: tuple[Card, ...]) -> float:
        game = msgspec.json.decode(state, type=Simulation)
        game.policy = lambda now: answer
        left = list(drawn)

        def deal(draw: Draw) -> Card | None:
            if draw.face_down:
                return None
            if not left:
                raise NeedsCard(draw.cards)
            return left.pop(0)

        try:
            game.run(play_on(game), deal)
        except NeedsCard as needed:
            return sum(after((*drawn, card)) for card in needed.cards) / len(needed.cards)
        return chance(plain(game))

    return after(())


def plain(game: DogsTable) -> bytes:
    """The table without what is told of it and what lies face down, by which nobody wins."""
    for one in game.contested.participants:
        one.hand, one.blows = best_first(sorted(one.hand)), {}
    game.discard = []
    return msgspec.json.encode(game)


def answers(game: Simulation, name: str) -> Iterator[Action]:
    """Whatever somebody who is asked can say but to improvise or to escalate."""
    raised = game.contested.raised
    one = game.contested.named(name)
    yield Give(name)
    for thing in things_of(game, one):
        yield Bring(thing.owner, thing.name)
    if raised is None:
        yield from (Raise(name, card) for card in one.hand)
        return
    for number in range(1, len(one.hand) + 1):
        for cards in combinations(one.hand, number):
            if sum(map(worth, cards)) >= raised.value:
                yield See(name, [*cards], reverse=False)
    yield from (See(name, [card]) for card in one.hand if worth(card) >= to_reverse(raised.value))


def can_only_give(game: Simulation) -> bool:
    """Whether whoever is to act has no other choice."""
    return [*answers(game, NAMES[1] if game.contested.raised else NAMES[0])] == [Give(NAMES[1])]


def assert_exact(game: DogsTable, told: ConflictChoices) -> int:
    """Everything that is told is so by the rules; how many answers that were."""
    state = plain(msgspec.json.decode(simulation_of(game), type=Simulation))
    number = 0
    for answer in answers(msgspec.json.decode(state, type=Simulation), told["name"]):
        key = "+".join(str(worth(card)) for card in best_first([*getattr(answer, "cards", [])]))
        chances = told["chances"]
        match answer:
            case Give():
                continue
            case Bring(name=owner, thing=thing):
                if owner != told["name"]:
                    continue
                found = chances["bringing"][thing]
            case Raise(card=card):
                found = chances["raising"][str(worth(card))]
            case See(reverse=False):
                found = chances["seeing"][key]
            case _:
                found = chances["reversing"]
        by_rules = answered(state, answer)
        assert found == pytest.approx(by_rules if told["name"] == NAMES[0] else 1 - by_rules), (answer, told)
        number += 1
    return number


def dealt(rng: Random, most: int, rest: int = 9) -> Simulation:
    """Two hands of so many cards at most, and `rest` others; perhaps there is a Raise to See."""
    one, other = rng.randint(1, most), rng.randint(1, most)
    cards = rng.sample(STANDARD, one + other + rest)
    game = bare((cards[:one], cards[one : one + other]))
    game.deck = Deck(loose=sorted(cards[one + other :]))
    game.contested.order, game.contested.turn, game.contested.to_raise = [*NAMES], NAMES[0], [NAMES[1]]
    if one > 1 and rng.random() < 0.6:
        game.policy = lambda now: Raise(now.name, rng.choice(now.hand))
        game.run(play_on(game), face_down)
    return game


def test_hands_with_nothing_to_bring_are_as_by_the_rules() -> None:
    number = reversed_ones = 0
    for seed in range(80):
        game = dealt(Random(seed), 3)
        told = choices_of(game)
        if told is None:
            assert can_only_give(game)
            continue
        assert not told["things"]
        assert not told["more"]
        number += assert_exact(game, told)
        reversed_ones += "reversing" in told["chances"]
    assert number > 100
    assert reversed_ones > 3


THINGS = (
    Thing("A coat"),
    Thing("A limp", kind="-"),
    Thing("A good shot", kind="+"),
    Thing("A Colt", gun=True),
)


@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: thing.name)
def test_what_may_be_brought_is_weighed_as_by_the_rules(thing: Thing) -> None:
    """By either; the deck is small, and is weighed as it is."""
    number = 0
    for seed in range(2):
        rng = Random(f"{thing.name} {seed}")
        game = dealt(rng, 1, 8) if thing.gun else dealt(rng, 2)
        owner = game.characters[rng.randrange(2)]
        game.characters = [
            msgspec.structs.replace(who, things=[thing] if who is owner else []) for who in game.characters
        ]
        told = choices_of(game)
        if told is None:
            assert can_only_give(game)
            continue
        assert told["things"]
        number += assert_exact(game, told)
    assert number > 1


def test_what_may_be_brought_is_left_out_where_it_takes_long_or_the_deck_may_run_out() -> None:
    """Then it is told how it ends if nobody draws any more."""
    rng = Random(1)
    for cards, rest, number in ((5, 30, 3), (2, 4, 1)):
        game = dealt(rng, cards, rest)
        as_it_lies = choices_of(game)
        for who in game.characters:
            who.things += [Thing(f"{who.name} {thing}", kind="+", significant=True) for thing in range(number)]
        assert choices_of(game) == as_it_lies


def test_nothing_is_told_where_it_isnt_known_or_takes_long() -> None:
    """Of three, where what reversed may be lost, of too many cards, and of too many ways to See."""
    values = {worth(card): card for card in STANDARD}
    ways = [*values.values()]
    assert len(ways) + 2 == MOST_CARDS
    hands = ["S2", "S3"], ways

    def game(hands: tuple[list[Card], list[Card]] = hands, **options: Any) -> Simulation:
        made = bare(hands)
        made.options = msgspec.structs.replace(made.options, **options)
        conflict = made.contested
        conflict.order, conflict.turn, conflict.to_raise = [*NAMES], NAMES[0], [NAMES[1]]
        return made

    assert choices_of(game()) is not None
    told = choices_of(game(improvised=1))
    assert told is not None
    assert told["more"]
    assert choices_of(game(reversed_card="next_only")) is None
    assert choices_of(game((["S2", "S3", "S4"], ways))) is None
    three, seen = game(), game()
    three.contested.participants.append(Participant("A third", 1, hand=["H2"], arenas=["guns"]))
    assert choices_of(three) is None
    seen.policy = lambda now: Raise(now.name, "S2")
    seen.run(play_on(seen), face_down)
    assert choices_of(seen) is None


def test_what_lies_face_down_is_not_told_by_them() -> None:
    """Whichever card the log has named, and if it named none."""
    found = []
    for named in (None, "SK", "C3"):
        game = dealt(Random(4), 2)
        game.characters[1].things.append(Thing("A coat"))
        loose = sorted({*game.deck.loose, "SK", "C3"})
        game.contested.participants[0].hand, game.contested.participants[1].hand = ["D9"], ["H5"]
        game.deck = Deck(loose=[card for card in loose if card != named], face_down=int(named is None))
        game.contested.participants[1].blows = {"talking": [FaceDown(0, named)]}
        found.append(choices_of(game))
    assert found[0] is not None
    assert 0 < found[0]["chances"]["raising"]["9"] < 1
    assert found == [found[0]] * 3


def test_they_are_told_with_the_odds_and_where_hands_are_hidden_to_the_game_master_alone() -> None:
    for hidden in (False, True):
        table = small(hidden_hands=hidden)
        for seat in (GM, "ada", "ben", SCREEN):
            assert ("choices" in table.odds(seat)) == (seat == GM or not hidden)
