"""The records of a table, as stored."""

from functools import cached_property

import msgspec

from cardhouse.engine import Entry, Snapshot
from cardhouse.engine.values.portraits import FACES

SEATS_AT_MOST = 60
"""Most seats of a table, including the game master's."""
DOOR = "door"
"""The public name of the table's invite, whose holder can take an open seat."""
DOOR_ROW = ""
"""The seat name under which the invite is stored. No seat can have an empty name, but one could be called "door"."""
SAVE_SNAPSHOT_EVERY = 200
"""Entries between two snapshots of the game, so that a long table opens fast."""


class SeatRecord(msgspec.Struct, frozen=True):
    """A seat's link and its player. `token` is the hash of the link's secret, in hex.

    `bot` is the bot that plays the seat, empty if a person does. `claimed` is the hash of a second link's secret, if a
    player has taken the seat by the invite. The invite has a `mark`.
    """

    seat: str
    token: str
    name: str = ""
    bot: str = ""
    claimed: str | None = None
    mark: str = ""

    @property
    def opened_by(self) -> tuple[str, ...]:
        """The hashes of the secrets that open this seat."""
        if self.seat == DOOR_ROW:
            return ()
        return (self.token,) if self.claimed is None else (self.token, self.claimed)


class TableRecord(msgspec.Struct, frozen=True, dict=True):
    """A stored table without its log. `changed` counts changes of settings, names and links.

    `ends_at` is the announced end, in Unix milliseconds, or 0. `followed_by` is the table at which the same people play
    again, and `follows` the one at which they played before; empty for none. `campaign` is the campaign it belongs to,
    or empty. `opened_at` is when the table was last opened, and `goes_at` when it will be deleted as unused, both in
    Unix seconds; 0 for never. `faces` is JSON.
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
        """The numbers of the chosen portraits, by name in lower case; pictures have the highest."""
        chosen: dict[str, int] = msgspec.json.decode(self.faces)
        return chosen

    @property
    def faces_drawn(self) -> dict[str, int]:
        """The chosen portraits without pictures, which stay at their table."""
        return {name: face for name, face in self.faces_chosen.items() if face < FACES}

    @cached_property
    def seat_by_hash(self) -> dict[str, str]:
        """The seats by the hashes of their links' secrets; cached, because each answer needs it."""
        return {hashed: seat.seat for seat in reversed(self.seats) for hashed in seat.opened_by}

    @property
    def door(self) -> str:
        """The stored hash of the invite's secret; empty while the invite is closed."""
        return next((seat.token for seat in self.seats if seat.seat == DOOR_ROW), "")

    @property
    def door_mark(self) -> str:
        """The invite's mark, by which a page can tell whether its join code is the current one; empty while closed."""
        return next((seat.mark for seat in self.seats if seat.seat == DOOR_ROW), "")


class Row(msgspec.Struct, frozen=True):
    """An entry to be saved, with a snapshot of the game after it if one is due."""

    table: str
    number: int
    id: str | None
    text: str
    snapshot: Snapshot | None = None


def row_of(table: str, entry: Entry, snapshot: Snapshot | None = None) -> Row:
    """Return an entry's row, with the snapshot of the game after it if one is due."""
    return Row(table, entry.number, entry.lines[0].get("id"), entry.text, snapshot)
