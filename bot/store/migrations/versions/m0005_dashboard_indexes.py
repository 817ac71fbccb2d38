"""Indexes for the dashboard's overview: its queries never walk through rows that hold a whole verdict."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

INDEXES = (
    ("verdicts", ("repo_id", "created_at", "issue_id")),
    ("verdicts", ("fingerprint", "repo_id", "id")),
    ("occurrences", ("repo_id", "opened_at", "fingerprint")),
    ("answers", ("repo_id", "decided")),
    ("intents", ("repo_id", "done_at")),
)


def upgrade() -> None:
    for table, columns in INDEXES:
        op.create_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table, list(columns), unique=False)
    op.drop_index("ix_verdicts_fingerprint", "verdicts")  # the longer one begins with it


def downgrade() -> None:
    raise NotImplementedError("forward only: restore a backup instead")
