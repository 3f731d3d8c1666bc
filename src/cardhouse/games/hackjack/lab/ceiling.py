"""An upper bound on survival for any player, even with perfect card counting (see kernels/ceiling.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardhouse.games.hackjack.lab.damage import Damage
from cardhouse.games.hackjack.lab.foresight import foresight
from cardhouse.games.hackjack.lab.kernels import ceiling as kernel
from cardhouse.games.hackjack.lab.kernels.wounds import book_of
from cardhouse.games.hackjack.state import HackjackOptions

if TYPE_CHECKING:
    from numpy.typing import NDArray

WEAK = Damage(0, 0, kernel.DAMAGE)
BEYOND_ANY_HIT = 1000


def bounds(trials: int, seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return for each trial a bound for every policy and the result of `best`, both in expected hits survived.

    Uses the default rules without massive damage, and C7's first wound.
    """
    known = foresight(HackjackOptions(), WEAK)
    bound, best = np.empty(trials), np.empty(trials)
    kernel.ceiling(book_of(HackjackOptions(limit=BEYOND_ANY_HIT), "first", known), known, seed, 0, bound, best)
    return bound, best
