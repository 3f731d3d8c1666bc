"""A small complete game that `cardhouse new` copies, under the new game's name."""
