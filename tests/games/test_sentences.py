"""Sentences that name their subject, and say nothing that isn't so."""

from typing import Any

import pytest

from cardhouse.engine import find_game
from cardhouse.engine.game.catalogue import catalogue_of, fill


@pytest.mark.parametrize(
    ("game", "event", "about", "says"),
    [
        ("hackjack", "drops", {"name": "Ada", "ability": "WIS", "by": 2}, "Ada's WIS falls by 2 until rested."),
        (
            "hackjack",
            "found",
            {"name": "Ada", "what": "how much", "means": "all of it"},
            "Rolled for Ada, how much: all of it.",
        ),
        ("dogpile", "begins", {"seat": "Ada"}, "Ada is Player One, and begins."),
        (
            "dogs",
            "draws_line",
            {"name": "Silas", "line": 2, "cards": "S9"},
            "Silas draws the cards of line 2 of its type: S9.",
        ),
    ],
)
def test_a_sentence_stands_by_itself(game: str, event: str, about: dict[str, Any], says: str) -> None:
    assert fill(catalogue_of(find_game(game)).words.events[event], about) == says
