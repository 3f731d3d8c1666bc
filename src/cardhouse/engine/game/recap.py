"""The recap of a table: what a game makes of its log at the end, for people to look at and to share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from cardhouse.engine.chance.dealers import SeededDealer
from cardhouse.engine.chance.shared_randomness import LINKS
from cardhouse.engine.values.transcript import Line

if TYPE_CHECKING:
    from cardhouse.engine.game.game import Event, Game
    from cardhouse.engine.table.log import Entry
    from cardhouse.engine.table.table import Table


class Figure(msgspec.Struct, frozen=True, omit_defaults=True):
    """A number of the recap. `key` is its text under `[evening]` in the words, filled in from `n` and `about`."""

    key: str
    n: int | float
    about: dict[str, Any] = {}


class Highlight(msgspec.Struct, frozen=True, omit_defaults=True):
    """A highlight. `key` is its text under `[evening]` in the words, `rule` the rule that caused it.

    The text `"key.title"` is its heading. If it is `about` a `name` or `seat`, the page shows that portrait, and `card`
    as a card.
    """

    key: str
    about: dict[str, Any] = {}
    rule: str = ""


class CharacterOutcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """The fate of a character, by its `name`, or of the player in a `seat`.

    `state` decides how the portrait looks. `key` is a short text under `[evening]` in the words, or empty.
    """

    name: str = ""
    seat: str = ""
    state: Literal["up", "down", "dead"] = "up"
    key: str = ""
    about: dict[str, Any] = {}


class Score(msgspec.Struct, frozen=True, omit_defaults=True):
    """A score, and what it is held against: `par`, and the `best` possible one, if they are known."""

    n: int
    par: int | None = None
    best: int | None = None


class CardsPaid(msgspec.Struct, frozen=True, omit_defaults=True):
    """Cards that a verdict shows, such as a price. `key` is their text under `[evening]` in the words."""

    key: str
    cards: list[str]
    about: dict[str, Any] = {}
    rule: str = ""


class GameVerdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who won, and why. A seat in neither list neither won nor lost.

    A person who plays alone reads the text `you_won` or `you_lost` in place of the recap's headline. `reason` is one
    sentence; `turning_point` is what decided the game, with its card if there is one. A `score` comes first; `paid`
    are cards that it cost or brought.
    """

    winners: list[str] = []
    losers: list[str] = []
    reason: Highlight | None = None
    turning_point: Highlight | None = None
    score: Score | None = None
    paid: list[CardsPaid] = []


class Recap(msgspec.Struct, frozen=True):
    """The recap: figures and highlights, the most important first.

    `headline` names the winner or sums the session up, in one sentence; `people` has the fate of each character or
    player. Without a `verdict`, the seats with the highest `returns` have won.
    """

    figures: list[Figure] = []
    moments: list[Highlight] = []
    headline: Highlight | None = None
    people: list[CharacterOutcome] = []
    verdict: GameVerdict | None = None


def spelled(n: int, **more: Any) -> dict[str, Any]:
    """Return the blanks of a text that writes a number as a word, `{spelled:value}`; above twenty, in digits."""
    return {"n": n, "spelled": SPELLED[n] if n < len(SPELLED) else n, **more}


SPELLED = (
    *("nobody", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)


class ReplayStep(NamedTuple):
    """An entry of the log that wasn't undone: its number, lines and events, and the game before it.

    The game is valid until the next passage is read, and must not be changed.
    """

    number: int
    lines: Sequence[Line]
    events: Sequence[Event]
    game: Any


ReplaySteps = Iterable[ReplayStep]


def recap_of(table: Table) -> Recap:
    """Return the recap of a table, whose log must be complete from its first entry."""
    recap = table.game.recap(replay_steps(table))
    return recap if recap.verdict else msgspec.structs.replace(recap, verdict=verdict_of_returns(table.game))


def replay_steps(table: Table) -> Iterator[ReplayStep]:
    """Yield the entries of a table's log that weren't undone, while it is replayed."""
    again = type(table)(table.header, SeededDealer())
    for entry in table.entries:
        if _stands(entry):
            yield ReplayStep(entry.number, entry.lines, entry.events, again.game)
            # A draw combines the links of the devices present in the whole log, undone entries included.
            again.replay((place, line) for place, line in enumerate(entry.lines, start=1) if LINKS not in line)


def _stands(entry: Entry) -> bool:
    return entry.stands and entry.kind != "end"


def default_recap(game: Game, log: ReplaySteps) -> Recap:
    """Return the recap of any game: counts of moves, cards and rolls, and each seat's winnings if it counts them."""
    lines = [passage.lines for passage in log]
    chance = [line for entry in lines for line in entry]
    counts = {
        "answers": sum("do" in first for first, *_ in lines),
        "cards": sum("draw" in line for line in chance),
        "rolls": sum("roll" in line for line in chance),
    }
    won = sorted(game.returns().items(), key=lambda one: -one[1])
    figures = [Figure("won", n, {"seat": seat}) for seat, n in won]
    verdict = verdict_of_returns(game)
    headline = Highlight("wins", {"seat": verdict.winners[0]}) if verdict and len(verdict.winners) == 1 else None
    return Recap([*figures, *(Figure(key, n) for key, n in counts.items() if n)], headline=headline, verdict=verdict)


def verdict_of_returns(game: Game) -> GameVerdict | None:
    """Return the verdict by each seat's winnings: those with the most have won, all others lost.

    None if fewer than two seats are counted, all have the same, or nobody has more than 0.
    """
    won = game.returns()
    most = max(won.values(), default=0)
    winners = [seat for seat, n in won.items() if n == most]
    if most <= 0 or len(winners) == len(won):
        return None
    return GameVerdict(winners, [seat for seat in won if seat not in winners])
