"""Indexes for what is looked up for each job, or every minute: none of it walks through what is waiting or settled."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _partial(
        "ix_deliveries_installation",
        ["installation_id"],
        "settled_at IS NULL AND event IN ('installation', 'installation_repositories')",
    )
    _partial("ix_deliveries_settled", ["settled_at"], "settled_at IS NOT NULL")
    op.create_index(op.f("ix_disputes_delivery_id"), "disputes", ["delivery_id"], unique=False)


def _partial(name: str, columns: list[str], where: str) -> None:
    condition = sa.text(where)
    op.create_index(name, "deliveries", columns, unique=False, sqlite_where=condition, postgresql_where=condition)


def downgrade() -> None:
    raise NotImplementedError("forward only: restore a backup instead")
