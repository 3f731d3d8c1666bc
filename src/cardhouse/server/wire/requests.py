"""What people send in the bodies of requests, as JSON."""

import re
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from cardhouse.cards import Placed
from cardhouse.engine import CardhouseError
from cardhouse.lab.search.tuning import STARTS, TRIES

PLAYERS_AT_MOST = 19
MOST_ALIKE = 20
FILE_BYTES = 500_000
"""How large a file may be that somebody wrote: an option's, a roster."""
REQUEST_BYTES = 2 * FILE_BYTES
"""Options come from files, and are longer as JSON."""

SHORT_BYTES = 16_384
"""What is asked for a table in no more than this is looked through at once; it takes a few milliseconds at most."""

Json = dict[str, Any]
T = TypeVar("T")

_Players = Annotated[int, Meta(ge=1, le=PLAYERS_AT_MOST)]
_SeatName = Annotated[str, Meta(min_length=1, max_length=40)]
_SeatNames = Annotated[list[_SeatName], Meta(min_length=1, max_length=PLAYERS_AT_MOST)]


class Foe(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A foe as it joins, without its `do`, its player and whether it hides; so many alike."""

    line: dict[str, Any]
    count: Annotated[int, Meta(ge=1, le=MOST_ALIKE)] = 1


class Encounter(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A posse, a town, a gang: what it is called, who is in it, and whether they lie in wait."""

    name: str
    foes: list[Foe]
    hidden: bool = False


class LayoutLaid(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards on a real table, and the options of the game that matter for judging them."""

    cards: list[Placed]
    options: Json = {}


class TableWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be made. `seats` is the number of players beside the game master, or the names of their seats.

    If it is not said, there are as many as is usual for the game. `bots` are those that play a seat, by seat. With
    `deal` `together` every device at the table takes part in what is dealt.
    """

    game: str
    name: str = ""
    options: Json = {}
    seats: _Players | _SeatNames | None = None
    decks: dict[str, str] = {}
    by_hand: list[str] = []
    odds: Literal["off", "gm", "all"] = "gm"
    deal: Literal["", "together"] = ""
    bots: dict[str, str] = {}


class AgainWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be otherwise when the same people play again; what isn't said stays as it was."""

    name: str | None = None
    options: Json | None = None
    decks: dict[str, str] | None = None
    by_hand: list[str] | None = None
    odds: Literal["off", "gm", "all"] | None = None
    deal: Literal["", "together"] | None = None


class ForkWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of one's own is to go on from another, after its entry `at`; one sits in the seat `seat` there."""

    seat: str
    at: Annotated[int, Meta(ge=0)]
    name: Annotated[str, Meta(max_length=80)] = ""


class CampaignNoted(Struct, frozen=True, forbid_unknown_fields=True):
    """What a campaign is called, and what its people want to remember."""

    name: str
    notes: str = ""


class EveningWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """The next evening `after` the one at this table; after the last one, whichever that is, if it isn't said."""

    after: str = ""


class EncountersWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """All that is prepared for a campaign."""

    encounters: list[Encounter]


class EncounterWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Which encounter is to come to the table; `hidden` or not, where it isn't to be as it was prepared."""

    encounter: str
    hidden: bool | None = None


class CodeTyped(Struct, frozen=True, forbid_unknown_fields=True):
    """A table's code, as somebody typed it."""

    code: Annotated[str, Meta(max_length=40)]


class SeatWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """A free seat, and what the one who takes it is called."""

    seat: str
    name: str


class FormFilled(Struct, frozen=True, forbid_unknown_fields=True):
    """A form that somebody fills in for an option's file: what it holds so far, and the card that is to be drawn.

    With `csv`, a table of cards, these take the place of those it holds.
    """

    filled: Json
    draw: str = ""
    csv: str = ""


class PrintWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Something to be printed, with what is chosen about it as one writes it. `files` are those that come along.

    A setting that is a file is its name, or the name of one that Cardhouse has.
    """

    settings: dict[str, str] = {}
    files: dict[str, str] = {}


class StudyWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """A question with its settings, as they are written on the command line: `4,6,8` and `1-8` are several.

    `vs` are those in which another variant differs that it is compared with. A setting that is a file is its name, and
    `files` what is in it. `trials` is how many of each combination; with `until` only as many, if that is enough, as
    it takes to know every share as exactly as that, 0 to 1. `confidence` is how sure an interval holds the true number.
    """

    settings: dict[str, str] = {}
    vs: dict[str, str] = {}
    files: dict[str, str] = {}
    trials: int | None = None
    until: float | None = None
    confidence: float = 0.95
    seed: int = 0


class DesignWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that is to be made to order, with what is wanted of it as it is typed on the command line."""

    settings: dict[str, str] = {}


class _ChangesWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """What is said of both: settings and files as of a study, each of one value, and what may be changed.

    `vary` has a setting's name, or `limit=15..30`; without any, everything is. `trials` are played of each change.
    """

    settings: dict[str, str] = {}
    files: dict[str, str] = {}
    vary: list[str] = []
    trials: int | None = None
    confidence: float = 0.95
    seed: int = 0


class SensitivityWanted(_ChangesWanted, frozen=True):
    """What matters most is asked, `of` a finding, by its key or in words; by default of the question's first.

    Settings and files are as of a study, each of one value. `vary` has what is changed, a setting's name or
    `limit=15..30`; without any, everything is. `trials` are played of each change.
    """

    of: str = ""


class TuneWanted(_ChangesWanted, frozen=True):
    """Settings are looked for that meet `targets` such as `dead by hit 3 = 50%`, among what `vary` names.

    Each of so many searches, `starts`, tries so many choices, `tries`; `trials` confirm each of the best. The rest is
    as of what matters most.
    """

    targets: list[str] = []
    tries: int = TRIES
    starts: int = STARTS


class ChangeableWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """A question with its settings, of which it is asked what could be changed."""

    settings: dict[str, str] = {}
    files: dict[str, str] = {}


def read(body: bytes, kind: type[T]) -> T:
    """A body as what it should be.

    Raises CardhouseError, saying where, if it is something else.
    """
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at ")
        where = re.sub(r"^\$\.?", "", where.strip("`"))
        problem = f"The request doesn't fit. {where}: {what}." if where else f"The request doesn't fit: {what}."
    except msgspec.DecodeError as error:
        problem = f"The request isn't valid JSON: {error}."
    except RecursionError:
        problem = "The request is nested too deeply."
    except UnicodeDecodeError:
        problem = "The request isn't UTF-8."
    raise CardhouseError(problem, "malformed")
