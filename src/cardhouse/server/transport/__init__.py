"""Sockets below the application: HTTP, WebSocket, fair reading, origins and the path prefix."""
