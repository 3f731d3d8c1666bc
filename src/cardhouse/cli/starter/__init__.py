"""A small game that is whole, as the beginning of another: what `cardhouse new` writes, under its own name."""
