"""What is kept of a table, as it goes into the store and comes out of it."""

import msgspec

from cardhouse.engine import Entry, Rest

SEATS_AT_MOST = 60
"""So many seats a table has, the game master's included."""
REST_EVERY = 200
"""A copy of the game is kept about every so many entries, so that a long table opens fast."""


class SeatRecord(msgspec.Struct, frozen=True):
    """A seat's link and who sits there. `token` is the SHA-256 of the link's secret, in hex.

    `bot` is the one that plays the seat, empty if a person does.
    """

    seat: str
    token: str
    name: str = ""
    bot: str = ""


class TableRecord(msgspec.Struct, frozen=True):
    """A table as it is kept, but for its log. `changed` counts what was done to settings, names and links.

    `ends_at` is when it is going to end, in Unix milliseconds; 0 if nobody said so.
    """

    id: str
    header: str
    seed: str
    odds: str
    changed: int
    seats: list[SeatRecord]
    ends_at: int = 0


class Row(msgspec.Struct, frozen=True):
    """An entry to be saved. `rest` is the game after it, if it is time to keep a copy."""

    table: str
    number: int
    id: str | None
    text: str
    rest: Rest | None = None


def row_of(table: str, entry: Entry, rest: Rest | None = None) -> Row:
    """An entry as it is kept, and with it, if it is time for one, a copy of the game after it."""
    return Row(table, entry.number, entry.lines[0].get("id"), entry.text, rest)
