"""Designing a deck for Dogpile: finding cards that have the chances of contact and the packs somebody wants."""
