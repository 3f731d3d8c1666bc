"""Rounds of Dogpile played by cautious bots, as machine code (DG-2 to DG-15).

Cautious players touch no hidden card of each other, so each contact in the pack was made by one player, who made sure
that it is legal: any pack with cards laid joins. The judge isn't needed here; replaying trials by the rules checks that
it agrees.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardhouse.games.dogpile.lab.kernels.cautious_bot import Board, Desk, has_room, laid_bit, laid_card, largest
from cardhouse.games.dogpile.lab.kernels.contacts import ABOVE, BESIDE, CARD, Bits, Dogs
from cardhouse.lab.kernels.chance import Whole, after, below, draw, key, mixed, stream
from cardhouse.lab.kernels.compiled import compiled, in_place

Rows = NDArray[np.int16]
Places = NDArray[np.int16]
"""The card of each of many equally likely places, with the same number of places for each card."""

DOGS, PACK, LOST, LAID_BY = 0, 1, 2, 3
"""The columns of a round. The last is the first of one for each player, in order."""

HELD_IN_ALL, LAID_IN_ALL, BY_CARD = 0, 1, 2
"""The columns of a round by card. The last is the first of one for each card in the deck."""

NOT_HELD, HELD, COULD, LAID = 0, 1, 2, 3
"""The fate of a card: not held by a player with a turn; held; held and possible to lay alone; laid."""


@compiled
def deal(cards: int, places: Places, players: int, hand: int, seed: int, first: int, out: Rows) -> None:
    """Deal hands and a Pack Leader only. Each row has the cards in the order in which they are dealt."""
    deck = np.empty(cards, np.int16)
    for row in range(out.shape[0]):
        dealt(deck, places, hand, out[row], seed, first + row)


@compiled
def rounds(
    dogs: Dogs,
    board: Board,
    joins_alone: bool,
    by_card: bool,
    skips: bool,
    places: Places,
    players: int,
    desk: Desk,
    seed: int,
    first: int,
    out: Rows,
) -> None:
    """Play rounds of cautious players. The columns are DOGS, PACK, LOST and the cards laid by each player.

    With `by_card` they are HELD_IN_ALL and LAID_IN_ALL, by players who had a turn, and the fate of each card of the
    deck. `joins_alone` says that a lone Pack Leader joins (DG-15), `skips` that laying nothing ends only the player's
    own turn (DG-7). `places` is empty, or the places for dealing two decks in step.
    """
    cards, hand = dogs.kind.size, desk.hand
    deck, drawn = np.empty(cards, np.int16), np.empty(players * hand + 1, np.int16)
    words = len(board.words)
    closed = np.empty(words, np.uint64)
    for row in range(out.shape[0]):
        dealt(deck, places, hand, drawn, seed, first + row)
        leader = drawn[players * hand]
        for word in range(words):
            closed[word] = board.closed[word]
        for column in range(out.shape[1]):
            out[row, column] = 0
        pack, spoiled = 1, np.int64(0)
        for player in range(players):
            _copy_hand(drawn, player, desk)
            unsure = pack > 1 and dogs.kind[leader] < 0  # about the Pack Leader's kind
            laid: Whole = 0 if unsure else largest(dogs, board, closed, spoiled, desk)
            if by_card:
                for place in range(hand):
                    card = desk.cards[CARD + place]
                    could = not unsure and _fits_alone(dogs, board, closed, card, leader)
                    out[row, BY_CARD + card] = COULD if could else HELD
                out[row, HELD_IN_ALL] += hand
                out[row, LAID_IN_ALL] += laid
                for place in range(laid):
                    out[row, BY_CARD + laid_card(place, desk)] = LAID
            else:
                out[row, LAID_BY + player] = laid
            if laid == 0 and not skips:
                break
            pack += laid
            for place in range(laid):
                bit = laid_bit(place, board, desk)
                spoiled |= board.spoils[bit]
                for word in range(words):
                    closed[word] |= board.taken[bit * words + word]
        if not by_card:
            joined = pack > 1 or joins_alone
            out[row, DOGS], out[row, PACK], out[row, LOST] = pack if joined else 0, pack, not joined


@compiled
def dealt(deck: NDArray[Any], places: Places, hand: int, drawn: Rows, seed: int, trial: int) -> None:
    """Deal the hands, one after the other, and turn up the Pack Leader (DG-2, DG-4)."""
    if places.size:
        _dealt_in_step(deck, places, hand, drawn, key(seed, trial))
        return
    for place in range(deck.size):
        deck[place] = place
    state = stream(seed, trial)
    for place in range(drawn.size):
        state, drawn[place] = draw(state, deck, deck.size - place, None)


@compiled
def _dealt_in_step(left: NDArray[Any], places: Places, hand: int, drawn: Rows, trial: np.uint64) -> None:
    """Deal by places: each card is that of a random place, drawn from the card's own stream, if it is still left.

    Cards already dealt are drawn again, so that each of those left is equally likely.
    """
    left[:] = 1
    last = drawn.size - 1
    players = last // hand
    for turn in range(drawn.size):
        # The Pack Leader first, then every player's first card, every player's second ...
        slot = (turn - 1) % players * hand + (turn - 1) // players if turn else last
        own = after(mixed(trial ^ mixed(np.uint64(turn + 1))))
        card = np.int16(0)
        while True:
            own, place = below(own, places.size)
            card = places[place]
            if left[card]:
                break
        left[card] = 0
        drawn[slot] = card


@compiled
def _copy_hand(drawn: Rows, player: int, desk: Desk) -> None:
    """Copy a hand in the deck's order, and the Pack Leader."""
    cards, hand = desk.cards, desk.hand
    for many in range(hand):
        card = drawn[player * hand + many]
        place = CARD + many
        while place > CARD and cards[place - 1] > card:
            cards[place] = cards[place - 1]
            place -= 1
        cards[place] = card
    cards[CARD + hand] = drawn[drawn.size - 1]


@in_place
def _fits_alone(dogs: Dogs, board: Board, closed: Bits, card: int, leader: int) -> bool:
    """Return whether a card alone fits the Pack Leader, on a side where it touches no hidden card."""
    touch = dogs.touch[card, leader]
    if touch >> BESIDE & 1 and has_room(board.beside, closed):
        return True
    return touch >> ABOVE & 1 == 1 and has_room(board.above, closed)
