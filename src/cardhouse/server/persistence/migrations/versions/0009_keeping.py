"""Retention: when tables were opened and will be deleted; and the server's own row."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the columns; no table will be deleted, and there is no announcement."""
    for name in ("opened_at", "goes_at", "goes_day"):
        op.add_column("tables", sa.Column(name, sa.BigInteger, nullable=False, server_default="0"))
    house = op.create_table(
        "house",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("days", sa.BigInteger, nullable=False),
        sa.Column("last_day", sa.BigInteger, nullable=False),
        sa.Column("message", sa.Text, nullable=False),
    )
    op.bulk_insert(house, [{"id": "house", "days": 0, "last_day": 0, "message": ""}])
    op.create_table(
        "servers",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
        sa.Column("here", sa.Text, nullable=False),
    )
