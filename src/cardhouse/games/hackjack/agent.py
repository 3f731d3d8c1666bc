"""Hackjack for agents: bleeding characters are hit each round, and either prevent blood loss or fight on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from cardhouse.agents.numbers import Layout, NumberBlock, Numbers
from cardhouse.agents.scene import MOST_ROUNDS, Picked, Scene, check_whole, game_at
from cardhouse.cards import JOKERS, STANDARD
from cardhouse.engine import Action, Ask, Entry, Seen, Table
from cardhouse.engine.values.documents import QuestionDoc
from cardhouse.games.hackjack.rules import Hackjack
from cardhouse.games.hackjack.state import (
    RECOVERY,
    ROUGHEST,
    USUAL,
    AddCharacter,
    BeginRound,
    Character,
    Check,
    ChooseWound,
    Damage,
    Drain,
    Prevent,
)
from cardhouse.games.hackjack.view import idle

MOST_PLAYERS = 8
FIGHTS_ON, HOLDS_ON = 1.0, 0.5
"""The reward of a round survived: for a character that can act in it, and for one that can't or prevents blood loss."""
MOST_COUNTED = 50
"""Observations clip death-score, Blood and HP at this."""
MOST_ALIKE = 3
"""Observations count at most this many of the same wound."""
CARDS = (*STANDARD, *JOKERS)
PLACE = {card: number for number, card in enumerate(CARDS)}


class HackjackScene(Scene):
    """A game of `rounds` rounds, in each of which every living character, one per player, takes `damage`.

    All begin with `hp` HP and `blood` Blood. At the start of each round the bleeding characters declare whether they
    prevent blood loss. Then all are hit in seat order, and choose between two wounds if a card says so. The game master
    rolls the checks of wounds at the end of the round.

    The reward is 1 for each round survived fighting, and half of that for a round spent preventing blood loss.
    """

    game: ClassVar[str] = "hackjack"
    most_players: ClassVar[int] = MOST_PLAYERS

    def __init__(
        self,
        players: int = 2,
        rounds: int = 12,
        hp: int = 0,
        damage: int = 1,
        blood: int = 1,
        limit: int = USUAL.limit,
        jokers: bool = USUAL.jokers,
        return_cards: bool = USUAL.return_cards,
    ) -> None:
        """Raises CardhouseError if no such table is possible."""
        check_whole("rounds", rounds, 1, MOST_ROUNDS)
        check_whole("blood", blood, 1, ROUGHEST)
        check_whole("damage", damage, 1, ROUGHEST)
        check_whole("hp", hp, 0, ROUGHEST)
        super().__init__(players, {"limit": limit, "jokers": jokers, "return_cards": return_cards})
        self.rounds, self.hp, self.damage, self.blood = rounds, hp, damage, blood
        self.words = ["prevent blood loss", "fight on", *(f"suffer {card}" for card in CARDS)]
        self.first_table()
        self.layout = Layout(NumberBlock("round", (1,), rounds), *fight_pieces(players))

    def opening(self) -> Sequence[Action]:
        added = (AddCharacter(seat, self.hp, max(self.hp, 1), seat) for seat in self.players)
        return *added, *(Drain(seat, self.blood, "blood") for seat in self.players)

    def game_master(self, table: Table, log: Sequence[Entry]) -> Action | None:
        """Once all have declared, hit each living character, roll checks and begin a new round."""
        question, game = table.question, game_at(table, Hackjack)
        if not isinstance(question, Ask) or question.key != "fight":
            return None
        if game.round:
            if left := self._to_hit(game, log):
                return Damage(left[0].name, self.damage)
            for who, card in self._to_check(game):
                return Check(who.name, card)
        return BeginRound()

    def _to_hit(self, game: Hackjack, log: Sequence[Entry]) -> list[Character]:
        """Return the living characters not yet hit in this round."""
        began = next(n for n in reversed(range(len(log))) if log[n].lines[0].get("do") == BeginRound.word())
        hit = {entry.lines[0].get("target") for entry in log[began:]}
        return [who for who in game.characters if who.alive and who.name not in hit]

    def _to_check(self, game: Hackjack) -> Iterator[tuple[Character, str]]:
        """Yield the wounds whose check is still open."""
        living = (who for who in game.characters if who.alive)
        return ((who, taken.card) for who in living for taken in who.wounds if taken.check == "open")

    def is_over(self, table: Table, log: Sequence[Entry]) -> bool:
        """Return whether everyone is dead, or has been hit in the last round."""
        game, question = game_at(table, Hackjack), table.question
        if game.busy or not game.round:
            return False
        if not any(who.alive for who in game.characters):
            return True
        last = game.round == self.rounds and isinstance(question, Ask) and question.key == "fight"
        return last and not self._to_hit(game, log)

    # Answers.

    def answer(self, table: Table, seat: str, picked: Picked) -> Action:
        number = picked[-1]
        return Prevent(seat, number == 0) if number < 2 else ChooseWound(seat, CARDS[number - 2])

    # Observations.

    def observe(self, seen: Seen, picked: Picked) -> Numbers:
        """Order the players from the observer clockwise; `next` is the next card if the observer has seen it."""
        numbers = Numbers(self.layout)
        numbers.put("round", seen.view["round"])
        put_fight(numbers, seen.view, seen.asks, self.clockwise(seen.seat))
        return numbers

    # Rewards.

    def rewards(self, table: Table, entry: Entry) -> Mapping[str, float]:
        """Reward a character that was hit and lives: fully if it acted, half if it didn't."""
        game = game_at(table, Hackjack)
        hit = entry.kind == "draw" or entry.lines[0].get("do") in (Damage.word(), ChooseWound.word())
        if not hit or game.busy or game.last_hit is None:
            return {}
        who = game.named(game.last_hit.name)
        acts = idle(game, who) is None and not who.preventing
        return {who.controller: FIGHTS_ON if acts else HOLDS_ON} if who.alive else {}


def fight_pieces(characters: int) -> tuple[NumberBlock, ...]:
    """Return the blocks of an observation of a fight."""
    cards = len(CARDS)
    return (
        NumberBlock("declares", (characters,)),
        NumberBlock("choice", (cards,)),
        NumberBlock("unseen", (cards,)),
        NumberBlock("next", (cards,)),
        NumberBlock("hitting", (characters,)),
        NumberBlock("alive", (characters,)),
        NumberBlock("down", (characters,)),
        NumberBlock("preventing", (characters,)),
        NumberBlock("can_act", (characters,)),
        NumberBlock("hp", (characters,), MOST_COUNTED),
        NumberBlock("death_score", (characters,), MOST_COUNTED),
        NumberBlock("blood", (characters,), MOST_COUNTED),
        NumberBlock("trauma", (characters,), max(RECOVERY)),
        NumberBlock("wounds", (characters, cards), MOST_ALIKE),
    )


def put_fight(numbers: Numbers, view: dict[str, Any], asks: QuestionDoc, names: Sequence[str]) -> None:
    """Write the blocks of a fight, with the characters in this order."""
    if asks["key"] == "declare":
        numbers.mark("declares", map(names.index, asks["with"]["names"]))
    if asks["key"] == "choose":
        numbers.mark("choice", map(PLACE.__getitem__, asks["with"]["cards"]))
    numbers.mark("unseen", map(PLACE.__getitem__, view["unseen"]))
    numbers.mark("next", [PLACE[view["next_card"]]] if view["next_card"] else [])
    numbers.mark("hitting", [names.index(view["hitting"])] if view["hitting"] else [])
    for who in view["characters"]:
        place = names.index(who["name"])
        numbers.put("can_act", who["idle"] is None, place)
        for name in ("alive", "down", "preventing", "hp", "death_score", "blood", "trauma"):
            numbers.put(name, who[name], place)
        had = [wound["card"] for wound in who["wounds"]]
        for card in set(had):
            numbers.put("wounds", had.count(card), place, PLACE[card])
