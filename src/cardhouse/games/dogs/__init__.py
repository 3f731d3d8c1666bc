"""Dogs Play Cards, Too: a conflict system for role-playing, played with cards."""
