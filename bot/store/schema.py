"""The tables, as they are now. `migrations/` says how they came to be; a test proves that both agree.

Times are seconds since 1970 UTC. Raw text of users stands in `deliveries.payload` alone, for 72 hours at most.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TextClause,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite counts up by itself only for a column that it knows as INTEGER.
RowId = BigInteger().with_variant(Integer(), "sqlite")

deliveries = Table(
    "deliveries",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("guid", String(64), nullable=False, unique=True),
    Column("body_hash", String(64), nullable=False),  # SHA-256 of the bytes received, for diagnosis
    Column("event", String(64), nullable=False),
    Column("action", String(64), nullable=False, server_default=""),
    Column("installation_id", BigInteger),
    Column("repo", String(256)),
    Column("repo_id", BigInteger),
    Column("issue", BigInteger),  # number
    Column("issue_id", BigInteger),
    Column("issue_created_at", String(32)),
    Column("comment_id", BigInteger),
    Column("sender", String(128), nullable=False, server_default=""),
    Column("sender_is_bot", Boolean, nullable=False),
    Column("received_at", Double, nullable=False),
    Column("state", String(16), nullable=False),  # ignored, queued, done, parked, forgotten
    Column("reason", String(64), nullable=False, server_default=""),
    Column("settled_at", Double),  # when it became anything but queued
    Column("payload", LargeBinary),
    Column("via", String(16), nullable=False, server_default="webhook"),  # webhook, swept, reconciled, board
    Index(None, "repo_id", "issue_id"),
    Index(None, "repo_id", "id"),
    # Ids go into workflow ids and markers: a number must never come back.
    sqlite_autoincrement=True,
)


def _partial(name: str, where: ColumnElement[bool] | TextClause, *columns: Column[Any]) -> None:
    Index(name, *columns, sqlite_where=where, postgresql_where=where)


# What waits is always little, so what looks for it never walks through what is settled.
_partial("ix_deliveries_unsettled", deliveries.c.settled_at.is_(None), deliveries.c.id)

# A condition with a parameter would not be seen to imply these: `bot.store.deliveries` writes them out.
_partial("ix_deliveries_parked", text("state = 'parked'"), deliveries.c.repo_id, deliveries.c.id)
_partial("ix_deliveries_waiting", text("settled_at IS NULL"), deliveries.c.repo_id, deliveries.c.id)
_partial("ix_deliveries_found", text("via <> 'webhook'"), deliveries.c.repo_id, deliveries.c.id)

# Asked before each job, so it holds what is rare alone.
OF_INSTALLATIONS = text("settled_at IS NULL AND event IN ('installation', 'installation_repositories')")
_partial("ix_deliveries_installation", OF_INSTALLATIONS, deliveries.c.installation_id)

_partial("ix_deliveries_raw", deliveries.c.payload.is_not(None), deliveries.c.received_at)
_partial("ix_deliveries_settled", deliveries.c.settled_at.is_not(None), deliveries.c.settled_at)

leftovers = Table(
    "leftovers",  # jobs whose records in the job engine are to be deleted
    metadata,
    Column("delivery_id", BigInteger, primary_key=True, autoincrement=False),
    Column("guid", String(64), nullable=False),
    Column("since", Double, nullable=False),
)

issues = Table(
    "issues",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("repo_id", BigInteger, nullable=False),
    Column("issue_id", BigInteger, nullable=False),
    Column("repo", String(256), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("comment_id", BigInteger),
    Column("memory", JSON, nullable=False),
    Column("updated_at", Double, nullable=False),
    UniqueConstraint("repo_id", "issue_id"),
)

intents = Table(
    "intents",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("delivery_id", ForeignKey("deliveries.id", ondelete="CASCADE"), nullable=False),
    Column("repo_id", BigInteger, nullable=False),
    Column("issue_id", BigInteger, nullable=False),
    Column("action", String(32), nullable=False),
    Column("body_hash", String(64)),  # of the comment we mean to write
    Column("body", Text),  # its text, redacted, as the dashboard shows it
    Column("state", String(16), nullable=False),  # planned, done, unknown
    Column("did", String(16), nullable=False, server_default=""),
    Column("reason", String(64), nullable=False, server_default=""),
    Column("comment_id", BigInteger),
    Column("planned_at", Double, nullable=False),
    Column("done_at", Double),
    Index(None, "repo_id", "issue_id"),
    Index(None, "repo_id", "did", "done_at"),
    Index(None, "delivery_id"),
)

verdicts = Table(
    "verdicts",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("delivery_id", ForeignKey("deliveries.id", ondelete="CASCADE"), nullable=False, unique=True),
    Column("repo_id", BigInteger, nullable=False),
    Column("issue_id", BigInteger, nullable=False),
    Column("repo", String(256), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("outcome", String(16), nullable=False),
    Column("entry", String(16)),
    Column("fingerprint", String(128)),
    Column("catalog", String(128), nullable=False),  # revision of the knowledge base
    Column("reason", String(64), nullable=False),
    Column("verdict", JSON, nullable=False),  # redacted
    Column("created_at", Double, nullable=False),
    Index(None, "repo_id", "created_at", "id"),
    Index(None, "repo_id", "outcome", "created_at", "id"),
    Index(None, "repo_id", "entry", "created_at", "id"),
    Index(None, "created_at"),
    Index(None, "repo_id", "issue_id", "created_at"),
    Index(None, "fingerprint", "repo_id", "id"),
)

disputes = Table(
    "disputes",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("delivery_id", ForeignKey("deliveries.id", ondelete="CASCADE"), nullable=False),
    Column("repo_id", BigInteger, nullable=False),
    Column("issue_id", BigInteger, nullable=False),
    Column("login", String(128), nullable=False),  # lower case
    Column("at", String(32), nullable=False),  # of the comment, ISO 8601 in UTC
    Column("by", String(16), nullable=False),  # author, maintainer, others
    Column("answer", Text, nullable=False),  # what was disputed
    Column("reason", Text, nullable=False),  # redacted
    Column("counted", Boolean, nullable=False),
    UniqueConstraint("repo_id", "issue_id", "login", "at"),
    Index(None, "at"),
    Index(None, "delivery_id"),
)

installations = Table(
    "installations",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("account", String(128), nullable=False, server_default=""),
    Column("installed_at", String(32), nullable=False, server_default=""),
    Column("suspended", Boolean, nullable=False),
    Column("removed_at", Double),
    Column("held_until", Double, nullable=False, server_default="0"),  # GitHub told us to wait
    Column("wrote_at", Double, nullable=False, server_default="0"),  # when the last write goes out, or went
)

repositories = Table(
    "repositories",
    metadata,
    Column("repo_id", BigInteger, primary_key=True, autoincrement=False),
    Column("repo", String(256), nullable=False),
    Column("installation_id", BigInteger),
    Column("installed_at", String(32), nullable=False),
    Column("removed_at", Double),
)

configurations = Table(
    "configurations",
    metadata,
    Column("repo_id", BigInteger, primary_key=True, autoincrement=False),
    Column("repo", String(256), nullable=False),
    Column("good", JSON(none_as_null=True)),  # the last configuration that could be used
    Column("etag", String(256), nullable=False, server_default=""),
    Column("error", Text, nullable=False, server_default=""),  # why the newest file cannot be used
    Column("checked_at", Double, nullable=False),
    Column("in_force", String(16), nullable=False),  # on, shadow, off
    Column("on_since", String(32), nullable=False, server_default=""),  # ISO 8601; "" when it was never anything else
    Column("switched_off_by", String(128), nullable=False, server_default=""),
    Column("switched_off_at", Double),  # by a maintainer, whatever the file says
    Column("switched_to", String(16), nullable=False, server_default=""),  # on, shadow; "" for the file
)

occurrences = Table(
    "occurrences",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("repo_id", BigInteger, nullable=False),
    Column("issue_id", BigInteger, nullable=False),
    Column("repo", String(256), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("state", String(16), nullable=False),  # open, closed
    Column("opened_at", String(32), nullable=False),
    Column("outcome", String(16), nullable=False),
    Column("entry", String(16)),
    Column("fingerprint", String(128), nullable=False),
    Column("site", String(32)),
    Column("seen_at", Double, nullable=False),
    UniqueConstraint("repo_id", "issue_id"),
    Index(None, "repo_id", "site"),
    # With everything that the dashboard counts: it reads no row.
    Index(None, "repo_id", "opened_at", "fingerprint", "state", "entry"),
    Index(None, "repo_id", "fingerprint", "opened_at", "state", "entry"),
)

answers = Table(
    "answers",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("repo_id", BigInteger, nullable=False),
    Column("issue_id", BigInteger, nullable=False),
    Column("key", String(16), nullable=False),  # hash of `answer`
    Column("repo", String(256), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("answer", Text, nullable=False),  # outcome, entry and place, without wording
    Column("entry", String(16)),
    Column("delivery_id", BigInteger, nullable=False),  # whose verdict it is
    Column("given_at", Double, nullable=False),
    Column("decided", String(8), nullable=False, server_default=""),  # by a maintainer: right, wrong, set
    Column("right_entry", String(16)),  # what a maintainer set in its stead
    Column("decided_at", Double),
    UniqueConstraint("repo_id", "issue_id", "key"),
    Index(None, "repo_id", "entry", "decided"),
    Index(None, "entry"),
    Index(None, "decided"),
    Index(None, "repo_id", "decided"),
)

# Kept by triggers (migration 0008) from the verdicts, answers and occurrences of an issue: no code writes it.
first_looks = Table(
    "first_looks",
    metadata,
    Column("repo_id", BigInteger, primary_key=True, autoincrement=False),
    Column("issue_id", BigInteger, primary_key=True, autoincrement=False),
    Column("first_at", Double, nullable=False),  # when the issue was first looked at
    Column("answered", Boolean, nullable=False),  # an answer was given, not one that a maintainer set
    Column("panic", Boolean, nullable=False),  # it shows a panic now
    Index(None, "repo_id", "first_at", "answered", "panic"),
)

reactions = Table(
    "reactions",
    metadata,
    Column("comment_id", BigInteger, primary_key=True, autoincrement=False),
    Column("repo_id", BigInteger, nullable=False),
    Column("issue_id", BigInteger, nullable=False),
    Column("counts", JSON, nullable=False),  # by GitHub's names
    Column("up", Integer, nullable=False),
    Column("down", Integer, nullable=False),
    Column("gone", Boolean, nullable=False),  # the comment was deleted
    Column("checked_at", Double, nullable=False),
    Index(None, "repo_id", "issue_id"),
)

alarms = Table(
    "alarms",
    metadata,
    Column("comment_id", BigInteger, primary_key=True, autoincrement=False),
    Column("repo_id", BigInteger, nullable=False),
    Column("issue_id", BigInteger, nullable=False),
    Column("repo", String(256), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("kind", String(16), nullable=False),  # archive, shortened
    Column("raised_at", Double, nullable=False),
    Column("dismissed_by", String(128), nullable=False, server_default=""),
    Column("dismissed_at", Double),
    Index(None, "raised_at"),
)

backfills = Table(
    "backfills",
    metadata,
    Column("repo_id", BigInteger, primary_key=True, autoincrement=False),
    Column("repo", String(256), nullable=False),
    Column("page", Integer, nullable=False),  # of the issue list, oldest first: where to go on
    Column("number", BigInteger, nullable=False),  # the last issue read
    Column("issues", Integer, nullable=False),
    Column("panics", Integer, nullable=False),
    Column("started_at", Double, nullable=False),
    Column("finished_at", Double),
)

writes = Table(
    "writes",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("installation_id", BigInteger, nullable=False),
    Column("at", Double, nullable=False),
    Index(None, "installation_id", "at"),
)

chores = Table(
    "chores",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("started_at", Double, nullable=False),
    Column("ended_at", Double),
    Column("covered_until", Double),  # everything up to here was looked at
    Column("found", Integer, nullable=False, server_default="0"),  # gaps of the last run
    Column("reason", String(64), nullable=False, server_default=""),  # why the last run failed
)

executors = Table(
    "executors",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("holder", String(64), nullable=False),
    Column("place", String(256), nullable=False),  # machine, boot and process-id namespace
    Column("pid", Integer, nullable=False),
    Column("acquired_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
)

logins = Table(
    "logins",  # begun at GitHub and not finished
    metadata,
    Column("state_hash", String(64), primary_key=True),
    Column("browser_hash", String(64), nullable=False),
    Column("back_to", String(512), nullable=False),  # the page that was asked for
    Column("expires_at", Double, nullable=False),
    Index(None, "expires_at"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("cookie_hash", String(64), primary_key=True),
    Column("login", String(128), nullable=False),
    Column("user_id", BigInteger, nullable=False),  # GitHub's; a login can change hands
    Column("began_at", Double, nullable=False),
    Column("seen_at", Double, nullable=False),
    Column("reach", JSON(none_as_null=True)),  # repositories that may be theirs, by id; NULL for all
    Index(None, "seen_at"),
)

audit_log = Table(
    "audit_log",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("at", Double, nullable=False),
    Column("login", String(128), nullable=False),
    Column("action", String(32), nullable=False),
    Column("repo_id", BigInteger, nullable=False),
    Column("repo", String(256), nullable=False),
    Column("subject", String(128), nullable=False),  # what was changed: an issue's number, a fingerprint
    Column("detail", String(512), nullable=False),
    Index(None, "repo_id", "at"),
)
