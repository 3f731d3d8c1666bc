"""Helpers of card initiative's tests: random fights, and rounds in which everyone acts at once."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from cardhouse.cards import STANDARD
from cardhouse.engine import GM, Ask, Draw, SeededDealer, Step, Table
from cardhouse.games.initiative.rules import Initiative
from cardhouse.games.initiative.state import Act, AddCharacter, Done, StartRound, Wait

if TYPE_CHECKING:
    from cardhouse.engine import Action, Game


def fight(rng: Random, cards: list[str], **header) -> Table:
    """A table with these cards as characters (each called by its card), before its first round."""
    table = Table.new("initiative", dealer=SeededDealer(rng.getrandbits(32)), **header)
    for card in cards:
        table.answer(GM, AddCharacter(card, card))
    return table


def some_cards(rng: Random, count: int, ranks: list[str] | None = None) -> list[str]:
    """Cards that share ranks more often than chance would have it."""
    ranks = ranks or rng.sample(["A", "A", "K", "Q", "J", "10", "9", "5", "2"], rng.randint(2, 6))
    fitting = [card for card in STANDARD if card[1:] in ranks]
    return rng.sample(fitting, min(count, len(fitting)))


def game_of(table: Table) -> Initiative:
    assert isinstance(table.game, Initiative)
    return table.game


def step(table: Table, rng: Random, waits: float = 0.5) -> None:
    """Answer the question: start, act or wait, done, or name a card."""
    question = table.question
    if isinstance(question, Draw):
        table.answer(GM, {"draw": question.deck, "card": rng.choice(list(question.cards))})
        return
    assert isinstance(question, Ask)
    if question.key == "step":
        table.answer(GM, Step(step="draw"))
    elif question.key == "between":
        table.answer(GM, StartRound())
    elif question.key == "turn":
        table.answer(GM, Done(question.about["name"]))
    else:
        wanted = Wait if rng.random() < waits else Act
        table.answer(GM, wanted(question.about["name"]))


def at_once(game: Game, question: Ask) -> Action | None:
    """Everybody who may choose acts at once; None at the end of the round."""
    if question.key == "between":
        return None
    if question.key == "step":
        return Step(step="draw")
    return (Done if question.key == "turn" else Act)(question.about["name"])
