"""Who plays by themselves: bots, their policies, and the odds by playing on."""
