"""The gunfight for agents: the deck decides who acts, and that character shoots at one of another side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple

from cardhouse.agents.numbers import Layout, NumberBlock, Numbers
from cardhouse.agents.scene import Picked, ask_at, check_whole, game_at
from cardhouse.engine import GM, Action, CardhouseError, Entry, Seen, Table
from cardhouse.games.gunfight.rules import Gunfight
from cardhouse.games.gunfight.state import AddCharacter
from cardhouse.games.hackjack.agent import CARDS, fight_pieces, put_fight
from cardhouse.games.hackjack.state import ROUGHEST, USUAL, Check, ChooseWound, Damage, Prevent
from cardhouse.games.initiative.agent import SidesScene, order_pieces, put_order
from cardhouse.games.initiative.state import Act, Done, StartRound, Wait


class Choice(NamedTuple):
    """The meaning of an action number."""

    word: str
    does: Literal["act", "wait", "declare", "hold", "shoot", "suffer"]
    what: Any = None


class GunfightScene(SidesScene):
    """A shoot-out of at most `rounds` rounds, or until one side is left.

    Each player is a side, with a character of each of the `tiers`, all with `hp` HP. On its turn a character shoots at
    an opponent, who loses `damage` HP, or holds its fire; a player's opponents are numbered clockwise from its own
    side. The game master rolls the checks for wounds.

    Each death costs its side a point, which the other sides share.
    """

    game: ClassVar[str] = "gunfight"

    def __init__(
        self,
        players: int = 2,
        rounds: int = 20,
        tiers: str = "leader experienced",
        hp: int = 3,
        damage: int = 2,
        limit: int = USUAL.limit,
        jokers: bool = USUAL.jokers,
        return_cards: bool = USUAL.return_cards,
    ) -> None:
        """Raises CardhouseError if such a table is impossible."""
        check_whole("hp", hp, 1, ROUGHEST)
        check_whole("damage", damage, 1, ROUGHEST)
        super().__init__(players, rounds, tiers, {"limit": limit, "jokers": jokers, "return_cards": return_cards})
        if players < 2:
            raise CardhouseError("A gunfight takes two players at least.")
        self.hp, self.damage = hp, damage
        self.side_of = {name: seat for name, _, seat in self.characters()}
        self.first_table()
        if not self.side_of:
            raise CardhouseError("tiers are empty: each side has one character at least.")
        self.choices = [
            Choice("act", "act"),
            Choice("wait", "wait"),
            Choice("prevent blood loss", "declare", True),
            Choice("fight on", "declare", False),
            Choice("hold fire", "hold"),
            *(Choice(f"shoot at opponent {n + 1}", "shoot", n) for n in range((players - 1) * len(self.tiers))),
            *(Choice(f"suffer {card}", "suffer", card) for card in CARDS),
        ]
        self.words = [choice.word for choice in self.choices]
        characters = len(self.side_of)
        pieces = *order_pieces(rounds, characters), *fight_pieces(characters)
        self.layout = Layout(NumberBlock("shoots", (1,)), NumberBlock("asked", (characters,)), *pieces)

    def opening(self) -> Sequence[Action]:
        return [
            AddCharacter(name, self.hp, self.hp, tier=tier, side=seat, controller=seat)
            for name, tier, seat in self.characters()
        ]

    def game_master(self, table: Table, log: Sequence[Entry]) -> Action | None:
        question = ask_at(table)
        if question.key == "between":
            return StartRound()
        if question.key == "check":
            wounds = game_at(table, Gunfight).fight.named(question.about["name"]).wounds
            return Check(question.about["name"], next(taken.card for taken in wounds if taken.check == "open"))
        return Done(question.about["name"]) if question.key == "turn" and _has_shot(log) else None

    def is_over(self, table: Table, log: Sequence[Entry]) -> bool:
        game = game_at(table, Gunfight)
        if game.fight.busy or not game.order.round:
            return False
        standing = {self.side_of[who.name] for who in game.fight.characters if who.alive}
        return len(standing) < 2 or (game.order.round == self.rounds and not game.order.under_way)

    # Answers.

    def answer(self, table: Table, seat: str, picked: Picked) -> Action | None:
        question, choice = ask_at(table), self.choices[picked[-1]]
        name = self.subject(question.about, seat)
        match choice.does:
            case "act":
                return Act(name)
            case "wait":
                return Wait(name)
            case "declare":
                return Prevent(name, choice.what)
            case "hold":
                return Done(name)
            case "suffer":
                return ChooseWound(name, choice.what)
        target = self.all_from(seat)[len(self.tiers) + choice.what]
        return Damage(target, self.damage) if question.key == "turn" else None

    def subject(self, about: Mapping[str, Any], seat: str) -> str:
        """Return the character that the question is about; for declarations, the first of the seat's own."""
        return str(about["name"] if "name" in about else next(n for n in about["names"] if self.side_of[n] == seat))

    def speaker(self, seat: str, action: Action) -> str:
        """Return the seat that sends an action: the game master for a shot's damage."""
        return GM if isinstance(action, Damage) else seat

    # Observations.

    def observe(self, seen: Seen, picked: Picked) -> Numbers:
        """Return the observation: own characters first, then opponents clockwise, each side in tier order."""
        numbers, asks, names = Numbers(self.layout), seen.asks, self.all_from(seen.seat)
        if asks["kind"] == "ask" and seen.seat in asks["seats"]:
            asked = self.subject(asks["with"], seen.seat)
            numbers.mark("asked", [names.index(asked)])
            numbers.put("shoots", asks["key"] == "turn")
        put_order(numbers, seen.view["order"], asks["with"], names)
        put_fight(numbers, seen.view["fight"], asks, names)
        return numbers

    # Rewards.

    def rewards(self, table: Table, entry: Entry) -> Mapping[str, float]:
        """Return -1 for each death on a side, shared as a gain by the other sides."""
        given = dict.fromkeys(self.players, 0.0)
        for dead in (self.side_of[event.about["name"]] for event in entry.events if event.key == "dies"):
            for seat in self.players:
                given[seat] += -1 if seat == dead else 1 / (len(self.players) - 1)
        return given


def _has_shot(log: Sequence[Entry]) -> bool:
    """Return whether a character has been hit since the last turn began."""
    for entry in reversed(log):
        if entry.lines[0].get("do") == Damage.word():
            return True
        if any(event.key == "acts" for event in entry.events):
            return False
    return False
