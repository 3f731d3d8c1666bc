"""The games that come with Cardhouse; the engine finds them, and others, by entry point."""
