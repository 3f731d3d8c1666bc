"""When a table is going to end."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """No end is announced yet."""
    op.add_column("tables", sa.Column("ends_at", sa.BigInteger, nullable=False, server_default="0"))
