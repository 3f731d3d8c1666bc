"""The server: HTTP, the socket, storage, and permissions.

`cardhouse.server.app.lifecycle.serve` runs it. Importing this package imports nothing else.
"""
