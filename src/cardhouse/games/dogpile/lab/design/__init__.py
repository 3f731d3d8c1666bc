"""Designing a deck for Dogpile with wanted chances of contact and packs."""
