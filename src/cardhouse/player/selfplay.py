"""Whole evenings of a game with nobody at the table: in each seat plays the house, a bot of the game, or chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from random import Random
from typing import Any

import msgspec

from cardhouse.engine import GM, HOUSE, STORY, Ask, Dealer, Entry, Game, Table
from cardhouse.engine.chance.sample_answers import Answer, some_answer
from cardhouse.player.monte_carlo import MOST_ANSWERS, all_answers, is_plain, look_ahead, some_answers

CHANCE = "chance"
"""Who says anything that is offered, each answer as likely as the others."""
MORE = MOST_ANSWERS + 1
"""How many answers are open where they are more than are weighed."""
NO_CLOCK = 1000
"""What time it always is, in Unix seconds: no alarm rings."""
FIRST_SEATS = ("ada", "ben", "cleo", "dan", "eva", "finn", "gwen", "hal")

Player = Callable[[Table, str, Random], Answer | None]
"""What a seat says at a table with its whole log; None if it leaves that to others."""
Offers = list[dict[str, Any]]


def names_of_players(kind: type[Game]) -> tuple[str, ...]:
    """Who can play a seat of this game: chance, the game's own bots, the house."""
    return (CHANCE, *kind.bots, HOUSE)


def player_called(kind: type[Game], name: str, playouts: int) -> Player:
    """A player by name; the house plays so many games on for each answer."""
    if name in kind.bots:
        return lambda table, seat, rng: kind.bots[name](table.seen(seat, STORY), rng)
    if name == CHANCE:
        return by_chance
    return lambda table, seat, rng: look_ahead(table, seat, rng, lambda played: played >= playouts)


def by_chance(table: Table, seat: str, rng: Random) -> Answer | None:
    """Anything that is offered to the seat itself; when to go on it leaves to the game master."""
    offers = [offer for offer in table.offers(seat) if "for" not in offer]
    asks = table.asks()
    anybody = asks.get("together") and not asks.get("waits_for") and GM in asks["seats"]
    return None if anybody or not offers else some_answer(rng.choice(offers), rng)


def leading(others: Player, kind: type[Game], playouts: int) -> Player:
    """The game master: a player like the others where the game leads itself, the house where it takes a host.

    What the player leaves open, the house says.
    """
    house = player_called(kind, HOUSE, playouts)

    def player(table: Table, seat: str, rng: Random) -> Answer | None:
        plays = others(table, seat, rng) if table.kind.host is None else None
        return plays if plays is not None else house(table, seat, rng)

    return player


class Playthrough:
    """An evening from its first question to its end: who plays which seat, and what was answered so far.

    It depends on nothing but the players, the dealer and the generator.
    """

    def __init__(self, table: Table, players: Mapping[str, Player], rng: Random) -> None:
        self.table, self.players, self.rng = table, players, rng

    def say(self, seat: str, answer: Answer) -> Entry:
        """Give this answer."""
        return self.table.answer(seat, answer, time=NO_CLOCK)

    def next_answer(self) -> tuple[str, Answer] | None:
        """Who says what next; None at the end."""
        if not isinstance(self.table.question, Ask):
            return None
        asks = self.table.asks()
        for seat in asks.get("waits_for") or asks["seats"]:
            if (answer := self.players[seat](self.table, seat, self.rng)) is not None:
                return seat, answer
        return None


def new_table(kind: type[Game], players: int, options: Mapping[str, Any], dealer: Dealer) -> Table:
    """A table for the game master and so many others."""
    return Table.new(kind.name, [GM, *FIRST_SEATS[:players]], options, dealer)


def own_offers(table: Table, seat: str) -> Offers:
    """What a seat may say for itself, as plain data."""
    return [one for one in msgspec.to_builtins(table.offers(seat)) if "do" in one and "for" not in one]


def ways(table: Table, seat: str) -> int:
    """How many answers are open to a seat, `MORE` if they are more than are weighed, or without end."""
    found = 0
    for offer in own_offers(table, seat):
        some = sum(1 for _ in islice(all_answers([offer]), MORE))
        found += some if some or is_plain(offer) else MORE
    return min(found, MORE)


def open_answers(table: Table, seat: str, rng: Random) -> list[Answer]:
    """The answers that are open to a seat; of more than are weighed, some by chance."""
    offers = own_offers(table, seat)
    return list(all_answers(offers)) if ways(table, seat) < MORE else some_answers(offers, rng)
