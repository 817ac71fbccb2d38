"""One row for each issue that was looked at: when first, whether it was answered, whether it shows a panic.

The database keeps it itself, with triggers, so it is right whoever writes: code of the release before, a cascade, a
person at the database's own prompt. Each change of a row that it comes from works the issue's row out anew.
"""

from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

LOCKS = "LOCK TABLE answers, occurrences, verdicts IN SHARE ROW EXCLUSIVE MODE"
"""PostgreSQL. In the order in which a job writes to them: otherwise each would wait for what the other has."""

SOURCES = {
    "verdicts": "repo_id, issue_id, created_at",
    "answers": "repo_id, issue_id, decided",
    "occurrences": "repo_id, issue_id",
}
"""Tables that it comes from, and the columns whose change can matter."""

FIELDS = """
SELECT v.repo_id, v.issue_id, min(v.created_at) AS first_at,
  EXISTS (SELECT 1 FROM answers a WHERE a.repo_id = v.repo_id AND a.issue_id = v.issue_id AND a.decided <> 'set')
    AS answered,
  EXISTS (SELECT 1 FROM occurrences o WHERE o.repo_id = v.repo_id AND o.issue_id = v.issue_id) AS panic
FROM verdicts v
"""

SQLITE = """
CREATE TRIGGER first_looks_{table}_{event} AFTER {event} {columns} ON {table} BEGIN
{body}
END
"""

SQLITE_BODY = f"""
DELETE FROM first_looks WHERE repo_id = {{row}}.repo_id AND issue_id = {{row}}.issue_id;
INSERT INTO first_looks (repo_id, issue_id, first_at, answered, panic) {FIELDS}
  WHERE v.repo_id = {{row}}.repo_id AND v.issue_id = {{row}}.issue_id GROUP BY v.repo_id, v.issue_id;
"""

# The first statement waits for whoever changes the same issue, and the next ones then see what they wrote: PostgreSQL
# gives each statement of a volatile function a view of its own (docs: "Function Volatility Categories"). It plans
# them anew each time: a plan that was made while the tables were empty would choose any index, and be kept.
POSTGRESQL = (
    f"""
CREATE FUNCTION first_looks_again(this_repo bigint, this_issue bigint) RETURNS void LANGUAGE plpgsql VOLATILE
  SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  INSERT INTO first_looks AS l (repo_id, issue_id, first_at, answered, panic)
    VALUES (this_repo, this_issue, 0, false, false)
    ON CONFLICT (repo_id, issue_id) DO UPDATE SET first_at = l.first_at;
  UPDATE first_looks l SET first_at = f.first_at, answered = f.answered, panic = f.panic
    FROM ({FIELDS} WHERE v.repo_id = this_repo AND v.issue_id = this_issue GROUP BY v.repo_id, v.issue_id) f
    WHERE l.repo_id = this_repo AND l.issue_id = this_issue;
  IF NOT FOUND THEN
    DELETE FROM first_looks l WHERE l.repo_id = this_repo AND l.issue_id = this_issue;
  END IF;
END $$
""",
    """
CREATE FUNCTION first_looks_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM first_looks_again(OLD.repo_id, OLD.issue_id);
  END IF;
  IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND (NEW.repo_id, NEW.issue_id) <> (OLD.repo_id, OLD.issue_id)) THEN
    PERFORM first_looks_again(NEW.repo_id, NEW.issue_id);
  END IF;
  RETURN NULL;
END $$
""",
)


def upgrade() -> None:
    op.create_table(
        "first_looks",
        sa.Column("repo_id", sa.BigInteger(), nullable=False),
        sa.Column("issue_id", sa.BigInteger(), nullable=False),
        sa.Column("first_at", sa.Double(), nullable=False),
        sa.Column("answered", sa.Boolean(), nullable=False),
        sa.Column("panic", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("repo_id", "issue_id", name=op.f("pk_first_looks")),
    )
    sqlite = op.get_bind().dialect.name == "sqlite"
    if not sqlite:
        op.execute(LOCKS)
    for statement in sqlite_triggers() if sqlite else postgresql_triggers():
        op.execute(statement)
    op.execute(f"INSERT INTO first_looks (repo_id, issue_id, first_at, answered, panic) {FIELDS} GROUP BY 1, 2")
    columns = ["repo_id", "first_at", "answered", "panic"]
    op.create_index(op.f("ix_first_looks_repo_id_first_at_answered_panic"), "first_looks", columns, unique=False)


def sqlite_triggers() -> Iterator[str]:
    """A trigger for each table and kind of change."""
    for table, columns in SOURCES.items():
        for event, rows in {"INSERT": ("NEW",), "UPDATE": ("OLD", "NEW"), "DELETE": ("OLD",)}.items():
            which = f"OF {columns}" if event == "UPDATE" else ""
            body = "".join(SQLITE_BODY.format(row=row) for row in rows)
            yield SQLITE.format(table=table, event=event, columns=which, body=body)


def postgresql_triggers() -> Iterator[str]:
    """A trigger for each table, and their functions."""
    yield from POSTGRESQL
    for table, columns in SOURCES.items():
        yield (
            f"CREATE TRIGGER first_looks_{table} AFTER INSERT OR DELETE OR UPDATE OF {columns} ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION first_looks_changed()"
        )


def downgrade() -> None:
    raise NotImplementedError("forward only: restore a backup instead")
