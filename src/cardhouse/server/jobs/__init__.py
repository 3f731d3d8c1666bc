"""A pool of worker processes for everything that would hold up the event loop."""
