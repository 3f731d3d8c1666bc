"""Dogpile in the lab: its questions, their play by the rules, and their exact values."""
