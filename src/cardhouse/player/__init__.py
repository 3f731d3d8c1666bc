"""The house's own player: it plays any seat of any game, by what that seat may know and nothing else."""
