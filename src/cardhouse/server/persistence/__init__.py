"""The database: schema, migrations, repositories, group commit, integrity, backup and retention."""
