"""The bot of a team with the best convention found for where each suit goes."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from cardhouse.cards import Placed
from cardhouse.engine import Bot, Seen
from cardhouse.games.dogpile.bots.agreed import CENTRE, COLUMNS, MIDDLE
from cardhouse.games.dogpile.bots.cautious import sure
from cardhouse.games.dogpile.bots.convention import Convention, agreed_on, best_for, has_suits, sheet_for
from cardhouse.games.dogpile.bots.reader import reader
from cardhouse.games.dogpile.bots.silent_team import take_turn
from cardhouse.games.dogpile.bots.turn import Turn, lay

ROWS = 2 * MIDDLE
"""The number of rows in play."""


def best(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Play the best convention found, assuming that everyone at the table uses it.

    Alone it plays like the cautious bot. With a deck without suits, or with too many, it plays like the reader, which
    infers from the positions of others' cards.
    """
    turn = Turn.of(seen)
    if turn is None:
        return None
    players = len(seen.view["hands"])
    if players == 1:
        return sure(seen, rng)
    if not has_suits(turn.deck):
        return reader(seen, rng)
    return bot_for(best_for(players))(seen, rng)


def bot_for(convention: Convention) -> Bot:
    """Return a bot that plays this convention, for a deck with suits."""

    def lays(seen: Seen, _: Random) -> dict[str, Any] | None:
        turn = Turn.of(seen)
        return None if turn is None else lay(cards_laid_by(convention, turn, seen.view["laid"]), turn)

    return lays


def cards_laid_by(convention: Convention, turn: Turn, others: list[dict[str, Any]]) -> list[Placed]:
    """Return the cards that a convention lays. `others` are the cards on the grid, as in the view."""
    if turn.touching:  # no card can be laid apart then
        convention = msgspec.structs.replace(convention, beyond=0)
    cards = tuple(turn.deck.cards)
    number = {card: place for place, card in enumerate(cards)}
    sheet = sheet_for(len(turn.hand))
    sheet.hand[:] = [number[card] for card in turn.hand]
    seats = [one["seat"] for one in others]
    laid: list[int] = []
    for one in others:
        column, row = one["x"] + CENTRE, one["y"] + MIDDLE
        if 0 < column < COLUMNS - 1 and 0 <= row < ROWS:  # no player who keeps to the convention goes farther out
            laid += seats.index(one["seat"]), column, 1 << row
    agreed = agreed_on(convention, turn.deck, cards)
    many = take_turn(agreed, number[turn.leader], laid, len(laid) // 3, len(turn.to_come), sheet)
    found = (sheet.best[3 * place : 3 * place + 3] for place in range(many))
    return [
        Placed(turn.hand[card], column - CENTRE, cell.bit_length() - 1 - MIDDLE)
        for card, column, cell in found
        if turn.is_free((column - CENTRE, cell.bit_length() - 1 - MIDDLE))
    ]
