"""Card initiative: who acts when in an Old West shoot-out is drawn from a deck."""
