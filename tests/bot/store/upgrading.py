"""Databases as earlier releases left them: made by the migrations up to a revision, with a row in every table."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Boolean, Engine, Float, Integer, LargeBinary, MetaData, Table, insert, select
from sqlalchemy.types import JSON, Double

from bot.store.migrate import alembic_config
from bot.store.schema import metadata as present

VERSIONS = Path(__file__).resolve().parents[3] / "bot/store/migrations/versions"
NOT_OURS = frozenset({"schema_version", "sqlite_sequence"})

PLAIN: dict[str, Any] = {
    "guid": "00000000-0000-4000-9000-000000000001",
    "event": "issues",
    "action": "edited",
    "state": "done",
    "reason": "answered",
    "repo": "tracel-ai/burn",
    "repo_id": 5,
    "issue": 7,
    "issue_id": 70,
    "number": 7,
    "comment_id": 900,
    "delivery_id": 1,
    "installation_id": 11,
    "memory": {
        "state": "answer",
        "comment_id": 900,
        "installed_at": "2026-06-01T00:00:00Z",
        "answer": "matched|KB-0001|x",
    },
    "verdict": {"outcome": "matched", "entry": "KB-0001", "fingerprint": "f", "catalog": "c"},
    "counts": {"+1": 1},
    "good": {"mode": "on"},
    "in_force": "on",
    "outcome": "matched",
    "entry": "KB-0001",
    "answer": "matched|KB-0001|x",
    "installed_at": "2026-06-01T00:00:00Z",
    "opened_at": "2026-06-01T00:00:00Z",
    "issue_created_at": "2026-06-01T00:00:00Z",
    "removed_at": None,
    "payload": b"{}",
    "expires_at": 1.0,
    "kind": "archive",
    "login": "ann",
    "by": "author",
}
"""Values that the product takes for what they are; other columns get something of their type."""


def revisions() -> list[str]:
    """Every revision, the first one first."""
    return [script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()][::-1]


def upgrade_to(engine: Engine, revision: str) -> None:
    """Our tables alone, as the release of that revision made them."""
    with engine.begin() as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def tables_at(engine: Engine) -> MetaData:
    """Our tables as they lie in the database now: what the code of that release knows of them."""
    found = MetaData()
    found.reflect(engine, only=lambda name, _: name in present.tables)
    return found


def fill(engine: Engine, tables: MetaData) -> dict[str, dict[str, Any]]:
    """One row in every table; the rows."""
    rows = {table.name: dict(_row(table)) for table in tables.sorted_tables}
    with engine.begin() as conn:
        for table in tables.sorted_tables:
            conn.execute(insert(table).values(rows[table.name]))
    return rows


def rows_of(engine: Engine, tables: MetaData) -> dict[str, list[dict[str, Any]]]:
    """Every row, in the columns of that release."""
    with engine.connect() as conn:
        return {
            table.name: [dict(row) for row in conn.execute(select(table)).mappings()] for table in tables.sorted_tables
        }


def _row(table: Table) -> Iterator[tuple[str, Any]]:
    numbered = [c.name for c in present.tables[table.name].columns if c.autoincrement is True]
    for column in table.columns:
        if column.name in numbered:
            continue  # given by the database, which counts on
        yield column.name, PLAIN[column.name] if column.name in PLAIN else _value(column.type)


def _value(kind: Any) -> Any:
    match kind:
        case Boolean():
            return False
        case Integer():
            return 1
        case Double() | Float():
            return 1.0
        case LargeBinary():
            return b"x"
        case JSON():
            return {}
    return "x"


def shrinking(source: str) -> Iterator[str]:
    """What a migration does that code of the release before could trip over: taking away, renaming, a column that it
    does not fill and that has no default."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        name, line = node.func.attr, node.lineno
        if name in {
            "drop_table",
            "drop_column",
            "drop_constraint",
            "rename_table",
            "alter_column",
            "batch_alter_table",
        }:
            yield f"line {line}: {name}"
        elif name in {"create_unique_constraint", "create_check_constraint", "create_foreign_key"}:
            yield f"line {line}: {name} on a table that is there"
        elif name == "create_index" and any(k.arg == "unique" and _is(k.value, True) for k in node.keywords):
            yield f"line {line}: a unique index"
        elif name == "add_column" and not _may_be_left_out(node):
            yield f"line {line}: a column that old code does not fill and that has no default"
        elif name == "execute" and _says(node, ("DELETE", "DROP", "ALTER", "TRUNCATE", "RENAME")):
            yield f"line {line}: a statement that takes away"


def _may_be_left_out(call: ast.Call) -> bool:
    columns = [arg for arg in call.args if isinstance(arg, ast.Call)]
    given = {keyword.arg: keyword.value for column in columns for keyword in column.keywords}
    return "server_default" in given or not _is(given.get("nullable"), False)


def _is(node: ast.AST | None, value: bool) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


def _says(call: ast.Call, words: tuple[str, ...]) -> bool:
    texts = [n.value for arg in call.args for n in ast.walk(arg) if isinstance(n, ast.Constant)]
    return any(word in str(text).upper() for text in texts for word in words)
