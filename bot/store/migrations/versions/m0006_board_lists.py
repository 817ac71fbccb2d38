"""For the dashboard's lists: how a delivery came, what a comment says, and indexes that no list walks beside."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

INDEXES = (
    ("verdicts", ("repo_id", "created_at", "id")),
    ("verdicts", ("repo_id", "outcome", "created_at", "id")),
    ("verdicts", ("repo_id", "entry", "created_at", "id")),
    ("deliveries", ("repo_id", "id")),
    ("answers", ("repo_id", "entry", "decided")),
)


def upgrade() -> None:
    op.add_column("deliveries", sa.Column("via", sa.String(length=16), server_default="webhook", nullable=False))
    op.execute("UPDATE deliveries SET via = 'reconciled' WHERE action = 'reconciled'")
    op.add_column("intents", sa.Column("body", sa.Text(), nullable=True))
    for table, columns in INDEXES:
        op.create_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table, list(columns), unique=False)
    _partial("ix_deliveries_parked", "state = 'parked'")
    _partial("ix_deliveries_found", "via <> 'webhook'")
    _partial("ix_deliveries_waiting", "settled_at IS NULL")


def _partial(name: str, where: str) -> None:
    condition = sa.text(where)
    op.create_index(
        name, "deliveries", ["repo_id", "id"], unique=False, sqlite_where=condition, postgresql_where=condition
    )


def downgrade() -> None:
    raise NotImplementedError("forward only: restore a backup instead")
