"""Showdown for agents: act, hold, cut in; the more foes are still to come in a turn of one's own, the better."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from cardhouse.agents.numbers import Layout, NumberBlock, Numbers
from cardhouse.agents.scene import MOST_ROUNDS, Picked, Scene, ask_at, check_whole, game_at
from cardhouse.engine import GM, Action, Entry, Seen, Table
from showdown import say
from showdown.rules import Showdown
from showdown.state import JOKER, height

WORDS = ("act", "hold", "cut in", "let it be")
REACTIONS = WORDS[2:]
"""What is chosen when it is somebody else's turn, or nobody's."""
MOST_FOES = 10


class ShowdownScene(Scene):
    """So many `rounds` in which each player has a character, and the game master `foes`.

    Whoever may cut in is asked at each turn of others; of several the first who came. Nobody has tokens. Worth
    something is each turn of one's own: the share of the foes that are still to come in this round.
    """

    game: ClassVar[str] = "showdown"
    most_players: ClassVar[int] = 6
    words: Sequence[str] = WORDS

    def __init__(self, players: int = 2, foes: int = 3, rounds: int = 3) -> None:
        """Raises CardhouseError if there can be no such table."""
        check_whole("foes", foes, 1, MOST_FOES)
        check_whole("rounds", rounds, 1, MOST_ROUNDS)
        super().__init__(players, {"tokens": 0})
        self.rounds, self.foes = rounds, [f"foe {number}" for number in range(1, foes + 1)]
        everybody = players + foes
        self.layout = Layout(
            NumberBlock("round", (1,), rounds),
            NumberBlock("acting", (everybody,)),
            NumberBlock("height", (everybody,), JOKER),
            NumberBlock("holds", (everybody,)),
            NumberBlock("to_come", (everybody,)),
        )

    def opening(self) -> Sequence[Action]:
        own = [say.AddCharacter(seat, controller=seat) for seat in self.players]
        return [*own, *(say.AddCharacter(foe) for foe in self.foes)]

    def game_master(self, table: Table, log: Sequence[Entry]) -> Action | None:
        if self.asked(table) is not None:
            return None
        question = ask_at(table)
        says = {"between": say.Deal, "cards": say.Begin, "last_call": say.EndRound}
        return says[question.key]() if question.key in says else say.Done(question.about["name"])

    def is_over(self, table: Table, log: Sequence[Entry]) -> bool:
        game = game_at(table, Showdown)
        return game.round == self.rounds and game.phase == "between"

    def asked(self, table: Table) -> str | None:
        """Whoever may cut in first, and else whose turn it is."""
        game = game_at(table, Showdown)
        if game.phase != "turns":
            return None
        acting = game.named(game.stack[-1]) if game.stack else None
        may = [who for who in game.seen if who.holds] if acting is None else [*game.may_cut_in(acting), acting]
        return next((who.controller for who in may if who.controller != GM), None)

    def open_numbers(self, table: Table, seat: str, picked: Picked) -> Iterator[int]:
        reacts = ask_at(table).about.get("name") != seat
        for number in super().open_numbers(table, seat, picked):
            if (WORDS[number] in REACTIONS) == reacts:
                yield number

    def answer(self, table: Table, seat: str, picked: Picked) -> Action:
        acting = ask_at(table).about.get("name")
        let_it_be = say.EndRound() if acting is None else say.Done(acting)
        return (say.Done(seat), say.Hold(seat), say.CutIn(seat, acting), let_it_be)[picked[-1]]

    def speaker(self, seat: str, action: Action) -> str:
        """Where a player lets it be, the game master says how it goes on."""
        return seat if getattr(action, "name", None) == seat else GM

    def observe(self, seen: Seen, picked: Picked) -> Numbers:
        """Oneself first, then the other players clockwise, then the foes."""
        numbers, view = Numbers(self.layout), seen.view
        names = [*self.clockwise(seen.seat), *self.foes]
        numbers.put("round", view["round"])
        numbers.mark("acting", [names.index(seen.asks["with"]["name"])] if "name" in seen.asks["with"] else [])
        numbers.mark("to_come", map(names.index, view["order"]))
        for who in view["characters"]:
            place = names.index(who["name"])
            numbers.put("holds", who["holds"], place)
            numbers.put("height", height(who["cards"][0])[0] if who["cards"] else 0, place)
        return numbers

    def rewards(self, table: Table, entry: Entry) -> Mapping[str, float]:
        """The share of the foes still to come, to whoever's turn is over."""
        line = entry.lines[0]
        if line.get("do") != "done" or line["name"] not in self.players:
            return {}
        to_come = [who for who in game_at(table, Showdown).due() if who.controller == GM]
        return {line["name"]: len(to_come) / len(self.foes)}

    def numbers(self, seen: Seen, answer: Mapping[str, Any]) -> list[int]:
        """What the gunslinger says, as numbers."""
        return [{"done": 0, "hold": 1, "cut_in": 2}[answer["do"]]]
