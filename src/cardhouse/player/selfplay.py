"""Whole games played by bots: in each seat the Standard bot, a bot of the game, or chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

import msgspec

from cardhouse.engine import GM, HOUSE, STORY, Ask, Dealer, Entry, Game, Table
from cardhouse.engine.chance.sample_answers import Answer, some_answer
from cardhouse.engine.values.documents import OfferDoc
from cardhouse.player.monte_carlo import MOST_ANSWERS, all_answers, is_plain, look_ahead, some_answers

CHANCE = "chance"
"""The player that gives any offered answer, at random."""
MORE = MOST_ANSWERS + 1
"""The number of open answers, where there are more than are compared."""
NO_CLOCK = 1000
"""The constant time, in Unix seconds: no alarm goes off."""
FIRST_SEATS = ("ada", "ben", "cleo", "dan", "eva", "finn", "gwen", "hal")

Player = Callable[[Table, str, Random], Answer | None]
"""A seat's answer at a table with its complete log; None if it leaves that to others."""
Offers = list[OfferDoc]


def list_players(kind: type[Game]) -> tuple[str, ...]:
    """Return the names of this game's players: chance, the game's own bots, and the Standard bot."""
    return (CHANCE, *kind.bots, HOUSE)


def find_player(kind: type[Game], name: str, playouts: int) -> Player:
    """Return a player by name; the Standard bot uses this many playouts for each answer."""
    if name in kind.bots:
        return lambda table, seat, rng: kind.bots[name](table.seen(seat, STORY), rng)
    if name == CHANCE:
        return by_chance
    return lambda table, seat, rng: look_ahead(table, seat, rng, lambda played: played >= playouts)


def by_chance(table: Table, seat: str, rng: Random) -> Answer | None:
    """Answer any offer for the seat itself; the game master decides when to continue."""
    offers = [offer for offer in table.offers(seat) if "for" not in offer]
    asks = table.asks()
    anybody = asks.get("together") and not asks.get("waits_for") and GM in asks["seats"]
    return None if anybody or not offers else some_answer(rng.choice(offers), rng)


def leading(others: Player, kind: type[Game], playouts: int) -> Player:
    """Return the game master's player: like the others in a game without a host bot, otherwise the Standard bot.

    The Standard bot also answers what that player leaves to others.
    """
    house = find_player(kind, HOUSE, playouts)

    def player(table: Table, seat: str, rng: Random) -> Answer | None:
        plays = others(table, seat, rng) if table.kind.host is None else None
        return plays if plays is not None else house(table, seat, rng)

    return player


class Playthrough:
    """A game from its first question to its end, with a player for each seat.

    It depends only on the players, the dealer and the generator.
    """

    def __init__(self, table: Table, players: Mapping[str, Player], rng: Random) -> None:
        self.table, self.players, self.rng = table, players, rng
        self.order = Random()
        self.order.setstate(rng.getstate())  # its own, so that what is drawn for the order changes no answer

    def give_answer(self, seat: str, answer: Answer) -> Entry:
        """Give this answer."""
        return self.table.answer(seat, answer, time=NO_CLOCK)

    def next_answer(self) -> tuple[str, Answer] | None:
        """Return the next answer and its seat; None at the end."""
        if not isinstance(self.table.question, Ask):
            return None
        asks = self.table.asks()
        for seat in self._in_order(asks.get("waits_for") or asks["seats"]):
            if (answer := self.players[seat](self.table, seat, self.rng)) is not None:
                return seat, answer
        return None

    def _in_order(self, seats: Sequence[str]) -> Sequence[str]:
        """Return the seats asked, in the order in which they may answer.

        Chance lets the others go first as often as it gives any one of its answers: where a game doesn't roll shots, a
        player's shot is the game master's answer.
        """
        first, *others = seats
        if not others or self.players[first] is not by_chance:
            return seats
        return seats if self.order.randrange(1 + ways(self.table, first)) else (*others, first)


def new_table(kind: type[Game], players: int, options: Mapping[str, Any], dealer: Dealer) -> Table:
    """Return a table for the game master and this many others."""
    return Table.new(kind.name, [GM, *FIRST_SEATS[:players]], options, dealer)


def own_offers(table: Table, seat: str) -> Offers:
    """Return a seat's offers for itself, as plain data."""
    return [one for one in msgspec.to_builtins(table.offers(seat)) if "do" in one and "for" not in one]


def ways(table: Table, seat: str) -> int:
    """Return how many answers a seat has, `MORE` if there are more than are compared, or unlimited ones."""
    found = 0
    for offer in own_offers(table, seat):
        some = sum(1 for _ in islice(all_answers([offer]), MORE))
        found += some if some or is_plain(offer) else MORE
    return min(found, MORE)


def open_answers(table: Table, seat: str, rng: Random) -> list[Answer]:
    """Return a seat's possible answers; a random selection if there are more than are compared."""
    offers = own_offers(table, seat)
    return list(all_answers(offers)) if ways(table, seat) < MORE else some_answers(offers, rng)
