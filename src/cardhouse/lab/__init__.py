"""The lab: how do these rules really behave? Studies of whole games, played by the games' own bots."""
