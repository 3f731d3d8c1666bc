"""The gunfight: card initiative and Hackjack on one roster."""
