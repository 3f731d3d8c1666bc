"""The gunfight in the lab: its questions, how they are played by the rules, and what can be counted exactly."""
