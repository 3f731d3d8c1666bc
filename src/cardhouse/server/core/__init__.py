"""Leaves that know no table and no database: tokens, names, compression, logs, shutdown, cached static files."""
