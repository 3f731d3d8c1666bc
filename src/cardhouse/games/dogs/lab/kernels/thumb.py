"""The rule of thumb of `bots/thumb.py`, for the kernel."""

from __future__ import annotations

import numpy as np

from cardhouse.games.dogs.bots import thumb
from cardhouse.games.dogs.lab.kernels.hands import FEWEST, Play, Whole, copy_hand, highest_of, lowest_from, take_out
from cardhouse.games.dogs.lab.kernels.seeing import OWN, fewest, to_reverse
from cardhouse.lab.kernels.bits import highest
from cardhouse.lab.kernels.compiled import apart

NEARLY = thumb.NEARLY


@apart
def thumb_raise(play: Play, side: Whole) -> Whole:
    """The value of the second-best card, or of the best if the other could reverse that."""
    value = highest_of(play, side)
    second = value if play.count[side, value] > 1 else highest(play.bits[side] & ~(1 << value))
    if second < 0 or play.bits[side ^ 1] >> to_reverse(second):
        return value
    return second


@apart
def thumb_see(play: Play, side: Whole, raised: Whole) -> Whole:
    """The value of the card that blocks, or 0 for a blow of the `chosen`."""
    value = np.int64(0)
    if play.bits[side] >> raised:
        value = lowest_from(play, side, raised)
        if value <= raised + NEARLY:
            return value
    lower = np.int64(OWN)
    copy_hand(play, side, lower)
    while play.bits[lower] >> raised:
        take_out(play, lower, highest_of(play, lower))
    number = fewest(play, lower, raised)
    if value and number != 2:
        return value
    play.at[FEWEST] = number
    return np.int64(0)
