"""The first shape: deliveries, issues, intents, verdicts, disputes, installations, write ledger, leases."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _deliveries()
    _chores()
    _executors()
    _installations()
    _issues()
    _repositories()
    _writes()
    _disputes()
    _intents()
    _verdicts()


def downgrade() -> None:
    raise NotImplementedError("forward only: restore a backup instead")


def _deliveries() -> None:
    op.create_table(
        "deliveries",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("guid", sa.String(length=64), nullable=False),
        sa.Column("body_hash", sa.String(length=64), nullable=False),
        sa.Column("event", sa.String(length=64), nullable=False),
        sa.Column("action", sa.String(length=64), server_default="", nullable=False),
        sa.Column("installation_id", sa.BigInteger(), nullable=True),
        sa.Column("repo", sa.String(length=256), nullable=True),
        sa.Column("repo_id", sa.BigInteger(), nullable=True),
        sa.Column("issue", sa.BigInteger(), nullable=True),
        sa.Column("issue_id", sa.BigInteger(), nullable=True),
        sa.Column("issue_created_at", sa.String(length=32), nullable=True),
        sa.Column("comment_id", sa.BigInteger(), nullable=True),
        sa.Column("sender", sa.String(length=128), server_default="", nullable=False),
        sa.Column("sender_is_bot", sa.Boolean(), nullable=False),
        sa.Column("received_at", sa.Double(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.String(length=64), server_default="", nullable=False),
        sa.Column("settled_at", sa.Double(), nullable=True),
        sa.Column("payload", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deliveries")),
        sa.UniqueConstraint("guid", name=op.f("uq_deliveries_guid")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_deliveries_raw",
        "deliveries",
        ["received_at"],
        unique=False,
        sqlite_where=sa.text("payload IS NOT NULL"),
        postgresql_where=sa.text("payload IS NOT NULL"),
    )
    op.create_index(op.f("ix_deliveries_repo_id_issue_id"), "deliveries", ["repo_id", "issue_id"], unique=False)
    op.create_index(
        "ix_deliveries_unsettled",
        "deliveries",
        ["id"],
        unique=False,
        sqlite_where=sa.text("settled_at IS NULL"),
        postgresql_where=sa.text("settled_at IS NULL"),
    )


def _chores() -> None:
    op.create_table(
        "chores",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("started_at", sa.Double(), nullable=False),
        sa.Column("ended_at", sa.Double(), nullable=True),
        sa.Column("covered_until", sa.Double(), nullable=True),
        sa.Column("found", sa.Integer(), server_default="0", nullable=False),
        sa.Column("reason", sa.String(length=64), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_chores")),
    )


def _executors() -> None:
    op.create_table(
        "executors",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("holder", sa.String(length=64), nullable=False),
        sa.Column("place", sa.String(length=256), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("acquired_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_executors")),
    )


def _installations() -> None:
    op.create_table(
        "installations",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("account", sa.String(length=128), server_default="", nullable=False),
        sa.Column("installed_at", sa.String(length=32), server_default="", nullable=False),
        sa.Column("suspended", sa.Boolean(), nullable=False),
        sa.Column("removed_at", sa.Double(), nullable=True),
        sa.Column("held_until", sa.Double(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_installations")),
    )


def _issues() -> None:
    op.create_table(
        "issues",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("repo_id", sa.BigInteger(), nullable=False),
        sa.Column("issue_id", sa.BigInteger(), nullable=False),
        sa.Column("repo", sa.String(length=256), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("comment_id", sa.BigInteger(), nullable=True),
        sa.Column("memory", sa.JSON(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_issues")),
        sa.UniqueConstraint("repo_id", "issue_id", name=op.f("uq_issues_repo_id_issue_id")),
    )


def _repositories() -> None:
    op.create_table(
        "repositories",
        sa.Column("repo_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("repo", sa.String(length=256), nullable=False),
        sa.Column("installation_id", sa.BigInteger(), nullable=True),
        sa.Column("installed_at", sa.String(length=32), nullable=False),
        sa.Column("removed_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("repo_id", name=op.f("pk_repositories")),
    )


def _writes() -> None:
    op.create_table(
        "writes",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("installation_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_writes")),
    )
    op.create_index(op.f("ix_writes_installation_id_at"), "writes", ["installation_id", "at"], unique=False)


def _disputes() -> None:
    op.create_table(
        "disputes",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("delivery_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("repo_id", sa.BigInteger(), nullable=False),
        sa.Column("issue_id", sa.BigInteger(), nullable=False),
        sa.Column("login", sa.String(length=128), nullable=False),
        sa.Column("at", sa.String(length=32), nullable=False),
        sa.Column("by", sa.String(length=16), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("counted", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["delivery_id"], ["deliveries.id"], name=op.f("fk_disputes_delivery_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_disputes")),
        sa.UniqueConstraint("repo_id", "issue_id", "login", "at", name=op.f("uq_disputes_repo_id_issue_id_login_at")),
    )
    op.create_index(op.f("ix_disputes_at"), "disputes", ["at"], unique=False)


def _intents() -> None:
    op.create_table(
        "intents",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("delivery_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("repo_id", sa.BigInteger(), nullable=False),
        sa.Column("issue_id", sa.BigInteger(), nullable=False),
        sa.Column("action", sa.String(length=32), nullable=False),
        sa.Column("body_hash", sa.String(length=64), nullable=True),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("did", sa.String(length=16), server_default="", nullable=False),
        sa.Column("reason", sa.String(length=64), server_default="", nullable=False),
        sa.Column("comment_id", sa.BigInteger(), nullable=True),
        sa.Column("planned_at", sa.Double(), nullable=False),
        sa.Column("done_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["delivery_id"], ["deliveries.id"], name=op.f("fk_intents_delivery_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_intents")),
    )
    op.create_index(op.f("ix_intents_delivery_id"), "intents", ["delivery_id"], unique=False)
    op.create_index(op.f("ix_intents_repo_id_issue_id"), "intents", ["repo_id", "issue_id"], unique=False)


def _verdicts() -> None:
    op.create_table(
        "verdicts",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("delivery_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("repo_id", sa.BigInteger(), nullable=False),
        sa.Column("issue_id", sa.BigInteger(), nullable=False),
        sa.Column("repo", sa.String(length=256), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=False),
        sa.Column("entry", sa.String(length=16), nullable=True),
        sa.Column("fingerprint", sa.String(length=128), nullable=True),
        sa.Column("catalog", sa.String(length=128), nullable=False),
        sa.Column("reason", sa.String(length=64), nullable=False),
        sa.Column("verdict", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["delivery_id"], ["deliveries.id"], name=op.f("fk_verdicts_delivery_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verdicts")),
        sa.UniqueConstraint("delivery_id", name=op.f("uq_verdicts_delivery_id")),
    )
    op.create_index(op.f("ix_verdicts_created_at"), "verdicts", ["created_at"], unique=False)
    op.create_index(op.f("ix_verdicts_fingerprint"), "verdicts", ["fingerprint"], unique=False)
    op.create_index(op.f("ix_verdicts_repo_id_issue_id"), "verdicts", ["repo_id", "issue_id"], unique=False)
