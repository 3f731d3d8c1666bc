"""A game's side of the engine: the class that every game extends, its words, its people and its recap."""
