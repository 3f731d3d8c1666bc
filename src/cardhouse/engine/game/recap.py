"""The evening a table had: what a game makes of its log when it is over, for people to look at and to send."""

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
    """A number worth knowing; `key` is its text under `[evening]` of the words, with `n` and what it is `about`."""

    key: str
    n: int | float
    about: dict[str, Any] = {}


class Highlight(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something worth telling; `key` is its text under `[evening]` of the words, `rule` what it came of.

    A text `"key.title"` stands above it. The page shows the face of its `name` or `seat` beside it, and its `card`,
    where it is `about` those.
    """

    key: str
    about: dict[str, Any] = {}
    rule: str = ""


class CharacterOutcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """The fate of a character, by its `name`, or of the player in a `seat`.

    `state` is how the portrait shows them. `key` is a few words under `[evening]` of the words, or nothing.
    """

    name: str = ""
    seat: str = ""
    state: Literal["up", "down", "dead"] = "up"
    key: str = ""
    about: dict[str, Any] = {}


class Recap(msgspec.Struct, frozen=True):
    """The numbers and the moments of an evening, those first that matter most.

    `headline` is all of it in a sentence, `people` what became of everybody.
    """

    figures: list[Figure] = []
    moments: list[Highlight] = []
    headline: Highlight | None = None
    people: list[CharacterOutcome] = []


def spelled(n: int, **more: Any) -> dict[str, Any]:
    """Return the blanks of a text that writes a number as a word: `{spelled:value}`; above twenty, in digits."""
    return {"n": n, "spelled": SPELLED[n] if n < len(SPELLED) else n, **more}


SPELLED = (
    *("nobody", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)


class ReplayStep(NamedTuple):
    """An entry of the log that stands: its number, its lines, what it meant, and the game as it stood before it.

    The game is good until the next passage is looked at, and nothing may be changed about it.
    """

    number: int
    lines: Sequence[Line]
    events: Sequence[Event]
    game: Any


ReplaySteps = Iterable[ReplayStep]


def recap_of(table: Table) -> Recap:
    """What the game of a table makes of its log, which must be here from its first entry on."""
    return table.game.recap(replay_steps(table))


def replay_steps(table: Table) -> Iterator[ReplayStep]:
    """What stands of a table's log, entry by entry, as it is played again."""
    again = type(table)(table.header, SeededDealer())
    for entry in table.entries:
        if _stands(entry):
            yield ReplayStep(entry.number, entry.lines, entry.events, again.game)
            # Links are those of the whole log: who was there depends on what was undone, too.
            again.replay((place, line) for place, line in enumerate(entry.lines, start=1) if LINKS not in line)


def _stands(entry: Entry) -> bool:
    return entry.stands and entry.kind != "end"


def plain_evening(game: Game, log: ReplaySteps) -> Recap:
    """What can be told of any game: how much was said, drawn and rolled, and what each seat has won, if that counts."""
    lines = [passage.lines for passage in log]
    chance = [line for entry in lines for line in entry]
    counts = {
        "answers": sum("do" in first for first, *_ in lines),
        "cards": sum("draw" in line for line in chance),
        "rolls": sum("roll" in line for line in chance),
    }
    won = sorted(game.returns().items(), key=lambda one: -one[1])
    figures = [Figure("won", n, {"seat": seat}) for seat, n in won]
    best = [seat for seat, n in won if n == won[0][1] and n > 0]
    headline = Highlight("wins", {"seat": best[0]}) if len(best) == 1 and len(won) > 1 else None
    return Recap([*figures, *(Figure(key, n) for key, n in counts.items() if n)], headline=headline)
