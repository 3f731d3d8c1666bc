"""Numbers, labels and names for people, and the look of plots."""
