"""The tables of the database. Whoever changes one writes a migration beside it."""

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, MetaData, Table, Text, UniqueConstraint

VERSION = "0011"
"""The newest migration. Their names are numbers, so that a newer database can be told from a broken one."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


def _of_table() -> Column[str]:
    return Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)


tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("header", Text, nullable=False),  # the transcript's first line
    Column("seed", Text, nullable=False),  # hex; a secret until the table ends
    Column("odds", Text, nullable=False),  # who sees them: off, gm, all
    Column("changed", Integer, nullable=False),  # counts changes of names, links and settings
    Column("made_at", BigInteger, nullable=False),  # Unix seconds, for people only
    Column("rounds", BigInteger, nullable=False, server_default="0"),  # of links, given out
    Column("ends_at", BigInteger, nullable=False, server_default="0"),  # Unix milliseconds; 0: no end is announced
    Column("followed_by", Text, nullable=False, server_default=""),  # the table at which the same people play again
    Column("follows", Text, nullable=False, server_default=""),  # the table at which they played before
    Column("campaign", Text, nullable=False, server_default="", index=True),  # the one it belongs to; empty for none
    Column("opened_at", BigInteger, nullable=False, server_default="0"),  # Unix seconds, to about a day; 0: not known
    Column("goes_at", BigInteger, nullable=False, server_default="0"),  # Unix seconds: it is deleted; 0: it is kept
    Column("goes_day", BigInteger, nullable=False, server_default="0"),  # but not before this many of the house's days
    Column("faces", Text, nullable=False, server_default="{}"),  # as JSON: the number of a face by a name, if chosen
)

seats = Table(
    "seats",
    metadata,
    _of_table(),
    Column("seat", Text, primary_key=True),
    Column("token", Text, nullable=False, index=True),  # SHA-256 of the secret in the seat's link, hex
    Column("claimed", Text),  # the same of a second link, of whoever took the seat by the table's door
    Column("name", Text, nullable=False),  # of who sits there; may be empty
    Column("bot", Text, nullable=False, server_default=""),  # which one plays the seat; empty if somebody does
)

entries = Table(
    "entries",
    metadata,
    _of_table(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("id", Text),  # what the client called this answer
    Column("text", Text, nullable=False),  # the entry's lines of the transcript, without the last line end
    Column("saved_at", BigInteger, nullable=False),  # Unix seconds, for people only
    UniqueConstraint("table_id", "id"),
    sqlite_with_rowid=False,
)

snapshots = Table(
    "rests",
    metadata,
    _of_table(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("draws", Integer, nullable=False),
    Column("game", Text, nullable=False),  # the game's state as JSON; may be thrown away at any time
    Column("log", Text, nullable=False, server_default="{}"),  # where the log stood, as JSON
    sqlite_with_rowid=False,
)

campaigns = Table(
    "campaigns",
    metadata,
    Column("id", Text, primary_key=True),
    Column("token", Text, nullable=False),  # SHA-256 of the secret in its link, hex
    Column("name", Text, nullable=False),
    Column("notes", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),  # Unix seconds, for people only
    Column("encounters", Text, nullable=False, server_default="[]"),  # as JSON: who was prepared beforehand
)

house = Table(
    "house",
    metadata,
    Column("id", Text, primary_key=True),  # there is one row
    Column("days", BigInteger, nullable=False),  # on so many days the house was open
    Column("last_day", BigInteger, nullable=False),  # the latest of them, in days since 1970
    Column("message", Text, nullable=False),  # what is said to all; empty for nothing
)

servers = Table(
    "servers",
    metadata,
    Column("id", Text, primary_key=True),
    Column("seen_at", BigInteger, nullable=False),  # Unix seconds
    Column("here", Text, nullable=False),  # as JSON: by table, the seats that people sit in
)
"""Who is connected, as each server says it from time to time; nothing of it is worth keeping."""

probe = Table(
    "probe",
    metadata,
    Column("id", Text, primary_key=True),
    Column("text", Text, nullable=False),
)
"""Written to and emptied again to find out whether anything can be saved."""
