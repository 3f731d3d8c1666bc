"""Where the log stood when a copy of a game was kept; rounds of links, for tables that deal together."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Copies that don't say so are thrown away; they are made again."""
    op.execute("DELETE FROM rests")
    op.add_column("tables", sa.Column("rounds", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("rests", sa.Column("log", sa.Text, nullable=False, server_default="{}"))
