"""The frames of the socket, in both directions (docs/protocol.md)."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct

from cardhouse.engine.chance.shared_randomness import Hash
from cardhouse.engine.values.documents import OfferDoc
from cardhouse.engine.values.errors import Code
from cardhouse.engine.values.portraits import Face as Portrait
from cardhouse.engine.values.whole_numbers import Count, Ordinal

Odds = Literal["off", "gm", "all"]
FRAME_BYTES = 16_384
"""Longer frames are refused; one of more than twice this length closes the connection."""

_Name = Annotated[str, Meta(max_length=200)]
_Id = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{22}\Z")]


class FromClient(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag=str.lower):
    """A message from the client."""


class Sit(FromClient, frozen=True):
    """Join a table with the secret of a seat's link."""

    table: _Name
    token: _Name
    since: Count | None = None


class Answer(FromClient, frozen=True):
    """An answer: a line of the transcript without `by` and `id`."""

    id: _Id
    at: Count
    answer: Raw


class Offers(FromClient, frozen=True):
    """Request all offers of this seat."""


class EditableQuery(FromClient, frozen=True, tag="amendable"):
    """Request the values that can be edited by hand now."""


class UndoCount(FromClient, frozen=True, tag="undo_count"):
    """Request how many moves an undo from this log entry on would take back."""

    entry: Count


class OddsOn(FromClient, frozen=True, tag="odds"):
    """Subscribe to the odds, or unsubscribe."""

    on: bool


class Story(FromClient, frozen=True):
    """Request the log before an entry."""

    before: Count


class Name(FromClient, frozen=True):
    """Set this client's name."""

    name: str


class Face(FromClient, frozen=True):
    """Set a player's portrait: one of a dozen, where 0 means the one that follows from the name."""

    name: _Name
    face: Portrait


class Set(FromClient, frozen=True):
    """Set who sees the odds."""

    odds: Odds


class End(FromClient, frozen=True):
    """Announce the end of the table, or cancel it."""

    on: bool


class Keep(FromClient, frozen=True):
    """Keep the table, though it hasn't been used for long."""


class Reissue(FromClient, frozen=True):
    """Create a new link for a seat, or a new invite (`door`)."""

    seat: str


class CloseDoor(FromClient, frozen=True, tag="close_door"):
    """Close the invite: open seats can't be taken with it until there is a new one."""


class Bot(FromClient, frozen=True):
    """Let a bot play a seat; None gives it back to a person."""

    seat: str
    bot: str | None


Pace = Literal["slow", "normal", "fast", "wait"]


class SetPace(FromClient, frozen=True, tag="pace"):
    """Set how long bots pause before they answer, while the server keeps the table in memory.

    With `wait` they pause until the same frame comes with `go`: then the bot that is asked answers.
    """

    pace: Pace
    go: bool = False


class LetBot(FromClient, frozen=True, tag="let_bot"):
    """Let this bot answer in my place, once; `at` is the last entry I had seen."""

    bot: str
    at: Count | None = None


class Device(FromClient, frozen=True):
    """Register this device for the shared deal: as a new device, with the end of its hash chain, or by its number.

    A device with a number proves its identity by `anchor`: the last link it gave, or the end of its chain. `round` is
    the last one in which it was asked for a link.
    """

    anchor: Hash | None = None
    number: Ordinal | None = None
    round: Count = 0


class Link(FromClient, frozen=True):
    """This device's link for a round."""

    round: Count
    link: Hash


Sign = Literal["hat", "laugh", "gasp", "tear", "fire", "luck"]
"""The reactions: a hat for well played, a laugh, a gasp, a tear, a flame, a horseshoe."""


class Throw(FromClient, frozen=True):
    """Show a reaction to everyone at the table, for a moment."""

    sign: Sign


class ViewFailed(FromClient, frozen=True, tag="view_failed"):
    """Report for the server's log that the game's own view failed in a part of this page."""

    slot: Annotated[str, Meta(max_length=40)]
    error: Annotated[str, Meta(max_length=400)]


class Ping(FromClient, frozen=True):
    """A liveness check."""


Frame = (
    Sit
    | Answer
    | Offers
    | EditableQuery
    | UndoCount
    | OddsOn
    | Story
    | Name
    | Face
    | Set
    | End
    | Keep
    | Reissue
    | CloseDoor
    | Bot
    | SetPace
    | LetBot
    | Device
    | Link
    | Throw
    | ViewFailed
    | Ping
)
WORDS = (
    "sit",
    "answer",
    "offers",
    "amendable",
    "undo_count",
    "odds",
    "story",
    "name",
    "face",
    "set",
    "end",
    "keep",
    "reissue",
    "close_door",
    "bot",
    "pace",
    "let_bot",
    "device",
    "link",
    "throw",
    "view_failed",
    "ping",
)

decode = msgspec.json.Decoder(Frame).decode
encode = msgspec.json.Encoder().encode


class Outline(Struct):
    """The parts of an unreadable frame that its error needs."""

    t: Any = None
    id: Any = None


def outline(text: str) -> Outline:
    """Return the kind and id of a frame that can't be decoded, as far as they can be read."""
    try:
        return msgspec.json.decode(text, type=Outline)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Outline()


class FromServer(Struct, frozen=True, tag_field="t", tag=str.lower):
    """A message from the server."""


class Seated(Struct, frozen=True, omit_defaults=True):
    """A seat: the player's name, whether they are connected, and the bot that plays it, if one does."""

    seat: str
    name: str
    here: bool
    bot: str = ""


class About(Struct, frozen=True, omit_defaults=True):
    """Facts about a table that are independent of its game.

    `ends_at` is the announced end, in Unix milliseconds, while it can still be cancelled. `door` identifies the current
    invite (`records.TableRecord.door_mark`); it is empty while the invite is closed. `next` and `last` are the tables
    at which the same people play on or played before; `campaign` is the one it belongs to. `kept_until` is when the
    table will be deleted, in Unix milliseconds, unless it is used or kept. `faces` are the chosen portraits, by the
    name in lower case.
    """

    id: str
    name: str
    game: str
    options: dict[str, Any]
    decks: dict[str, str]
    by_hand: list[str]
    odds: str
    commitment: str
    deal: str
    ended: bool
    read_only: str | None
    ends_at: int | None = None
    door: str = ""
    next: str = ""
    last: str = ""
    campaign: str = ""
    kept_until: int | None = None
    faces: dict[str, int] = {}


class Table(FromServer, frozen=True):
    """The full state that a seat may know. `now` is the server's time in Unix milliseconds.

    `redo` is how many undone moves this seat can redo at once.

    `head` is the head of the log's hash chain, empty if no seed was committed to; `rounds` are the rounds in which the
    entries of `story` drew. `page` is the path of the page's main script, empty if the page isn't built: a page that
    was left open can tell whether there is a newer one.
    """

    n: int
    now: int
    you: str
    table: About
    seats: list[Seated]
    doc: Raw
    offers: Raw
    mine: bool
    story: list[dict[str, Any]]
    more: bool
    head: str
    page: str
    redo: int
    rounds: list["Drawn"] = []


class Drawn(Struct, frozen=True, omit_defaults=True):
    """A round of links, as logged with entry `n`; `withheld` has the devices that gave none, each with its seat."""

    n: int
    round: int
    links: dict[str, str]
    fixed: str = ""
    withheld: dict[str, str] = {}


class Change(FromServer, frozen=True, omit_defaults=True):
    """A new entry; None means unchanged.

    `head` is the head of the log's hash chain, `rounds` those in which it drew.
    """

    n: int
    head: str = ""
    rounds: list[Drawn] = []
    ack: str | None = None
    doc: Raw | None = None
    offers: Raw | None = None
    mine: bool | None = None
    story: Raw | None = None
    redo: int | None = None


class Ack(FromServer, frozen=True):
    """Acknowledgement of an answer that was saved before."""

    id: str
    n: int


class OffersNow(FromServer, frozen=True, tag="offers"):
    """All offers of the seat."""

    n: int
    offers: list[OfferDoc]


class Editable(Struct, frozen=True, omit_defaults=True):
    """A value that can be edited by hand: `what` of whom (empty: of the table), its value now, and its schema."""

    what: str
    now: Any
    schema: dict[str, Any]
    of: str = ""


class EditableNow(FromServer, frozen=True, tag="amendable"):
    """All values that the game master can edit by hand."""

    n: int
    amendable: list[Editable]


class UndoCountNow(FromServer, frozen=True, tag="undo_count"):
    """How many moves an undo from `entry` on takes back while entry `n` is the last; 0 if there is nothing to undo."""

    n: int
    entry: int
    count: int


class OddsNow(FromServer, frozen=True, tag="odds"):
    """The game's own odds."""

    n: int
    odds: Raw


class StoryBefore(FromServer, frozen=True, tag="story"):
    """Earlier entries; `more` says that there are still earlier ones."""

    entries: list[dict[str, Any]]
    more: bool


class Seats(FromServer, frozen=True):
    """The seats and who is connected."""

    seats: list[Seated]


class Settings(FromServer, frozen=True, omit_defaults=True):
    """The settings that can change: who sees the odds, the end, invite, next table, retention, portraits.

    All as in `About`.
    """

    odds: str
    ends_at: int | None = None
    door: str = ""
    next: str = ""
    kept_until: int | None = None
    faces: dict[str, int] = {}


class DeviceNow(FromServer, frozen=True, tag="device"):
    """The number by which this device takes part in the deals, in all rounds above `round`.

    It is 0 if another device of the same seat has replaced it.
    """

    number: int
    round: int = 0


class Round(FromServer, frozen=True):
    """An answer is about to draw: this device's link for the round is needed.

    `id` is a digest of the answer's id, and `by` the seat that gave it. `devices` lists the numbers of all devices that
    are asked, and `fixed` commits to them, the answer, and the log before it. `number` is this device's.
    """

    round: int
    id: str
    by: str
    fixed: str
    devices: list[int]
    number: int


class NewLink(FromServer, frozen=True, tag="link"):
    """The secret of a seat's new link; a new join code (`door`) comes with its mark, which is `About.door`."""

    seat: str
    token: str
    mark: str = ""


class Thrown(FromServer, frozen=True):
    """A reaction from this seat. It isn't logged, and disappears after a moment."""

    seat: str
    sign: Sign


class Pong(FromServer, frozen=True):
    """The reply to a ping. `now` is the server's time in Unix milliseconds."""

    now: int


class Trouble(FromServer, frozen=True):
    """The table can't save at present, or (None) can again."""

    message: str | None


class HouseSays(FromServer, frozen=True, tag="house"):
    """An announcement from the administrator to everyone, or (None) its withdrawal."""

    message: str | None


class Notice(FromServer, frozen=True):
    """For the author of a game under development: the errors in its files as they are now."""

    message: str


class Error(FromServer, frozen=True, omit_defaults=True):
    """An error: the mistake, its place, and the correction; `problem` is the message without the correction.

    If one field of an answer is wrong, `fault` is the rest of a sentence that begins with the `field`.
    """

    code: Code
    message: str
    id: str | None = None
    offers: list[OfferDoc] = []
    problem: str | None = None
    field: str = ""
    fault: str = ""
