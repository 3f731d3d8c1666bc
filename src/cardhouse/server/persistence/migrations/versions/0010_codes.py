"""An index on link secrets, to find a table by its join code."""

from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the index."""
    op.create_index("ix_seats_token", "seats", ["token"])
