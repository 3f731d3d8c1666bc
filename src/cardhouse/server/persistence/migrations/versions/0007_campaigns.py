"""Campaigns."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add them; no table belongs to one yet."""
    op.create_table(
        "campaigns",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("token", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("notes", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
    )
    op.add_column("tables", sa.Column("campaign", sa.Text, nullable=False, server_default=""))
    op.create_index("ix_tables_campaign", "tables", ["campaign"])
