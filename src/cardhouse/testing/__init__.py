"""What every game must hold to, as tests that its author can run.

In a test file of your own, for pytest:

    from cardhouse.testing import Conformance

    class TestHighest(Conformance):
        game = "highest"

That plays random legal games of it and checks what `Conformance` lists. Say more about your game by overriding its
hooks: `start` (a table with something to play), `check` (what must hold at every question), `pairs` (games that differ
only in what a seat may not know), `trees` (small games counted to the last card).

Beside it stand `golden` (transcripts with what must hold in them), `twins` (tables in lockstep), `evenings` (what
people, bots and the clock say at random) and `fuzzing` (evenings until something is wrong); docs/authors.md tells more.
"""

from cardhouse.engine.chance.sample_answers import sample
from cardhouse.testing.conformance import Conformance, Pair, Tree
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
from cardhouse.testing.reached import Reached, excused
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
