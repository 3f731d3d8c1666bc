"""The game's side of the engine: the class that every game extends, its words, people and recap."""
