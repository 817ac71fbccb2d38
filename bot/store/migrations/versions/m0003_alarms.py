"""Comments of outsiders that maintainers should look at."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "alarms",
        sa.Column("comment_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("repo_id", sa.BigInteger(), nullable=False),
        sa.Column("issue_id", sa.BigInteger(), nullable=False),
        sa.Column("repo", sa.String(length=256), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("raised_at", sa.Double(), nullable=False),
        sa.Column("dismissed_by", sa.String(length=128), server_default="", nullable=False),
        sa.Column("dismissed_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("comment_id", name=op.f("pk_alarms")),
    )
    op.create_index(op.f("ix_alarms_raised_at"), "alarms", ["raised_at"], unique=False)


def downgrade() -> None:
    raise NotImplementedError("forward only: restore a backup instead")
