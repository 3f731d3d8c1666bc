"""The database: schema, migrations, repositories, group commit, integrity, backup, and how long rows are kept."""
