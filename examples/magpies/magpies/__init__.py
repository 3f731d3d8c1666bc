"""Magpies: everyone wants the shiny card, and players with the same idea get nothing."""
