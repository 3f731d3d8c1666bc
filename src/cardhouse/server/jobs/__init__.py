"""Worker processes for everything that would hold up the event loop."""
