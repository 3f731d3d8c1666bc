"""Rounds of Dogpile played by a team with a convention, as machine code (DG-2 to DG-15).

The functions of `games.dogpile.bots.silent_team` and `agreed`, which the bot uses at a table, are compiled here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardhouse.games.dogpile.bots import agreed as meaning
from cardhouse.games.dogpile.bots import silent_team
from cardhouse.games.dogpile.bots.agreed import CENTRE, COLUMNS, LEADER_ROW, Agreed, Sheet
from cardhouse.games.dogpile.lab.kernels.contacts import ABOVE, BESIDE
from cardhouse.games.dogpile.lab.kernels.rounds import (
    BY_CARD,
    COULD,
    DOGS,
    HELD,
    HELD_IN_ALL,
    LAID,
    LAID_BY,
    LAID_IN_ALL,
    LOST,
    PACK,
    Places,
    Rows,
    dealt,
)
from cardhouse.lab.kernels.compiled import compiled, compiled_all, in_place

_team = compiled_all(meaning, silent_team)
take_turn, is_whole = _team["take_turn"], _team["is_whole"]


@compiled
def rounds_of_team(
    agreed: Agreed,
    touch: NDArray[np.int64],
    joins_alone: bool,
    by_card: bool,
    skips: bool,
    places: Places,
    players: int,
    sheet: Sheet,
    seed: int,
    first: int,
    out: Rows,
) -> None:
    """Play rounds of a team. The columns are DOGS, PACK, LOST and the cards laid by each player.

    With `by_card` they are as in `rounds`. `touch` has the directions in which two cards may touch. `joins_alone` says
    that a lone Pack Leader joins (DG-15), `skips` that laying nothing ends only the player's own turn (DG-7). `places`
    is empty, or the places for dealing two decks in step.
    """
    cards, hand = agreed.kind.size, sheet.size
    deck, drawn = np.empty(cards, np.int16), np.empty(players * hand + 1, np.int16)
    laid, cells = np.zeros(3 * players * hand, np.int64), np.zeros(COLUMNS, np.int64)
    for row in range(out.shape[0]):
        dealt(deck, places, hand, drawn, seed, first + row)
        leader = drawn[players * hand]
        cells[:] = 0
        cells[CENTRE] = LEADER_ROW
        for column in range(out.shape[1]):
            out[row, column] = 0
        many = 0
        for player in range(players):
            _copy_hand(drawn, player, sheet)
            found = take_turn(agreed, np.int64(leader), laid, many, players - 1 - player, sheet)
            if by_card:
                out[row, HELD_IN_ALL] += hand
                out[row, LAID_IN_ALL] += found
                unsure = many > 0 and agreed.kind[leader] < 0  # about the Pack Leader's kind
                for place in range(hand):
                    card = sheet.hand[place]
                    could = not unsure and _fits_alone(touch[card, leader], cells)
                    out[row, BY_CARD + card] = COULD if could else HELD
                for place in range(found):
                    out[row, BY_CARD + sheet.hand[sheet.best[3 * place]]] = LAID
            else:
                out[row, LAID_BY + player] = found
            if found == 0 and not skips:
                break
            for place in range(found):
                column, cell = sheet.best[3 * place + 1], sheet.best[3 * place + 2]
                laid[3 * many], laid[3 * many + 1], laid[3 * many + 2] = player, column, cell
                cells[column] |= cell
                many += 1
        if by_card:
            continue
        joined = is_whole(cells, sheet.mixed) if many else joins_alone
        out[row, DOGS], out[row, PACK], out[row, LOST] = many + 1 if joined else 0, many + 1, not joined


@in_place
def _fits_alone(ways: int, cells: NDArray[np.int64]) -> bool:
    """Return whether a card may lie at a side of the Pack Leader where it touches no hidden card."""
    row, up, down = LEADER_ROW, LEADER_ROW << 1, LEADER_ROW >> 1
    if ways >> BESIDE & 1:
        if not (cells[CENTRE + 1] & (row | up | down) or cells[CENTRE + 2] & row):
            return True
        if not (cells[CENTRE - 1] & (row | up | down) or cells[CENTRE - 2] & row):
            return True
    if ways >> ABOVE & 1:
        beside = cells[CENTRE - 1] | cells[CENTRE + 1]
        if not (cells[CENTRE] & (up | up << 1) or beside & up):
            return True
        if not (cells[CENTRE] & (down | down >> 1) or beside & down):
            return True
    return False


@compiled
def _copy_hand(drawn: Rows, player: int, sheet: Sheet) -> None:
    """Copy a hand in the deck's order."""
    hand = sheet.hand
    for many in range(sheet.size):
        card = drawn[player * sheet.size + many]
        place = many
        while place > 0 and hand[place - 1] > card:
            hand[place] = hand[place - 1]
            place -= 1
        hand[place] = card
