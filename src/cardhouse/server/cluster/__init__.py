"""Several servers that share one database: change feed, messages between them, presence and leases."""
