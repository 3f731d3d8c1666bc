"""The WebSocket: its endpoint, and the session of one client at one table."""
