"""The feel of a game: a question about every installed game, without game-specific code (docs/lab.md).

Games are played by the rules, with bots in all seats. They need only what every game has: each seat's winnings
(`Game.returns`) or outlook (`Game.outlook`), the offers, and its bots.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple

import msgspec

from cardhouse.engine import GM, HOUSE, CardhouseError, Entry, Game, SeededDealer, Table, catalogue_of, find_game
from cardhouse.engine.values.transcript import write_transcript
from cardhouse.lab.questions.answer import Bar, Picture, Tale, counted, knows, or_else, percent, too_few, two_digits
from cardhouse.lab.questions.cards_used import lines_of
from cardhouse.lab.questions.game_settings import fields_of, options_of
from cardhouse.lab.questions.lead import BEHIND, LEADS, Course, leaders_of, scores_at
from cardhouse.lab.questions.question import Finding, Measure, Question, line_of, mean, share
from cardhouse.player.action_values import ChoiceEffect, measure_choice
from cardhouse.player.selfplay import (
    CHANCE,
    FIRST_SEATS,
    MORE,
    Playthrough,
    find_player,
    leading,
    list_players,
    new_table,
    ways,
)

if TYPE_CHECKING:
    from cardhouse.lab.questions.answer import Values
    from cardhouse.lab.questions.question import Rows

MOST = 4_000
"""The most answers in a game."""
MOST_CHANGES = 200
PERCENT = 100
UNKNOWN = PERCENT + 1
"""An unknown fraction of the game: it has no scores, or all are equal at its end."""
TENTHS = range(1, 11)
LOST, WON, NOBODY = range(3)
UNSAID, WORSE, ALIKE, BETTER = range(4)
MOST_WORLDS = 100
TRIALS = 1 << 32
"""The distance between the first seeds of two runs, so that no two trials share one."""
SEAT = FIRST_SEATS[0]


class Decision(NamedTuple):
    """A choice between several answers: the entry that it precedes, its seat, and how many there are."""

    before: int
    seat: str
    ways: int


class PlayedSession(NamedTuple):
    """A game that was played."""

    table: Table
    course: Course
    decisions: list[Decision]
    last: dict[str, float] | None
    """Each seat's score when the game last had one."""


class Feel(Question, frozen=True, kw_only=True):
    """The question about what a session is like; `feel_of` makes it for a game."""

    name: ClassVar[str] = "feel"
    title: ClassVar[str] = "How does it feel?"
    about: ClassVar[str] = (
        "Plays whole sessions by the rules, with bots in all seats. Measures the length, the changes of lead,"
        " when the session is decided, whether choices matter, and how much is skill or luck. Each session is "
        "played again from the same seed with another player in the first seat. One of its choices is tested "
        "in simulated games. The leader is the player who has won most so far, or whose position is best. In "
        "a game that has neither, only length and choices are measured."
    )
    asked: ClassVar[str] = (
        "{players} players: {player} in the first seat, {others} in all others. Then again, with {against} in the "
        "first seat."
    )
    trial: ClassVar[str] = "session"
    compiled: ClassVar[bool] = False
    at_once: ClassVar[int] = 2
    usual_trials: ClassVar[int] = 100

    players: Annotated[
        int, msgspec.Meta(ge=1, le=len(FIRST_SEATS), description="number of players, without the game master")
    ] = 2
    player: str = CHANCE
    against: str = CHANCE
    others: str = CHANCE
    worlds: Annotated[
        int,
        msgspec.Meta(ge=0, le=MOST_WORLDS, description="simulated games to test one choice of each session"),
    ] = 8
    playouts: Annotated[
        int, msgspec.Meta(ge=2, le=1000, description="games that the Standard bot (house) simulates per move")
    ] = 24
    answers: Annotated[int, msgspec.Meta(ge=1, le=MOST, description="most moves per session")] = 900

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self.game, {name: getattr(self, name) for name in self.__struct_fields__})

    def check(self) -> None:
        new_table(find_game(self.game), self.players, self.options(), SeededDealer())

    def options(self) -> dict[str, Any]:
        """Return the table's options: those of the game that are settings here."""
        return {option: getattr(self, name) for name, option in options_of(self.game, OWN).items()}

    def measures(self) -> Sequence[Measure]:
        many, parts = MOST + 1, UNKNOWN + 1
        share = "of the session in percent; 101: unknown"
        return [
            Measure("answers", many, "answers given, the game master's among them"),
            Measure("decisions", many, "of these, how many were a choice between several"),
            Measure("open", MORE + 1, f"answers open at such a choice, rounded mean; {MORE}: more, 0: there was none"),
            Measure("waits", many, "answers of others between two choices of one's own, the mean in tenths"),
            Measure("cards", many, "cards drawn"),
            Measure("dice", many, "dice rolled"),
            Measure("changes", MOST_CHANGES + 1, f"how often the lead changed; {MOST_CHANGES}: unknown"),
            Measure("decided", parts, f"the part {share} after which the winner led to its end"),
            Measure("behind", parts, f"the part {share} for which the winner was behind"),
            Measure("won", 3, "the first player's seat: 0 lost, 1 won, 2 unknown"),
            Measure("won_against", 3, "the same with the other player in it"),
            Measure("skill", 4, "that player's result: 1 lower, 2 equal, 3 higher, 0 unknown"),
            Measure("second", 2 * self.worlds + 2, f"the best answer compared with the second best {self._in_halves}"),
            Measure("any", 2 * self.worlds + 2, f"the best answer compared with any {self._in_halves}"),
            Measure("differ", self.worlds + 2, "worlds in which best and second best differ; the last: unknown"),
            *(Measure(f"at_{n}0", 4, f"the winner at {n}0 %: 1 behind, 2 level, 3 leads, 0 unknown") for n in TENTHS),
            Measure("cut", 2, "1: it ended only for its number of answers"),
        ]

    @property
    def _in_halves(self) -> str:
        return "summed over worlds: 2 if better, 1 if equal; the last: unknown"

    def findings(self) -> Sequence[Finding]:
        if not counts(find_game(self.game)):
            return self._length()
        return [*self._leads(), *self._length(), *self._choices(), *self._skill(), *self._course()]

    def tale(self, values: Values) -> Tale | None:
        if not knows(values, "answers", "decisions"):
            return None
        answers, choices = two_digits(values["answers"]), two_digits(values["decisions"])
        moves = f"A session takes {answers} moves, {choices} of them a choice."
        skill = self._who_does_better(values) if knows(values, "better", "worse") else "Bots play in all seats."
        told = ""
        if values.get("alike") == 1:
            told = f"In {counted(values.trials, 'session')}, no choice changed who won."
            skill = f"In the same seat, the {self.against} bot came to as much as the {self.player} bot in each."
        if not knows(values, "changes", "decided", "comeback", *(f"leads_{n}0" for n in TENTHS)):
            chosen = values["decisions"] / max(1.0, values["answers"])
            return Tale(
                told or moves,
                f"{skill} {moves}" if told else skill,
                or_else("A hundred moves", "a choice", "no choice", chosen),
            )
        line = (
            f"The lead changes {two_digits(values['changes'])} times. In {percent(values['comeback'])} of sessions the "
            f"winner was once behind. {skill} {moves}"
        )
        bars = [
            Bar(f"{n}0%", values[f"leads_{n}0"], percent(values[f"leads_{n}0"]), key=f"leads_{n}0") for n in TENTHS[:-1]
        ]
        bars[TENTHS[-1] // 2 - 1] = msgspec.structs.replace(bars[TENTHS[-1] // 2 - 1], bright=True)
        caption = "By the part of the session that has been played."
        picture = Picture("How often the later winner leads", caption, bars=bars)
        return Tale(told or f"A session is decided after {two_digits(values['decided'])}% of its moves.", line, picture)

    def _who_does_better(self, values: Values) -> str:
        """Return the sentence about skill, as far as the intervals tell."""
        better, worse = (percent(values[key]) for key in ("better", "worse"))
        if values.ends("better")[0] > values.ends("worse")[1]:
            return (
                f"In the same seat, the {self.player} bot does better than the {self.against} bot in {better} of "
                f"sessions, and worse in {worse}."
            )
        if values.ends("worse")[0] > values.ends("better")[1]:
            return (
                f"In the same seat, the {self.player} bot does worse than the {self.against} bot in {worse} of "
                f"sessions, and better in {better}."
            )
        tells = (
            f"whether the {self.player} bot does better than the {self.against} bot in the same seat (better in "
            f"{better}, worse in {worse})"
        )
        return too_few(self.trial, tells, values.trials, values.gap_between("better", "worse"))

    def _leads(self) -> Sequence[Finding]:
        known = {"given_most": PERCENT}
        return [
            mean("changes", "lead changes", "changes", given_most=MOST_CHANGES - 1),
            mean("decided", "percent of the session played when it is decided", "decided", **known),
            share("late", "sessions decided in their last tenth", "decided", 90, PERCENT, **known),
            share("comeback", "sessions in which the winner was once behind", "behind", 1, PERCENT, **known),
            mean("behind", "percent of the session that the winner was behind", "behind", **known),
        ]

    def _length(self) -> Sequence[Finding]:
        return [
            mean("answers", "moves in a session", "answers", cut_off_by="answers", cut_off_in="cut"),
            mean("decisions", "moves with a choice", "decisions"),
            mean("open", "possible moves at such a choice", "open", given_least=1),
            mean("waits", "moves of others between a player's two choices", "waits", scale=0.1),
            mean("cards", "cards drawn", "cards"),
            mean("dice", "dice rolled", "dice"),
        ]

    def _choices(self) -> Sequence[Finding]:
        weighed = {"given_most": 2 * self.worlds, "scale": PERCENT / max(1, 2 * self.worlds)}
        return [
            mean("second", "percent: the best answer beats the second best, ties half", "second", **weighed),
            mean("any", "percent: the best answer beats one picked by chance, ties half", "any", **weighed),
            share(
                "idle", "best and second best come to the same in all worlds", "differ", 0, 0, given_most=self.worlds
            ),
        ]

    def _skill(self) -> Sequence[Finding]:
        opponent = f"{self.against} from the same seed"
        here, there = f"{self.player} leads at the end", f"{self.against} in that seat leads at the end"
        return [
            share("better", f"skill: {self.player} comes to more than {opponent}", "skill", BETTER, given_least=WORSE),
            share("alike", f"{self.player} comes to as much as {opponent}", "skill", ALIKE, ALIKE, given_least=WORSE),
            share(
                "worse", f"luck: {self.player} comes to less than {opponent}", "skill", WORSE, WORSE, given_least=WORSE
            ),
            share("won", here, "won", WON, WON, given_most=WON),
            share("won_against", there, "won_against", WON, WON, given_most=WON),
        ]

    def _course(self) -> Iterator[Finding]:
        """Yield two lines over the game: how often the eventual winners led, and were behind."""
        for key, text, standing in (("leads", "leads", LEADS), ("is_behind", "is behind", BEHIND)):
            yield from line_of(
                (
                    share(f"{key}_{n}0", f"the winner {text} at {n}0 %", f"at_{n}0", standing, standing, **self._at(n))
                    for n in TENTHS
                ),
                key,
                f"The winner {text}",
                "percent of the session",
            )

    @staticmethod
    def _at(tenths: int) -> dict[str, Any]:
        return {"given_least": BEHIND, "x": 10.0 * tenths}

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        for place in range(len(out)):
            dealer = SeededDealer(seed * TRIALS + first + place)
            out[place] = self._row(self._play_session(dealer, self.player), dealer)

    def chance(self, seed: int, trial: int) -> list[int]:
        raise CardhouseError("These sessions are dealt at the table: the transcript has their chance.")

    def played(self, seed: int, trial: int) -> Table:
        return self._play_session(SeededDealer(seed * TRIALS + trial), self.player).table

    def row_of(self, table: Table) -> Sequence[int]:
        assert isinstance(table.dealer, SeededDealer)
        return self._row(self._play_session(table.dealer, self.player), table.dealer)

    # Playing.

    def _play_session(self, dealer: SeededDealer, first: str) -> PlayedSession:
        """Play a game with this player in the first seat."""
        kind = find_game(self.game)
        table = new_table(kind, self.players, self.options(), dealer)
        others = find_player(kind, self.others, self.playouts)
        players = dict.fromkeys(table.seats, others)
        players |= {GM: leading(others, kind, self.playouts), SEAT: find_player(kind, first, self.playouts)}
        hosted = kind.host is not None
        leaders, decisions, last = [], [], None
        session = Playthrough(table, players, Random(dealer.seed))
        while table.number < self.answers and (move := session.next_answer()) is not None:
            if not (hosted and move[0] == GM) and (open_to := ways(table, move[0])) > 1:
                decisions.append(Decision(table.number, move[0], open_to))
            session.give_answer(*move)
            if (scores := scores_at(table)) is not None:
                leaders.append(leaders_of(scores))
                last = scores
        return PlayedSession(table, Course(leaders), decisions, last)

    def _row(self, played: PlayedSession, dealer: SeededDealer) -> list[int]:
        """Return all counts of a game, and of its repetition with the other player."""
        course, decisions, entries = played.course, played.decisions, played.table.entries
        other = played if self.against == self.player else self._play_session(dealer, self.against)
        parts = (course.decided(), course.behind()) if course.winners else None
        opens = [decision.ways for decision in decisions]
        return [
            len(entries),
            len(decisions),
            round(_mean(opens)),
            min(MOST, round(10 * _mean(_waits(decisions)))),
            *_chances(entries),
            min(course.changes(), MOST_CHANGES - 1) if any(course.leaders) else MOST_CHANGES,
            *([round(PERCENT * part) for part in parts] if parts else [UNKNOWN] * 2),
            _won(course),
            _won(other.course),
            _skill(played, other),
            *self._choice_counts(self._measure_choice(played, Random(dealer.seed[::-1]))),
            *([course.at(tenths) for tenths in TENTHS] if course.winners else [0] * len(TENTHS)),
            int(len(entries) >= self.answers),
        ]

    def _measure_choice(self, played: PlayedSession, rng: Random) -> ChoiceEffect | None:
        """Return how much a random choice of the game mattered."""
        if not self.worlds or not played.decisions or played.last is None:
            return None
        chosen, table = rng.choice(played.decisions), played.table
        lines = (line for entry in table.entries[: chosen.before] for line in entry.lines)
        there = Table.read(write_transcript(table.header, lines))
        who = self.player if chosen.seat == SEAT else self.others
        by = who if who in there.kind.bots else ""
        return measure_choice(there, chosen.seat, rng, self.playouts, self.worlds, by)

    def _choice_counts(self, found: ChoiceEffect | None) -> list[int]:
        if found is None:
            return [2 * self.worlds + 1, 2 * self.worlds + 1, self.worlds + 1]
        halves = [one.worlds + one.more - one.less for one in found]
        return [*halves, found.second.more + found.second.less]


def counts(kind: type[Game]) -> bool:
    """Return whether a game has scores: winnings or an outlook."""
    return kind.returns is not Game.returns or kind.outlook is not Game.outlook


def _mean(numbers: Sequence[int]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def _waits(decisions: Sequence[Decision]) -> list[int]:
    """Return how many answers of others came between each two choices of the same seat."""
    last: dict[str, int] = {}
    found = []
    for decision in decisions:
        if decision.seat in last:
            found.append(decision.before - last[decision.seat] - 1)
        last[decision.seat] = decision.before
    return found


def _chances(entries: Sequence[Entry]) -> list[int]:
    """Return how many cards were drawn and dice rolled."""
    lines = list(lines_of(entries))
    cards = sum("card" in line and "draw" in line for line in lines)
    dice = sum(len(line.get("dice", ())) for line in lines)
    return [min(MOST, cards), min(MOST, dice)]


def _won(course: Course) -> int:
    return NOBODY if not course.winners else WON if SEAT in course.winners else LOST


def _skill(played: PlayedSession, other: PlayedSession) -> int:
    """Return whether the seat did better with the player than with the other one."""
    here, there = ((each.last or {}).get(SEAT) for each in (played, other))
    if here is None or there is None:
        return UNSAID
    return ALIKE if here == there else BETTER if here > there else WORSE


# Making it for a game.

OWN = Feel.__struct_fields__
"""The settings that it has for every game."""


@cache
def feel_of(game: str) -> type[Feel]:
    """Return the question about a game: its players are the game's bots, its settings include the game's plain options.

    Raises CardhouseError if the game is unknown or can't be loaded.
    """
    kind = find_game(game)
    bots = list_players(kind)
    usual = kind.plays_well or kind.plays_on or next(iter(kind.bots), HOUSE)
    titles = {bot: said.title for bot, said in catalogue_of(kind).words.bots.items() if said.title != bot}
    known = [f"{bot} ({titles[bot]})" if bot in titles else bot for bot in bots]
    said = Literal[bots]  # type: ignore[valid-type]  # the words are the game's own
    about = {
        "player": (f"player in the first seat after the game master's: {', '.join(known)}", usual),
        "against": ("player in that seat in the repeated session", CHANCE),
        "others": ("player in all other seats", usual),
    }
    fields: list[tuple[str, Any, Any]] = [
        (name, Annotated[said, msgspec.Meta(description=text)], default) for name, (text, default) in about.items()
    ]
    fields += fields_of(game, OWN)
    told = {"game": game, "__doc__": Feel.__doc__, "__reduce__": Feel.__reduce__}
    made = msgspec.defstruct(
        "FeelOfGame", fields, bases=(Feel,), namespace=told, module=__name__, frozen=True, kw_only=True
    )
    assert issubclass(made, Feel)
    return made


def _unpickle(game: str, settings: dict[str, Any]) -> Feel:
    return feel_of(game)(**settings)
