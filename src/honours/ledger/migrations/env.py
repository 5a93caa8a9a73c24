"""Runs the steps on the connection it is handed, all in the one transaction that is open there."""

from __future__ import annotations

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
context.run_migrations()
