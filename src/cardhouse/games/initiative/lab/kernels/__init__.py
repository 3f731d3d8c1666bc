"""Card initiative as machine code."""
