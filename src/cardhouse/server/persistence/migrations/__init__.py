"""The database migrations, one step per file."""
