"""The frames of the socket, in both directions (docs/protocol.md)."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct

from cardhouse.engine.chance.shared_randomness import Hash
from cardhouse.engine.values.errors import Code
from cardhouse.engine.values.portraits import Face as Portrait

Odds = Literal["off", "gm", "all"]
FRAME_BYTES = 16_384
"""A longer frame is refused; one of more than twice that ends the connection."""
NUMBER = 2**53 - 1
"""No number of an entry is greater: JavaScript could not tell it from its neighbour."""

_Name = Annotated[str, Meta(max_length=200)]
_Number = Annotated[int, Meta(ge=0, le=NUMBER)]
_Id = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{22}\Z")]


class FromClient(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag=str.lower):
    """What a client says."""


class Sit(FromClient, frozen=True):
    """Which table, and the secret of one seat's link."""

    table: _Name
    token: _Name
    since: _Number | None = None


class Answer(FromClient, frozen=True):
    """A line of the transcript without `by` and `id`."""

    id: _Id
    at: _Number
    answer: Raw


class Offers(FromClient, frozen=True):
    """Everything I may do now."""


class MayPutRight(FromClient, frozen=True, tag="amendable"):
    """What may be put right now?"""


class UndoCount(FromClient, frozen=True, tag="undo_count"):
    """How many moves would an undo from this entry of the log on take back?"""

    entry: _Number


class OddsOn(FromClient, frozen=True, tag="odds"):
    """Keep me told of the odds, or don't."""

    on: bool


class Story(FromClient, frozen=True):
    """What happened before an entry."""

    before: _Number


class Name(FromClient, frozen=True):
    """What I am called."""

    name: str


class Face(FromClient, frozen=True):
    """The face of somebody at the table: one of a dozen, of which 0 follows from the name."""

    name: _Name
    face: Portrait


class Set(FromClient, frozen=True):
    """Who sees the odds."""

    odds: Odds


class End(FromClient, frozen=True):
    """The table is to end in a while; or it is to go on after all."""

    on: bool


class Keep(FromClient, frozen=True):
    """The table is to be kept, though it hasn't been used for long."""


class Reissue(FromClient, frozen=True):
    """A new link for a seat, or for the table's `door`."""

    seat: str


class CloseDoor(FromClient, frozen=True, tag="close_door"):
    """Nobody is to take a seat by the table's door, until it has a new link."""


class Bot(FromClient, frozen=True):
    """Which bot is to play a seat; None if a person is."""

    seat: str
    bot: str | None


class LetBot(FromClient, frozen=True, tag="let_bot"):
    """This bot is to answer what is asked in my place, this once; `at` is the last entry I had seen."""

    bot: str
    at: _Number | None = None


class Device(FromClient, frozen=True):
    """My device takes part in the deals: a new one, with the end of its hash chain, or one that has a number already.

    One with a number shows by `anchor` that it is this device: it is the last link it gave, or the end of its chain.
    `round` is the last one in which it was asked for a link.
    """

    anchor: Hash | None = None
    number: Annotated[int, Meta(ge=1)] | None = None
    round: _Number = 0


class Link(FromClient, frozen=True):
    """My device's link for a round."""

    round: _Number
    link: Hash


Sign = Literal["hat", "laugh", "gasp", "tear", "fire", "luck"]
"""What one can throw on the table: a hat for well played, a laugh, a gasp, a tear, a flame, a horseshoe."""


class Throw(FromClient, frozen=True):
    """A sign for all to see, for a moment."""

    sign: Sign


class ViewFailed(FromClient, frozen=True, tag="view_failed"):
    """The game's own view went wrong in a part of my page: something for the server's log."""

    slot: Annotated[str, Meta(max_length=40)]
    error: Annotated[str, Meta(max_length=400)]


class Ping(FromClient, frozen=True):
    """Are you there?"""


Frame = (
    Sit
    | Answer
    | Offers
    | MayPutRight
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
    """As much of a frame that could not be read as its error needs."""

    t: Any = None
    id: Any = None


def outline(text: str) -> Outline:
    """What kind of frame this was meant to be, if that can be told."""
    try:
        return msgspec.json.decode(text, type=Outline)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Outline()


class FromServer(Struct, frozen=True, tag_field="t", tag=str.lower):
    """What the server says."""


class Seated(Struct, frozen=True, omit_defaults=True):
    """A seat, what the one in it is called, whether somebody is there now, and which bot plays it, if one does."""

    seat: str
    name: str
    here: bool
    bot: str = ""


class About(Struct, frozen=True, omit_defaults=True):
    """What is known of a table beside its game.

    `ends_at` is when it is going to end, in Unix milliseconds, while that can still be taken back. `door` is what is
    told of the link by which seats are taken (`records.TableRecord.door_mark`), empty while the door is closed. `next`
    is the table at which the same people play again, and `last` the one at which they played before; `campaign` is the
    one it belongs to. `kept_until` is when it is going to be deleted, in Unix milliseconds, unless somebody plays at it
    or keeps it. `faces` are those that were chosen, by the name in small letters.
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
    """All that a seat may know. `now` is what time it is for the server, in Unix milliseconds.

    `redo` is how many undone moves this seat can redo at once.

    `head` is that of the log, empty where no seed was committed to; `rounds` are those in which the entries of `story`
    drew. `page` is the script that the house's page is made
    of, by its path, empty where it isn't built: a page that was left open can tell whether there is a newer one.
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
    """A round of links as it stands in the log with entry `n`."""

    n: int
    round: int
    links: dict[str, str]
    away: list[int] = []
    came: list[int] = []
    left: list[int] = []


class Change(FromServer, frozen=True, omit_defaults=True):
    """A new entry; what is None has not changed. `head` is that of the log, `rounds` those in which it drew."""

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
    """An answer that had been saved before."""

    id: str
    n: int


class OffersNow(FromServer, frozen=True, tag="offers"):
    """Every offer of the seat."""

    n: int
    offers: list[dict[str, Any]]


class Amendable(Struct, frozen=True, omit_defaults=True):
    """Something of the game that may be put right: `what` of whom, empty for the table; as it is, and may be."""

    what: str
    now: Any
    schema: dict[str, Any]
    of: str = ""


class AmendableNow(FromServer, frozen=True, tag="amendable"):
    """All that the game master may put right."""

    n: int
    amendable: list[Amendable]


class UndoCountNow(FromServer, frozen=True, tag="undo_count"):
    """As entry `n` is the last one, an undo from `entry` on takes back so many moves, 0 if there is nothing to undo."""

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
    """Who is there."""

    seats: list[Seated]


class Settings(FromServer, frozen=True, omit_defaults=True):
    """Who sees the odds, when the table is going to end, its door, the one that follows it, how long it is kept, faces.

    All as `About` says it.
    """

    odds: str
    ends_at: int | None = None
    door: str = ""
    next: str = ""
    kept_until: int | None = None
    faces: dict[str, int] = {}


class DeviceNow(FromServer, frozen=True, tag="device"):
    """By which number my device takes part in the deals, in all rounds above `round`.

    It is 0 when another device of my seat has taken its place.
    """

    number: int
    round: int = 0


class Round(FromServer, frozen=True):
    """An answer is about to draw: the link of my device is wanted, in this round.

    `id` is a digest of the answer's, `by` the seat that gave it, and `fixed` a hash of it and of the log before it.
    `after` is the round of the same answer in which a device was away, so that all are asked again; 0 for none.
    """

    round: int
    id: str
    by: str
    fixed: str
    number: int
    after: int = 0


class NewLink(FromServer, frozen=True, tag="link"):
    """The secret of a seat's new link."""

    seat: str
    token: str


class Thrown(FromServer, frozen=True):
    """Somebody in this seat threw a sign on the table; it is in no log, and gone after a moment."""

    seat: str
    sign: Sign


class Pong(FromServer, frozen=True):
    """Here."""


class Trouble(FromServer, frozen=True):
    """The table cannot save at present, or (None) can again."""

    message: str | None


class HouseSays(FromServer, frozen=True, tag="house"):
    """What whoever runs the house says to all, or (None) that it is taken back."""

    message: str | None


class Notice(FromServer, frozen=True):
    """To the author of a game that is being changed: what is wrong with its files as they are now."""

    message: str


class Error(FromServer, frozen=True, omit_defaults=True):
    """What was wrong, where, and what would be right; `problem` leaves the last of these out.

    Where one field of an answer is wrong, `fault` is the rest of a sentence that begins with the `field`.
    """

    code: Code
    message: str
    id: str | None = None
    offers: list[dict[str, Any]] = []
    problem: str | None = None
    field: str = ""
    fault: str = ""
