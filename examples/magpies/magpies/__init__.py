"""Magpies: everybody wants the shiny card, and whoever is not alone with an idea gets nothing."""
