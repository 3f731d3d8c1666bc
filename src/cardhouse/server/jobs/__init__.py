"""A pool of worker processes for whatever would hold up the event loop."""
