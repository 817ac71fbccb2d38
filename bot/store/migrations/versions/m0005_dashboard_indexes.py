"""Indexes for the dashboard's overview: its queries never walk through rows that hold a whole verdict."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

INDEXES = (
    ("verdicts", ("repo_id", "issue_id", "created_at")),
    ("intents", ("repo_id", "did", "done_at")),
    ("verdicts", ("fingerprint", "repo_id", "id")),
    ("occurrences", ("repo_id", "opened_at", "fingerprint", "state", "entry")),
    ("occurrences", ("repo_id", "fingerprint", "opened_at", "state", "entry")),
    ("answers", ("repo_id", "decided")),
)


def upgrade() -> None:
    for table, columns in INDEXES:
        op.create_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table, list(columns), unique=False)
    # Longer ones begin with these.
    op.drop_index("ix_verdicts_fingerprint", "verdicts")
    op.drop_index("ix_verdicts_repo_id_issue_id", "verdicts")
    op.drop_index("ix_occurrences_repo_id_fingerprint", "occurrences")


def downgrade() -> None:
    raise NotImplementedError("forward only: restore a backup instead")
