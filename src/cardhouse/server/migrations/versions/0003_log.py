"""Where the log stood when a copy of a game was kept."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Copies that don't say so are thrown away; they are made again."""
    op.execute("DELETE FROM rests")
    op.add_column("rests", sa.Column("log", sa.Text, nullable=False, server_default="{}"))
