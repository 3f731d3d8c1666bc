"""The wounds of Hackjack: their schema, the standard 52, and the validation of a wounds file (HJ-30)."""
