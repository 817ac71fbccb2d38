"""Jobs of forgotten deliveries, whose records in the job engine are to be deleted; when the last write went out."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "leftovers",
        sa.Column("delivery_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guid", sa.String(length=64), nullable=False),
        sa.Column("since", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("delivery_id", name=op.f("pk_leftovers")),
    )
    op.add_column("installations", sa.Column("wrote_at", sa.Double(), server_default="0", nullable=False))


def downgrade() -> None:
    raise NotImplementedError("forward only: restore a backup instead")
