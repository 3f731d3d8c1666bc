"""Conformance tests that every game must pass, for game authors to run.

In a test file of your own, for pytest:

    from cardhouse.testing import Conformance

    class TestHighest(Conformance):
        game = "highest"

These tests play random legal games and check everything listed in `Conformance`. Describe your game further by
overriding its hooks: `start` (a table with something to play), `check` (conditions at every question), `pairs` (tables
that differ only in what a seat may not know), `trees` (small games counted exhaustively).

Related modules: `golden` (transcripts with expectations), `twins` (tables in lockstep), `evenings` (random play by
people, bots and the clock) and `fuzzing` (random sessions until an error is found); see docs/authors.md.
"""

from cardhouse.engine.chance.sample_answers import sample
from cardhouse.testing.conformance import Conformance, Pair, Tree
from cardhouse.testing.coverage import Reached, excused
from cardhouse.testing.differing import compare, compare_refusals, differences
from cardhouse.testing.playing import (
    accepted,
    answer_like,
    ask_somebody,
    fits,
    is_offered,
    shown,
    shown_now,
    wrong_answer,
)
from cardhouse.testing.trees import count_tree

__all__ = [
    "Conformance",
    "Pair",
    "Reached",
    "Tree",
    "accepted",
    "answer_like",
    "ask_somebody",
    "compare",
    "compare_refusals",
    "count_tree",
    "differences",
    "excused",
    "fits",
    "is_offered",
    "sample",
    "shown",
    "shown_now",
    "wrong_answer",
]
