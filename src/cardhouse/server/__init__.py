"""The server: HTTP, the socket, what is kept of tables, and who may sit where.

`cardhouse.server.running.serve` runs it. Importing this package imports nothing else.
"""
