"""The rule of thumb of `bots/thumb.py` for the kernel."""

from __future__ import annotations

import numpy as np

from cardhouse.games.dogs.bots import thumb
from cardhouse.games.dogs.lab.kernels.hands import FEWEST, Play
from cardhouse.games.dogs.lab.kernels.packed import Whole, below, has_from, highest_in, lowest_in, without
from cardhouse.games.dogs.lab.kernels.seeing import fewest, to_reverse
from cardhouse.lab.kernels.compiled import apart

NEARLY = thumb.NEARLY


@apart
def thumb_raise(play: Play, side: Whole) -> Whole:
    """Return the value of the second-best card, or of the best if the opponent could reverse the second."""
    value = highest_in(play.hands[side])
    second = highest_in(without(play.hands[side], value))
    if second < 0 or highest_in(play.hands[side ^ 1]) >= to_reverse(second):
        return value
    return second


@apart
def thumb_see(play: Play, side: Whole, raised: Whole) -> Whole:
    """Return the value of the card that Blocks, or 0 for a blow with the `chosen` cards."""
    value, hand = np.int64(0), play.hands[side]
    if has_from(hand, raised):
        value = lowest_in(hand, raised)
        if value <= raised + NEARLY:
            return value
    number = fewest(play, below(hand, raised), raised)
    if value and number != 2:
        return value
    play.at[FEWEST] = number
    return np.int64(0)
