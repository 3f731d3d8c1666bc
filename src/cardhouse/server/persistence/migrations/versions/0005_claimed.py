"""A seat's second link, for a player who took it by the invite."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column; no seat has a second link yet."""
    op.add_column("seats", sa.Column("claimed", sa.Text))
