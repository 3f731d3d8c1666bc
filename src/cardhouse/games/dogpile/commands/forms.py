"""A deck for Dogpile as a form on the page, each card drawn as printed (DG-20).

Drawing code is imported on first use: a server that only describes the form doesn't need it.
"""

from __future__ import annotations

import tomllib
from typing import Any

from cardhouse.engine.authoring.forms import FileForm
from cardhouse.games.dogpile.deck_check import CardLine, DeckFile
from cardhouse.games.dogpile.deck_file import bundled_decks, deck_of


def _starts() -> dict[str, dict[str, Any]]:
    return {name: tomllib.loads(text) for name, text in bundled_decks().items()}


def _draw(value: dict[str, Any], card: str) -> str:
    from cardhouse.games.dogpile.print.cards import fronts
    from cardhouse.print.svg import card_svg

    deck = deck_of(value)
    return card_svg(fronts(deck)[list(deck.cards).index(card)])


FORMS = (
    FileForm(
        option="deck",
        card=CardLine,
        whole=DeckFile,
        cards="cards",
        attributes=True,
        starts=_starts,
        draw=_draw,
        prints="deck",
        prints_by="file",
    ),
)
