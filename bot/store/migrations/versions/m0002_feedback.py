"""Configurations of repositories, repeats, answers with what became of them, reactions, backfills."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _answers()
    _backfills()
    _configurations()
    _occurrences()
    _reactions()


def downgrade() -> None:
    raise NotImplementedError("forward only: restore a backup instead")


def _answers() -> None:
    op.create_table(
        "answers",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("repo_id", sa.BigInteger(), nullable=False),
        sa.Column("issue_id", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.String(length=16), nullable=False),
        sa.Column("repo", sa.String(length=256), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("entry", sa.String(length=16), nullable=True),
        sa.Column("delivery_id", sa.BigInteger(), nullable=False),
        sa.Column("given_at", sa.Double(), nullable=False),
        sa.Column("decided", sa.String(length=8), server_default="", nullable=False),
        sa.Column("right_entry", sa.String(length=16), nullable=True),
        sa.Column("decided_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_answers")),
        sa.UniqueConstraint("repo_id", "issue_id", "key", name=op.f("uq_answers_repo_id_issue_id_key")),
    )
    op.create_index(op.f("ix_answers_decided"), "answers", ["decided"], unique=False)
    op.create_index(op.f("ix_answers_entry"), "answers", ["entry"], unique=False)


def _backfills() -> None:
    op.create_table(
        "backfills",
        sa.Column("repo_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("repo", sa.String(length=256), nullable=False),
        sa.Column("page", sa.Integer(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("issues", sa.Integer(), nullable=False),
        sa.Column("panics", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.Double(), nullable=False),
        sa.Column("finished_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("repo_id", name=op.f("pk_backfills")),
    )


def _configurations() -> None:
    op.create_table(
        "configurations",
        sa.Column("repo_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("repo", sa.String(length=256), nullable=False),
        sa.Column("good", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("etag", sa.String(length=256), server_default="", nullable=False),
        sa.Column("error", sa.Text(), server_default="", nullable=False),
        sa.Column("checked_at", sa.Double(), nullable=False),
        sa.Column("in_force", sa.String(length=16), nullable=False),
        sa.Column("on_since", sa.String(length=32), server_default="", nullable=False),
        sa.Column("switched_off_by", sa.String(length=128), server_default="", nullable=False),
        sa.Column("switched_off_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("repo_id", name=op.f("pk_configurations")),
    )


def _occurrences() -> None:
    op.create_table(
        "occurrences",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("repo_id", sa.BigInteger(), nullable=False),
        sa.Column("issue_id", sa.BigInteger(), nullable=False),
        sa.Column("repo", sa.String(length=256), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("opened_at", sa.String(length=32), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=False),
        sa.Column("entry", sa.String(length=16), nullable=True),
        sa.Column("fingerprint", sa.String(length=128), nullable=False),
        sa.Column("site", sa.String(length=32), nullable=True),
        sa.Column("seen_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_occurrences")),
        sa.UniqueConstraint("repo_id", "issue_id", name=op.f("uq_occurrences_repo_id_issue_id")),
    )
    op.create_index(op.f("ix_occurrences_repo_id_fingerprint"), "occurrences", ["repo_id", "fingerprint"], unique=False)
    op.create_index(op.f("ix_occurrences_repo_id_site"), "occurrences", ["repo_id", "site"], unique=False)


def _reactions() -> None:
    op.create_table(
        "reactions",
        sa.Column("comment_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("repo_id", sa.BigInteger(), nullable=False),
        sa.Column("issue_id", sa.BigInteger(), nullable=False),
        sa.Column("counts", sa.JSON(), nullable=False),
        sa.Column("up", sa.Integer(), nullable=False),
        sa.Column("down", sa.Integer(), nullable=False),
        sa.Column("gone", sa.Boolean(), nullable=False),
        sa.Column("checked_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("comment_id", name=op.f("pk_reactions")),
    )
    op.create_index(op.f("ix_reactions_repo_id_issue_id"), "reactions", ["repo_id", "issue_id"], unique=False)
