"""Single rounds of Dogpile in the lab, played by the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from cardhouse.cards import Card
from cardhouse.engine import GM, Bot, CardhouseError, Table
from cardhouse.games.dogpile.deck import DogDeck
from cardhouse.games.dogpile.lab.whole_games import PLAYERS
from cardhouse.games.dogpile.rules import DECK, Dogpile
from cardhouse.games.dogpile.suits import form_suits
from cardhouse.lab.questions.proof import play, table_of_paper

MOST_WILD = 5
"""The kernel's limit of wild cards: up to five form at most one ring."""
LARGEST_HAND = 7
"""The kernel's limit of cards in a hand: enumerating larger hands takes longer than the bot's own search."""

MOST_SUITS, MOST_KINDS, MOST_WILD_TO_NAME = 4, 64, 2
"""The limits of the kernel for the largest pack: suits, kinds, and wild cards, for which it tries every kind."""


def can_be_compiled(deck: DogDeck, cards: Sequence[Card], hand_size: int) -> bool:
    """Return whether the kernel can play these cards of a deck with hands of this size."""
    return len(wild_of(deck, cards)) <= MOST_WILD and hand_size <= LARGEST_HAND


def wild_of(deck: DogDeck, cards: Iterable[Card]) -> list[Card]:
    """Return those of these cards that may be of several kinds."""
    return [card for card in cards if (kinds := deck.may_be[card]) & kinds - 1]


def suits_of(deck: DogDeck, cards: Sequence[Card]) -> list[int]:
    """Return the suit of each kind of a deck, or an empty list if suits alone don't determine the largest pack."""
    above = dict(enumerate(deck.fits_above))
    suits = list(dict.fromkeys(above.values()))
    few = len(suits) <= MOST_SUITS and len(above) <= MOST_KINDS and len(wild_of(deck, cards)) <= MOST_WILD_TO_NAME
    return [suits.index(suit) for suit in above.values()] if few and form_suits(above) else []


def one_round(
    players: int, options: Mapping[str, Any], cards: Sequence[Card], drawn: Sequence[int], bot: str | Bot, rng: Random
) -> Table:
    """Return a round played by the rules with these cards drawn, every seat played by this bot.

    Raises Divergence if the rules ask for more cards, or fewer.
    """
    seats = [f"p{number}" for number in range(1, players + 1)]
    table = table_of_paper("dogpile", [GM, *seats], {**options, "rounds": 1}, DECK)

    answers = PLAYERS[bot] if isinstance(bot, str) else bot

    def respond(table: Table) -> tuple[str, Mapping[str, Any]]:
        question = table.asks()
        if question["key"] == "begin":
            return GM, {"do": "begin"}
        (seat,) = question["seats"]
        answer = answers(table.seen(seat), rng)
        if answer is None:
            raise CardhouseError(f"{bot} says nothing.")
        return seat, answer

    return play(table, drawn, cards, respond)


def round_of(table: Table) -> tuple[int, int, bool, list[int]]:
    """Return a round's result: dogs that joined, the pack's size, whether it was lost, cards laid by each player."""
    game = table.game
    assert isinstance(game, Dogpile)
    done = game.rounds[-1]
    laid = [sum(one.seat == seat for one in game.laid) for seat in game.clockwise()]
    return done.size if done.joined else 0, done.size, not done.joined, laid


def hands_of(drawn: Iterable[int], cards: Sequence[Card]) -> tuple[Card, tuple[Card, ...]]:
    """Return the Pack Leader and all cards in hands."""
    *held, leader = (cards[card] for card in drawn)
    return leader, tuple(held)
