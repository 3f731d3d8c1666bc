"""A scene in progress: the table stops where a player must choose or, with real decks, a card must be named."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec

from cardhouse.agents.scene import Picked, Scene, TreeScene
from cardhouse.cards import Card
from cardhouse.engine import (
    GM,
    CardhouseError,
    Dealer,
    Draw,
    Entry,
    Over,
    Roll,
    SeededDealer,
    Snapshot,
    Table,
    find_game,
    write_line,
    write_transcript,
)


class DieFace(NamedTuple):
    """The face of a die, from 1."""

    face: int


class Playing:
    """A game of a scene, from its beginning.

    `seat` is the player to choose; None if a card (`drawing`) or a die (`rolling`) must be named, or the game is over.
    `open` has the numbers that it may choose, `picked` those of its answer so far, `faces` those named so far of a
    roll. `said` has all numbers chosen and all cards and faces named up to now, `scores` the rewards, by player. With
    `remembers`, `memory` has everything that each player has seen and chosen.
    """

    def __init__(
        self, scene: Scene, dealer: Dealer | None = None, *, paper: bool = False, remembers: bool = False
    ) -> None:
        if not paper and isinstance(scene, TreeScene) and scene.dealt:
            raise CardhouseError(
                "The parameter dealt works only if draws are chance nodes, as in OpenSpiel: leave it out."
            )
        self._begin(scene, paper, remembers)
        self.table = scene.table(SeededDealer() if dealer is None else dealer, paper=paper)
        self._advance()

    def _begin(self, scene: Scene, paper: bool, remembers: bool) -> None:
        self.scene, self.paper, self._opening = scene, paper, scene.opening()
        self.picked: Picked = ()
        self.faces: tuple[int, ...] = ()
        self.moves: list[int | Card | DieFace] = []
        self.log: list[Entry] = []
        self.scores = dict.fromkeys(scene.players, 0.0)
        self.memory: dict[str, list[Any]] = {seat: [] for seat in scene.players} if remembers else {}
        self.seat: str | None = None
        self.open: list[int] = []

    # The present state.

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return isinstance(self.table.question, Over) or self.scene.is_over(self.table, self.log)

    @property
    def drawing(self) -> Draw | None:
        """The draw whose card must be named; each of its cards is equally likely."""
        question = self.table.question
        return question if isinstance(question, Draw) and not self.is_over else None

    @property
    def rolling(self) -> Roll | None:
        """The roll of which a die must be named."""
        question = self.table.question
        return question if isinstance(question, Roll) and not self.is_over else None

    @property
    def is_cut_off(self) -> bool:
        """Whether it ended only because of a limit."""
        return not isinstance(self.table.question, Over) and self.scene.is_cut_off(self.table, self.log)

    def observation(self, seat: str) -> list[int]:
        """Return a player's observation, in the scene's layout."""
        picked = self.picked if seat == self.seat else ()
        return self.scene.observe(self.table.seen(seat), picked).row

    def numbers_of(self, bot: str, rng: Random) -> list[int]:
        """Return the numbers that make the answer of one of the game's bots in the seat to move.

        Raises CardhouseError if there is no such bot, no seat is asked, or no numbers make its answer.
        """
        bots = find_game(self.scene.game).bots
        if bot not in bots:
            there = ", ".join(bots) or "none"
            raise CardhouseError(f'There is no bot "{bot[:40]}" for {self.scene.game}. Available: {there}.')
        if self.seat is None:
            raise CardhouseError(self._why_not_asked())
        if self.picked:
            raise CardhouseError(f"{self.seat} has begun a move, but a bot can only make a whole one.")
        seen = self.table.seen(self.seat)
        answer = bots[bot](seen, rng)
        if answer is None:
            raise CardhouseError(f"The bot {bot} makes no move here.")
        try:
            return self.scene.numbers(seen, answer)
        except (KeyError, ValueError, StopIteration):
            raise CardhouseError(f"There are no action numbers for {write_line(answer)}.") from None

    def transcript(self) -> str:
        """Return the game so far as a transcript."""
        lines = (line for entry in self.log for line in entry.lines)
        return "".join(write_transcript(self.table.header, lines))

    # Moves.

    def choose(self, number: int) -> None:
        """Choose a number for the seat to move.

        Raises CardhouseError, changing nothing, if it isn't open, or no seat is asked.
        """
        seat = self.seat
        if seat is None:
            raise CardhouseError(self._why_not_asked())
        if number not in self.open:
            raise CardhouseError(self._not_open(seat, number))
        picked = (*self.picked, int(number))
        answer = self.scene.answer(self.table, seat, picked)
        if answer is None:
            self.moves.append(int(number))
            self.picked = picked
            self._update_open()
        else:
            entry = self.table.answer(self.scene.speaker(seat, answer), answer)
            self.moves.append(int(number))
            if self.memory:
                self.memory[seat].append(picked)
            self.picked = ()
            self._record(entry)
            self._advance()

    def name_card(self, card: Card) -> None:
        """Name the card that is drawn.

        Raises Refused, changing nothing, if it can't be that one.
        """
        drawing = self.drawing
        if drawing is None:
            raise CardhouseError("No card is drawn now.")
        self._record(self.table.answer(self.table.asks()["seats"][0], {"draw": drawing.deck, "card": card}))
        self.moves.append(card)
        self._advance()

    def name_face(self, face: int) -> None:
        """Name the face of the next die.

        Raises CardhouseError, changing nothing, if it is impossible.
        """
        rolling = self.rolling
        if rolling is None:
            raise CardhouseError("No die is rolled now.")
        count, sides = rolling.count_and_sides()
        if not 1 <= face <= sides:
            raise CardhouseError(f"A die of {rolling.dice} shows 1 to {sides}, not {face}.")
        self.faces = (*self.faces, face)
        self.moves.append(DieFace(face))
        if len(self.faces) == count:
            faces, self.faces = list(self.faces), ()
            self._record(self.table.answer(self.table.asks()["seats"][0], {"roll": rolling.dice, "dice": faces}))
            self._advance()

    def _advance(self) -> None:
        """Let the game master act until a player or chance is asked."""
        self.seat = None
        while not self.is_over and self.drawing is None and self.rolling is None:
            move = self._game_master()
            if move is None:
                self.seat = self.scene.asked(self.table)
                assert self.seat is not None, "no player must act"
                break
            self._record(self.table.answer(GM, move))
        self._update_open()

    def _game_master(self) -> Any:
        before = len(self.log)
        return self._opening[before] if before < len(self._opening) else self.scene.game_master(self.table, self.log)

    def _record(self, entry: Entry) -> None:
        """Record an entry of the log, and its rewards."""
        self.log.append(entry)
        for seat, reward in self.scene.rewards(self.table, entry).items():
            self.scores[seat] += reward
        totals = self.scene.totals(self.table) or {}
        self.scores.update({seat: float(total) for seat, total in totals.items() if seat in self.scores})
        for seat, memory in self.memory.items():
            events = self.table.story(entry, seat)["events"]
            noted = None if self.drawing or self.rolling else self.scene.noted(self.table, seat)
            memory += [*([events] if events else []), *([noted] if noted else [])]

    def _update_open(self) -> None:
        self.open = [] if self.seat is None else list(self.scene.open_numbers(self.table, self.seat, self.picked))

    def _why_not_asked(self) -> str:
        return "No player must act: " + ("the game is over." if self.is_over else "name the card or die first.")

    def _not_open(self, seat: str, number: int) -> str:
        words = self.scene.words
        shown = f"{number} ({words[number]})" if 0 <= number < len(words) else f"{number} (not an action)"
        some = ", ".join(f"{one} ({words[one]})" for one in self.open[:3])
        more = f" and {len(self.open) - 3} more" if len(self.open) > 3 else ""
        return f"{shown} is not open to {seat} now. Open: {some}{more}."

    # Copies.

    def copy(self) -> Playing:
        """Return a copy of the game in its present state."""
        copy = Playing.__new__(Playing)
        copy._begin(self.scene, self.paper, bool(self.memory))
        copy.table = _copy_of(self.table, self.paper)
        copy.picked, copy.seat, copy.open, copy.faces = self.picked, self.seat, list(self.open), self.faces
        copy.moves, copy.log, copy.scores = list(self.moves), list(self.log), dict(self.scores)
        copy.memory = {seat: list(memory) for seat, memory in self.memory.items()}
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Playing:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return play_again, (self.scene, self.table.dealer, self.paper, bool(self.memory), self.moves)


def play_again(
    scene: Scene, dealer: Dealer, paper: bool, remembers: bool, moves: Sequence[int | Card | DieFace]
) -> Playing:
    """Replay a game with the same choices and the same cards named."""
    playing = Playing(scene, dealer, paper=paper, remembers=remembers)
    for one in moves:
        if isinstance(one, str):
            playing.name_card(one)
        elif isinstance(one, DieFace):
            playing.name_face(one.face)
        else:
            playing.choose(one)
    return playing


def _copy_of(table: Table, paper: bool) -> Table:
    """Copy a table from its last rest; at rest, with real decks, from here, since no dealer's draws need counting."""
    question = table.question
    if paper and getattr(question, "rest", False):
        snapshot = Snapshot(table.number, 0, msgspec.Raw(msgspec.json.encode(table.game)))
        return Table(table.header, table.dealer, snapshot)
    copy = Table(table.header, table.dealer, table.last_snapshot)
    for entry in table.entries:
        if entry.number > copy.number:
            _answer_again(copy, entry)
    return copy


def _answer_again(table: Table, entry: Entry) -> Entry:
    line, *chance = entry.lines
    return table.answer(entry.by, {key: value for key, value in line.items() if key != "by"}, chance=chance)
