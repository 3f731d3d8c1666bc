"""The gunfight as machine code."""
