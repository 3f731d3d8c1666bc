"""A table keeps which faces were chosen for the people at it."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Everybody at the tables there are has the face that follows from the name."""
    op.add_column("tables", sa.Column("faces", sa.Text, nullable=False, server_default="{}"))
