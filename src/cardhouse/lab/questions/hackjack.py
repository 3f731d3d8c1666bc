"""Hackjack in the lab: how deadly is it?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

import msgspec

from cardhouse.engine import GM, Ask, CardhouseError, Entry, Over, Table
from cardhouse.games.hackjack.rules import Hackjack
from cardhouse.games.hackjack.state import DAYS, RECOVERY, ROUGHEST, Character, HackjackOptions, WoundsFile
from cardhouse.games.hackjack.wounds import wounds_from
from cardhouse.lab.proof import play, table_of_paper
from cardhouse.lab.question import Finding, Measure, Question, Rows, line_of, mean, share
from cardhouse.lab.wounded import C7Policy, DamageDice, Prevent, read_damage, read_prevent, says_choose, says_prevent

MOST_HITS = 40
MOST_OTHERS = 9
DEAD_TRAUMA = max(RECOVERY) + 1
"""The Trauma of the dead, so that it is not taken for that of those who live."""
DEAD_WEEKS = 79
"""The weeks of recovery of the dead; those who live need 78 at most (HJ-17)."""
MOST_BLOOD = 99
"""More Blood counts as so much."""

HERO = "hero"
D20 = 20

FATES = {
    "outright": (1, "killed outright, without a card"),
    "massive": (2, "killed by massive damage"),
    "blood": (3, "killed by blood: the hit alone would not have"),
    "cards": (4, "killed by the cards"),
}
