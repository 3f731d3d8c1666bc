"""Dogs Play Cards, Too as machine code."""
