"""Numbers, labels and names as people read them, and the look of plots."""
