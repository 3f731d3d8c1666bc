"""The chosen portraits of a table."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the column; by default a portrait follows from the name."""
    op.add_column("tables", sa.Column("faces", sa.Text, nullable=False, server_default="{}"))
