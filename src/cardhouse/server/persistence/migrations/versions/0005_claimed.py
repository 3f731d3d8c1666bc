"""A second link of a seat, for whoever took it by the table's door."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Nobody has taken a seat so yet."""
    op.add_column("seats", sa.Column("claimed", sa.Text))
