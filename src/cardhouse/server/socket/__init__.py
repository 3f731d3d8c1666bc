"""The WebSocket: its endpoint, and the session of one person at one table."""
