"""Our games as other people's agents know them: PettingZoo environments, OpenSpiel games (docs/agents.md)."""
