"""The encounters of a campaign."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column; no encounters are prepared yet."""
    op.add_column("campaigns", sa.Column("encounters", sa.Text, nullable=False, server_default="[]"))
