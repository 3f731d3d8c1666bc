"""Join codes under a slow hash, and a random mark for clients."""

from concurrent.futures import ThreadPoolExecutor
from secrets import token_hex

import sqlalchemy as sa
from alembic import op

from cardhouse.server.core.join_codes import slow_hash_of

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the columns, and replace each code's SHA-256 by the slow hash of it, on all cores."""
    op.add_column("seats", sa.Column("mark", sa.Text, nullable=False, server_default=""))
    op.add_column("house", sa.Column("salt", sa.Text, nullable=False, server_default=""))
    connection, salt = op.get_bind(), token_hex(16)
    connection.execute(sa.text("UPDATE house SET salt = :salt"), {"salt": salt})
    codes = connection.execute(sa.text("SELECT table_id, token FROM seats WHERE seat = ''")).all()
    with ThreadPoolExecutor() as threads:
        slow = threads.map(lambda row: slow_hash_of(row.token, salt), codes)
        changed = [
            {"id": row.table_id, "token": token, "mark": token_hex(8)} for row, token in zip(codes, slow, strict=True)
        ]
    if changed:
        change = sa.text("UPDATE seats SET token = :token, mark = :mark WHERE table_id = :id AND seat = ''")
        connection.execute(change, changed)
