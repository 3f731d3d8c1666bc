"""The bot that plays a seat."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column; no seat has a bot yet."""
    op.add_column("seats", sa.Column("bot", sa.Text, nullable=False, server_default=""))
