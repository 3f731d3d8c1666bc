"""A table is found by the secret of its door, which may be typed."""

from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Nothing is kept that was not kept before."""
    op.create_index("ix_seats_token", "seats", ["token"])
