"""For the dashboard: what an account could reach when it logged in, and the mode that a maintainer chose there."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    mode = sa.Column("switched_to", sa.String(length=16), server_default="", nullable=False)
    op.add_column("configurations", mode)
    op.add_column("sessions", sa.Column("reach", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    raise NotImplementedError("forward only: restore a backup instead")
