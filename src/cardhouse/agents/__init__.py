"""Cardhouse's games for other people's agents: PettingZoo environments and OpenSpiel games (docs/agents.md)."""
