"""Helpers of Hackjack's tests: characters of all kinds, hits, and decks with few cards left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from cardhouse.cards import Card
from cardhouse.engine import GM, PHYSICAL, Ask, Draw, SeededDealer, Snapshot, Table
from cardhouse.games.hackjack.rules import Hackjack
from cardhouse.games.hackjack.state import Character

SEATS = (GM, "ada", "ben")
SWITCHES = ("draw_at_zero", "return_cards", "critical_draw", "jokers")
READINGS = {
    "judged": ("at_end", "each_step"),
    "standing_blood": (False, True),
    "jack_of_clubs": ("lower", "lower_given"),
    "pain": ("off", "trauma", "death_score"),
}
"""The sentences that can be read in two ways."""
BENDING = ("C7", "CJ", "SQ", "H6", "HA")
"""The cards that have others drawn or looked at."""
FEW = 6
"""Of those who hold the cards that a deck has no more, so many have been hit but once."""
BLOWS = (1, 1, 1, 2, 3, 5, 8, 12, 13, 14, 15, 17, 20, 25)
"""Damage as it comes: mostly little, sometimes massive."""


def game_of(table: Table) -> Hackjack:
    assert isinstance(table.game, Hackjack)
    return table.game


def someone(rng: Random, name: str) -> dict[str, Any]:
    """An answer that adds somebody of some kind, played by anybody."""
    answer = {"do": "add_character", "name": name, "hp": rng.randint(0, 9), "max_hp": rng.randint(1, 12)}
    if rng.random() < 0.5:
        answer["hit_die"] = rng.choice(["d4", "d6", "d12"])
    if rng.random() < 0.5:
        answer["scores"] = {"STR": rng.randint(3, 18), "CON": rng.randint(3, 18)}
    return {**answer, "controller": rng.choice(SEATS)}


def veteran(rng: Random, name: str, limit: int) -> dict[str, Any]:
    """An answer that brings somebody from the roster, with old wounds, and perhaps down."""
    down = rng.random() < 0.6
    old = rng.sample(["C9", "H10", "S3", "SQ", "DK"] if down else ["CQ", "CQ", "C9", "H10"], rng.randint(0, 3))
    sheet = {
        "name": name,
        "hp": 0 if down else rng.randint(1, 9),
        "max_hp": 9,
        "death_score": rng.randint(0, limit - 1) if down else 0,
        "blood": rng.choice([0, 0, 1, 3, 8]),
        "trauma": 4 if {"SQ", "DK"} & {*old} else 3 if {"H10", "S3"} & {*old} else 0,
        "down": down,
        "wounds": [{"card": card} for card in old] * rng.choice([1, 1, 2]),
    }
    return {"do": "bring_character", "sheet": sheet, "controller": rng.choice(SEATS)}


def another(*cards: Card) -> dict[str, Any]:
    """Wounds of a table's own that draw another card at once, as SQ does."""
    wound = {"name": "Worse and worse", "text": "Another.", "ends": "rest", "special": "another"}
    return dict.fromkeys(cards, wound)


def blow(rng: Random, table: Table) -> dict[str, Any] | None:
    """Damage to somebody alive; None if nobody is, or somebody is being hit."""
    game = game_of(table)
    living = [who.name for who in game.characters if who.alive]
    if game.busy or not living:
        return None
    answer = {"do": "damage", "target": rng.choice(living), "amount": rng.choice(BLOWS)}
    return {**answer, "critical": True} if game.options.critical_draw and rng.random() < 0.3 else answer


def choose(table: Table, rng: Random) -> None:
    """Choose a wound for somebody, as often as is asked (HJ-22)."""
    while isinstance(question := table.question, Ask) and question.key == "choose":
        about = question.about
        table.answer(GM, {"do": "choose_wound", "name": about["name"], "card": rng.choice(about["cards"])})


def hit_with(table: Table, name: str, cards: list[Card], rng: Random) -> None:
    """A blow for somebody: these cards are drawn, in order, and taken off the list.

    With a paper deck others are named where these can't be. With another they must be those that are drawn.
    """
    hit = {"do": "damage", "target": name, "amount": 1}
    if table.header.decks.get("wounds") != PHYSICAL:
        table.answer(GM, hit, chance=[{"draw": "wounds", "card": card} for card in cards])
        cards.clear()
        return
    table.answer(GM, hit)
    while game_of(table).busy:
        question = table.question
        if isinstance(question, Draw):
            wanted = [card for card in cards if card in question.cards]
            card = wanted[0] if wanted else rng.choice(question.cards)
            if card in cards:
                cards.remove(card)
            table.answer(rng.choice(table.asks()["seats"]), {"draw": "wounds", "card": card})
        else:
            choose(table, rng)


def left_with(keep: Sequence[Card], rng: Random, options: dict[str, Any] | None = None, clear: int = 0) -> Table:
    """A table with a paper deck of which only these cards are left.

    Some who are down hold a card or a few, others have died of theirs; so many of the former have gone again, and what
    they had is in the discard. Cards with which others are drawn come in the first half, so that there are others.
    """
    table = Table.new("hackjack", SEATS, options, SeededDealer(rng.getrandbits(32)), decks={"wounds": PHYSICAL})
    bending = {*BENDING, *(options or {}).get("wounds", {})}
    place = {card: rng.random() / (2 if card in bending else 1) for card in game_of(table).deck.cards()}
    others = sorted((card for card in place if card not in keep), key=place.__getitem__)
    few: list[str] = []
    while others:
        name = f"{len(game_of(table).characters)}"
        table.answer(GM, {"do": "add_character", "name": name, "hp": 0, "max_hp": 1, "controller": rng.choice(SEATS)})
        hit_with(table, name, others, rng)
        if len(few) < FEW:
            few.append(name)
        while others and name not in few and game_of(table).named(name).alive:
            hit_with(table, name, others, rng)
    for name in rng.sample(few, clear):
        table.answer(GM, {"do": "remove_character", "name": name})
    return table


def changed(table: Table, change: Callable[[Hackjack], object]) -> Table:
    """A table like this one, which must be at rest, but for this change."""
    game = msgspec.json.decode(msgspec.json.encode(table.game), type=Hackjack)
    change(game)
    return Table(table.header, table.dealer, Snapshot(table.number, 0, msgspec.Raw(msgspec.json.encode(game))))


def put_on_top(game: Hackjack, card: Card) -> None:
    """Of the cards of the deck, make this one the next."""
    game.deck.shuffle()
    game.deck.take(card)
    game.deck.put_on_top(card)


def fallen(name: str, score: int = 0, blood: int = 0, **more: Any) -> Character:
    """Somebody who is down."""
    return Character(name=name, hp=0, max_hp=9, down=True, death_score=score, tokens=score, blood=blood, **more)
