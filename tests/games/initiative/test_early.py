"""The bot that plays for its side: its forecast is right, and no other answer is better."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from cardhouse.cards import suit_of
from cardhouse.engine import GM, Action, Ask, Event, Game, SeededDealer, Table
from cardhouse.engine.table.enumerate import walk
from cardhouse.games.initiative.early import acts_early
from cardhouse.games.initiative.rules import Initiative
from cardhouse.games.initiative.state import Act, Done, Wait, actions_owed
from tests.games.initiative.playing import game_of, some_cards, step
from tests.thorough import many

SEAT = "ada"


def early(game: Game, asked: Ask) -> Action | None:
    """Ada's own side by the bot, all others at once."""
    if asked.key == "between":
        return None
    name = asked.about["name"]
    if asked.key == "turn":
        return Done(name)
    acts = player_of(game, name) != SEAT or acts_early(msgspec.to_builtins(game.view("table")), name, SEAT)
    return Act(name) if acts else Wait(name)


def player_of(game: Game, name: str) -> str:
    assert isinstance(game, Initiative)
    return game.named(name).controller


def worth(table: Table, answer: Action) -> float:
    """What the round comes to for Ada's side, if this is answered and all is played on as the bot would."""
    game = game_of(table)
    due = sum(actions_owed(who.card) for who in game.characters)
    sides = {who.name: who.side for who in game.characters}
    before, said = len(game.order), [answer]

    total = 0.0
    for way in walk(table, lambda game, asked: said.pop() if said else early(game, asked)):
        total += float(way.chance) * told(way.events, sides, due, before)
        said.append(answer)
    return total


def told(events: Sequence[Event], sides: dict[str, str | None], due: int, before: int) -> float:
    turns = [event.about["name"] for event in events if event.key == "acts"]
    return sum((1 - place / due) * (1 if sides[name] == "Posse" else -1) for place, name in enumerate(turns, before))


@pytest.mark.parametrize("seed", range(many(40, 6)))
def test_no_other_answer_is_worth_more(seed):
    rng = Random(seed)
    table = Table.new("initiative", [GM, SEAT], dealer=SeededDealer(seed))
    for card in some_cards(rng, rng.randint(3, 6), ["A", "K", "9", "5"]):
        side, seat = ("Posse", SEAT) if suit_of(card) == "C" else ("Gang", GM)
        if suit_of(card) in "CD":
            who = {"name": card, "card": card, "side": side, "controller": seat}
            table.answer(GM, {"do": "add_character", **who})
    for _ in range(30 if game_of(table).characters else 0):
        step(table, rng)
        asked = table.question
        assert isinstance(asked, Ask)
        if asked.key in ("first", "either") and len(game_of(table).deck) + len(game_of(table).deck.bottom) <= 4:
            name = asked.about["name"]
            if player_of(table.game, name) == SEAT:
                acts, waits = worth(table, Act(name)), worth(table, Wait(name))
                says = acts_early(msgspec.to_builtins(table.game.view("table")), name, SEAT)
                assert acts >= waits - 1e-9 if says else waits > acts
