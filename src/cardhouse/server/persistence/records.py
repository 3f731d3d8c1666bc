"""What is kept of a table, as it goes into the store and comes out of it."""

from functools import cached_property

import msgspec

from cardhouse.engine import Entry, Snapshot

SEATS_AT_MOST = 60
"""So many seats a table has, the game master's included."""
DOOR = "door"
"""What the link is called by which whoever has it takes a free seat."""
DOOR_ROW = ""
"""Where it is kept among the links of seats. No seat can be called so, while one may be called a door."""
SAVE_SNAPSHOT_EVERY = 200
"""A snapshot of the game is saved about every so many entries, so that a long table opens fast."""


class SeatRecord(msgspec.Struct, frozen=True):
    """A seat's link and who sits there. `token` is the SHA-256 of the link's secret, in hex.

    `bot` is the one that plays the seat, empty if a person does. `claimed` is the hash of a second link's secret, if
    somebody has taken the seat by the table's door.
    """

    seat: str
    token: str
    name: str = ""
    bot: str = ""
    claimed: str | None = None

    @property
    def opened_by(self) -> tuple[str, ...]:
        """The hashes of the secrets with which one sits here."""
        if self.seat == DOOR_ROW:
            return ()
        return (self.token,) if self.claimed is None else (self.token, self.claimed)


class TableRecord(msgspec.Struct, frozen=True, dict=True):
    """A table as it is kept, but for its log. `changed` counts what was done to settings, names and links.

    `ends_at` is when it is going to end, in Unix milliseconds; 0 if nobody said so. `followed_by` is the table at which
    the same people play again, and `follows` the one at which they played before; empty where there is none.
    So is `campaign`, the one that the table belongs to. `opened_at` is when somebody was last seen opening it, and
    `goes_at` when it is going to be deleted because nobody does, both in Unix seconds; 0 if it isn't. `faces` is JSON.
    """

    id: str
    header: str
    seed: str
    odds: str
    changed: int
    seats: list[SeatRecord]
    ends_at: int = 0
    followed_by: str = ""
    follows: str = ""
    campaign: str = ""
    opened_at: int = 0
    goes_at: int = 0
    faces: str = "{}"

    @cached_property
    def faces_chosen(self) -> dict[str, int]:
        """The number of the face that was chosen for somebody, by the name in small letters."""
        chosen: dict[str, int] = msgspec.json.decode(self.faces)
        return chosen

    @cached_property
    def seat_by_hash(self) -> dict[str, str]:
        """Who sits where, by the hashes of their links' secrets: each answer asks for it."""
        return {hashed: seat.seat for seat in reversed(self.seats) for hashed in seat.opened_by}

    @property
    def door(self) -> str:
        """The hash of the secret that the door's link has, as it is kept; empty while the door is closed."""
        return next((seat.token for seat in self.seats if seat.seat == DOOR_ROW), "")

    @property
    def door_mark(self) -> str:
        """As much of it as everybody may know: by that a page can tell whether the link it has is the present one."""
        return self.door[:16]


class Row(msgspec.Struct, frozen=True):
    """An entry to be saved. `snapshot` is the game after it, if it is time to save a snapshot."""

    table: str
    number: int
    id: str | None
    text: str
    snapshot: Snapshot | None = None


def row_of(table: str, entry: Entry, snapshot: Snapshot | None = None) -> Row:
    """An entry as it is kept, and with it, if it is time for one, a snapshot of the game after it."""
    return Row(table, entry.number, entry.lines[0].get("id"), entry.text, snapshot)
