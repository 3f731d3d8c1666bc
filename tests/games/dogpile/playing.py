"""Helpers of Dogpile's tests: tables of every kind, small decks, mostly legal layouts."""

from __future__ import annotations

from random import Random
from typing import Any, cast

from cardhouse.cards import Card
from cardhouse.engine import GM, SeededDealer, Table
from cardhouse.games.dogpile.rules import Dogpile

PEOPLE = ("ada", "ben", "cy", "dot", "eve", "fay", "gus", "hal")

Cell = tuple[int, int]


def game_of(table: Table) -> Dogpile:
    """The game of a table of Dogpile."""
    return cast("Dogpile", table.game)


def cards_there(game: Dogpile) -> list[Card]:
    """All cards, wherever they are: what lies on the grid is in the piles once it is judged."""
    lying = [laid.card for laid in game.laid] + ([game.leader] if game.leader else [])
    hands = [card for hand in game.hands.values() for card in hand]
    return [*game.draft.cards(), *game.dogpile, *game.strays, *hands, *(lying if game.verdict is None else ())]


def deck_file(cards: dict[str, dict[str, Any]], name: str = "Small") -> dict[str, Any]:
    """A deck with the standard deck's rules for contact."""
    return {
        "name": name,
        "beside": {"all": [{"attribute": "number", "differs_by": 1}]},
        "above": {"all": [{"attribute": "suit", "equal": True}]},
        "cards": cards,
    }


def small_deck(rng: Random) -> dict[str, Any]:
    """A deck of 12 to 30 cards, up to two of them jokers and up to two wild in their suit alone."""
    numbers, suits = rng.randint(3, 7), rng.randint(3, 4)
    cards: dict[str, dict[str, Any]] = {
        f"{suit}{number}": {"number": number, "suit": suit}
        for suit in "abcd"[:suits]
        for number in range(1, numbers + 1)
    }
    cards |= {f"j{number}": {"wild": True} for number in range(rng.randint(0, 2))}
    cards |= {f"w{number}": {"wild": True, "number": number + 1} for number in range(rng.randint(0, 2))}
    while len(cards) < 12:
        cards[f"x{len(cards)}"] = {"number": rng.randint(1, numbers), "suit": "x"}
    return deck_file(cards)


def some_table(rng: Random, *, rounds: bool = True) -> Table:
    """A table before its first round: one to eight players, the game master among them or alone, any options."""
    deck = {"deck": small_deck(rng)} if rng.random() < 0.5 else {}
    people = PEOPLE[: rng.choice([0, 1, 2, 2, 3, 3, 4, 8])]
    gm_plays = rng.random() < 0.3 and len(people) < len(PEOPLE)
    cards = len(deck["deck"]["cards"]) - 2 if deck else 52
    most = (cards - 1) // max(1, len(people) + gm_plays)
    options = {
        "jokers": rng.randint(0, 2),
        "hand_size": rng.randint(1, min(10, most, 5 if rng.random() < 0.8 else 10)),
        "minutes": rng.choice([1, 15, 180]),
        "touching": rng.random() < 0.3,
        "lone_leader": rng.choice(["strays", "joins"]),
        "passing": rng.choice(["ends_laying", "skips"]),
        "gm_plays": gm_plays,
        **deck,
    }
    if rounds and rng.random() < 0.2:
        options["rounds"] = rng.randint(1, 4)
    return Table.new("dogpile", (GM, *people), options, SeededDealer(rng.getrandbits(32)))
