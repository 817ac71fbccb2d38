"""Logins of maintainers, and a record of what they changed."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "logins",
        sa.Column("state_hash", sa.String(length=64), nullable=False),
        sa.Column("browser_hash", sa.String(length=64), nullable=False),
        sa.Column("back_to", sa.String(length=512), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("state_hash", name=op.f("pk_logins")),
    )
    op.create_index(op.f("ix_logins_expires_at"), "logins", ["expires_at"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("cookie_hash", sa.String(length=64), nullable=False),
        sa.Column("login", sa.String(length=128), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("began_at", sa.Double(), nullable=False),
        sa.Column("seen_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("cookie_hash", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_seen_at"), "sessions", ["seen_at"], unique=False)
    op.create_table(
        "audit_log",
        sa.Column("id", row_id, autoincrement=True, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("login", sa.String(length=128), nullable=False),
        sa.Column("action", sa.String(length=32), nullable=False),
        sa.Column("repo_id", sa.BigInteger(), nullable=False),
        sa.Column("repo", sa.String(length=256), nullable=False),
        sa.Column("subject", sa.String(length=128), nullable=False),
        sa.Column("detail", sa.String(length=512), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_log")),
    )
    op.create_index(op.f("ix_audit_log_repo_id_at"), "audit_log", ["repo_id", "at"], unique=False)


def downgrade() -> None:
    raise NotImplementedError("forward only: restore a backup instead")
