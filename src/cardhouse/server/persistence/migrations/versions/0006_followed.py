"""The table at which the same people play again."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the columns; no table follows another yet."""
    op.add_column("tables", sa.Column("followed_by", sa.Text, nullable=False, server_default=""))
    op.add_column("tables", sa.Column("follows", sa.Text, nullable=False, server_default=""))
