"""Which table goes on with the same people when one is over."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """No table goes on from another yet."""
    op.add_column("tables", sa.Column("followed_by", sa.Text, nullable=False, server_default=""))
    op.add_column("tables", sa.Column("follows", sa.Text, nullable=False, server_default=""))
