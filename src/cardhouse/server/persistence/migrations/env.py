"""Run by Alembic, with the connection that `database.prepare` hands it."""

from alembic import context

from cardhouse.server.persistence.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
