"""Sources of cards and dice: dealers, and randomness that several devices share."""
