"""Alembic's entry. The connection is handed in by `bot.store.migrate`."""

from alembic import context

from bot.store.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True, version_table="schema_version")
with context.begin_transaction():
    context.run_migrations()
