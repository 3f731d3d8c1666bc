"""The default scene of a game without its own, made from its offers and views (docs/agents.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from inspect import Parameter, Signature
from random import Random
from typing import Any, ClassVar, get_args, get_type_hints

import msgspec

from cardhouse.agents.answer_numbers import Answer, AnswerNumbers, NextNumber
from cardhouse.agents.coding import Code, HashCode, PartsCode, code_of
from cardhouse.agents.numbers import Layout, NumberBlock, Numbers
from cardhouse.agents.scene import Picked, TreeScene, ask_at, check_whole
from cardhouse.agents.vocabulary import Vocabulary, cards_of
from cardhouse.cards import JOKERS, STANDARD, in_order
from cardhouse.engine import (
    GM,
    PHYSICAL,
    Ask,
    CardhouseError,
    Dealer,
    Entry,
    Game,
    Over,
    Seen,
    Table,
    catalogue_of,
    find_game,
)

MOST_ANSWERS = 10_000
CHANCES = 20
"""The cards and dice that a scene allows for each answer, on average, before it is cut off."""
MOST_DICE = 100
"""The most dice in one roll."""
WORTH = 1_000_000.0
"""The largest absolute score."""
AGENT, FIRST = "agent", "first"
"""Values of `gm`: the game master is an agent, or takes the open actions with the lowest numbers."""


class PlainScene(TreeScene):
    """A whole game, as the table offers and shows it, for `players` and the game master, with up to `answers` answers.

    `gm` is `agent` if the game master is one too, otherwise `first` or the name of one of the game's bots. With
    `anytime`, the agent to move may also take actions that are offered at any time. The rewards are the game's
    `returns`.
    """

    least_players: ClassVar[int] = 1
    zero_sum: ClassVar[bool | None] = None
    hides = True
    most_sides = 100
    kind: ClassVar[type[Game]]

    def __init__(self, players: int, gm: str, answers: int, anytime: bool, options: Mapping[str, Any]) -> None:
        """Raises CardhouseError if the parameters or the options are invalid."""
        check_whole("answers", answers, 1, MOST_ANSWERS)
        if gm not in (AGENT, FIRST, *self.kind.bots):
            there = ", ".join((AGENT, FIRST, *self.kind.bots))
            raise CardhouseError(f"gm must be one of {there}, not {gm[:40]}.")
        super().__init__(players, options)
        self.at_table = (GM, *self.players)
        self.players = self.at_table if gm == AGENT else self.players
        self.gm, self.answers, self.anytime = gm, answers, anytime
        table = self.table()
        self.vocabulary = Vocabulary(table.game)
        self.speech = AnswerNumbers(self.vocabulary, self.kind.actions)
        self.words = self.vocabulary.words
        self.cards = in_order({*cards_of(table.game), *STANDARD, *JOKERS})
        self.questions = (*catalogue_of(self.kind).words.asks, "draw", "roll", "over")
        self.code = PartsCode("", {"view": self._view_code(table), "about": HashCode("about")})
        self.layout = Layout(*self._pieces(), *self.code.all_pieces())
        self.most_said = answers * self._longest()
        self.most_drawn = answers * CHANCES + MOST_DICE
        self.worth = (-WORTH, WORTH) if self.kind.returns is not Game.returns else (0.0, 1.0)

    def _view_code(self, table: Table) -> Code:
        """Return the code of the seats' views; if their types differ, of the fields of all of them."""
        game, declared = table.game, get_type_hints(self.kind.view).get("return")
        views = [
            view for view in (declared, *get_args(declared)) if isinstance(view, type) and view is not msgspec.Struct
        ]
        shown = [type(game.view(game.audience(seat))) for seat in self.players]
        codes = [code_of(view, self.vocabulary.strings, "view") for view in dict.fromkeys([*shown, *views])]
        parts = [code.parts for code in codes if isinstance(code, PartsCode)]
        return PartsCode("view", {name: code for some in reversed(parts) for name, code in some.items()})

    def _pieces(self) -> tuple[NumberBlock, ...]:
        seats = len(self.at_table)
        return (
            NumberBlock("seat", (seats,)),
            NumberBlock("asked", (seats,)),
            NumberBlock("question", (len(self.questions),)),
            NumberBlock("picked", (len(self.words),), len(self.words)),
        )

    def _longest(self) -> int:
        """Return the most numbers that one answer can take."""
        fields = [len(msgspec.structs.fields(action)) for action in self.kind.actions]
        return 1 + max(fields, default=0) * (2 + 3 * len(self.words))

    # The table.

    def table(self, dealer: Dealer | None = None, *, paper: bool = False) -> Table:
        decks = dict.fromkeys((*self.kind.decks, "dice"), PHYSICAL) if paper else {}
        return Table.new(self.game, self.at_table, self.options, dealer, decks=decks)

    def opening(self) -> Sequence[Answer]:
        return ()

    def game_master(self, table: Table, log: Sequence[Entry]) -> Answer | None:
        """Return the answer of the game master's policy, unless the game master is an agent."""
        if GM in self.players or self._whose_turn(table) != GM:
            return None
        return (self.gm != FIRST and self._bots_answer(table)) or self._first_answer(table)

    def _bots_answer(self, table: Table) -> Answer | None:
        """Return the answer of the game master's bot; equal games get equal answers."""
        answer = self.kind.bots[self.gm](table.seen(GM), Random(f"{table.number}"))
        return None if answer is None else dict(answer)

    def _first_answer(self, table: Table) -> Answer:
        """Return the answer made of the lowest open numbers."""
        picked: Picked = ()
        while isinstance(line := self.speech.read(self._offers(table, GM), picked), NextNumber):
            picked = (*picked, min(line.open))
        return line

    def is_over(self, table: Table, log: Sequence[Entry]) -> bool:
        return self.is_cut_off(table, log)

    def is_cut_off(self, table: Table, log: Sequence[Entry]) -> bool:
        """Return whether it has gone on for too long, or no seat has an answer that has numbers."""
        if isinstance(table.question, Over):
            return False
        if len(log) >= self.answers and self._is_long(log):
            return True
        return isinstance(table.question, Ask) and self._whose_turn(table) is None

    def _is_long(self, log: Sequence[Entry]) -> bool:
        named = [entry.lines[0] for entry in log if entry.kind != "do"]
        return len(log) - len(named) >= self.answers or sum(len(line.get("dice", "1")) for line in named) >= (
            self.most_drawn - MOST_DICE
        )

    def rewards(self, table: Table, entry: Entry) -> Mapping[str, float]:
        """Return nothing: `totals` has the rewards."""
        return {}

    def totals(self, table: Table) -> Mapping[str, float]:
        """Return the game's `returns` so far."""
        return table.game.returns()

    # Answers.

    def asked(self, table: Table) -> str | None:
        seat = self._whose_turn(table)
        return seat if seat in self.players else None

    def _whose_turn(self, table: Table) -> str | None:
        """Return the seat to move: the first one that can answer, otherwise the first that may act at any time."""
        question = ask_at(table)
        order = question.waits_for or question.seats()
        for anytime, seats in ((self.anytime, order), (True, (*order, *self.at_table))):
            for seat in seats:
                if self._says(table.offers(seat, anytime=anytime)):
                    return seat
        return None

    def _says(self, offers: Sequence[Mapping[str, Any]]) -> bool:
        """Return whether any answer to these offers has numbers."""
        answer = self.speech.read(msgspec.to_builtins(offers), ())
        return isinstance(answer, NextNumber) and bool(answer.open)

    def _offers(self, table: Table, seat: str) -> list[dict[str, Any]]:
        """Return the offers of the seat to move, with those at any time if `anytime`, or if there are no others."""
        offers = table.offers(seat, anytime=self.anytime)
        return msgspec.to_builtins(offers if self._says(offers) else table.offers(seat, anytime=True))  # type: ignore[no-any-return]

    def open_numbers(self, table: Table, seat: str, picked: Picked) -> Iterator[int]:
        asked = self.speech.read(self._offers(table, seat), picked)
        assert isinstance(asked, NextNumber)
        yield from sorted(asked.open)

    def answer(self, table: Table, seat: str, picked: Picked) -> Answer | None:
        line = self.speech.read(self._offers(table, seat), picked)
        return None if isinstance(line, NextNumber) else line

    def numbers(self, seen: Seen, answer: Mapping[str, Any]) -> list[int]:
        return self.speech.numbers_for(msgspec.to_builtins(seen.offers), dict(answer))

    # Observations.

    def observe(self, seen: Seen, picked: Picked) -> Numbers:
        """Encode what the seat receives, by its types."""
        numbers = Numbers(self.layout)
        numbers.mark("seat", [self.at_table.index(seen.seat)])
        numbers.mark("asked", [self.at_table.index(seat) for seat in seen.asks["seats"] if seat in self.at_table])
        numbers.mark("question", [self.questions.index(key) for key in (seen.asks["key"],) if key in self.questions])
        for place, number in reversed(list(enumerate(picked, start=1))):
            numbers.put("picked", place, number)
        self.code.put(numbers, {"view": seen.view, "about": msgspec.to_builtins(seen.asks["with"])})
        return numbers

    def noted(self, table: Table, seat: str) -> Any:
        """Return the whole view, since it is unknown which part of it is worth remembering."""
        return table.view(seat)


@cache
def plain_scene(game: str) -> type[PlainScene]:
    """Return the scene of a game without its own; its parameters are a plain scene's and the game's options.

    An option named like a parameter gets a `_` appended. Raises CardhouseError for an unknown game.
    """
    kind = find_game(game)
    options = {name if name not in _OWN else f"{name}_": name for name in kind.read_options({}).__struct_fields__}

    def begin(self: PlainScene, **parameters: Any) -> None:
        own = {name: parameters.get(name, default) for name, default in defaults.items()}
        options_given = {
            options[name]: value for name, value in parameters.items() if name not in own and value is not None
        }
        PlainScene.__init__(self, **own, options=options_given)

    most = kind.most_players or MOST_PLAYERS
    defaults = {**_OWN, "players": min(USUAL_PLAYERS, most)}
    begin.__signature__ = _signature({**defaults, **_defaults(kind, options)})  # type: ignore[attr-defined]
    attributes = {"__doc__": kind.__doc__, "__init__": begin, "__reduce__": _reduce, "kind": kind, "game": game}
    return type("PlainSceneOfGame", (PlainScene,), {**attributes, "most_players": most})


MOST_PLAYERS, USUAL_PLAYERS = 10, 2
_OWN: dict[str, Any] = {"players": USUAL_PLAYERS, "gm": AGENT, "answers": 200, "anytime": False}


def _defaults(kind: type[Game], options: Mapping[str, str]) -> dict[str, Any]:
    """Return the default options of a game; None for those that aren't plain values."""
    usual = kind.read_options({})
    values = {name: getattr(usual, option) for name, option in options.items()}
    return {name: value if type(value) in (int, bool, str) else None for name, value in values.items()}


def _signature(defaults: Mapping[str, Any]) -> Signature:
    """Return a signature with these keyword-only parameters."""
    named = [Parameter(name, Parameter.KEYWORD_ONLY, default=default) for name, default in defaults.items()]
    return Signature([Parameter("self", Parameter.POSITIONAL_ONLY), *named])


def _reduce(scene: PlainScene) -> tuple[Any, ...]:
    return _make_plain, (scene.game, scene._made_from[1])


def _make_plain(game: str, parameters: dict[str, Any]) -> PlainScene:
    return plain_scene(game)(**parameters)
