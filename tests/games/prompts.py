"""The prompts for people with a real deck, as they read them."""

from __future__ import annotations

from cardhouse.cli.words import filled
from cardhouse.engine import PHYSICAL, Draw, SeededDealer, Table, catalogue_of
from cardhouse.engine.table.visibility import prompt_of


def prompt(table: Table, seat: str) -> str:
    """The open question as a seat reads it."""
    asks, words = table.asks(), catalogue_of(table.kind).words
    key, about = prompt_of(asks)
    said = words.asks[key]
    mine = seat in asks["seats"]
    return filled(table, words, said.you if mine else said.others, about)


def real(game: str, *seats: str, **options: object) -> Table:
    """A table at which every deck is real."""
    decks = ("initiative", "wounds") if game == "gunfight" else ("wounds",) if game == "hackjack" else (game,)
    return Table.new(game, ["gm", *seats], options, SeededDealer(0), decks=dict.fromkeys(decks, PHYSICAL))


def turn(table: Table, *cards: str, by: str = "gm", seat: str = "gm") -> list[str]:
    """Turn over these cards; what `seat` reads before each."""
    prompts = []
    for card in cards:
        assert isinstance(table.question, Draw), table.asks()
        prompts.append(prompt(table, seat))
        table.answer(by, {"draw": table.question.deck, "card": card})
    return prompts
