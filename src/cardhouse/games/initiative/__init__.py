"""Card initiative: the order of action in an Old West shoot-out is drawn from a deck."""
