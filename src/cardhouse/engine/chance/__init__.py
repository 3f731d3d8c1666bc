"""Where cards and dice come from: dealers, and randomness that several people share."""
