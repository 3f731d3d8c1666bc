"""The live odds are exact: they equal all possible outcomes of a hit, and played hits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

from cardhouse.cards import STANDARD, Card, Deck
from cardhouse.engine import GM, SCREEN, Action, Ask, Draw, Game, Meanwhile, Roll, SeededDealer, Table
from cardhouse.engine.table.enumerate import walk
from cardhouse.games.hackjack.rules import Hackjack
from cardhouse.games.hackjack.state import Character, ChooseWound, Damage, WoundTaken
from cardhouse.games.hackjack.stepwise_odds import Hit, ScoreState, ends_of
from tests.games.hackjack.playing import (
    BENDING,
    another,
    changed,
    fallen,
    game_of,
    hit_with,
    left_with,
    put_on_top,
    veteran,
)
from tests.thorough import many

WAYS = 400
"""States that more ways lead on from are passed over: the walk is the slow side."""
MANY_DICE = ("S9", "SJ", "S4", "H3", "D3", "HJ", "S7")
"""Wounds whose rolls make many ways of one, and none that matters here."""
PLAIN = [card for card in STANDARD if card not in (*BENDING, *MANY_DICE)]

Spread = dict[str, Any]


class Hits:
    """The policy: one is hit once, with so much damage; of two wounds the first or the second is chosen."""

    def __init__(self, name: str, damage: int, choice: int = 0) -> None:
        self.hit = Damage(name, damage)
        self.choice = choice

    def __call__(self, game: Game, question: Ask) -> Action | None:
        if question.key == "choose":
            return ChooseWound(question.about["name"], question.about["cards"][self.choice])
        return None if game.out else self.hit


def by_walking(tables: list[Table], hits: Hits) -> Spread:
    """What a hit does, from every way it can go at any of these tables, each as likely as the others."""
    after: Counter[int] = Counter()
    dies = exactly = whole = Fraction(0)
    for table in tables:
        for way in walk(table, hits):
            chance = way.chance / len(tables)
            assert isinstance(way.game, Hackjack)
            who = way.game.named(hits.hit.target)
            after[who.death_score] += chance  # type: ignore[assignment]
            dies += chance * (not who.alive)
            exactly += chance * any(event.key == "exactly" for event in way.events)
            whole += chance
    assert whole == 1
    spread = {str(score): float(chance) for score, chance in sorted(after.items())}
    return {"dies": float(dies), "exactly_21": float(exactly), "death_score": spread}


def check(table: Table, name: str, damage: int) -> None:
    """The odds of one character are those of every way a hit can go, whoever asks, and whatever is chosen."""
    asked: dict[bool, Spread] = {}
    for seat in (GM, "ada", "ben", SCREEN):
        knows = not game_of(table).deck.top or table.view(seat)["next_card"] is not None
        told = table.odds(seat, damage=damage)[name]
        assert asked.setdefault(knows, told) == told, "who knows the same is told the same"
    for knows, told in asked.items():
        for how, prevents in (("preventing", True), ("not_preventing", False)):
            tables = as_it_may_be(table, name, prevents=prevents, knows=knows)
            for choice in (0, 1):
                assert told[how] == near(by_walking(tables, Hits(name, damage, choice))), (knows, how, choice)
            for amount in list(told["massive"])[:: len(told["massive"]) // 2 + 1]:
                walked = by_walking(tables, Hits(name, int(amount)))
                assert told["massive"][amount][how] == near({**walked, "death_score": None}), (knows, how, amount)


def near(walked: Spread) -> Any:
    """The same odds to twelve places; of the chances of death-scores, those that are told."""
    spread = walked["death_score"]
    flat = {key: pytest.approx(chance, abs=1e-12) for key, chance in walked.items() if key != "death_score"}
    return flat if spread is None else {**flat, "death_score": pytest.approx(spread, abs=1e-12)}


def as_it_may_be(table: Table, name: str, *, prevents: bool, knows: bool) -> list[Table]:
    """The table with somebody preventing blood loss or not; for those who don't know the next card, with any on top."""

    def with_next(card: Card | None) -> Table:
        def change(game: Hackjack) -> None:
            game.named(name).preventing = prevents
            if card is not None:
                put_on_top(game, card)

        return changed(table, change)

    return [with_next(card) for card in ([None] if knows else game_of(table).deck.cards())]


def few_ways(table: Table, name: str, damage: int) -> bool:
    """Whether no more than so many ways lead on from a hit, for anybody who asks, also where it makes exactly 21."""
    who, limit = game_of(table).named(name), game_of(table).options.limit
    most = WAYS // max(1, len(game_of(table).deck) * len(game_of(table).deck.top))

    def known(prevents: bool) -> Table:
        def change(game: Hackjack) -> None:
            game.deck.shuffle()
            game.named(name).preventing = prevents

        return changed(table, change)

    room = limit - who.death_score
    amounts = {damage, 1, max(1, room), max(1, room - who.blood)}
    for prevents, amount, choice in product((True, False), sorted(amounts), (0, 1)):
        if any(number >= most for number, _ in enumerate(walk(known(prevents), Hits(name, amount, choice)))):
            return False
    return True


def some_cards(rng: Random, count: int) -> list[Card]:
    """Cards that bend the flow, more often than chance would have it, among others."""
    bending = rng.sample(BENDING, min(count, rng.choice([0, 1, 1, 2, 3])))
    return [*bending, *rng.sample(PLAIN, count - len(bending))]


def some_options(rng: Random) -> dict[str, Any]:
    options: dict[str, Any] = {"jokers": rng.random() < 0.25}
    if rng.random() < 0.3:
        options["limit"] = rng.choice([11, 15, 21, 30])
    if rng.random() < 0.3:
        options["massive_damage"] = rng.choice([10, 12, 15, 20])
    if rng.random() < 0.3:
        options["wounds"] = another(*rng.sample(PLAIN, rng.choice([2, 2, 3])))
    if rng.random() < 0.4:
        options["judged"] = "each_step"
    return options


def left_by_play(rng: Random) -> Table:
    """Few cards left in the deck, few in the discard, perhaps none at all; perhaps one that somebody has seen."""
    options = some_options(rng)
    worse = list(options.get("wounds", ()))
    luck = ["RJ"] if options["jokers"] and rng.random() < 0.4 else []
    keep = [*luck, *rng.sample(worse, rng.randint(0, len(worse))), *some_cards(rng, rng.choice([0, 0, 1, 2, 2, 3, 4]))]
    keep = list(dict.fromkeys(keep))
    table = left_with(keep, rng, options, rng.choice([0, 0, 1, 1, 2]))
    for number in range(2):
        table.answer(GM, veteran(rng, f"veteran {number}", options.get("limit", 21)))
    if "HA" in keep and rng.random() < 0.6:
        living = [who.name for who in game_of(table).characters if who.alive]
        hit_with(table, rng.choice(living), ["HA", rng.choice(keep)], rng)
    return table


def with_cards_returned(rng: Random) -> Table:
    """Where cards are returned no deck is ever small; this one has been cut, and the rest is nowhere."""
    table = Table.new("hackjack", (GM, "ada", "ben"), {**some_options(rng), "return_cards": True}, SeededDealer(1))
    cards = some_cards(rng, rng.randint(1, 4))
    lingering = [WoundTaken("CQ") for _ in range(rng.randint(0, 2))]

    def cut(game: Hackjack) -> None:
        game.characters.append(fallen("Ada", rng.randrange(game.options.limit), rng.randint(0, 9), wounds=lingering))
        game.deck = Deck.of(cards)
        if rng.random() < 0.5:
            put_on_top(game, rng.choice(cards))
            game.seers = [GM, "ada"]

    return changed(table, cut)


def states(seed: int) -> Iterator[tuple[Table, str, int]]:
    """Tables without end, somebody down at each, and damage for them."""
    rng = Random(seed)
    while True:
        table = left_by_play(rng) if rng.random() < 0.8 else with_cards_returned(rng)
        # The last of them are veterans.
        down = [who.name for who in game_of(table).characters if who.alive and who.down][-4:]
        for name in rng.sample(down, min(2, len(down))):
            if rng.random() < 0.5:
                table.answer(GM, {"do": "drain", "target": name, "amount": rng.randint(1, 12), "as": "blood"})
            damage = rng.choice([1, 10, 13, 14, 16, 21, 1000])
            if few_ways(table, name, damage):
                yield table, name, damage


@pytest.mark.parametrize("seed", range(many(18, 4)))
def test_odds_are_those_of_every_way_a_hit_can_go(seed):
    for _, (table, name, damage) in zip(range(many(9, 3)), states(seed), strict=False):
        try:
            check(table, name, damage)
        except AssertionError as error:
            error.add_note(f"{name} takes {damage} in {msgspec.json.encode(table.game).decode()}")
            raise


def test_by_hand():
    """With 10, no card kills but the queen of spades and whatever comes with her: an ace makes 21, all others more."""
    table = with_fallen(fallen("Ada", 10), fallen("Ben", 0, 3), Character(name="Cy", hp=1, max_hp=3))
    odds = table.odds(GM)
    assert list(odds) == ["Ada", "Ben"]
    orders = 52 * 51
    ada = odds["Ada"]["preventing"]
    assert odds["Ada"]["not_preventing"] == ada
    assert (ada["dies"], ada["exactly_21"]) == (47 / orders, 4 / orders)
    assert ada["death_score"]["0"] == 4 / orders
    assert ada["death_score"]["20"] == 15 / 52
    assert ada["death_score"]["19"] == 4 / 52
    assert ada["death_score"]["30"] == 15 / orders
    ben = odds["Ben"]
    assert ben["preventing"]["death_score"]["1"] == ben["not_preventing"]["death_score"]["4"] == 4 / 52
    assert ben["preventing"]["death_score"]["20"] == 15 / orders
    massive = odds["Ada"]["massive"]
    assert list(massive) == []
    assert list(odds["Ben"]["massive"]) == ["14", "15", "16", "17", "18", "19", "20", "21", "22"]
    assert odds["Ben"]["massive"]["18"]["not_preventing"] == {"dies": 1 / 52, "exactly_21": 51 / 52}


def test_blood_makes_the_limit_and_the_cards_make_it_again():
    """HJ-6: 5 is come to by its card alone, and by the king and the eight before it, the limit here."""
    hit = Hit(limit=18, another=frozenset(("HK", "S8")), instead=None, bonus=0)
    ends = ends_of(hit, ScoreState(12, frozenset(), (("C5", "D2", "HK", "S8"),), frozenset()), blood=6)
    third, twelfth = Fraction(1, 3), Fraction(1, 12)
    assert ends == {(score, True): third for score in (2, 5)} | {(score, True): twelfth for score in (10, 12, 13, 15)}


def test_a_blow_so_hard_counts_instead_of_the_card():
    table = with_fallen(fallen("Ada", 4))
    assert table.odds(GM, damage=17)["Ada"]["preventing"]["exactly_21"] == 51 / 52
    assert table.odds(GM, damage=13) == table.odds(GM)


def test_the_last_card_is_known_to_all_and_a_card_on_top_to_those_who_saw_it():
    table = with_fallen(fallen("Ada", 12), fallen("Ben", 11))

    def see(game: Hackjack) -> None:
        game.deck = Deck.of(["C2", "D9", "HK"])
        put_on_top(game, "D9")
        game.seers = ["ada", GM]

    seen = changed(table, see)
    assert seen.odds("ada") == seen.odds(GM)
    assert seen.odds("ada")["Ada"]["preventing"] == {"dies": 0, "exactly_21": 1, "death_score": {"0": 1}}
    assert seen.odds("ben") == seen.odds(SCREEN)
    third = {"0": 1 / 3, "14": 1 / 3, "22": 1 / 3}
    assert seen.odds("ben")["Ada"]["preventing"] == {"dies": 1 / 3, "exactly_21": 1 / 3, "death_score": third}
    last = changed(table, lambda game: setattr(game, "deck", Deck.of(["HK"])))
    assert last.odds(SCREEN)["Ben"]["preventing"]["exactly_21"] == 1


def test_no_odds_while_somebody_is_being_hit():
    table = with_fallen(fallen("Ada"))
    table.answer(GM, {"do": "damage", "target": "Ada", "amount": 1}, chance=drawn("C7", "DA", "SK"))
    assert table.asks()["key"] == "choose"
    assert table.odds(GM) == table.odds("ben") == {}


def test_of_hundreds_of_amounts_the_first_are_told():
    table = with_fallen(fallen("Ada", 20), options={"limit": 1000, "massive_damage": 10})
    assert list(table.odds(GM)["Ada"]["massive"]) == [str(amount) for amount in range(11, 31)]


def drawn(*cards: Card) -> list[dict[str, str]]:
    """Lines of chance."""
    return [{"draw": "wounds", "card": card} for card in cards]


def with_fallen(*characters: Character, options: dict[str, Any] | None = None) -> Table:
    """A table with a fresh deck and these characters."""
    table = Table.new("hackjack", (GM, "ada", "ben"), options, SeededDealer(1))
    return changed(table, lambda game: game.characters.extend(characters))


# Played out.


class Playing:
    """Hits that all begin from the same state, their chance dealt at random: the bare rules, without a table."""

    def __init__(self, game: Hackjack, rng: Random) -> None:
        self.start = game
        self.loose = list(game.deck.loose)
        self.game = msgspec.json.decode(msgspec.json.encode(game), type=Hackjack)
        self.rules = self.game.play()
        self.rng = rng
        next(self.rules)

    def hit(self, damage: int) -> Character:
        """Somebody after a hit."""
        game = self.begin_again()
        question: Any = self.rules.send(Meanwhile(Damage(game.characters[0].name, damage)))
        while game.busy:
            question = self.rules.send(self.answer(question))
        return game.characters[0]

    def begin_again(self) -> Hackjack:
        game, was = self.game, self.start.characters[0]
        game.characters[0] = msgspec.structs.replace(
            was, pile=list(was.pile), beside=list(was.beside), wounds=list(was.wounds)
        )
        game.deck.loose, game.deck.top, game.discard = self.loose.copy(), self.start.deck.top.copy(), []
        game.out.clear()
        return game

    def answer(self, question: Draw | Roll | Ask) -> Any:
        if isinstance(question, Draw):
            return question.cards[int(self.rng.random() * len(question.cards))]
        if isinstance(question, Roll):
            count, sides = question.count_and_sides()
            return [self.rng.randint(1, sides) for _ in range(count)]
        return ChooseWound(question.about["name"], self.rng.choice(question.about["cards"]))


HITS = many(1_000_000, 200_000)
"""In all situations together."""
SITUATIONS: list[tuple[dict[str, Any], Character, int]] = [
    ({}, fallen("a fresh deck"), 1),
    ({}, fallen("near death", 11, 5, drawn=True), 13),
    ({}, fallen("nearer", 17, 2, drawn=True, preventing=True), 3),
    ({}, fallen("massive", 5, 2, drawn=True), 14),
    ({"jokers": True}, fallen("lucky", 12, 0, drawn=True), 2),
    ({"jokers": True}, fallen("lucky and massive", 1, 3), 17),
    ({"wounds": another("C10", "D2", "HK", "S5", "S6")}, fallen("worse and worse", 3, 1, drawn=True), 1),
    ({"limit": 30}, fallen("an old wound", 6, 4, wounds=[WoundTaken("CQ"), WoundTaken("CQ")]), 1),
    ({}, fallen("old ribs", 9, 9, drawn=True, preventing=True, wounds=[WoundTaken("H10"), WoundTaken("C9")]), 5),
    ({"return_cards": True, "massive_damage": 10}, fallen("returned", 4, 4, drawn=True), 11),
]


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize(("options", "who", "damage"), SITUATIONS, ids=[who.name for _, who, _ in SITUATIONS])
def test_odds_agree_with_hits_that_are_played_out(options, who, damage):
    table = with_fallen(who, options=options)
    told = table.odds(GM, damage=damage)[who.name]["preventing" if who.preventing else "not_preventing"]
    playing = Playing(game_of(table), Random(who.name))
    hits = HITS // len(SITUATIONS)
    after: Counter[str] = Counter()
    died = exactly = 0
    for _ in range(hits):
        hit = playing.hit(damage)
        after[str(hit.death_score)] += 1
        died += not hit.alive
        exactly += any(event.key == "exactly" for event in playing.game.out)
    assert set(after) <= set(told["death_score"])
    counted = {"dies": died, "exactly_21": exactly, **after}
    for what, chance in {**told, **told["death_score"]}.items():
        if what != "death_score":
            error = (chance * (1 - chance) / hits) ** 0.5
            assert counted.get(what, 0) / hits == pytest.approx(chance, abs=5 * error + 1e-12), what
