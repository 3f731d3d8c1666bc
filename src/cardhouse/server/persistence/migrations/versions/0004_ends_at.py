"""The announced end of a table."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column; no end is announced yet."""
    op.add_column("tables", sa.Column("ends_at", sa.BigInteger, nullable=False, server_default="0"))
