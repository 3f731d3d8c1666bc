"""The tables of the database. A change needs a migration in `migrations`."""

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, LargeBinary, MetaData, Table, Text, UniqueConstraint

VERSION = "0013"
"""The newest migration. Versions are numbers, so that a newer database can be distinguished from a broken one."""

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
    Column("odds", Text, nullable=False),  # who sees the odds: off, gm, all
    Column("changed", Integer, nullable=False),  # counts changes of names, links and settings
    Column("made_at", BigInteger, nullable=False),  # Unix seconds, for people only
    Column("rounds", BigInteger, nullable=False, server_default="0"),  # of links: the last number used
    Column("ends_at", BigInteger, nullable=False, server_default="0"),  # Unix milliseconds; 0: no end is announced
    Column("followed_by", Text, nullable=False, server_default=""),  # the table at which the same people play again
    Column("follows", Text, nullable=False, server_default=""),  # the table at which they played before
    # the campaign it belongs to; empty for none
    Column("campaign", Text, nullable=False, server_default="", index=True),
    Column("opened_at", BigInteger, nullable=False, server_default="0"),  # Unix seconds, to about a day; 0: unknown
    Column("goes_at", BigInteger, nullable=False, server_default="0"),  # Unix seconds when it will be deleted; 0: kept
    Column("goes_day", BigInteger, nullable=False, server_default="0"),  # nor before this count of running days
    Column("faces", Text, nullable=False, server_default="{}"),  # JSON: chosen portraits' numbers by name
)

seats = Table(
    "seats",
    metadata,
    _of_table(),
    Column("seat", Text, primary_key=True),
    # hex: the SHA-256 of the secret in the seat's link; of a join code, the slow hash (core/join_codes.py)
    Column("token", Text, nullable=False, index=True),
    Column("claimed", Text),  # the same of a second link, if the seat was taken by the invite
    Column("name", Text, nullable=False),  # the player's; may be empty
    Column("bot", Text, nullable=False, server_default=""),  # the bot that plays the seat; empty if a person does
    Column("mark", Text, nullable=False, server_default=""),  # of a join code: the random mark by which clients know it
)

pictures = Table(
    "pictures",
    metadata,
    _of_table(),
    Column("face", BigInteger, primary_key=True, autoincrement=False),  # its number, as in `tables.faces`
    Column("name", Text, nullable=False),  # of the player or character, in lower case
    Column("image", LargeBinary, nullable=False),  # a small JPEG that the server encoded
)

entries = Table(
    "entries",
    metadata,
    _of_table(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("id", Text),  # the client's id for this answer
    Column("text", Text, nullable=False),  # the entry's lines of the transcript, without the last line break
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
    Column("game", Text, nullable=False),  # the game's state as JSON; may be deleted at any time
    Column("log", Text, nullable=False, server_default="{}"),  # the state of the log, as JSON
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
    Column("encounters", Text, nullable=False, server_default="[]"),  # JSON: the prepared encounters
)

house = Table(
    "house",
    metadata,
    Column("id", Text, primary_key=True),  # always one row
    Column("days", BigInteger, nullable=False),  # on how many days the server was running
    Column("last_day", BigInteger, nullable=False),  # the latest of them, in days since 1970
    Column("message", Text, nullable=False),  # the announcement to everyone; may be empty
    Column("salt", Text, nullable=False, server_default=""),  # of the join codes' hashes, hex
)

servers = Table(
    "servers",
    metadata,
    Column("id", Text, primary_key=True),
    Column("seen_at", BigInteger, nullable=False),  # Unix seconds
    Column("here", Text, nullable=False),  # JSON: the occupied seats by table
)
"""The connected seats, as each server reports them periodically; not worth backing up."""

probe = Table(
    "probe",
    metadata,
    Column("id", Text, primary_key=True),
    Column("text", Text, nullable=False),
)
"""Written to and emptied again to test whether saving works."""
