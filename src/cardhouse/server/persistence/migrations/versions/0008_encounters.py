"""Campaigns keep encounters: foes that were prepared beforehand."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Nothing has been prepared yet."""
    op.add_column("campaigns", sa.Column("encounters", sa.Text, nullable=False, server_default="[]"))
