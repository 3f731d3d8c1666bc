"""The JSON bodies of HTTP requests."""

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
"""Size limit of a file that a person wrote, such as an option's file or a roster."""
REQUEST_BYTES = 2 * FILE_BYTES
"""Options come from files, and are longer as JSON."""

SHORT_BYTES = 16_384
"""Bodies up to this size are validated in the event loop; that takes a few milliseconds at most."""

Json = dict[str, Any]
T = TypeVar("T")

_Players = Annotated[int, Meta(ge=1, le=PLAYERS_AT_MOST)]
_SeatName = Annotated[str, Meta(min_length=1, max_length=40)]
_SeatNames = Annotated[list[_SeatName], Meta(min_length=1, max_length=PLAYERS_AT_MOST)]


class Foe(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An NPC of an encounter: its `join` action without `do`, player and hiding, and how many of them."""

    line: dict[str, Any]
    count: Annotated[int, Meta(ge=1, le=MOST_ALIKE)] = 1


class Encounter(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A prepared group of NPCs: its name, its members, and whether they are hidden at first."""

    name: str
    foes: list[Foe]
    hidden: bool = False


class LayoutLaid(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards on a real table, and the game options that matter for judging them."""

    cards: list[Placed]
    options: Json = {}


class CreateTableRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Create a table. `seats` is the number of players besides the game master, or the names of their seats.

    By default a table has the game's usual number of players. `bots` maps seats to the bots that play them. With `deal`
    `together`, every device at the table contributes randomness to the deals.
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


class RematchRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Create a rematch; fields that are left out keep their values."""

    name: str | None = None
    options: Json | None = None
    decks: dict[str, str] | None = None
    by_hand: list[str] | None = None
    odds: Literal["off", "gm", "all"] | None = None
    deal: Literal["", "together"] | None = None


class ForkRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Create a table for one person that goes on from another one after entry `at`, in the seat `seat`."""

    seat: str
    at: Annotated[int, Meta(ge=0)]
    name: Annotated[str, Meta(max_length=80)] = ""


class CampaignNoted(Struct, frozen=True, forbid_unknown_fields=True):
    """Set a campaign's name and notes."""

    name: str
    notes: str = ""


class NextSessionRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Create the campaign's next session, following the table `after`; by default following the last one."""

    after: str = ""


class EncountersRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Set all encounters of a campaign."""

    encounters: list[Encounter]


class EncounterRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Bring an encounter to the table; `hidden` overrides how it was prepared."""

    encounter: str
    hidden: bool | None = None


class CodeTyped(Struct, frozen=True, forbid_unknown_fields=True):
    """A table's join code, as typed."""

    code: Annotated[str, Meta(max_length=40)]


class SeatRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Take an open seat, under this name."""

    seat: str
    name: str


class FormFilled(Struct, frozen=True, forbid_unknown_fields=True):
    """A form for an option's file: its content so far, and the card to draw.

    If `csv`, a table of cards, is given, its cards replace those of the form.
    """

    filled: Json
    draw: str = ""
    csv: str = ""


class PrintRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Print something, with its settings as text and the uploaded files.

    A setting that is a file holds its name, or the name of one that comes with Cardhouse.
    """

    settings: dict[str, str] = {}
    files: dict[str, str] = {}


class StudyRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Run a question with settings as written on the command line: `4,6,8` and `1-8` are several values.

    `vs` has the settings in which the compared variant differs. A setting that is a file holds its name, and `files`
    its content. `trials` are played of each combination; with `until`, only as many of them as it takes to know every
    share to within this, 0 to 1. `confidence` is the level of the intervals.
    """

    settings: dict[str, str] = {}
    vs: dict[str, str] = {}
    files: dict[str, str] = {}
    trials: int | None = None
    until: float | None = None
    confidence: float = 0.95
    seed: int = 0


class DesignRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Design something to order, with the requirements as typed on the command line."""

    settings: dict[str, str] = {}


class _ChangesRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The common part: settings and files as in `StudyRequest`, each with one value, and what may be changed.

    `vary` has setting names, or ranges such as `limit=15..30`; if it is empty, every setting is varied. `trials` are
    played of each change.
    """

    settings: dict[str, str] = {}
    files: dict[str, str] = {}
    vary: list[str] = []
    trials: int | None = None
    confidence: float = 0.95
    seed: int = 0


class SensitivityRequest(_ChangesRequest, frozen=True):
    """Ask which settings matter most for the finding `of`, by key or in words; by default the question's first.

    Settings and files are as in `StudyRequest`, each with one value. `vary` has setting names, or ranges such as
    `limit=15..30`; if it is empty, every setting is varied. `trials` are played of each change.
    """

    of: str = ""


class TuneRequest(_ChangesRequest, frozen=True):
    """Search for settings that meet `targets` such as `dead by hit 3 = 50%`, varying those in `vary`.

    `starts` searches try `tries` candidates each; `trials` confirm each finalist. Other fields are as in
    `SensitivityRequest`.
    """

    targets: list[str] = []
    tries: int = TRIES
    starts: int = STARTS


class ChangeableRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Ask which settings of a question can be changed."""

    settings: dict[str, str] = {}
    files: dict[str, str] = {}


def read(body: bytes, kind: type[T]) -> T:
    """Decode a request's body.

    Raises CardhouseError, naming the place, if it doesn't fit `kind`.
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
