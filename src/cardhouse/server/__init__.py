"""The server: HTTP, the socket, what is kept of tables, and who may sit where.

`cardhouse.server.app.lifecycle.serve` runs it. Importing this package imports nothing else.
"""
