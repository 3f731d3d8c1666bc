"""The bot that every game has: it plays any seat, using only what that seat may know."""
