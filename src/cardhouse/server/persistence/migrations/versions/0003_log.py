"""The state of the log with each snapshot, and the number of rounds of links in the shared deal."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the columns and delete snapshots without the log's state; they are made again."""
    op.execute("DELETE FROM rests")
    op.add_column("tables", sa.Column("rounds", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("rests", sa.Column("log", sa.Text, nullable=False, server_default="{}"))
