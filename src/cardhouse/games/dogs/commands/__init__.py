"""Dogs Play Cards, Too on the command line: characters of the dice game, odds of fallout, sheets on paper."""
